"""Every viewer at every moment sees exactly the lists they may: all viewers, moments and secret settings, generated."""

import hashlib
from collections.abc import Awaitable, Callable
from itertools import product

import pytest

from bot import steps
from bot.league.checking.league_file import reading
from bot.league.errors import NotFound
from bot.services.base.order import Order
from bot.services.base.permissions import Actor
from bot.services.leagues import exporting
from bot.services.lists import handing_in, visibility
from bot.services.reads import details
from bot.services.seasons import lifecycle
from tests.files import look_into, see
from tests.services.conftest import MODERATOR, NAMES, ORGANISER, STRANGER, World

OWNER, OPPONENT, OTHER = "dok", "opponent", "other player"
VIEWERS = (OWNER, OPPONENT, OTHER, "moderator", "organiser", "outsider", "league file")
MOMENTS = ("before due", "posted", "due", "reported", "next round", "end")
SECRETS = ("due", "round 1", "match", "end")
TEXT = "4 Dragons\n2 Elves"


def may_read(viewer: str, moment: str, secret: str) -> bool:
    """The promise in words: the owner always; others once it's due, where the setting lets them."""
    if viewer == OWNER:
        return True
    if MOMENTS.index(moment) < MOMENTS.index("due"):
        return False
    if moment == "end" or secret in ("due", "round 1"):
        return True
    return secret == "match" and viewer == OPPONENT


class Stage:
    """A season of four whose owner has handed in a list that is due 24 hours after round 1 is posted."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.opponent, self.other = "", ""

    async def go_to(self, moment: str) -> None:
        """Play from the start up to a moment."""
        steps: dict[str, Callable[[], Awaitable[object]]] = {
            "before due": self.hand_in,
            "posted": self.start,
            "due": self.pass_a_day,
            "reported": self.report,
            "next round": self.world.play_round,
            "end": self.world.play_out,
        }
        for step in MOMENTS[: MOMENTS.index(moment) + 1]:
            await steps[step]()

    async def hand_in(self) -> None:
        await self.world.db.write(
            handing_in.hand_in,
            Order(actor=self.world.player(OWNER), now=self.world.now, league_id=self.world.league_id),
            text=TEXT,
        )

    async def start(self) -> None:
        await self.world.start()
        view = await self.world.match_of(OWNER)
        assert view is not None
        self.opponent = next(side.name for side in view.sides if side.name != OWNER)
        self.other = next(name for name in NAMES[:4] if name not in (OWNER, self.opponent))

    async def pass_a_day(self) -> None:
        await steps.tick(self.world.db, self.world.later(hours=25))

    async def report(self) -> None:
        await self.world.lose(self.other)

    def actor(self, viewer: str) -> Actor:
        others = {"moderator": MODERATOR, "organiser": ORGANISER, "outsider": STRANGER}
        names = {OWNER: OWNER, OPPONENT: self.opponent or NAMES[1], OTHER: self.other or NAMES[2]}
        return others.get(viewer) or self.world.player(names[viewer])

    async def read(self, viewer: str) -> str | None:
        """Return the text this viewer is shown, wherever lists are shown; None where it's nowhere."""
        if viewer == "league file":
            made = await self.world.db.read(
                exporting.export, Order(actor=ORGANISER, now=self.world.now, league_id=self.world.league_id)
            )
            assert (TEXT.splitlines()[0] in made.text) == any(
                one.text for one in reading.read(made.text.encode()).lists
            )
            return next((one.text for one in reading.read(made.text.encode()).lists), None)
        with look_into(self.world.db) as conn:
            (match_id,) = next(iter(conn.execute_fetchall(_FIRST_MATCH, (OWNER,))), (None,))
        found = (
            []
            if match_id is None
            else await self.world.db.read(
                visibility.of_match, Order(actor=self.actor(viewer), now=self.world.now), match_id=match_id
            )
        )
        if match_id is not None and viewer == "outsider":
            # What a match's thread shows to all is what a stranger sees.
            with look_into(self.world.db) as conn:
                shown = details.shared(conn, match_id, self.world.now).part(visibility.MatchLists)
            assert shown is not None
            assert [one.row.text for one in shown.lists] == [one.row.text for one in found]
        in_match = {one.row.text for one in found if one.owner.name == OWNER}
        by_name = {one.row.text for one in await self.of_player(viewer)}
        assert match_id is None or in_match == by_name
        assert all((one.row.key is None) == (one.row.text is None) for one in found)
        return next(iter(by_name), None)

    async def of_player(self, viewer: str) -> tuple[visibility.SeenList, ...]:
        try:
            who = {"actor": self.actor(viewer), "league_id": self.world.league_id}
            return await see(visibility.of_player, db=self.world.db, **who, player=OWNER)  # type: ignore[arg-type]
        except NotFound:
            return ()


_FIRST_MATCH = (
    "SELECT m.id FROM matches m JOIN entrants e ON e.id IN (m.upper_id, m.lower_id) WHERE e.name = ? ORDER BY m.id"
)


@pytest.mark.parametrize(("moment", "secret"), list(product(MOMENTS, SECRETS)))
async def test_every_viewer_sees_exactly_the_lists_they_may(world: World, moment: str, secret: str) -> None:
    await world.create(rounds=2, cut=2, lists={"due_hours": 24, "secret": secret})
    await world.sign_up(*NAMES[:4])
    stage = Stage(world)
    await stage.go_to(moment)
    shown = {viewer: await stage.read(viewer) for viewer in VIEWERS}
    assert shown == {viewer: TEXT if may_read(viewer, moment, secret) else None for viewer in VIEWERS}
    # The audit log and the posts never hold a list.
    notes = str(await world.audit()) + str(await world.posts())
    assert "Dragons" not in notes


async def test_what_was_posted_when_lists_were_due_seals_what_is_revealed(world: World) -> None:
    await world.create(rounds=2, cut=0, lists={"secret": "end"})
    await world.sign_up(*NAMES[:4])
    stage = Stage(world)
    await stage.hand_in()
    await world.start()
    made = await world.db.read(exporting.export, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    (sealed,) = reading.read(made.text.encode()).lists
    assert (sealed.key, sealed.text) == (None, None)
    await world.play_out()
    made = await world.db.read(exporting.export, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    (revealed,) = reading.read(made.text.encode()).lists
    assert revealed.text == TEXT
    assert hashlib.sha256(f"{revealed.key}/{revealed.text}".encode()).hexdigest() == sealed.sha256
    assert len(bytes.fromhex(revealed.key or "")) == 16


async def test_a_cancelled_season_reveals_nothing_more(world: World) -> None:

    await world.create(lists={"secret": "end"})
    await world.sign_up(*NAMES[:4])
    stage = Stage(world)
    await stage.hand_in()
    await stage.start()
    await world.db.write(lifecycle.cancel, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    shown = {viewer: await stage.read(viewer) for viewer in VIEWERS}
    assert shown == {viewer: TEXT if viewer == OWNER else None for viewer in VIEWERS}
