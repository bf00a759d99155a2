"""How the people of one match get to its result: told in a different way from match to match."""

import random
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.loopback.objects import Json, Person, parts
from tests.wire.people import People
from tests.wire.state import Match

MODERATOR = (3001, "Marco")
TELLINGS = ("loses", "confirms", "disputes", "times", "silence", "contradicts", "takes back", "problem", "agrees")


@dataclass(frozen=True)
class Move:
    """What one person does; the audit notes it once as `notes`. Asked again after a kill, it is done from its start."""

    who: Person
    notes: str
    act: Callable[[], Awaitable[list[Json]]]
    about: str = ""

    def __str__(self) -> str:
        return f"{self.who[1]}: {self.notes} {self.about}".strip()


@dataclass
class Stories:
    """The stories of a season's matches, with `scores` where those have one.

    Where all are `open` at once, players go by the list of their own. `said` is what was done in the matches so far,
    beyond what their state tells.
    """

    hands: People
    people: dict[int, Person]
    seed: int
    scores: bool = False
    open: bool = False
    said: set[tuple[Any, ...]] = field(default_factory=set)

    def moves(self, match: Match, *, last: bool) -> Iterator[Move]:
        """Yield the next move of a match, if anyone in it has one; `last` when all others of its round are final."""
        chance = random.Random(f"{self.seed}/{match.round}/{match.position}")
        winner, loser = (self.people[side] for side in chance.sample(match.sides, 2))
        telling = TELLINGS[(match.round + 2 * match.position + self.seed) % len(TELLINGS)]
        match match.state:
            case "open":
                yield from self._before(match, telling, winner, loser)
                yield from self._say(match, telling, winner, loser)
            case "reported":
                yield from self._answer(match, telling, winner, loser)
            case "disputed":
                yield self._decide(match, winner)
            case _:
                if telling == "takes back" and match.kind == "played" and not last:
                    yield from self._once(match, self._take_back(match, loser))

    def _once(self, match: Match, move: Move) -> Iterator[Move]:
        if (match.id, move.notes) not in self.said:
            self.said.add((match.id, move.notes))
            yield move

    def _before(self, match: Match, telling: str, winner: Person, loser: Person) -> Iterator[Move]:
        if telling == "times":
            yield from self._once(match, self._propose(match, winner))
            yield from self._once(match, self._press(match, loser, "match.time", f":accept-time:{match.id}:"))
        elif telling == "problem":
            yield from self._once(match, self._problem(match, winner))
            yield from self._once(
                match, self._press(match, loser, "problem.answer", f":problem-answer:{match.id}:.*:agree")
            )
            yield from self._once(
                match, self._press(match, MODERATOR, "problem.no-change", f":problem-play:{match.id}:")
            )

    def _say(self, match: Match, telling: str, winner: Person, loser: Person) -> Iterator[Move]:
        if telling in ("loses", "takes back"):
            yield self._form(match, loser, "lost")
        elif telling in ("confirms", "silence", "problem"):
            yield self._form(match, winner, "won")
        else:
            yield self._report(match, winner, "won")

    def _answer(self, match: Match, telling: str, winner: Person, loser: Person) -> Iterator[Move]:
        if telling in ("confirms", "times"):
            yield self._press(match, loser, "result.confirm", f":confirm:{match.id}@")
        elif telling == "problem":
            confirm = self.hands.slash
            yield Move(loser, "result.confirm", lambda: confirm(loser, "confirm", match=match.code), match.code)
        elif telling == "disputes":
            yield self._dispute(match, loser)
        elif telling == "agrees":
            yield self._report(match, loser, "lost")
        elif telling == "contradicts":
            yield self._report(match, loser, "won")

    def _press(self, match: Match, who: Person, notes: str, custom_id: str) -> Move:
        return Move(who, notes, lambda: self.hands.find_and_press(who, custom_id), match.code)

    def _report(self, match: Match, who: Person, result: str) -> Move:
        typed = {"result": result, "match": match.code, **self._score(result)}
        return Move(who, "result.report", lambda: self.hands.slash(who, "report", **typed), f"{match.code} {result}")

    def _form(self, match: Match, who: Person, result: str) -> Move:
        async def act() -> list[Json]:
            form = await self._pressed(who, f":report:{match.id}$")
            return await self.hands.complete(who, form, result=result, **self._score(result))

        return Move(who, "result.report", act, f"{match.code} {result} by form")

    def _score(self, result: str) -> dict[str, str]:
        """Return what is said besides the result of a match: its score, where it has one."""
        return {"score": "87-62" if result == "won" else "62-87"} if self.scores else {}

    def _take_back(self, match: Match, who: Person) -> Move:
        async def act() -> list[Json]:
            details = await self._pressed(who, f":details:{match.id}$")
            return await self.hands.press_in(who, details, f":take-back:{match.id}@")

        return Move(who, "result.take-back", act, match.code)

    def _dispute(self, match: Match, who: Person) -> Move:
        async def act() -> list[Json]:
            form = await self.hands.find_and_press(who, f":dispute:{match.id}@")
            return await self.hands.complete(who, form, says="other", reason="We never finished the last game.")

        return Move(who, "result.dispute", act, match.code)

    def _decide(self, match: Match, winner: Person) -> Move:
        side = "upper" if winner[0] == match.upper else "lower"

        async def act() -> list[Json]:
            form = await self.hands.find_and_press(MODERATOR, f":decide:{match.id}@.*:{side}")
            return await self.hands.complete(MODERATOR, form, reason="The game log says so.")

        return Move(MODERATOR, "result.set", act, match.code)

    def _propose(self, match: Match, who: Person) -> Move:
        async def act() -> list[Json]:
            times = await self._of_own(who, match, "propose", "times")
            offered = [option for part in parts(times[0]["components"]) for option in part.get("options", ())]
            if not offered:
                return times
            sure = await self.hands.choose(who, times[0], *(option["value"] for option in offered[:2]))
            return await self.hands.press_in(who, sure, f":send-times:{match.id}:")

        return Move(who, "match.propose-times", act, match.code)

    def _problem(self, match: Match, who: Person) -> Move:
        async def act() -> list[Json]:
            form = await self._of_own(who, match, "problem", "problem")
            return await self.hands.complete(who, form, kind="too-late", text="I'm away all week.")

        return Move(who, "problem.tell", act, match.code)

    async def _pressed(self, who: Person, custom_id: str) -> list[Json]:
        """Press the button of a match on its card, or in the player's list of matches."""
        if not self.open:
            return await self.hands.find_and_press(who, custom_id)
        return await self.hands.press_in(who, await self.hands.slash(who, "match"), custom_id)

    async def _of_own(self, who: Person, match: Match, button: str, what: str) -> list[Json]:
        """Begin something of one's own match: by its button, or by its place in a select of several."""
        (shown, *_) = await self.hands.slash(who, "match")
        if self.hands.button(shown, f":{button}:{match.id}"):
            return await self.hands.press_in(who, [shown], f":{button}:{match.id}")
        return await self.hands.choose(who, shown, str(match.id), among=f":{what}:")
