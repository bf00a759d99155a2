"""Who does what in a season: everything a league's people do, decided by a seed and how the season stands."""

import random
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.wire.discord_server import Discord
from tests.wire.objects import (
    LEAGUE_CHANNEL,
    MODERATION_CHANNEL,
    MODERATORS,
    OWNER,
    Json,
    Person,
    buttons,
    parts,
)
from tests.wire.people import People
from tests.wire.state import Match, State

ORGANISER, MODERATOR = (OWNER, "Olivia"), (3001, "Marco")
NAMES = ("Ada", "Bruno", "Chidi", "Daria", "Emil", "Farah", "Goro", "Hana", "Ines", "Jonas")
PLAYERS = [(4001 + place, name) for place, name in enumerate(NAMES)]
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
class Crowd:
    """The people of one league."""

    discord: Discord
    state: State
    format: str
    seed: int
    players: int
    settings: dict[str, Any]
    _done: set[tuple[Any, ...]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.hands = People(self.discord, {MODERATOR[0]: MODERATORS})
        self.discord.people.update({one[0]: one for one in (*PLAYERS, ORGANISER, MODERATOR)})

    def moves(self) -> list[Move]:
        """Return what people do next; nothing while all of them wait for time to pass."""
        match self.state.phase:
            case None:
                return [self._create_league()] if not self._noted("league.create", ORGANISER) else [self._prepare()]
            case "unpublished":
                return [self._set(key) for key in self._unset()] or [self._open()]
            case "signup":
                return list(self._sign_up()) or [self._start()]
            case "running" | "finals":
                return [move for match in self.state.matches() for move in self._play(match)][:1]
            case _:
                return []

    @property
    def over(self) -> bool:
        return self.state.phase == "finished"

    def _noted(self, action: str, who: Person) -> int:
        return self.state.noted(action, who[0])

    def _slash(self, who: Person, notes: str, command: str, about: str = "", **options: Any) -> Move:
        return Move(who, notes, lambda: self.hands.slash(who, command, **options), about)

    def _create_league(self) -> Move:
        places = {"channel": str(LEAGUE_CHANNEL), "moderation_channel": str(MODERATION_CHANNEL)}
        role = {"moderator_role": str(MODERATORS)}
        return self._slash(ORGANISER, "league.create", "league create", name="Wire", **places, **role)

    def _prepare(self) -> Move:
        return self._slash(ORGANISER, "season.create", "season create", format=self.format)

    def _unset(self) -> list[str]:
        return [key for key in self.settings if ("set", key) not in self._done][:1]

    def _set(self, key: str) -> Move:
        self._done.add(("set", key))
        value = self.settings[key]
        return self._slash(ORGANISER, "season.settings", "season settings", key, setting=key, value=value)

    def _open(self) -> Move:
        async def act() -> list[Json]:
            (panel,) = await self.hands.slash(ORGANISER, "season settings")
            return await self._pressed(ORGANISER, panel, "Open sign-ups")

        return Move(ORGANISER, "season.open", act)

    def _sign_up(self) -> Iterator[Move]:
        for who in PLAYERS[: self.players]:
            if not self._noted("entrant.sign_up", who):
                yield Move(who, "entrant.sign_up", lambda who=who: self._press(who, "Join", ":join:"))
                return

    def _start(self) -> Move:
        return self._slash(ORGANISER, "season.start", "season start")

    def _chance(self, match: Match) -> random.Random:
        return random.Random(f"{self.seed}/{match.round}/{match.position}")

    def _play(self, match: Match) -> Iterator[Move]:
        """Yield the next move of a match, if its players and moderators have one."""
        telling = TELLINGS[(match.round + 2 * match.position + self.seed) % len(TELLINGS)]
        winner, loser = (self.discord.people[side] for side in self._chance(match).sample(match.sides, 2))
        match match.state:
            case "open":
                yield from self._say(match, telling, winner, loser)
            case "reported":
                yield from self._answer(match, telling, winner, loser)
            case "disputed":
                yield self._decide(match, winner)

    def _say(self, match: Match, telling: str, winner: Person, loser: Person) -> Iterator[Move]:
        if telling in ("loses", "takes back"):
            yield self._form(match, loser, "lost")
        elif telling in ("confirms", "silence", "problem"):
            yield self._form(match, winner, "won")
        else:
            yield self._report(match, winner, "won")

    def _answer(self, match: Match, telling: str, winner: Person, loser: Person) -> Iterator[Move]:
        if telling in ("confirms", "times", "problem"):
            yield Move(loser, "result.confirm", lambda: self._press(loser, "Confirm", f":confirm:{match.id}@"))
        elif telling == "disputes":
            yield self._dispute(match, loser)
        elif telling == "agrees":
            yield self._report(match, loser, "lost")
        elif telling == "contradicts":
            yield self._report(match, loser, "won")

    def _report(self, match: Match, who: Person, result: str) -> Move:
        code = f"R{match.round} M{match.position}"
        return self._slash(who, "result.report", "report", f"{code} {result}", result=result, match=code)

    def _form(self, match: Match, who: Person, result: str) -> Move:
        async def act() -> list[Json]:
            form = await self._press(who, "Report", f":report:{match.id}")
            return await self._filled(who, form, result=result)

        return Move(who, "result.report", act, f"R{match.round} M{match.position} {result} by form")

    def _dispute(self, match: Match, who: Person) -> Move:
        async def act() -> list[Json]:
            form = await self._press(who, "Dispute", f":dispute:{match.id}@")
            return await self._filled(who, form, reason="We never finished the last game.")

        return Move(who, "result.dispute", act)

    def _decide(self, match: Match, winner: Person) -> Move:
        async def act() -> list[Json]:
            form = await self._press(MODERATOR, f"{winner[1]} won", f":decide:{match.id}@")
            return await self._filled(MODERATOR, form, reason="The game log says so.")

        return Move(MODERATOR, "result.set", act, f"R{match.round} M{match.position}")

    async def _press(self, who: Person, label: str, custom_id: str) -> list[Json]:
        """Press the newest such button that person can see; nothing where there is none."""
        posts = [post for kept in self.discord.messages.values() for post in kept]
        for post in sorted(posts, key=lambda post: -int(post["id"])):
            for part in parts(post["components"]):
                if part.get("label") == label and custom_id in part["custom_id"]:
                    return await self.hands.click(who, post, part["custom_id"])
        return []

    async def _pressed(self, who: Person, answer: Json, label: str) -> list[Json]:
        return await self.hands.press(who, answer, label) if label in buttons(answer) else [answer]

    async def _filled(self, who: Person, form: list[Json], **said: str) -> list[Json]:
        """Fill in a form, choosing what begins with these words; an answer that is no form stays the answer."""
        if not form or "custom_id" not in form[0]:
            return form
        options = [option["value"] for part in parts(form[0]["components"]) for option in part.get("options", ())]
        chosen = {key: next((one for one in options if one.startswith(value)), value) for key, value in said.items()}
        return await self.hands.fill_in(who, form[0], **chosen)
