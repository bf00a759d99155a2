"""Load what each kind of promised post has to show, as of now."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime

from bot.league.formats import by_key
from bot.league.formats.swiss.organiser_ties import seats
from bot.league.season.model import Name
from bot.league.season.phases import MatchState, SeasonPhase
from bot.services.base import open_questions
from bot.services.base.gone import Gone
from bot.services.base.post_kinds import PostKind
from bot.services.base.promises import BYES, PAGE, on_page, pages_of
from bot.services.delivery import board, champion, kinds, news
from bot.services.delivery.board import BoardPost
from bot.services.delivery.champion import ChampionPost
from bot.services.delivery.news import NewsPost
from bot.services.lists import list_posts
from bot.services.matches import decided, views
from bot.services.matches.views import MatchView, RoundView
from bot.services.organising import round_maps
from bot.services.play import moving_up
from bot.services.problems import disputed, evidence, staying
from bot.services.reads import inbox, thread_card
from bot.services.reads.thread_card import ThreadPost
from bot.services.seasons import pausing
from bot.services.seasons.pausing import PausePost
from bot.services.seats import linking
from bot.services.signups import check_in, free_places
from bot.services.ties import match_reports
from bot.services.ties.tie_words import tie_words
from bot.services.times import time_posts
from storage import rules_season
from storage.database import Connection
from storage.posts import PostRow, Target
from storage.rows import Confirmation, EntrantRow, SeasonRow, TieRow
from storage.tables import entrants, leagues, outbox, rounds, seasons, ties


def _board(conn: Connection, post: PostRow) -> BoardPost:
    return board.load(conn, _season(conn, post))


def _round(conn: Connection, post: PostRow) -> kinds.RoundPost:
    view, page = _round_view(conn, post), int(post.facts["page"])
    if post.person_id is not None:
        return _own_part(view, post.person_id)
    matches, byes = tuple(on_page(view.matches, page, PAGE)), tuple(on_page(view.byes, page, BYES))
    return kinds.RoundPost(
        view=replace(view, matches=matches, byes=byes),
        page=page,
        pages=pages_of(len(view.matches), len(view.byes)),
        ping_ids=_ids([*_players(matches), *byes]),
        lists=list_posts.missing_words(conn, view.season, view.round),
        maps=round_maps.of_round(conn, view.round),
    )


def _own_part(view: RoundView, person_id: int) -> kinds.RoundPost:
    """Return a round as the direct message of one player shows it; raises Gone for someone who isn't in it."""
    matches = tuple(match for match in view.matches if match.side_of(person_id) is not None)
    byes = tuple(bye for bye in view.byes if bye.discord_id == person_id)
    if not matches and not byes:
        raise Gone
    return kinds.RoundPost(view=replace(view, matches=matches, byes=byes), ping_ids=(person_id,), person_id=person_id)


def _reminder(conn: Connection, post: PostRow) -> kinds.RoundPost:
    """Load the matches of this reminder that still wait for a player; a person is shown only their own."""
    view, wanted = _round_view(conn, post), set(post.facts.get("matches", ()))
    waiting = [match for match in view.matches if match.match.id in wanted and match.awaited]
    if post.person_id is not None:
        waiting = [match for match in waiting if post.person_id in _ids(match.awaited)]
    people = [player for match in waiting for player in match.awaited]
    return kinds.RoundPost(view=replace(view, matches=tuple(waiting), byes=()), ping_ids=_ids(people))


def _waiting(conn: Connection, post: PostRow) -> kinds.WaitingPost:
    found = inbox.of_league(conn, leagues.get(conn, post.league_id))
    if found.empty:
        raise Gone
    return kinds.WaitingPost(inbox=found)


def _overdue(conn: Connection, post: PostRow) -> kinds.RoundPost:
    view = _round_view(conn, post)
    late = tuple(match for match in _still_open(view) if match.match.overdue_at)
    return kinds.RoundPost(view=replace(view, matches=late, byes=()))


