"""The features: how a match or person comes to hold something of each, and what says in the file that they do."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from bot import steps
from bot.services.base.order import Order
from bot.services.base.post_kinds import PostKind
from bot.services.base.promises import THREAD
from bot.services.lists import handing_in
from bot.services.lists.list_posts import SEALS
from bot.services.play import reporting
from bot.services.play.moving_up import MOVING_UP
from bot.services.play.round_posts import DISPUTE, DISPUTED, QUESTION
from bot.services.players import rejoining
from bot.services.players.rejoining import REJOIN
from bot.services.problems import answering, claiming, disputed, presence
from bot.services.problems.evidence import ANSWERED, CLAIM, PROBLEM
from bot.services.problems.staying import STAYING
from bot.services.problems.uploads import Picture
from bot.services.seats import linking, sitting_out
from bot.services.seats.linking import LINK, Account
from bot.services.signups import signing_up
from bot.services.signups.check_in import CHECK_IN
from bot.services.signups.free_places import PLACE
from bot.services.ties import commands, match_reports
from bot.services.ties.tie_posts import TIE, TIE_MATCH, TIE_QUESTION
from bot.services.times import accepting, proposing
from bot.services.times.time_posts import AGREED, TIME_REMINDER, TIMES
from storage.rows import Says
from storage.tables.claims import ClaimKind
from storage.tables.memberships import Sought
from tests.files import do
from tests.services.conftest import GUILD, NAMES, ORGANISER, World
from tests.services.meeting.scene import (
    NEW_ACCOUNT,
    STAGES,
    WAITING,
    Scene,
    account_of,
    give_days,
    hear_directly,
    until_deadline,
)
from tests.services.players.test_moving_up import asked as asked_to_move_up
from tests.services.players.test_moving_up import finals, leave
from tests.services.ties.test_tie_match_reports import called
from tests.services.ties.test_ties import tied


@dataclass(frozen=True, kw_only=True)
class Feature:
    """What someone holds: the use cases that bring it about, the rows that say so, and the messages that ask.

    `open` selects what is open of it; nothing once it's over. `alone` is the stage the feature brings with it.
    """

    begin: Callable[[Scene], Awaitable[None]] | None = None
    alone: Callable[[World], Awaitable[Scene]] | None = None
    open: str
    tables: set[str]
    kinds: set[PostKind] = field(default_factory=set[PostKind])
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])

    async def set_up(
        self, world: World, stage: str, *, late: bool = False, sent: bool = True, direct: bool = False
    ) -> Scene:
        """Return a scene in which someone holds this; `late` is shortly before the deadline.

        With `sent` people have been told of it; with `direct` they want to hear of everything by direct message.
        """
        scene = await (self.alone(world) if self.alone is not None else STAGES[stage](world, **self.settings))
        if direct:
            await hear_directly(scene)
        if late:
            await until_deadline(scene, hours=4)
        if self.begin is not None:
            await self.begin(scene)
        if sent:
            await scene.announce()
        return scene


# -- what a match holds --


async def report(scene: Scene) -> None:
    """The other reports a win, so that the person is asked."""
    await do(reporting.report, db=scene.world.db, **scene.by(scene.other), match=scene.match, result="won")


async def dispute(scene: Scene) -> None:
    """The person reports, the other contradicts, and both have said what happened."""
    db = scene.world.db
    await do(reporting.report, db=db, **scene.by(scene.person), match=scene.match, result="won")
    await do(reporting.dispute, db=db, **scene.by(scene.other), match=scene.match, reason="I won", says=Says.WON)
    await do(disputed.tell, db=db, **scene.by(scene.person), match=scene.match, text="I have a picture")


async def problem(scene: Scene, claimer: str = "") -> None:
    said: Any = {"match": scene.match, "kind": ClaimKind.TOO_LATE, "text": "away", "picture": PICTURE}
    await do(claiming.claim, db=scene.world.db, **scene.by(claimer or scene.other), **said)


PICTURE = Picture(ending="png", content=b"\x89PNG")


async def answered(scene: Scene) -> None:
    await problem(scene, scene.person)
    await scene.announce()
    claim = (await scene.view()).claim
    assert claim is not None
    said: Any = {"match": scene.match, "claim": claim.id, "text": "not so"}
    await do(answering.answer, db=scene.world.db, **scene.by(scene.other), **said)


async def handed_on(scene: Scene) -> None:
    await problem(scene, scene.person)
    await scene.announce()
    await steps.tick(scene.world.db, scene.world.later(hours=24))


async def times(scene: Scene) -> None:
    start = scene.world.now + timedelta(days=3)
    await do(proposing.propose, db=scene.world.db, **scene.by(scene.other), match=scene.match, chosen=[start])


async def agreed(scene: Scene) -> None:
    await times(scene)
    await scene.announce()
    (row,) = await scene.rows("SELECT id FROM time_proposals WHERE match_id = :match AND answered_at IS NULL")
    start = scene.world.now + timedelta(days=3)
    given: Any = {"match": scene.match, "proposal": row[0], "start": start}
    await do(accepting.accept, db=scene.world.db, **scene.by(scene.person), **given)


async def late_list(scene: Scene) -> None:
    await steps.tick(scene.world.db, scene.world.now)
    await do(handing_in.hand_in, db=scene.world.db, **scene.there(scene.person), text="4 Dragons")


async def nothing(scene: Scene) -> None:
    """The thread is there with the round."""


# -- what a person holds --


async def waits(scene: Scene) -> None:
    who: Any = scene.there(WAITING)
    await do(signing_up.sign_up, db=scene.world.db, **who, display_name=WAITING, agreed=99)
    scene.person, scene.other = WAITING, ""


async def place(scene: Scene) -> None:
    await waits(scene)
    scene.left = await _third(scene)
    await scene.world.drop(scene.left)


async def _third(scene: Scene) -> str:
    """Return a player of another match."""
    return next(match for match in await scene.matches() if match.match.id != scene.match).lower.name


async def rejoin(scene: Scene) -> None:
    scene.left = scene.person = await _third(scene)
    await scene.world.drop(scene.left)
    await do(rejoining.rejoin, db=scene.world.db, **scene.there(scene.left))


async def gone(scene: Scene) -> None:
    sought = Sought(guild_id=GUILD, discord_id=account_of(scene.world.player(scene.person)))
    await scene.world.db.write(presence.seen, sought, now=scene.world.now, there=False)


async def new_account(scene: Scene) -> None:
    account = Account(discord_id=NEW_ACCOUNT - 1, name="another")
    await do(linking.propose, db=scene.world.db, **scene.organiser, player=scene.person, account=account)


async def sits_out(scene: Scene) -> None:
    await do(sitting_out.sit_out, db=scene.world.db, **scene.there(scene.person), number=3, reason="a holiday")


# -- what needs a moment of its own --


async def check_in(world: World) -> Scene:
    closes = world.now + timedelta(hours=24)
    await world.opened(format="ohs", settings={"check_in_hours": 24, "max_players": 6}, signups_close=closes)
    await world.sign_up(*NAMES[:6])
    await steps.tick(world.db, world.now)
    return Scene(world=world, stage="sign-ups", person=NAMES[0])


async def moving_up(world: World) -> Scene:
    order = await finals(world)
    scene = Scene(world=world, stage="before the finals", left=order[0])
    await leave(world, order[0])
    scene.person = (await asked_to_move_up(world)).player.name
    return scene


async def tie(world: World) -> Scene:
    found = await tied(world)
    scene = Scene(world=world, stage="before the finals", person=found.names[0], other=found.names[1])
    view = next(match for match in await scene.matches() if scene.person in {side.name for side in match.sides})
    scene.match = view.match.id
    return scene


async def tie_match(world: World) -> Scene:
    scene = await tie(world)
    await scene.announce()
    await world.db.write(commands.call_match, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    return scene


async def tie_report(world: World) -> Scene:
    """The other reports that they won the tie-break match of two."""
    found = await called(world)
    scene = Scene(world=world, stage="before the finals", person=found.names[0], other=found.names[1])
    view = next(match for match in await scene.matches() if scene.person in {side.name for side in match.sides})
    scene.match = view.match.id
    await do(match_reports.report, db=world.db, **scene.by(scene.other), tie_id=found.id, won=True)
    return scene


_CLAIM = (
    "SELECT c.kind, c.text, c.answer FROM claims c JOIN matches m ON m.id = c.match_id :played"
    " WHERE c.ended_at IS NULL AND c.handed_at IS"
)
_TIE = (
    "SELECT t.names FROM ties t JOIN seasons s ON s.id = t.season_id AND :live"
    " WHERE t.settled_at IS NULL AND t.match_at IS"
)
_WAITS = (
    "SELECT p.name FROM waitlist w JOIN players p ON p.id = w.player_id"
    " JOIN seasons s ON s.id = w.season_id AND :live WHERE w.asked_at IS"
)

FEATURES: Mapping[str, Feature] = {
    "report": Feature(
        begin=report,
        open="SELECT e.name, x.result FROM reports x JOIN entrants e ON e.id = x.entrant_id"
        " JOIN matches m ON m.id = x.match_id :played WHERE m.state = 'reported' AND x.replaced_at IS NULL",
        tables={"reports", "takebacks"},
        kinds={QUESTION},
    ),
    "dispute": Feature(
        begin=dispute,
        open="SELECT d.reason, d.says, x.result, x.statement FROM disputes d JOIN matches m ON m.id = d.match_id"
        " :played LEFT JOIN reports x ON x.match_id = m.id AND x.replaced_at IS NULL WHERE d.settled_at IS NULL",
        tables={"disputes", "reports"},
        kinds={DISPUTE, DISPUTED},
    ),
    "problem asked": Feature(
        begin=problem,
        open=f"{_CLAIM} NULL",
        tables={"claims", "screenshots"},
        kinds={PROBLEM},
    ),
    "problem answered": Feature(
        begin=answered,
        open=f"{_CLAIM} NOT NULL",
        tables={"claims", "screenshots"},
        kinds={PROBLEM, ANSWERED, CLAIM},
    ),
    "problem handed on": Feature(
        begin=handed_on,
        open=f"{_CLAIM} NOT NULL",
        tables={"claims", "screenshots"},
        kinds={PROBLEM, ANSWERED, CLAIM},
    ),
    "proposed time": Feature(
        begin=times,
        open="SELECT e.name, t.starts FROM time_proposals t JOIN entrants e ON e.id = t.entrant_id"
        " JOIN matches m ON m.id = t.match_id :played WHERE t.answered_at IS NULL",
        tables={"time_proposals"},
        kinds={TIMES},
    ),
    "agreed time": Feature(
        begin=agreed,
        open="SELECT m.agreed_at FROM matches m :played AND m.agreed_at IS NOT NULL AND m.state = 'open'",
        tables={"time_proposals"},
        kinds={AGREED, TIME_REMINDER},
    ),
    "late list": Feature(
        begin=late_list,
        open="SELECT l.text, l.late, l.sealed_at IS NULL, p.name FROM lists l JOIN players p ON p.id = l.player_id",
        tables={"lists", "list_sets"},
        kinds={SEALS},
        settings={"lists": {"number": 1, "per": "round", "due_hours": 24, "secret": "end"}},
    ),
    "thread": Feature(
        begin=nothing,
        open="SELECT t.people FROM threads t JOIN matches m ON m.id = t.match_id :played"
        " WHERE t.match_id = :match AND m.state <> 'confirmed' AND t.archived = 0",
        tables={"threads"},
        kinds={THREAD},
        settings={"match_places": "private"},
    ),
    "own deadline": Feature(
        begin=give_days,
        open="SELECT m.deadline > r.deadline FROM matches m :played AND m.deadline IS NOT NULL AND m.state = 'open'",
        tables={"matches"},
    ),
    "waiting list": Feature(begin=waits, open=f"{_WAITS} NULL", tables={"waitlist"}),
    "offered place": Feature(
        begin=place,
        open=f"{_WAITS} NOT NULL",
        tables={"waitlist"},
        kinds={PLACE},
    ),
    "check-in": Feature(
        alone=check_in,
        open="SELECT e.name FROM entrants e JOIN players p ON p.id = e.player_id JOIN seasons s ON s.id = e.season_id"
        " WHERE s.phase = 'signup' AND s.check_in = s.signups_close AND e.checked_in = 0"
        " AND p.discord_id = :person AND NOT EXISTS (SELECT 1 FROM departures d WHERE d.entrant_id = e.id)",
        tables={"entrants"},
        kinds={CHECK_IN},
    ),
    "comeback asked": Feature(
        begin=rejoin,
        open="SELECT e.name FROM rejoin_requests q JOIN entrants e ON e.id = q.entrant_id"
        " JOIN seasons s ON s.id = e.season_id AND :live WHERE q.answered_at IS NULL",
        tables={"rejoin_requests"},
        kinds={REJOIN},
    ),
    "stay asked": Feature(
        begin=gone,
        open="SELECT e.name FROM stays q JOIN entrants e ON e.id = q.entrant_id JOIN seasons s ON s.id = e.season_id"
        " AND :live WHERE q.answered_at IS NULL AND NOT EXISTS"
        " (SELECT 1 FROM departures d WHERE d.entrant_id = e.id AND d.rejoined IS NULL)",
        tables={"stays", "memberships"},
        kinds={STAYING},
    ),
    "new account asked": Feature(
        begin=new_account,
        open="SELECT discord_id FROM links WHERE ended_at IS NULL",
        tables={"links"},
        kinds={LINK},
    ),
    "moving up": Feature(
        alone=moving_up,
        open="SELECT e.name FROM finals_places f JOIN entrants e ON e.id = f.entrant_id"
        " JOIN seasons s ON s.id = e.season_id AND :live WHERE f.answered_at IS NULL",
        tables={"finals_places"},
        kinds={MOVING_UP},
    ),
    "tie": Feature(alone=tie, open=f"{_TIE} NULL", tables={"ties"}, kinds={TIE}),
    "tie-break match": Feature(
        alone=tie_match,
        open=f"{_TIE} NOT NULL",
        tables={"ties"},
        kinds={TIE, TIE_MATCH},
    ),
    "tie-break report": Feature(
        alone=tie_report,
        open="SELECT e.name FROM tie_reports x JOIN entrants e ON e.id = x.entrant_id JOIN ties t ON t.id = x.tie_id"
        " JOIN seasons s ON s.id = t.season_id AND :live WHERE t.settled_at IS NULL AND x.disputed_at IS NULL",
        tables={"tie_reports"},
        kinds={TIE_QUESTION},
    ),
    "sit-out": Feature(
        begin=sits_out,
        open="SELECT p.name, o.round FROM sat_out o JOIN players p ON p.id = o.player_id"
        " JOIN entrants e ON e.id = o.entrant_id JOIN seasons s ON s.id = e.season_id AND :live"
        " WHERE NOT EXISTS (SELECT 1 FROM departures d WHERE d.entrant_id = e.id AND d.rejoined IS NULL)"
        " AND NOT EXISTS (SELECT 1 FROM rounds r WHERE r.season_id = s.id AND r.number >= o.round)",
        tables={"sat_out"},
    ),
}
