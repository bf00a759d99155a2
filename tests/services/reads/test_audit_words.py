"""Every kind of change that is noted has a sentence people understand."""

import ast
import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from bot.league.season.model import DepartureKind
from bot.services.base import hooks
from bot.services.reads.audit_log import kind_of, sentence
from storage.rows import LeagueId
from storage.tables.audit import AuditRow
from tests.measures import sources

KNOWN = hooks.audit_words()
SUBJECTS = {action.partition(".")[0] for action in KNOWN}
OURS = ("entrant", "null", "rejoin", "waitlist", "draft", "_")


def noted() -> Iterator[str]:
    """Yield each action that a service notes, by the words in its source."""
    for path in sources("bot/services"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                named = re.fullmatch(r"([a-z]+)\.[a-z]+([_-][a-z]+)*", node.value)
                if named and named[1] in SUBJECTS:
                    yield node.value
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("note") and node.args:
                first = node.args[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    yield first.value
    yield from (f"entrant.{kind}" for kind in DepartureKind)


@pytest.mark.long
def test_every_action_has_a_sentence_of_its_own_in_peoples_words() -> None:
    assert set(noted()) - KNOWN.keys() == set()
    kinds = [kind_of(action) for action in KNOWN]
    assert len(set(kinds)) == len(kinds)
    assert not [said for said in KNOWN.values() if any(word in said for word in OURS)]


def line(action: str, subject: str) -> str:
    row = AuditRow(
        id=1,
        league_id=LeagueId(1),
        season_id=None,
        at=datetime(2026, 3, 1, tzinfo=UTC),
        actor_id=1,
        actor="Chidi",
        action=action,
        subject=subject,
        before=None,
        after=None,
        reason=None,
    )
    return sentence(row, subject)


def test_a_line_says_what_happened_to_whom() -> None:
    assert line("entrant.ask_rejoin", "Chidi") == "Chidi asked to come back"


def test_the_semi_finals_were_posted_and_the_final_was() -> None:
    assert line("round.post", "the semi-finals") == "The semi-finals were posted"
    assert line("round.undo", "the final") == "The final was taken back"
    assert line("entrant.disqualification", "Lukas") == "Lukas was disqualified"
