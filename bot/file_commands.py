"""What `python -m bot` does with league files alone: pair, rank, verify, the next ladder; no Discord, no database."""

import argparse
import contextlib
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from bot import terminal
from bot.league.errors import InvalidFile, LeagueError, PairingImpossible, WrongPhase
from bot.league.season.node import one_line
from bot.terminal import BAD_INPUT, DONE, NO

if TYPE_CHECKING:
    from bot.league.season.model import Season

# What only some of them need is imported by them: they start at once.


def pair(args: argparse.Namespace) -> int:
    """Print the next round of a season as JSON, with the reasons for every pairing."""
    from bot import answers

    print(_json(answers.next_round(_season(args))))
    return DONE


def standings(args: argparse.Namespace) -> int:
    """Print the standings of a season as a table, the champion first."""
    from bot import answers

    season = _season(args)
    print(_json(answers.standings_list(season)) if args.json else answers.standings_table(season))
    return DONE


def verify(args: argparse.Namespace) -> int:
    """Recompute seasons and say what differs from the rules (exit code 1), or find a fingerprint in them."""
    codes: list[int] = []
    seasons = _Seasons(args.files)
    several = len(args.files) > 1
    for number, file in enumerate(args.files, start=1):
        args.file = file
        if several:
            terminal.progress(f"verifying {number} of {len(args.files)}: {one_line(file)}")
        try:
            good, lines = _verified(args, seasons)
        except LeagueError as wrong:
            terminal.progress("")
            codes.append(complain(args, wrong))
            continue
        terminal.progress("")
        for line in lines:
            print(f"{one_line(file)}: {line}" if several else line)
        codes.append(DONE if good else NO)
    return max(codes)


class _Seasons:
    """The seasons of files, one read after the other; those with ladders are kept: later ones go on from them."""

    def __init__(self, files: Sequence[str]) -> None:
        self._files = files
        self._kept: dict[str, Season] = {}

    def of(self, file: str) -> "Season":
        """Return the season of a file; raises InvalidFile."""
        from bot.league.formats import by_key

        season = self._kept.get(file) or _season_of(file)
        if file == terminal.STANDARD or by_key(season.format).in_groups:
            self._kept[file] = season
        return season

    def others(self, file: str) -> "Iterator[Season]":
        """Yield the seasons of the other files that can be read."""
        for other in self._files:
            if other != file:
                with contextlib.suppress(LeagueError):
                    yield self.of(other)


def _verified(args: argparse.Namespace, seasons: _Seasons) -> tuple[bool, Sequence[str]]:
    """Return whether a file agrees, or has the fingerprint, and what to say of it."""
    from bot.league.checking.fingerprints import found_in
    from bot.league.checking.verify import verify

    season = seasons.of(args.file)
    if args.fingerprint is not None:
        has, sentence = found_in(season, args.fingerprint)
        return has, [sentence]
    verified = verify(season, seasons.others(args.file))
    return verified.agrees, verified.lines()


def ladder(args: argparse.Namespace) -> int:
    """Print the order in which the next season fills its divisions as JSON, once the regular stage is over."""
    from bot import answers

    print(_json(answers.ladder(_season(args))))
    return DONE


def _season(args: argparse.Namespace) -> "Season":
    return _season_of(args.file)


def _season_of(file: str) -> "Season":
    from bot.league.checking.league_file import reading

    return reading.read_playable(terminal.content(file))


def _json(answer: Any) -> str:
    return json.dumps(answer, ensure_ascii=False, indent=2)


FILE_COMMANDS = (pair, standings, verify, ladder)


def complain(args: argparse.Namespace, wrong: LeagueError) -> int:
    """Write what is wrong to standard error, and return the exit code."""
    terminal.complain(f"{_source(args, wrong)}: {wrong}")
    return NO if isinstance(wrong, PairingImpossible | WrongPhase) else BAD_INPUT


def _source(args: argparse.Namespace, wrong: LeagueError) -> str:
    """Return what an error is about: the league file or the program."""
    if args.do in FILE_COMMANDS or (isinstance(wrong, InvalidFile) and args.file is not None):
        return "standard input" if args.file == terminal.STANDARD else args.file
    return "python -m bot"
