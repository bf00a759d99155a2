"""The features: how a match or person comes to hold something of each, and what says in the file that they do."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from bot import steps
from bot.services.base.outbox import THREAD
from bot.services.matches.outcome import Outcome
from bot.services.organising import asked_corrections
from bot.services.organising.asked_corrections import CORRECTION
from bot.services.people import linking, merging, rejoining
from bot.services.people.linking import LINK, Account
from bot.services.people.rejoining import REJOIN
from bot.services.play import reporting
from bot.services.play.field.moving_up import MOVING_UP
from bot.services.play.round_posts import DISPUTE, DISPUTED, QUESTION
from bot.services.problems import answering, disputed, on_server, telling
from bot.services.problems.evidence import ANSWERED, PROBLEM, SETTLE_PROBLEM
from bot.services.problems.stay_or_leave import STAYING
from bot.services.seasons import planning
from bot.services.seats import sitting_out
from bot.services.signups import names_in_game, signing_up
from bot.services.signups.approval import JOIN_REQUEST
from bot.services.signups.check_in import CHECK_IN
from bot.services.signups.free_places import PLACE
from bot.services.signups.recognising import CLAIMS
from bot.services.times import accepting, proposing
from bot.services.times.time_posts import AGREED, TIME_REMINDER, TIMES
from storage.rows import Says
from storage.tables.people.memberships import Sought
from storage.tables.problems import ProblemKind
from tests.files import do
from tests.services.conftest import GUILD, NAMES, World
from tests.services.meeting.feature import Feature
from tests.services.meeting.scene import (
    NEW_ACCOUNT,
    WAITING,
    Scene,
    account_of,
    bring_people,
    give_days,
    in_bracket,
)
from tests.services.meeting.subjects import SUBJECTS
from tests.services.people.test_moving_up import asked as asked_to_move_up
from tests.services.people.test_moving_up import finals, leave

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


async def problem(scene: Scene, teller: str = "") -> None:
    said: Any = {"match": scene.match, "kind": ProblemKind.TOO_LATE, "text": "away"}
    await do(telling.tell_problem, db=scene.world.db, **scene.by(teller or scene.other), **said)


async def answered(scene: Scene) -> None:
    await problem(scene, scene.person)
    await scene.announce()
    told = (await scene.view()).problem
    assert told is not None
    said: Any = {"match": scene.match, "problem": told.id, "text": "not so"}
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


async def asks_to_join(scene: Scene) -> None:
    await do(planning.change_settings, db=scene.world.db, **scene.organiser, settings={"approval": True})
    await waits(scene)


async def claims_past(scene: Scene) -> None:
    await bring_people(scene, WAITING)
    (me,) = await scene.rows(f"SELECT id FROM players WHERE name = '{WAITING}'")
    who: Any = scene.there(WAITING)
    given: Any = {"display_name": WAITING, "agreed": 99, "claims_to_be": me[0]}
    await do(signing_up.sign_up, db=scene.world.db, **who, **given)
    scene.person, scene.other = WAITING, ""


async def _third(scene: Scene) -> str:
    """Return a player of another match."""
    return next(match for match in await scene.matches() if match.match.id != scene.match).lower.name


async def rejoin(scene: Scene) -> None:
    scene.left = scene.person = await _third(scene)
    await scene.world.drop(scene.left)
    await do(rejoining.rejoin, db=scene.world.db, **scene.there(scene.left))


async def gone(scene: Scene) -> None:
    sought = Sought(guild_id=GUILD, discord_id=account_of(scene.world.player(scene.person)))
    await scene.world.db.write(on_server.seen, sought, now=scene.world.now, present=False)


async def new_account(scene: Scene) -> None:
    account = Account(discord_id=NEW_ACCOUNT - 1, name="another")
    await do(linking.propose, db=scene.world.db, **scene.organiser, player=scene.person, account=account)


async def answers(scene: Scene) -> None:
    """The person says what the season asks for opponents."""
    await do(planning.change_settings, db=scene.world.db, **scene.organiser, settings={"ask_name": "User name"})
    await do(names_in_game.give, db=scene.world.db, **scene.there(scene.person), answer="someone 77")


async def explained(scene: Scene) -> None:
    """An import has brought people, one of them under a name that the person has in files."""
    other = f"{scene.person.upper()}!"
    await bring_people(scene, other, "Old Rival", **{other: scene.person})


async def two_names(scene: Scene) -> None:
    """The person was known by two league names."""
    await bring_people(scene, "Old Rival")
    said: Any = {"player": "Old Rival", "into": scene.person, "reason": "one person"}
    await do(merging.merge, db=scene.world.db, **scene.organiser, **said)


async def sits_out(scene: Scene) -> None:
    await do(sitting_out.sit_out, db=scene.world.db, **scene.there(scene.person), number=3, reason="a holiday")


# -- what needs a moment of its own --


async def correction(world: World) -> Scene:
    """A moderator asks for another result of a quarter-final, after which the person plays the semi-final."""
    scene = await in_bracket(world)
    inside = {side.name for side in (await scene.view()).sides}
    quarter = next(match for match in await scene.matches(1) if match.winner in inside)
    assert quarter.winner is not None
    scene.person = quarter.winner
    (scene.other,) = inside - {scene.person}
    outcome = Outcome.LOWER if quarter.winner == quarter.upper.name else Outcome.UPPER
    said: Any = {"match": quarter.match.id, "outcome": outcome, "reason": "a mix-up"}
    await do(asked_corrections.ask, db=world.db, **scene.moderator, **said)
    return scene


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


_PROBLEM = (
    "SELECT p.kind, p.text, p.answer FROM problems p JOIN matches m ON m.id = p.match_id :played"
    " WHERE p.ended_at IS NULL AND p.handed_at IS"
)
_WAITS = (
    "SELECT p.name FROM waitlist w JOIN players p ON p.id = w.player_id"
    " JOIN seasons s ON s.id = w.season_id AND :live WHERE w.asked_at IS"
)

FEATURES: Mapping[str, Feature] = {
    **{name: feature for subject in SUBJECTS for name, feature in subject.features.items()},
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
        open=f"{_PROBLEM} NULL",
        tables={"problems"},
        kinds={PROBLEM},
    ),
    "problem answered": Feature(
        begin=answered,
        open=f"{_PROBLEM} NOT NULL",
        tables={"problems"},
        kinds={PROBLEM, ANSWERED, SETTLE_PROBLEM},
    ),
    "problem handed on": Feature(
        begin=handed_on,
        open=f"{_PROBLEM} NOT NULL",
        tables={"problems"},
        kinds={PROBLEM, ANSWERED, SETTLE_PROBLEM},
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
    "thread": Feature(
        begin=nothing,
        open="SELECT t.people FROM threads t JOIN matches m ON m.id = t.match_id :played"
        " WHERE t.match_id = :match AND m.state <> 'confirmed' AND t.archived = 0",
        tables={"threads", "thread_matches"},
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
    "join request": Feature(
        begin=asks_to_join,
        open="SELECT p.name FROM join_requests q JOIN players p ON p.id = q.player_id"
        " JOIN seasons s ON s.id = q.season_id AND :live WHERE q.answered_at IS NULL",
        tables={"join_requests"},
        kinds={JOIN_REQUEST},
    ),
    "claim": Feature(
        begin=claims_past,
        open="SELECT p.name FROM claims q JOIN players p ON p.id = q.player_id"
        " JOIN seasons s ON s.id = q.season_id AND :live WHERE q.answered_at IS NULL",
        tables={"claims"},
        kinds={CLAIMS},
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
        open="SELECT e.name FROM stay_decisions q JOIN entrants e ON e.id = q.entrant_id"
        " JOIN seasons s ON s.id = e.season_id"
        " AND :live WHERE q.answered_at IS NULL AND NOT EXISTS"
        " (SELECT 1 FROM departures d WHERE d.entrant_id = e.id AND d.rejoined IS NULL)",
        tables={"stay_decisions", "memberships"},
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
    "correction asked": Feature(
        alone=correction,
        open="SELECT match_id, facts ->> 'outcome' FROM outbox WHERE kind = 'correction' AND removed = 0"
        " AND state <> 'withdrawn'",
        tables=set(),
        kinds={CORRECTION},
    ),
    "answer for opponents": Feature(
        begin=answers,
        open="SELECT p.name, a.question, a.answer FROM signup_answers a JOIN players p ON p.id = a.player_id",
        tables={"signup_answers"},
    ),
    "name in files": Feature(
        begin=explained,
        open="SELECT a.name, p.name FROM aliases a JOIN players p ON p.id = a.player_id",
        tables={"aliases", "imports", "imported_seasons", "imported_players", "imported_accounts"},
    ),
    "merge": Feature(
        begin=two_names,
        open="SELECT m.id, p.name FROM merges m JOIN players p ON p.id = m.into_id"
        " WHERE m.id = (SELECT min(id) FROM merges) AND m.moved <> '[]'",
        tables={"merges"},
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
