"""One try at a door, and everything that is wrong with what came of it."""

import json
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from simcord.results import InteractionResult

from cogs.ui.forms import OPEN_FORMS
from tests import examples
from tests.cogs.conftest import buttons_of, text_of
from tests.cogs.who_may.crowd import ELSEWHERE, WITH_RIGHTS, Crowd, Kind, Person, preview
from tests.cogs.who_may.fingerprint import Rows, changes
from tests.cogs.who_may.matrix import REFUSALS, Line, Opened
from tests.cogs.who_may.presses import filled_in, forge, pass_on


def without_right(line: Line) -> Iterator[Kind]:
    """Return who tries a door that may change nothing by it; those with rights try only what they may."""
    for kind in Kind:
        may = kind in line.may
        if not (may and line.changes) and (may or kind not in WITH_RIGHTS):
            yield kind


def with_right(line: Line) -> Iterator[Kind]:
    """Return who changes something by a door because they may."""
    return (kind for kind in Kind if kind in line.may and line.changes)


def tried_by(line: Line, number: int, *, rightly: bool) -> Sequence[Kind]:
    """Return who tries a door: all who may, or may not, where everything is tried, else the one its number picks."""
    kinds = tuple((with_right if rightly else without_right)(line))
    return kinds if examples.all_wanted() or not kinds else (kinds[number % len(kinds)],)


