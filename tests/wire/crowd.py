"""Who does what in a season: its organiser and players, decided by a seed and how the season stands."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.wire.discord_server import Discord
from tests.wire.match_story import MODERATOR, Move, Stories
from tests.wire.objects import LEAGUE_CHANNEL, MODERATION_CHANNEL, MODERATORS, OWNER, Json, Person
from tests.wire.people import People
from tests.wire.state import State

ORGANISER = (OWNER, "Olivia")
NAMES = ("Ada", "Bruno", "Chidi", "Daria", "Emil", "Farah", "Goro", "Hana", "Ines", "Jonas")
PLAYERS = [(4001 + place, name) for place, name in enumerate(NAMES)]
ADA, BRUNO, CHIDI, DARIA, NEW = *PLAYERS[:4], (4100, "Noor")
"""Ada hears by direct messages; in an eventful season Noor plays for Bruno from round 2 on, Chidi sits it out, Daria
drops and comes back."""
LEAVE_AND_RETURN = ("ohs", "keyforge-swiss", "lightseekers-swiss")
"""The formats in which players can sit out a round or come back."""


@dataclass
class Crowd:
    """The people of one league; an `eventful` season has players who come and go."""

    discord: Discord
    state: State
    format: str
    seed: int
    players: int
    settings: dict[str, str]
    eventful: bool
    _done: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.hands = People(self.discord, {MODERATOR[0]: MODERATORS})
        self.discord.people.update({one[0]: one for one in (*PLAYERS, NEW, ORGANISER, MODERATOR)})
        self.stories = Stories(self.hands, self.discord.people, self.seed)

    def next(self) -> Move | None:
        """Return what someone does next; None while everyone waits for time to pass."""
        return next(self._moves(), None)

    @property
    def over(self) -> bool:
        return self.state.phase == "finished"

    def _moves(self) -> Iterator[Move]:
        match self.state.phase:
            case None:
                yield from self._once("league", self._create_league())
                yield self._slash(ORGANISER, "season.create", "season create", format=self.format)
            case "unpublished":
                for key, value in self.settings.items():
                    yield from self._once(key, self._set(key, value))
                yield self._open()
            case "signup":
                yield from self._sign_up()
                yield self._slash(ORGANISER, "season.start", "season start")
            case "running" | "finals":
                yield from self._come_and_go()
                yield from self._play()

    def _once(self, what: str, move: Move) -> Iterator[Move]:
        if what not in self._done:
            self._done.add(what)
            yield move

    def _slash(self, who: Person, notes: str, command: str, **options: Any) -> Move:
        return Move(who, notes, lambda: self.hands.slash(who, command, **options), str(options or ""))

    def _create_league(self) -> Move:
        places = {"channel": str(LEAGUE_CHANNEL), "moderation_channel": str(MODERATION_CHANNEL)}
        role = {"moderator_role": str(MODERATORS)}
        return self._slash(ORGANISER, "league.create", "league create", name="Wire", **places, **role)

    def _set(self, key: str, value: str) -> Move:
        return self._slash(ORGANISER, "season.settings", "season settings", setting=key, value=value)

    def _open(self) -> Move:
        async def act() -> list[Json]:
            return await self.hands.press_in(
                ORGANISER, await self.hands.slash(ORGANISER, "season settings"), "plan-open"
            )

        return Move(ORGANISER, "season.open", act)

    def _sign_up(self) -> Iterator[Move]:
        for who in PLAYERS[: self.players]:
            join = Move(who, "entrant.sign_up", lambda who=who: self.hands.find_and_press(who, ":join:"))
            yield from self._once(f"join {who}", join)
            there = self._slash(who, "player.availability", "availability", time_zone="Europe/Berlin")
            yield from self._once(f"zone {who}", there)
            if "lists" in self.settings:
                yield from self._once(f"list {who}", self._hand_in(who))
        yield from self._once("direct", self._by_direct_message(ADA))

    def _hand_in(self, who: Person) -> Move:
        async def act() -> list[Json]:
            form = await self.hands.slash(who, "list", number=1)
            return await self.hands.complete(who, form, text=f"Army of {who[1]}")

        return Move(who, "list.hand-in", act)

    def _by_direct_message(self, who: Person) -> Move:
        async def act() -> list[Json]:
            (card,) = await self.hands.slash(who, "notify")
            return await self.hands.choose(who, card, "direct", among=":question")

        return Move(who, "player.notify", act)

    def _come_and_go(self) -> Iterator[Move]:
        if self.eventful and self.state.round == 1:
            seat = {"old": BRUNO[1], "new": str(NEW[0])}
            substitute = self._asked(ORGANISER, "entrant.substitute", "player substitute", **seat)
            yield from self._once("substitute", substitute)
            there = self._slash(NEW, "player.availability", "availability", time_zone="Europe/Berlin")
            yield from self._once("zone of the substitute", there)
            if self.format in LEAVE_AND_RETURN:
                yield from self._once("sit out", self._asked(CHIDI, "entrant.sit_out", "sit-out", round=2))
            yield from self._once("drop", self._asked(DARIA, "entrant.drop", "drop", reason="Moving house"))
        elif self.eventful and self.state.round == 2 and self.format in LEAVE_AND_RETURN:
            yield from self._once("rejoin", self._slash(DARIA, "entrant.ask_rejoin", "rejoin"))
            accept = Move(ORGANISER, "entrant.rejoin", lambda: self.hands.find_and_press(ORGANISER, ":rejoin:.*:yes$"))
            yield from self._once("accept", accept)

    def _asked(self, who: Person, notes: str, command: str, **options: Any) -> Move:
        async def act() -> list[Json]:
            return await self.hands.press_in(who, await self.hands.slash(who, command, **options), ":[0-9a-f]{16}$")

        return Move(who, notes, act)

    def _play(self) -> Iterator[Move]:
        matches = self.state.matches()
        unfinished = [match for match in matches if match.state != "confirmed"]
        for match in matches:
            yield from self.stories.moves(match, last=unfinished in ([], [match]))
        if not matches and self.state.value("SELECT count(*) FROM ties WHERE settled_at IS NULL"):
            yield Move(ORGANISER, "round.tiebreak", lambda: self.hands.find_and_press(ORGANISER, ":tie:.*:draw"))
