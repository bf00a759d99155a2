"""What a check of the bot found, in one line."""

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """Whether something is as it must be; with a warning the bot runs, `skipped` could not be looked at."""

    GOOD = "ok"
    WARNING = "⚠"
    WRONG = "WRONG"
    SKIPPED = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What was looked at, and what was found; where it's wrong, with what to do."""

    subject: str
    verdict: Verdict
    words: str

    def line(self) -> str:
        """Return it in one line."""
        return f"{self.verdict:<5} {self.subject}: {self.words}"


def good(subject: str, words: str) -> Finding:
    """Return that something is as it must be."""
    return Finding(subject=subject, verdict=Verdict.GOOD, words=words)


def warning(subject: str, words: str) -> Finding:
    """Return that something works but is a risk, which one, and what to do."""
    return Finding(subject=subject, verdict=Verdict.WARNING, words=words)


def wrong(subject: str, words: str) -> Finding:
    """Return that something is wrong, and what to do."""
    return Finding(subject=subject, verdict=Verdict.WRONG, words=words)


def skipped(subject: str, words: str) -> Finding:
    """Return that something couldn't be looked at, and why."""
    return Finding(subject=subject, verdict=Verdict.SKIPPED, words=words)
