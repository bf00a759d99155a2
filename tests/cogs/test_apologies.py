"""Where something broke on our side, people are told where they see whether it was done all the same."""

from typing import Any

import pytest

from bot import steps
from bot.services.play import reporting
from bot.services.reads import audit_log
from bot.services.seasons import lifecycle
from tests.cogs.conftest import World, text_of

CODE = "Still stuck? Give the bot's owner this code: "


def _broken(*_: Any, **__: Any) -> Any:
    raise RuntimeError("a bug")


@pytest.mark.parametrize(
    ("where", "name", "command", "options", "told"),
    [
        (audit_log, "show", "league audit", {}, "Something broke on our side. Try again. "),
        (
            steps,
            "import_file",
            "league import",
            {"file": ("a.json", b'{"fairpair": 1}')},
            "Check `/league audit` to see if",
        ),
        (lifecycle, "cancel", "season cancel", {}, "Check `/league audit` to see if it went through"),
        (
            reporting,
            "report",
            "report",
            {"result": "won"},
            "Check `/match` to see if it went through; if not, try again.",
        ),
    ],
)
async def test_an_apology_names_what_fits_the_command(
    world: World, monkeypatch: pytest.MonkeyPatch, where: Any, name: str, command: str, options: Any, told: str
) -> None:
    await world.started(players=2)
    assert hasattr(where, name)
    monkeypatch.setattr(where, name, _broken)
    who = world.player("Ada") if command == "report" else world.organiser
    answer = text_of(await who.slash(world.channel, command, **options))
    assert told in answer
    assert CODE in answer


async def test_an_apology_for_a_button_of_organisers_names_the_audit_log(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.started(players=2)
    asked = await world.organiser.slash(world.channel, "season cancel")
    assert asked.response is not None
    monkeypatch.setattr(lifecycle, "cancel", _broken)
    answer = text_of(await world.organiser.click(asked.response, label="Cancel the season"))
    assert "Check `/league audit` to see if it went through" in answer
