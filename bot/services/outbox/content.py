"""Load what each kind of promised post has to show."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from bot.league.formats import by_key
from bot.league.formats.base import Format
from bot.league.formats.swiss.organiser_ties import seats
from bot.league.model import Name
from bot.league.phases import MatchState, SeasonPhase
from bot.services.matches import views
from bot.services.matches.views import MatchView, RoundView
from bot.services.outbox.kinds import (
    ChampionPost,
    ClockPost,
    DecisionPost,
    DisputePost,
    MatchPost,
    NoticePost,
    OverduePost,
    PostFacts,
    RejoinPost,
    ReminderPost,
    RoundPost,
    SignupPost,
    StartPost,
    TieMatchPost,
    TiePost,
    TroublePost,
    WithdrawnPost,
)
from bot.services.outbox.promises import MATCH_POSTS, PAGE, PostKind, pages_of
from bot.services.ties.words import silent_at, tie_words
from storage import entrants, leagues, outbox, rounds, rules_season, seasons, ties
from storage.database import Connection
from storage.rows import EntrantRow, MatchId, PostRow, RoundId, SeasonId, SeasonRow, TieRow


class Gone(Exception):
    """What a post was about is gone, so there's nothing to show."""


async def load(conn: Connection, post: PostRow) -> PostFacts:
    """Return what a post has to show, as of now; raises Gone."""
    return await _LOADERS[PostKind(post.kind)](conn, post)


async def _signup(conn: Connection, post: PostRow) -> SignupPost:
    season, format_, people = await _season(conn, post)
    return SignupPost(
        league=await leagues.get(conn, post.league_id),
        season=season,
        format_title=format_.title,
        summary=format_.summary(rules_season.settings_of(season)),
        names=tuple(entrant.name for entrant in people),
        open=season.phase is SeasonPhase.SIGNUP,
    )


async def _start(conn: Connection, post: PostRow) -> StartPost:
    season, format_, people = await _season(conn, post)
    starters = [entrant.name for entrant in people if entrant.entered == 1]
    return StartPost(
        league=await leagues.get(conn, post.league_id),
        season=season,
        format_title=format_.title,
        summary=format_.summary(rules_season.settings_of(season), len(starters)),
        names=tuple(starters),
    )


async def _season(conn: Connection, post: PostRow) -> tuple[SeasonRow, Format, tuple[EntrantRow, ...]]:
    season = await seasons.get(conn, _season_id(post))
    return season, by_key(season.format), await entrants.of_season(conn, season.id)


async def _round(conn: Connection, post: PostRow) -> RoundPost:
    view = await _round_view(conn, post)
    page = int(post.facts["page"])
    shown = [*view.matches, *view.byes][(page - 1) * PAGE : page * PAGE]
    matches = tuple(item for item in shown if isinstance(item, MatchView))
    byes = tuple(item for item in shown if isinstance(item, EntrantRow))
    return RoundPost(
        view=replace(view, matches=matches, byes=byes),
        page=page,
        pages=pages_of(len(view.matches), len(view.byes)),
        match_posts=len(view.matches) <= MATCH_POSTS,
        ping_ids=_known([*_players(matches), *(bye.discord_id for bye in byes)]),
    )


async def _match(conn: Connection, post: PostRow) -> MatchPost:
    return MatchPost(view=await _match_view(conn, post))


async def _reminder(conn: Connection, post: PostRow) -> ReminderPost:
    """Load the matches of this reminder that are still open: who reported meanwhile is not pinged."""
    view = await _round_view(conn, post)
    waiting = [match for match in _chosen(view, post) if match.match.state is MatchState.OPEN]
    return ReminderPost(
        league=view.league,
        season=view.season,
        round_number=view.round.number,
        matches=tuple(waiting),
        deadline=view.round.deadline,
        ping_ids=_known(_players(waiting)),
    )


async def _dispute(conn: Connection, post: PostRow) -> DisputePost:
    return DisputePost(view=await _match_view(conn, post))


async def _overdue(conn: Connection, post: PostRow) -> OverduePost:
    view = await _round_view(conn, post)
    late = [match for match in view.matches if match.match.state is MatchState.OPEN and match.match.overdue_at]
    return OverduePost(league=view.league, season=view.season, round=view.round, matches=tuple(late))


async def _decision(conn: Connection, post: PostRow) -> DecisionPost:
    view = await _match_view(conn, post)
    return DecisionPost(view=view, text=str(post.facts["text"]), ping_ids=_known(_players([view])))


async def _rejoin(conn: Connection, post: PostRow) -> RejoinPost:
    request = await entrants.request(conn, int(post.facts["request_id"]))
    if request is None:
        raise Gone
    entrant = await entrants.get(conn, request.entrant_id)
    return RejoinPost(
        league=await leagues.get(conn, post.league_id),
        season=await seasons.get(conn, _season_id(post)),
        request_id=request.id,
        name=entrant.name,
        discord_id=entrant.discord_id,
        accepted=request.accepted,
    )


