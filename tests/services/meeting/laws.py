"""What holds after everything that can happen, whatever was held."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from bot import steps
from bot.league.checking.league_file import reading
from bot.league.checking.verify import verify
from bot.league.errors import LeagueError
from bot.services.base import post_kinds
from bot.services.base.failed_posts import TROUBLE
from bot.services.base.order import Order
from bot.services.base.outbox import (
    BOARD,
    GROUP,
    NOTICE,
    OWN_PLACE,
    PAIRINGS_CHANGED,
    ROUND,
    SIGNUP,
    STUCK,
    THREAD_OVER,
    WITHDRAWN,
)
from bot.services.base.permissions import Actor
from bot.services.base.post_kinds import PostKind
from bot.services.delivery.delivery import Delivery
from bot.services.leagues import exporting
from bot.services.matches.decision_posts import CORRECTED, DECIDED_TOGETHER, DECISION, OPEN_AGAIN
from bot.services.matches.group_cards import STAGE_NEWS
from bot.services.matches.outcome import Outcome
from bot.services.organising import asked_corrections
from bot.services.organising.announcing import ANNOUNCEMENT
from bot.services.organising.asked_corrections import CORRECTION
from bot.services.organising.daily_reminder import WAITING
from bot.services.organising.timer import CLOCK
from bot.services.people import linking, moving_up_answers, rejoining
from bot.services.people.linking import LINK
from bot.services.people.rejoining import REJOIN
from bot.services.play import decisions, reporting
from bot.services.play.field.moving_up import MOVING_UP
from bot.services.play.news import NEWS
from bot.services.play.progression import CHAMPION
from bot.services.play.round_posts import COUNTED, DISPUTE, DISPUTED, OVERDUE, QUESTION, REMINDER
from bot.services.problems import answering, disputed, judging, stay_or_leave, telling
from bot.services.problems.evidence import ANSWERED, PROBLEM, SETTLE_PROBLEM
from bot.services.problems.stay_or_leave import STAYING
from bot.services.seasons.invitations import INVITATION
from bot.services.seasons.pausing import PAUSE
from bot.services.signups import check_in, claim_answers, letting_in, signing_up
from bot.services.signups.approval import JOIN_REQUEST
from bot.services.signups.check_in import CHECK_IN
from bot.services.signups.free_places import PLACE
from bot.services.signups.recognising import CLAIM_ANSWER, CLAIMS
from bot.services.times import accepting, proposing
from bot.services.times.time_posts import AGREED, TIME_REMINDER, TIMES
from cogs.posting.renderings import render
from cogs.ui.replies import message_parts
from storage.posts import PostRow
from tests.files import change_by_hand, do, look_into, see
from tests.services.conftest import MODERATOR, ORGANISER, person
from tests.services.meeting.scene import Scene
from tests.services.meeting.subjects import SUBJECTS

ANSWERS = {
    "accept-time", "check-in", "claim", "concede", "confirm", "correct", "decide", "dispute", "leave-result", "let-in",
    "link", "moving-up", "panel", "place", "problem-answer", "problem-award", "problem-play", "problem-time",
    "problem-withdraw", "rejoin", "stay", "tell-moderators",
    *(one for subject in SUBJECTS for one in subject.answers),
}  # fmt: skip
"""Buttons that answer a question: where a message has one, the person it asks can press it."""
SHOWS = {
    "again", "agree", "audit", "audit-file", "calendar", "cancel", "city", "clock", "details", "end-pause", "extend",
    "claim-undo", "decide-all", "divisions", "for-opponents", "forget-hours", "hours", "played-before",
    "import-back", "import-champion", "import-column", "import-columns", "import-name", "import-pointed",
    "import-preview", "import-role", "import-run", "import-season", "import-who", "import-won",
    "join", "leave", "my-match", "my-matches", "notify", "one-of", "other-time", "page", "pick-times", "plan",
    "plan-dates", "plan-discard", "plan-format", "plan-open", "plan-page", "plan-set", "play-after-all", "problem",
    "profile-in", "close-round", "finish-season", "groups", "groups-fill", "groups-swap", "groups-write",
    "league-rules", "let-meet", "post-round", "unban",
    "propose", "report", "report-own", "retry", "rules", "seeds", "send-times", "set-up", "share", "share-rules",
    "show", "show-group", "show-rules", "take-back", "text", "time-report", "unmerge", "which-match", "why", "zone",
    *(one for subject in SUBJECTS for one in subject.shows),
}  # fmt: skip
"""Buttons that show or begin something as it is when they're pressed, or stand in answers only one person sees."""
TELLS = {
    ANNOUNCEMENT, BOARD, CORRECTED, COUNTED, SIGNUP, INVITATION, GROUP, ROUND, NEWS, REMINDER, STAGE_NEWS,
    WAITING, OVERDUE, DECIDED_TOGETHER, DECISION, OPEN_AGAIN, NOTICE, OWN_PLACE, STUCK, PAIRINGS_CHANGED,
    CHAMPION, TROUBLE, WITHDRAWN, CLOCK, PAUSE,
    THREAD_OVER, CLAIM_ANSWER,
    *(one for subject in SUBJECTS for one in subject.tells),
}  # fmt: skip
"""Messages that belong to no feature here: they tell something, and no one waits for an answer to them."""

