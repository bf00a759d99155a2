"""Who does what in a season: its organiser and players, decided by a seed and how the season stands."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.loopback.discord_server import Discord
from tests.loopback.objects import (
    CHAMPION,
    IN_SEASON,
    LEAGUE_CHANNEL,
    MODERATION_CHANNEL,
    MODERATORS,
    OWNER,
    Json,
    Person,
)
from tests.wire.match_story import MODERATOR, Move, Stories
from tests.wire.people import People
from tests.wire.state import State

ORGANISER = (OWNER, "Olivia")
NAMES = ("Ada", "Bruno", "Chidi", "Daria", "Emil", "Farah", "Goro", "Hana", "Ines", "Jonas")
PLAYERS = [(4001 + place, name) for place, name in enumerate(NAMES)]
ADA, BRUNO, CHIDI, DARIA, NEW = *PLAYERS[:4], (4100, "Noor")
"""Ada hears by direct messages; in an eventful season Noor plays for Bruno from round 2 on, Chidi sits it out and is
kept apart from Ada, Daria drops and comes back."""
WAITING = (4101, "Pia")
"""Waits for a place where there are no more than players, and takes that of the last one, who waits then."""
LEAVE_AND_RETURN = ("ohs", "keyforge-swiss", "lightseekers-swiss")
"""The formats in which players can sit out a round or come back."""


@dataclass
class Crowd:
    """The people of one league; an `eventful` season has players who come and go, and an organiser with plans.

    What the settings ask for is done too: lists, letting players in, a waiting list, a check-in.
    """

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
        self.discord.people.update({one[0]: one for one in (*PLAYERS, NEW, WAITING, ORGANISER, MODERATOR)})
        scores, self.open = self.settings.get("scores") == "yes", self.settings.get("schedule") == "open"
        self.stories = Stories(self.hands, self.discord.people, self.seed, scores=scores, open=self.open)

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
                closes = {"signups_close": "4d"} if self._checks_in else {}
                yield self._slash(ORGANISER, "season.create", "season create", format=self.format, **closes)
            case "unpublished":
                if self.eventful:
                    yield from self._once("roles", self._give_roles())
                for key, value in self.settings.items():
                    yield from self._once(key, self._set(key, value))
                yield self._open()
            case "signup":
                yield from self._sign_up()
                if self._checks_in:
                    yield from self._check_in()
                else:
                    yield self._slash(ORGANISER, "season.start", "season start")
            case "running" | "finals":
                yield from self._come_and_go()
                yield from self._play()
            case _:  # it's over
                return

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

    def _give_roles(self) -> Move:
        roles = {"participant_role": str(IN_SEASON), "champion_role": str(CHAMPION)}
        return self._slash(ORGANISER, "league.change", "league settings", **roles)

    def _set(self, key: str, value: str) -> Move:
        return self._slash(ORGANISER, "season.settings", "season settings", setting=key, value=value)

    def _open(self) -> Move:
        async def act() -> list[Json]:
            return await self.hands.press_in(
                ORGANISER, await self.hands.slash(ORGANISER, "season settings"), "plan-open"
            )

        return Move(ORGANISER, "season.open", act)

    @property
    def _checks_in(self) -> bool:
        return "check_in_hours" in self.settings

    def _sign_up(self) -> Iterator[Move]:
        for who in PLAYERS[: self.players]:
            yield from self._join(who)
            there = self._slash(who, "player.availability", "availability", time_zone="Europe/Berlin")
            yield from self._once(f"zone {who}", there)
            if "lists" in self.settings:
                yield from self._once(f"list {who}", self._hand_in(who))
        yield from self._once("direct", self._by_direct_message(ADA))
        if "max_players" in self.settings:
            yield from self._wait_for_a_place(PLAYERS[self.players - 1])

    def _join(self, who: Person) -> Iterator[Move]:
        notes = "entrant.ask_in" if "approval" in self.settings else "entrant.sign_up"
        yield from self._once(f"join {who}", self._found(who, notes, ":join:"))
        if "approval" in self.settings:
            yield from self._once(f"let in {who}", self._found(ORGANISER, "entrant.let_in", ":let-in:.*:yes$"))

    def _wait_for_a_place(self, leaves: Person) -> Iterator[Move]:
        yield from self._once("wait", self._found(WAITING, "waitlist.join", ":join:"))
        yield from self._once("leave", self._asked(leaves, "entrant.withdraw", "drop"))
        yield from self._once("take the place", self._found(WAITING, "entrant.sign_up", ":place:.*:yes$"))
        yield from self._once("wait too", self._found(leaves, "waitlist.join", ":join:"))

    def _check_in(self) -> Iterator[Move]:
        """Let everyone check in, once they are asked, but one, who loses their place to someone who waits."""
        if self.state.value("SELECT check_in FROM seasons"):
            for who in (WAITING, *PLAYERS[: self.players - 2]):
                yield from self._once(f"check in {who}", self._found(who, "entrant.check-in", ":check-in:"))

    def _found(self, who: Person, notes: str, custom_id: str) -> Move:
        return Move(who, notes, lambda: self.hands.find_and_press(who, custom_id))

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
        if self.eventful and self.open:
            yield from self._once("drop", self._asked(DARIA, "entrant.drop", "drop", reason="Moving house"))
            back = {"player": DARIA[1], "reason": "They stay"}
            yield from self._once("reinstate", self._asked(ORGANISER, "entrant.reinstate", "player reinstate", **back))
            out = {"player": CHIDI[1], "reason": "Never answers", "until": "30d"}
            yield from self._once("ban", self._asked(ORGANISER, "player.ban", "player ban", **out))
        elif self.eventful and self.state.round == 1:
            seat = {"old": BRUNO[1], "new": str(NEW[0])}
            substitute = self._asked(ORGANISER, "entrant.substitute", "player substitute", **seat)
            yield from self._once("substitute", substitute)
            there = self._slash(NEW, "player.availability", "availability", time_zone="Europe/Berlin")
            yield from self._once("zone of the substitute", there)
            if self.format in LEAVE_AND_RETURN:
                yield from self._once("sit out", self._asked(CHIDI, "entrant.sit_out", "sit-out", round=2))
            two = {"a": ADA[1], "b": CHIDI[1], "reason": "They asked for it"}
            yield from self._once("apart", self._asked(ORGANISER, "player.apart", "player apart", **two))
            yield from self._once("drop", self._asked(DARIA, "entrant.drop", "drop", reason="Moving house"))
            said = {"text": "Round 2 begins on Sunday.", "to": "all"}
            yield from self._once("announce", self._asked(ORGANISER, "league.announce", "announce", **said))
        elif self.eventful and self.state.round == 2:
            if self.format in LEAVE_AND_RETURN:
                yield from self._once("rejoin", self._slash(DARIA, "entrant.ask_rejoin", "rejoin"))
                yield from self._once("accept", self._found(ORGANISER, "entrant.rejoin", ":rejoin:.*:yes$"))
            out = {"player": DARIA[1], "reason": "Never answers", "until": "30d"}
            yield from self._once("ban", self._asked(ORGANISER, "player.ban", "player ban", **out))

    def _asked(self, who: Person, notes: str, command: str, **options: Any) -> Move:
        async def act() -> list[Json]:
            return await self.hands.press_in(who, await self.hands.slash(who, command, **options), ":agree:")

        return Move(who, notes, act)

    def _play(self) -> Iterator[Move]:
        if "first_match_days" in self.settings:
            if not self.state.value("SELECT count(*) FROM outbox WHERE kind = 'idle'"):
                return  # no one begins until moderators know of it
            yield from self._once("later", self._found(MODERATOR, "entrant.let-be", ":begins-later:"))
        matches = self.state.matches()
        unfinished = [match for match in matches if match.state != "confirmed"]
        for match in matches:
            yield from self.stories.moves(match, last=unfinished in ([], [match]))
        if not matches and self.state.value("SELECT count(*) FROM ties WHERE settled_at IS NULL"):
            yield Move(ORGANISER, "round.tiebreak", lambda: self.hands.find_and_press(ORGANISER, ":tie:.*:draw"))