def _clock(conn: Connection, post: PostRow) -> kinds.ClockPost:
    """Load what the clock says; its warnings mention the players whose matches nobody has reported."""
    view, left = _round_view(conn, post), post.facts["left"]
    return kinds.ClockPost(
        view=view,
        game=by_key(view.season.format).game_of(rules_season.settings_of(view.season)),
        left=left,
        minutes=int(post.facts["minutes"]),
        ends_at=datetime.fromtimestamp(post.facts["ends_at"], UTC),
        ping_ids=() if left is None else _ids(_players(_still_open(view))),
    )


def _match(conn: Connection, post: PostRow) -> kinds.MatchPost:
    if post.match_id is None:
        raise Gone
    view = views.match_view(conn, post.match_id)
    before = decided.of_match(conn, view)
    last = before[-1] if before and view.match.confirmed_by is Confirmation.MODERATOR else None
    return kinds.MatchPost(view=view, decided=last)


def _question(conn: Connection, post: PostRow, now: datetime) -> kinds.QuestionPost:
    """Load a report that still waits as it was when the question was promised; asked again it counts as said before."""
    view = _match(conn, post).view
    if view.match.state is not MatchState.REPORTED or view.match.version != post.facts["version"]:
        raise Gone
    counts_at = view.match.confirm_at or now + view.time_to_answer
    return kinds.QuestionPost(view=view, counts_at=counts_at, ping_ids=_ids([view.asked]))


def _decision(conn: Connection, post: PostRow) -> kinds.MatchPost:
    told = decided.read(post)
    why = told.why if post.target is Target.PERSON else ""
    return replace(_match(conn, post), decided=told, why=why, ping_ids=tuple(post.facts["pings"]))


def _invitation(conn: Connection, post: PostRow) -> kinds.InvitationPost:
    """Load who of the invited hasn't signed up; once sign-ups are closed there's no one to invite."""
    season = _season(conn, post)
    if season.phase is not SeasonPhase.SIGNUP:
        raise Gone
    there = {entrant.discord_id for entrant in entrants.of_season(conn, season.id)}
    invited = tuple(person for person in post.facts["invited"] if person not in there)
    return kinds.InvitationPost(league=leagues.get(conn, post.league_id), season=season, ping_ids=invited)


def _rejoin(conn: Connection, post: PostRow) -> kinds.RejoinPost:
    request = entrants.request(conn, int(post.facts["request_id"]))
    if request is None:
        raise Gone
    return kinds.RejoinPost(
        league=leagues.get(conn, post.league_id),
        season=_season(conn, post),
        player=entrants.get(conn, request.entrant_id),
        request=request,
    )


def _notice(conn: Connection, post: PostRow) -> kinds.NoticePost:
    league, pings = leagues.get(conn, post.league_id), tuple(post.facts.get("pings", ()))
    until = post.facts.get("until")
    return kinds.NoticePost(
        league=league,
        text=str(post.facts["text"]),
        ping_ids=pings,
        until=None if until is None else datetime.fromtimestamp(until, UTC),
    )


def _news(conn: Connection, post: PostRow) -> NewsPost:
    if post.round_id is None:
        raise Gone
    return news.load(conn, rounds.get(conn, post.round_id))


def _champion(conn: Connection, post: PostRow) -> ChampionPost:
    return champion.load(conn, _season(conn, post))


def _trouble(conn: Connection, post: PostRow) -> kinds.TroublePost:
    parked = outbox.find(conn, int(post.facts["post_id"]))
    if parked is None:
        raise Gone
    return kinds.TroublePost(league=leagues.get(conn, post.league_id), post=parked)


def _tie(conn: Connection, post: PostRow, now: datetime) -> kinds.TiePost:
    row, season = _asked(conn, post)
    league = leagues.get(conn, season.league_id)
    until = None if row.match_at is not None else open_questions.ends(conn, PostKind.TIE, row.id, now)
    return kinds.TiePost(league=league, season=season, tie=row, text=tie_words(row), silent_at=until)


def _tie_match(conn: Connection, post: PostRow) -> kinds.TieMatchPost:
    row, season = _asked(conn, post)
    people = {entrant.name: entrant for entrant in entrants.of_season(conn, season.id)}
    names = tuple(Name(name) for name in row.names)
    return kinds.TieMatchPost(
        league=leagues.get(conn, season.league_id),
        season=season,
        tie=row,
        seats=seats(rules_season.load(conn, season.id), row.after_round, names),
        ping_ids=_ids(people[name] for name in names if name in people),
    )