@dataclass
class Trial:
    """Everything that was tried in a crowd, and what was wrong."""

    crowd: Crowd
    log: pytest.LogCaptureFixture
    wrong: list[str] = field(default_factory=list[str])
    tries: int = 0
    forms: set[str] = field(default_factory=set[str])
    """The forms that opened."""

    def __post_init__(self) -> None:
        self.log.set_level(logging.INFO, "bot.logs")

    async def command(self, kind: Kind, name: str, line: Line, options: Mapping[str, Any]) -> None:
        """Let someone type a command, and send the form that opens."""
        person, before = self.crowd.people[kind], self._before()
        shown = await self._typed(person, name, options)
        self._judge(f"/{name} {options}", kind, line, before, [shown, *await self._sent(person, shown)])

    async def menu(self, kind: Kind, name: str, line: Line, about: Any) -> None:
        """Let someone use the menu of a member or of a message, and send the form that opens."""
        person, before = self.crowd.people[kind], self._before()
        there = self.crowd.world.channel == person.channel
        target: Any = self.crowd.people[about].who if isinstance(about, Kind) else self.crowd.ids["round"]
        if not there:
            target = person.who if isinstance(about, Kind) else person.message
        shown = await person.who.context_menu(person.channel, name, target)
        self._judge(name, kind, line, before, [shown, *await self._sent(person, shown)])

    async def button(self, kind: Kind, custom_id: str, line: Line) -> InteractionResult:
        """Let someone press a forged button, and send the form that opens."""
        person, before = self.crowd.people[kind], self._before()
        shown = await forge(person.who, person.message, custom_id)
        self._judge(custom_id, kind, line, before, [shown, *await self._sent(person, shown)])
        return shown

    async def form(self, kind: Kind, opened: Opened) -> None:
        """Let someone send a form that is open in front of a person who may."""
        owner, person = self.crowd.people[opened.by], self.crowd.people[kind]
        if "{preview}" in opened.how:
            await preview(self.crowd)
        shown = await self._opened(owner, opened)
        if shown.modal is None:
            self.wrong.append(f"{opened.by} can't open {opened.how}: {text_of(shown)}")
            return
        self.forms.add(_form_of(shown.modal))
        before = self._before()
        pass_on(shown, person.who, person.message)
        sent = await person.who.submit_modal(shown, filled_in(shown.modal))
        self._judge(f"the form of {opened.how}", kind, opened.line, before, [sent])

    async def suggestion(self, kind: Kind, name: str, option: str, may: bool) -> list[Any]:
        """Let someone begin to type an option, and return what was suggested."""
        person, before = self.crowd.people[kind], self._before()
        filled = {"match": "R1 M1"} if option == "outcome" else {"setting": "rounds"} if option == "value" else {}
        found = await person.who.autocomplete(person.channel, name, option, "", **filled)
        self.tries += 1
        told = json.dumps(found)
        wrong = [*changes(before, self.crowd.watch.rows()), *self._leaked(kind, told)]
        wrong += ["shows something"] if found and not may and kind not in ELSEWHERE else []
        self.wrong += [f"{kind} with {option} of /{name}: {what} in {told[:200]}" for what in wrong]
        return found

    def real(self, template: str) -> str:
        """Return a custom_id about something that really exists."""
        return template.format(**self.crowd.ids)

    async def agreed(self, name: str, opened: Opened) -> list[str]:
        """Return the custom_ids that agree to what a person who may is asked."""
        asked = await self._opened(self.crowd.people[opened.by], opened)
        there = [str(button.custom_id) for button in buttons_of(asked.response)]
        agreeing = [one for one in there if one.startswith(f"fp:agree:{name}:")]
        assert agreeing, (name, text_of(asked))
        return agreeing

    async def _opened(self, owner: Person, opened: Opened) -> InteractionResult:
        if opened.how.startswith("fp:"):
            return await forge(owner.who, owner.message, self.real(opened.how))
        return await self._typed(owner, opened.how.removeprefix("/"), opened.options)

    async def _typed(self, person: Person, name: str, options: Mapping[str, Any]) -> InteractionResult:
        return await person.who.slash(person.channel, name, **self._real_ones(options, person))

    def _real_ones(self, templates: Mapping[str, Any], person: Person) -> dict[str, Any]:
        """Return what is typed with names of what really exists filled in; a channel is the person's own."""
        there = {**self.crowd.ids, "channel": person.channel}
        return {key: _real_one(value, there) for key, value in templates.items()}

    async def _sent(self, person: Person, shown: InteractionResult) -> list[InteractionResult]:
        """Fill in and send the form that opened, if one did."""
        if shown.modal is None:
            return []
        self.forms.add(_form_of(shown.modal))
        return [await person.who.submit_modal(shown, filled_in(shown.modal))]

    def _judge(self, door: str, kind: Kind, line: Line, before: Rows, answers: list[InteractionResult]) -> None:
        """Note what is wrong: a change without a right to it, an answer that isn't ours, isn't private, or tells."""
        self.tries += 1
        told, may = "\n".join(map(text_of, answers)), kind in line.may
        shown = json.dumps([[one.components for one in _messages(answer)] + [answer.modal] for answer in answers])
        changed, noted = changes(before, self.crowd.watch.rows()), self._noted()
        wrong = [] if may and line.changes else changed
        logged = any(change.startswith("audit ") for change in changed)  # posts change by themselves, too
        wrong += ["changed something without noting it"] if logged and not noted else []
        wrong += ["notes a change and only shows something"] if noted and not line.changes else []
        wrong += [] if any(map(_messages, answers)) else ["no answer"]
        wrong += ["an apology"] if "Something broke" in told else []
        wrong += ["public"] if not (may and line.posts) and any(map(_is_public, answers)) else []
        wrong += [*self._leaked(kind, shown), *_misheard(kind, line, told)]
        self.wrong += [f"{kind} with {door}: {what[:300]} in {told[:200]!r}" for what in wrong]

    def _before(self) -> Rows:
        """Return how things are before a try."""
        self.log.clear()
        return self.crowd.watch.rows()

    def _noted(self) -> bool:
        """Return whether the bot noted that people's actions since then changed something."""
        said = [getattr(record, "told", {}) for record in self.log.records]
        return any("actor" in one and "saved" in one for one in said)

    def _leaked(self, kind: Kind, shown: str) -> list[str]:
        """Return which players are told to another server, besides the one who is there too and those typed."""
        known = {self.crowd.people[Kind.ENTRANT].name, self.crowd.ids["upper"], self.crowd.ids["lower"]}
        there = [name for name in self.crowd.names if kind in ELSEWHERE and name not in known]
        return [f"names {name}" for name in there if re.search(rf"\b{name}\b", shown)]


def _form_of(modal: Mapping[str, Any]) -> str:
    return type(OPEN_FORMS[modal["custom_id"]]).__name__


def _messages(answer: InteractionResult) -> list[Any]:
    return [one for one in (answer.response, *answer.followups) if one is not None]


def _is_public(answer: InteractionResult) -> bool:
    return any(not one.ephemeral for one in _messages(answer))


def _misheard(kind: Kind, line: Line, told: str) -> list[str]:
    """Return what is wrong with a refusal, or with refusing someone who may."""
    if kind in line.may and kind not in ELSEWHERE and line.may != frozenset(Kind):
        return [f"refuses who may: {words}" for words in REFUSALS.values() if words in told]
    refusal = None if kind in line.may else REFUSALS.get(frozenset(line.may))
    return [f"isn't refused with {refusal!r}"] if refusal and kind not in ELSEWHERE and refusal not in told else []


def _real_one(template: Any, there: Mapping[str, Any]) -> Any:
    if not isinstance(template, str):
        return template
    name = template.removeprefix("{").removesuffix("}")
    return there[name] if name in there else template.format(**there)