async def _notice(conn: Connection, post: PostRow) -> NoticePost:
    return NoticePost(
        league=await leagues.get(conn, post.league_id),
        text=str(post.facts["text"]),
        ping_ids=_known(post.facts.get("pings", ())),
    )


async def _champion(conn: Connection, post: PostRow) -> ChampionPost:
    season = await seasons.get(conn, _season_id(post))
    record = await rules_season.load(conn, season.id)
    champion = None if season.champion_id is None else await entrants.get(conn, season.champion_id)
    return ChampionPost(
        league=await leagues.get(conn, post.league_id),
        season=season,
        champion=champion,
        # Counting a season of thousands takes long enough to keep others waiting.
        standings=await asyncio.to_thread(by_key(record.format).standings, record),
    )


async def _trouble(conn: Connection, post: PostRow) -> TroublePost:
    parked = await outbox.find(conn, int(post.facts["post_id"]))
    if parked is None:
        raise Gone
    return TroublePost(league=await leagues.get(conn, post.league_id), post=parked)


async def _withdrawn(conn: Connection, post: PostRow) -> WithdrawnPost:
    return WithdrawnPost(league=await leagues.get(conn, post.league_id), text=str(post.facts["text"]))


async def _tie(conn: Connection, post: PostRow) -> TiePost:
    row, season = await _asked(conn, post)
    return TiePost(
        league=await leagues.get(conn, season.league_id),
        season=season,
        tie=row,
        text=tie_words(row),
        silent_at=silent_at(row, season),
    )


async def _tie_match(conn: Connection, post: PostRow) -> TieMatchPost:
    row, season = await _asked(conn, post)
    ids = {entrant.name: entrant.discord_id for entrant in await entrants.of_season(conn, season.id)}
    names = tuple(Name(name) for name in row.names)
    return TieMatchPost(
        league=await leagues.get(conn, season.league_id),
        season=season,
        tie=row,
        seats=seats(await rules_season.load(conn, season.id), row.after_round, names),
        ping_ids=_known(ids.get(name) for name in names),
    )


async def _asked(conn: Connection, post: PostRow) -> tuple[TieRow, SeasonRow]:
    row = await ties.find(conn, int(post.facts["tie_id"]))
    if row is None:
        raise Gone
    return row, await seasons.get(conn, row.season_id)


async def _clock(conn: Connection, post: PostRow) -> ClockPost:
    """Load what the clock says; its warnings mention the players whose matches nobody has reported."""
    view = await _round_view(conn, post)
    playing = [match for match in view.matches if match.match.state is MatchState.OPEN]
    left = post.facts["left"]
    return ClockPost(
        league=view.league,
        season=view.season,
        round_number=view.round.number,
        left=left,
        minutes=int(post.facts["minutes"]),
        ends_at=datetime.fromtimestamp(post.facts["ends_at"], UTC),
        ping_ids=() if left is None else _known(_players(playing)),
    )


_LOADERS: dict[PostKind, Callable[[Connection, PostRow], Awaitable[PostFacts]]] = {
    PostKind.SIGNUP: _signup,
    PostKind.START: _start,
    PostKind.ROUND: _round,
    PostKind.MATCH: _match,
    PostKind.REMINDER: _reminder,
    PostKind.DISPUTE: _dispute,
    PostKind.OVERDUE: _overdue,
    PostKind.DECISION: _decision,
    PostKind.REJOIN: _rejoin,
    PostKind.NOTICE: _notice,
    PostKind.CHAMPION: _champion,
    PostKind.TROUBLE: _trouble,
    PostKind.WITHDRAWN: _withdrawn,
    PostKind.TIE: _tie,
    PostKind.TIE_MATCH: _tie_match,
    PostKind.CLOCK: _clock,
}


def _season_id(post: PostRow) -> SeasonId:
    if post.season_id is None:
        raise Gone
    return post.season_id


async def _round_view(conn: Connection, post: PostRow) -> RoundView:
    if post.round_id is None:
        raise Gone
    return await views.round_view(conn, await rounds.get(conn, RoundId(post.round_id)))


async def _match_view(conn: Connection, post: PostRow) -> MatchView:
    if post.match_id is None:
        raise Gone
    return await views.match_view(conn, MatchId(post.match_id))


def _chosen(view: RoundView, post: PostRow) -> list[MatchView]:
    wanted = set(post.facts.get("matches", ()))
    return [match for match in view.matches if match.match.id in wanted]


def _players(matches: Iterable[MatchView]) -> list[Any]:
    return [side.discord_id for match in matches for side in match.sides]


def _known(ids: Iterable[int | None]) -> tuple[int, ...]:
    """Return the Discord ids there are, each once."""
    return tuple(dict.fromkeys(id_ for id_ in ids if id_ is not None))