def _pause(conn: Connection, post: PostRow) -> PausePost:
    return pausing.load(conn, _season(conn, post), post)


def _asked(conn: Connection, post: PostRow) -> tuple[TieRow, SeasonRow]:
    row = ties.find(conn, int(post.facts["tie_id"]))
    if row is None:
        raise Gone
    return row, seasons.get(conn, row.season_id)


def _thread(conn: Connection, post: PostRow, now: datetime) -> ThreadPost:
    """Load a match's thread; one that was deleted, or not made before the match was over, isn't made."""
    facts = None if post.match_id is None else thread_card.load(conn, post.match_id, now)
    if facts is None:
        raise Gone
    return facts


def load(conn: Connection, post: PostRow, now: datetime) -> kinds.PostFacts:
    """Return what a post shows if it is sent now; raises Gone."""
    kind = PostKind(post.kind)
    return _TIMED[kind](conn, post, now) if kind in _TIMED else _LOADERS[kind](conn, post)


_TIMED: dict[PostKind, Callable[[Connection, PostRow, datetime], kinds.PostFacts]] = {
    PostKind.QUESTION: _question,
    PostKind.PROBLEM: evidence.load_question,
    PostKind.TIE: _tie,
    PostKind.THREAD: _thread,
}
"""What looks different as time goes by."""
_LOADERS: dict[PostKind, Callable[[Connection, PostRow], kinds.PostFacts]] = {
    PostKind.BOARD: _board,
    PostKind.SIGNUP: _board,
    PostKind.INVITATION: _invitation,
    PostKind.ROUND: _round,
    PostKind.NEWS: _news,
    PostKind.REMINDER: _reminder,
    PostKind.WAITING: _waiting,
    PostKind.DISPUTE: _match,
    PostKind.DISPUTED: disputed.load,
    PostKind.OVERDUE: _overdue,
    PostKind.DECISION: _decision,
    PostKind.OPEN_AGAIN: _decision,
    PostKind.REJOIN: _rejoin,
    PostKind.NOTICE: _notice,
    PostKind.STUCK: _notice,
    PostKind.CHAMPION: _champion,
    PostKind.TROUBLE: _trouble,
    PostKind.WITHDRAWN: _notice,
    PostKind.TIE_MATCH: _tie_match,
    PostKind.CLOCK: _clock,
    PostKind.PAUSE: _pause,
    PostKind.TIMES: time_posts.load_times,
    PostKind.AGREED: time_posts.load_agreed,
    PostKind.TIME_REMINDER: time_posts.load_reminder,
    PostKind.PLACE: free_places.load,
    PostKind.CHECK_IN: check_in.load,
    PostKind.MOVING_UP: moving_up.load,
    PostKind.TIE_QUESTION: match_reports.load,
    PostKind.SEALS: list_posts.load_seals,
    PostKind.LISTS_MISSING: list_posts.load_missing,
    PostKind.THREAD_OVER: _notice,
    PostKind.ANSWERED: evidence.load,
    PostKind.CLAIM: evidence.load,
    PostKind.STAYING: staying.load,
    PostKind.LINK: linking.load,
}


def _season(conn: Connection, post: PostRow) -> SeasonRow:
    if post.season_id is None:
        raise Gone
    return seasons.get(conn, post.season_id)


def _round_view(conn: Connection, post: PostRow) -> RoundView:
    if post.round_id is None:
        raise Gone
    return views.round_view(conn, rounds.get(conn, post.round_id))


def _still_open(view: RoundView) -> list[MatchView]:
    return [match for match in view.matches if match.match.state is MatchState.OPEN]


def _players(matches: Iterable[MatchView]) -> list[EntrantRow]:
    return [side for match in matches for side in match.sides]


def _ids(people: Iterable[EntrantRow]) -> tuple[int, ...]:
    """Return the Discord ids there are, each once."""
    return tuple(dict.fromkeys(person.discord_id for person in people if person.discord_id is not None))