DELETED = {
    QUESTION, DISPUTED, PROBLEM, ANSWERED, TIMES, AGREED,
    TIME_REMINDER, PLACE, MOVING_UP, CORRECTION,
    *(one for subject in SUBJECTS for one in subject.deleted),
}  # fmt: skip
"""Messages to people that are deleted, or not sent, once they are answered or over."""


class Asked:
    """A question as someone answers it."""

    def __init__(self, scene: Scene, found: Delivery, who: Actor) -> None:
        self.db, self.post, self.facts = scene.world.db, found.row, found.row.facts
        self.by: dict[str, Any] = {"actor": who, "now": scene.world.now}
        self.about: dict[str, Any] = {**self.by, "match": found.row.match_id}
        self.league: dict[str, Any] = {**self.by, "league_id": found.league.id}
        self.shown: Any = found.post
        self.moderator: dict[str, Any] = {**self.about, "actor": MODERATOR}
        self.organiser: dict[str, Any] = {**self.by, "actor": ORGANISER}


async def _accept(asked: Asked) -> None:
    with look_into(asked.db) as conn:
        (row,) = conn.execute_fetchall(
            "SELECT json_extract(starts, '$[0]') AS start FROM time_proposals WHERE id = ?", [asked.facts["proposal"]]
        )
    start = datetime.fromtimestamp(row["start"], UTC)
    await do(accepting.accept, db=asked.db, **asked.about, proposal=asked.facts["proposal"], start=start)


def _problem(asked: Asked) -> dict[str, Any]:
    return {"problem": asked.facts["problem_id"]}


PRESSES: Mapping[PostKind, Callable[[Asked], Awaitable[Any]]] = {
    QUESTION: lambda a: do(reporting.confirm, db=a.db, **a.about, version=a.facts["version"]),
    DISPUTE: lambda a: do(decisions.decide, db=a.db, **a.moderator, outcome=Outcome.UPPER, reason="seen"),
    DISPUTED: lambda a: do(disputed.tell, db=a.db, **a.about, text="I have a picture"),
    PROBLEM: lambda a: do(answering.answer, db=a.db, **a.about, **_problem(a), text="not so"),
    ANSWERED: lambda a: do(telling.withdraw, db=a.db, **a.about, **_problem(a)),
    SETTLE_PROBLEM: lambda a: do(judging.let_play, db=a.db, **a.moderator, **_problem(a)),
    TIMES: _accept,
    AGREED: lambda a: see(proposing.offer, db=a.db, **a.about),
    TIME_REMINDER: lambda a: see(proposing.offer, db=a.db, **a.about),
    PLACE: lambda a: do(signing_up.take_place, db=a.db, **a.by, waiting_id=a.facts["waiting_id"], agreed=99),
    CHECK_IN: lambda a: do(check_in.check_in, db=a.db, **a.league),
    MOVING_UP: lambda a: do(moving_up_answers.answer, db=a.db, **a.by, place_id=a.facts["place_id"], plays=True),
    REJOIN: lambda a: do(
        rejoining.answer_rejoin, db=a.db, **a.organiser, request_id=a.facts["request_id"], accept=True
    ),
    JOIN_REQUEST: lambda a: do(
        letting_in.answer,
        db=a.db,
        **a.organiser,
        request_id=next(row.id for row in a.shown.rows if row.answered_at is None),
        accept=True,
    ),
    CLAIMS: lambda a: do(
        claim_answers.answer,
        db=a.db,
        **a.organiser,
        claim_id=next(row.id for row, *_ in a.shown.rows if row.answered_at is None),
        accept=True,
    ),
    CORRECTION: lambda a: do(asked_corrections.leave, db=a.db, **a.organiser, match=a.post.match_id),
    STAYING: lambda a: do(stay_or_leave.keep, db=a.db, **a.organiser, stay=a.facts["stay_id"]),
    LINK: lambda a: do(linking.answer, db=a.db, **a.by, link=a.facts["link_id"], accept=True),
    **{kind: press for subject in SUBJECTS for kind, press in subject.presses.items()},
}
"""What the first button of each question does."""


def buttons_of(found: Delivery) -> set[str]:
    """Return the actions of the buttons a message shows."""
    view = message_parts(render(post_kinds.of(found.row), found.post))["view"]
    ids = [str(getattr(item, "custom_id", "")) for item in view.walk_children()]
    return {one.removeprefix("pick:").split(":")[1] for one in ids if one.startswith(("fp:", "pick:fp:"))}


async def live(scene: Scene, post: PostRow) -> Delivery | None:
    """Return a message people see, or will see, as it has to look now."""
    _owe_once_more(scene, [post])
    return await steps.load(scene.world.db, post.id, scene.world.now)


