"""Every button and form, by eleven kinds of people without a right to it, and then by those with one."""

import re
from collections.abc import Iterator, Mapping

import pytest

from cogs.ui.actions import ACTIONS
from cogs.ui.forms import Form
from tests.cogs.who_may.crowd import Crowd, Kind
from tests.cogs.who_may.matrix import BUTTONS, FORMS, QUESTIONS, looks
from tests.cogs.who_may.tries import Trial, tried_by

NOT_HERE = {"AllForm", "RulingForm", "SeedsForm", "GroupsForm", "PlacesForm"}
"""Open where a player has several matches, after `time-report` with scores alone, and before the start.

Who may is asked at the doors too.
"""


def all_forms(kind: type[Form] = Form) -> Iterator[str]:
    """Return the names of the forms that can open."""
    for one in kind.__subclasses__():
        yield from all_forms(one) if one.__subclasses__() else [one.__name__]


async def press_old_ones(trial: Trial, forged: Mapping[str, list[str]]) -> None:
    """Let people press buttons of another version of a match or season: they change nothing for anyone."""
    for number, (action, line) in enumerate(BUTTONS.items()):
        if "@" in forged[action][0]:
            old = re.sub("@[0-9]+", "@99", forged[action][0])
            for kind in tried_by(line, number, rightly=False):
                await trial.button(kind, old, looks(frozenset(Kind)))


async def press_those_of_what_is_gone(trial: Trial, forged: Mapping[str, list[str]]) -> None:
    """Let people with every right press buttons about rows that are nowhere any more: each has an answer."""
    for custom_ids in forged.values():
        for gone in dict.fromkeys(re.sub("[0-9]+", "987654321", custom_id) for custom_id in custom_ids):
            for kind in (Kind.ORGANISER, Kind.MODERATOR):
                await trial.button(kind, gone, looks(frozenset(Kind)))


async def press_all(trial: Trial, forged: Mapping[str, list[str]], *, rightly: bool) -> None:
    lines = {**BUTTONS, **{f"agree {name}": opened.line for name, opened in QUESTIONS.items()}}
    for number, (action, line) in enumerate(lines.items()):
        for kind in tried_by(line, number, rightly=rightly):
            for custom_id in forged[action]:
                await trial.button(kind, custom_id, line)


@pytest.mark.at_once
@pytest.mark.timeout(900)
async def test_every_button_and_form_does_what_the_matrix_says(crowd: Crowd, caplog: pytest.LogCaptureFixture) -> None:
    assert {*BUTTONS, "agree"} == set(ACTIONS), "each button has its line in the matrix"
    assert set(FORMS) == set(all_forms()) - NOT_HERE, "each form has its line in the matrix"
    trial = Trial(crowd, caplog)
    forged = {action: [trial.real(f"fp:{action}:{one}") for one in line.tries] for action, line in BUTTONS.items()}
    forged |= {f"agree {name}": await trial.agreed(name, opened) for name, opened in QUESTIONS.items()}
    await press_all(trial, forged, rightly=False)
    await press_old_ones(trial, forged)
    await press_those_of_what_is_gone(trial, forged)
    for number, opened in enumerate(FORMS.values()):
        for kind in tried_by(opened.line, number, rightly=False):
            await trial.form(kind, opened)
    assert trial.forms == set(FORMS), trial.wrong
    await press_all(trial, forged, rightly=True)
    assert trial.wrong == []
