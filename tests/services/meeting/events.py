"""What happens to a match or person that holds something."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from bot.league.errors import LeagueError
from bot.league.season.phases import MatchState, SeasonPhase
from bot.services.base.accounts import Newcomer
from bot.services.base.order import Order
from bot.services.matches.outcome import Outcome
from bot.services.matches.views import MatchView
from bot.services.organising import rounds_by_hand, swapping
from bot.services.people import forgetting, linking, merging, moving_up_answers, rejoining, removing
from bot.services.people.linking import Account
from bot.services.play import clearing, reporting
from bot.services.seasons import lifecycle, pausing
from bot.services.seats import substitutes
from bot.services.ties import tie_decisions
from tests.files import do
from tests.services.conftest import person
from tests.services.meeting.scene import NEW_ACCOUNT, Scene, bring_people, missing

MOST_ROUNDS = 12


class NoMatch(LeagueError):
    """Nothing that could happen: there is no such match."""


async def _match(scene: Scene) -> MatchView:
    if not scene.match:
        raise NoMatch("no match")
    found = [match for match in await scene.matches() if match.match.id == scene.match]
    if not found:
        raise NoMatch("no match")
    return found[0]


async def _result(scene: Scene) -> MatchView:
    """Give a match that has nothing to clear or correct a result."""
    view = await _match(scene)
    if view.match.state is MatchState.OPEN:
        await scene.decide(view)
    return view


async def cleared(scene: Scene) -> None:
    view = await _result(scene)
    given: Any = {"match": view.match.id, "reason": "seen"}
    await do(clearing.clear, db=scene.world.db, **scene.moderator, **given)


async def taken_back(scene: Scene) -> None:
    """Someone says they lost, or agrees to a report, and takes it back a minute later."""
    view = await _match(scene)
    db, match = scene.world.db, view.match.id
    if view.match.state is MatchState.REPORTED:
        assert view.asked is not None
        await do(reporting.confirm, db=db, **scene.by(view.asked.name), match=match)
    elif view.match.state is not MatchState.CONFIRMED:
        loser = view.opponent_of(view.side(view.reports[-1].entrant_id)) if view.reports else view.lower
        await do(reporting.report, db=db, **scene.by(loser.name), match=match, result="lost")
    scene.world.later(minutes=1)
    view = await _match(scene)
    if view.takeback is None:
        raise NoMatch("no one pressed")
    presses = scene.by(view.side(view.takeback.entrant_id).name)
    await do(reporting.take_back, db=db, **presses, match=match, version=view.match.version)


async def corrected(scene: Scene) -> None:
    view = await _result(scene)
    await scene.decide(view, Outcome.LOWER)


async def corrected_before(scene: Scene) -> None:
    """A result of the round before is corrected."""
    view = (await scene.matches(1))[0]
    assert view.loser is not None
    await scene.decide(view, Outcome.LOWER if view.loser == view.lower else Outcome.UPPER)


async def _correct_quarter(scene: Scene, *, own: bool) -> None:
    """Correct a quarter-final on which the match rests, or the other semi-final does."""
    if scene.stage != "bracket":
        raise NoMatch("no bracket")
    inside = {side.name for side in (await scene.view()).sides}
    quarters = await scene.matches(1)
    view = next(q for q in quarters if (q.winner in inside) is own)
    await scene.decide(view, Outcome.LOWER if view.winner == view.upper.name else Outcome.UPPER)
    for match in await scene.matches():  # the same two may play in a new row
        if {side.name for side in match.sides} == inside:
            scene.match = match.match.id


async def bracket_elsewhere(scene: Scene) -> None:
    await _correct_quarter(scene, own=False)


async def bracket_here(scene: Scene) -> None:
    await _correct_quarter(scene, own=True)


async def undone(scene: Scene) -> None:
    await do(rounds_by_hand.undo, db=scene.world.db, **scene.organiser)


async def paired_again(scene: Scene) -> None:
    """A round is undone, and paired and posted again."""
    await undone(scene)
    await do(rounds_by_hand.preview, db=scene.world.db, **scene.organiser)
    await do(rounds_by_hand.post, db=scene.world.db, **scene.organiser)


async def previewed(scene: Scene) -> None:
    """Every result is set in a pause, and an organiser makes a preview twice."""
    await paused(scene)
    await _play(scene)
    for _ in range(2):
        await do(rounds_by_hand.preview, db=scene.world.db, **scene.organiser)


async def finals_undone(scene: Scene) -> None:
    await do(rounds_by_hand.undo_finals, db=scene.world.db, **scene.organiser)


async def swapped(scene: Scene) -> None:
    view = await _match(scene)
    other = next(match for match in await scene.matches() if match.match.id != view.match.id)
    names: Any = {"first": view.upper.name, "second": other.upper.name}
    await do(swapping.swap, db=scene.world.db, **scene.organiser, **names)


async def substituted(scene: Scene) -> None:
    sam = Newcomer(discord_id=8888, wanted=None, display_name="Sam", by_organiser=True, reason="away")
    scene.world.players["Sam"] = person(8888, "Sam")
    await do(substitutes.substitute, db=scene.world.db, **scene.organiser, old=scene.person, newcomer=sam)


async def substitute_gone(scene: Scene) -> None:
    """A substitute is taken back before they have played."""
    await substituted(scene)
    account = scene.world.player(scene.person).user_id or 0
    back = Newcomer(discord_id=account, wanted=None, display_name=scene.person, by_organiser=True, reason="is here")
    await do(substitutes.substitute, db=scene.world.db, **scene.organiser, old=scene.person, newcomer=back)


def _linked(name: Callable[[Scene], str]) -> Callable[[Scene], Awaitable[None]]:
    async def event(scene: Scene) -> None:
        who = _named(name(scene))
        account = Account(discord_id=NEW_ACCOUNT, name=f"{who} again")
        await do(linking.propose, db=scene.world.db, **scene.organiser, player=who, account=account)
        found = await scene.rows(f"SELECT id FROM links WHERE discord_id = {NEW_ACCOUNT} AND ended_at IS NULL")
        new = scene.world.players[who] = person(NEW_ACCOUNT, who)
        await scene.world.db.write(linking.answer, Order(actor=new, now=scene.world.now), link=found[0][0], accept=True)

    return event


def _named(name: str) -> str:
    if not name:
        raise NoMatch("no opponent")
    return name


def _forgotten(name: Callable[[Scene], str]) -> Callable[[Scene], Awaitable[None]]:
    async def event(scene: Scene) -> None:
        await do(forgetting.forget, db=scene.world.db, **scene.organiser, player=_named(name(scene)))

    return event


def _dropped(name: Callable[[Scene], str]) -> Callable[[Scene], Awaitable[None]]:
    async def event(scene: Scene) -> None:
        await scene.world.drop(_named(name(scene)))

    return event


async def disqualified(scene: Scene) -> None:
    await do(removing.disqualify, db=scene.world.db, **scene.organiser, player=scene.person, reason="cheats")


async def reinstated(scene: Scene) -> None:
    """The person leaves and is brought back; or the one is brought back who had left."""
    if not scene.left:
        await scene.world.drop(scene.person)
    who = scene.left or scene.person
    await do(rejoining.reinstate, db=scene.world.db, **scene.organiser, player=who, reason="a mistake")


async def imported(scene: Scene) -> None:
    await bring_people(scene, "Old Friend")


async def merged(scene: Scene) -> None:
    """The person turns out to be someone of an import too."""
    await bring_people(scene, "Old Friend")
    said: Any = {"player": "Old Friend", "into": scene.person, "reason": "one person"}
    await do(merging.merge, db=scene.world.db, **scene.organiser, **said)


async def paused(scene: Scene) -> None:
    until = scene.world.now + timedelta(days=10)
    await do(pausing.pause, db=scene.world.db, **scene.organiser, until=until)


async def pause_ended(scene: Scene) -> None:
    await paused(scene)
    await scene.announce()
    scene.world.later(hours=5)
    await do(pausing.end, db=scene.world.db, **scene.organiser)


async def extended(scene: Scene) -> None:
    await do(rounds_by_hand.extend, db=scene.world.db, **scene.organiser, days=2)


async def next_round(scene: Scene) -> None:
    """Every result is set, so that the next round is posted."""
    if not any(match.match.state is not MatchState.CONFIRMED for match in await scene.matches()):
        raise NoMatch("no result is missing")
    await _play(scene)


async def substitute_plays(scene: Scene) -> None:
    await substituted(scene)
    await scene.announce()
    await next_round(scene)


async def cancelled(scene: Scene) -> None:
    await do(lifecycle.cancel, db=scene.world.db, **scene.organiser)


async def ended_by_organiser(scene: Scene) -> None:
    """Every result is set in a pause, and the season is ended as it stands."""
    if (await scene.world.status()).season.phase is not SeasonPhase.SIGNUP:
        await paused(scene)
        await _play(scene)
    await do(lifecycle.finish, db=scene.world.db, **scene.organiser)


async def _play(scene: Scene) -> None:
    for match in await missing(scene):
        await scene.decide(match)


async def played_out(scene: Scene) -> None:
    """The season is played to its end, with every answer it needs."""
    if (await scene.world.status()).season.phase is SeasonPhase.SIGNUP:
        await scene.world.start()
    for _ in range(MOST_ROUNDS):
        if (await scene.world.status()).season.phase is SeasonPhase.FINISHED:
            return
        await _play(scene)
        await _move_up(scene)
        if await scene.rows("SELECT 1 FROM ties WHERE settled_at IS NULL"):
            await do(tie_decisions.take_draw, db=scene.world.db, **scene.organiser)
    raise AssertionError("the season does not end")


async def _move_up(scene: Scene) -> None:
    """Let everyone who is asked whether they move up say yes."""
    asked = (
        "SELECT f.id, p.name FROM finals_places f JOIN entrants e ON e.id = f.entrant_id"
        " JOIN players p ON p.id = e.player_id WHERE f.answered_at IS NULL"
    )
    for place, name in await scene.rows(asked):
        await do(moving_up_answers.answer, db=scene.world.db, **scene.by(name), place_id=place, plays=True)


def _person(scene: Scene) -> str:
    return scene.person


def _other(scene: Scene) -> str:
    return scene.other


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something that happens, in a stage of a season."""

    do: Callable[[Scene], Awaitable[None]]
    stage: str = "round"