def _owe_once_more(scene: Scene, posts: Sequence[PostRow]) -> None:
    """Let the edits of messages that were made be queued once more."""
    with change_by_hand(scene.world.db, seasons=False) as conn:
        conn.executemany("UPDATE outbox SET state = 'due' WHERE id = ? AND state = 'done'", [[row.id] for row in posts])


async def questions(scene: Scene, kinds: set[PostKind]) -> list[Delivery]:
    """Return the messages of these kinds that can be answered; others have no button that answers."""
    found: list[Delivery] = []
    posts = await scene.posts(kinds)
    _owe_once_more(scene, posts)
    for post in posts:
        made = await steps.load(scene.world.db, post.id, scene.world.now)
        if made is not None and buttons_of(made) & ANSWERS:
            found.append(made)
    return found


async def waits_for(scene: Scene, made: Delivery) -> tuple[int, ...]:
    """Return the people a question waits for, none where moderators decide; each of them must have been told."""
    people, post = tuple(getattr(made.post, "ping_ids", ())), made.row
    alike = [one for one in await scene.posts({post_kinds.of(post)}) if one.match_id == post.match_id]
    told = {person for one in alike for person in scene.told.get(one.id, people)}
    assert told >= set(people), f"{post.kind} waits for {people}, but {told} were told"
    return people


async def require_only_told(scene: Scene) -> None:
    """Fail where a message that tells something has a button that answers."""
    asking = await questions(scene, TELLS)
    assert not asking, f"{asking[0].row.kind} has a button that answers"


async def press_all(scene: Scene) -> None:
    """Answer every question that people see, each as the person it asks, and fail where that is an error."""
    every = await questions(scene, set(post_kinds.every()) - TELLS)
    for made in sorted(every, key=lambda made: post_kinds.of(made.row).for_moderators):
        kind, known = post_kinds.of(made.row), {actor.user_id: actor for actor in scene.world.players.values()}
        again = await live(scene, made.row)
        people = () if again is None else await waits_for(scene, again)
        for one in (None,) if kind.for_moderators else people:
            again = await live(scene, made.row)
            if again is None or again.row.removed or not buttons_of(again) & ANSWERS:
                break
            actor = MODERATOR if one is None else known.get(one, person(one, f"account {one}"))
            try:
                await PRESSES[kind](Asked(scene, again, actor))
            except LeagueError as problem:
                raise AssertionError(f"{kind} has a button, but {actor.name} hears: {problem}") from problem
            await scene.announce()


async def require_tidied(scene: Scene, kinds: set[PostKind]) -> None:
    """Fail where a message about something that is over stays, or can be answered by the person or by moderators."""
    assert await scene.asked(kinds & DELETED) == {}, "a message about something that is over stays"
    for made in await questions(scene, kinds):
        people, person_id = getattr(made.post, "ping_ids", ()), scene.world.player(scene.person).user_id
        waits = not people or person_id in people
        assert not waits, f"{made.row.kind} is over but can be answered"


Results = dict[int, tuple[Any, ...]]


async def results(scene: Scene) -> Results:
    sql = "SELECT id, state, kind, winner_id, overdue_at, upper_id, lower_id FROM matches"
    return {row[0]: row[1:] for row in await scene.rows(sql)}


async def decided_by_silence(scene: Scene) -> list[tuple[Any, ...]]:
    """Return what silence has cost someone so far."""
    return await scene.rows(
        "SELECT action, subject FROM audit"
        " WHERE action IN ('waitlist.lapse', 'problem.no-answer', 'entrant.no-check-in', 'result.overdue')"
        " UNION ALL SELECT 'tie', id FROM ties WHERE how = 'silence'"
        " UNION ALL SELECT 'place', id FROM finals_places WHERE how = 'silent'"
        " UNION ALL SELECT 'left', id FROM departures"
    )


async def require_patient(scene: Scene, *about: int) -> None:
    """Fail where the clock punishes someone within an hour, in some matches or anywhere."""
    before, cost = await results(scene), await decided_by_silence(scene)
    before = {key: before[key] for key in about or before}
    for passed in (timedelta(seconds=30), timedelta(hours=1)):
        scene.world.now += passed
        await steps.tick(scene.world.db, scene.world.now)
        await scene.announce()
        now = await results(scene)
        assert {key: now.get(key) for key in before} == before, "the clock decided a match"
        assert about or await decided_by_silence(scene) == cost, "the clock punished someone"


async def require_sound(scene: Scene) -> None:
    """Fail unless the file is whole and the league's file is verified."""
    assert await scene.rows("PRAGMA foreign_key_check") == []
    assert await scene.rows("PRAGMA integrity_check") == [("ok",)]
    if not await scene.rows("SELECT 1 FROM seasons WHERE number IS NOT NULL"):
        return  # it was cancelled before it began
    text = (
        await scene.world.db.read(
            exporting.export, Order(actor=ORGANISER, now=scene.world.now, league_id=scene.world.league_id)
        )
    ).text
    checks = verify(reading.read(text.encode()))
    assert checks.agrees, checks.lines()
