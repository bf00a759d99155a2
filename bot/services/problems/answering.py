"""The opponent of a player with a problem is asked, answers or stays silent; then the moderators decide."""

from datetime import datetime

from bot.league.errors import Conflict, NotAllowed
from bot.services.base import promises
from bot.services.base.act import Act, act, required
from bot.services.base.permissions import BOT, Actor
from bot.services.base.post_kinds import PostKind
from bot.services.matches import choosing, views
from bot.services.matches.views import MatchView
from bot.services.play.round_length import runs_from
from bot.services.problems.uploads import Picture
from storage.database import Connection, Database
from storage.posts import PostRow
from storage.rows import EntrantRow, MatchId
from storage.tables import claims
from storage.tables.claims import ClaimId, ClaimKind, ClaimRow, Screenshot


async def answer(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    match: MatchId,
    claim: ClaimId,
    text: str,
    picture: Picture | None = None,
) -> MatchView:
    """Answer what the opponent said, once; raises NotAllowed and Conflict."""
    words = required(text)
    async with act(db, actor, now, None, match_id=match) as do:
        view = await choosing.find_match(do, match)
        await take(do, view, require_open(view, claim), words, picture)
        return await views.match_view(do.conn, view.match.id)


async def take(do: Act, view: MatchView, claim: ClaimRow, words: str, picture: Picture | None) -> None:
    """Take an answer inside a transaction: the moderators decide now, and the opponent is told."""
    require_answerable(view, claim, do.actor)
    claimer = view.side(claim.entrant_id)
    answered = await claims.change(do.conn, claim.id, answer=words, answered_at=do.now)
    await keep(do.conn, claim, view.opponent_of(claimer), picture)
    await do.note("problem.answer", view.label, after={"by": view.opponent_of(claimer).name})
    await promises.tidy(do.conn, view.match, PostKind.PROBLEM, now=do.now)
    await tell_answer(do, view, answered)
    await hand_over(do, view, answered)


async def tell_answer(do: Act, view: MatchView, claim: ClaimRow) -> None:
    """Tell the player who told us about a problem that their opponent has answered."""
    await do.owe(PostKind.ANSWERED, view.match, people=[view.side(claim.entrant_id).discord_id], claim_id=claim.id)


def require_answerable(view: MatchView, claim: ClaimRow, actor: Actor) -> None:
    """Raise NotAllowed for anyone but the player who is asked, and Conflict once they answered."""
    asked = view.opponent_of(view.side(claim.entrant_id))
    if view.side_of(actor.user_id) != asked:
        raise NotAllowed(f"Only {asked.called} can answer this.")
    if claim.answer is not None:
        raise Conflict(f"You've answered already: “{claim.answer}” The moderators will decide and tell you.")


def require_open(view: MatchView, claim_id: int) -> ClaimRow:
    """Return the claim a button is about; raises Conflict once it has ended, or the season."""
    if view.claim is None or view.claim.id != claim_id:
        raise Conflict(f"That problem is settled: {view.label} is now {view.news}.")
    if view.stopped:
        raise Conflict(f"The season was cancelled, so {view.label} isn't played any more.")
    return view.claim


async def keep(conn: Connection, claim: ClaimRow, side: EntrantRow, picture: Picture | None) -> None:
    """Keep a player's screenshot, if there is one, until the claim ends."""
    if picture is not None:
        name = f"screenshot-{side.id}.{picture.ending}"
        await claims.keep(conn, claim.id, Screenshot(entrant_id=side.id, name=name, content=picture.content))


async def ask(do: Act, view: MatchView, claim: ClaimRow) -> None:
    """Ask the opponent of the player who told us about a problem."""
    asked = view.opponent_of(view.side(claim.entrant_id))
    quietly = claim.kind is ClaimKind.NO_ANSWER  # nobody else needs to read that
    await do.owe(PostKind.PROBLEM, view.match, people=[asked.discord_id], quietly=quietly, claim_id=claim.id)


async def hand_over(do: Act, view: MatchView, claim: ClaimRow) -> None:
    """Ask the moderators, unless they were asked before; then they see what is new."""
    if claim.handed_at is None:
        await claims.change(do.conn, claim.id, handed_at=do.now)
        await do.owe(PostKind.CLAIM, view.match, claim_id=claim.id)
        await do.touch(view.match, PostKind.PROBLEM)
    await do.touch(view.match)


async def begin(conn: Connection, post: PostRow, now: datetime) -> None:
    """Let the time to answer begin: the question was sent."""
    claim = await claims.find(conn, post.facts["claim_id"])
    if claim is None or claim.handed_at is not None or claim.ended_at is not None:
        return
    view = await views.match_view(conn, claim.match_id)
    await claims.change(conn, claim.id, answer_until=runs_from(view.season, now) + view.time_to_answer)


async def pass_on(conn: Connection, match_id: MatchId, now: datetime) -> bool:
    """Ask the moderators because the opponent's time is over; False where something happened meanwhile."""
    view = await views.match_view(conn, match_id)
    claim = view.claim
    if claim is None or claim.handed_at is not None or claim.answer_until is None or claim.answer_until > now:
        return False
    do = await Act.inside(conn, BOT, view.season.id, now=now)
    await hand_over(do, view, claim)
    await do.note("problem.no-answer", view.label)
    return True