EVENTS: Mapping[str, Event] = {
    "cleared": Event(do=cleared),
    "taken back": Event(do=taken_back),
    "corrected": Event(do=corrected),
    "corrected before": Event(do=corrected_before),
    "bracket corrected elsewhere": Event(do=bracket_elsewhere, stage="bracket"),
    "bracket corrected here": Event(do=bracket_here, stage="bracket"),
    "round undone": Event(do=undone),
    "paired again": Event(do=paired_again),
    "preview": Event(do=previewed),
    "finals undone": Event(do=finals_undone, stage="finals"),
    "swapped": Event(do=swapped),
    "substituted": Event(do=substituted),
    "substitute taken back": Event(do=substitute_gone),
    "linked": Event(do=_linked(_person)),
    "opponent linked": Event(do=_linked(_other)),
    "forgotten": Event(do=_forgotten(_person)),
    "opponent forgotten": Event(do=_forgotten(_other)),
    "dropped": Event(do=_dropped(_person)),
    "opponent dropped": Event(do=_dropped(_other)),
    "disqualified": Event(do=disqualified),
    "reinstated": Event(do=reinstated),
    "imported": Event(do=imported),
    "merged": Event(do=merged),
    "paused": Event(do=paused),
    "pause ended": Event(do=pause_ended),
    "round extended": Event(do=extended),
    "next round": Event(do=next_round),
    "substitute plays": Event(do=substitute_plays),
    "cancelled": Event(do=cancelled),
    "finished by an organiser": Event(do=ended_by_organiser),
    "finished by itself": Event(do=played_out),
}
