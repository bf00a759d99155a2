"""A page of a round's pairings, the card of a group whose matches are all open, or the part one player is sent."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from bot.league.season.phases import MatchState
from bot.league.season.setting_values import SEALED
from bot.services.base import hooks
from bot.services.base.outbox import BYES, GROUP, PAGE, ROUND, on_page, pages_of
from bot.services.base.post_kinds import Gone, known, there
from bot.services.matches import views
from bot.services.matches.group_cards import GroupPost
from bot.services.matches.round_groups import rest_beside
from bot.services.matches.views import RoundView
from bot.services.organising import round_maps
from bot.services.play.news import NEWS
from bot.services.play.round_posts import RoundPost, view_of
from storage import rules_season
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import EntrantRow
from storage.tables import leagues, matches, proofs, rounds, seasons, threads
from storage.tables.field import entrants
from storage.tables.proofs import Fingerprints


def load(conn: Connection, post: PostRow, _: datetime) -> RoundPost:
    """Load a page of a round; a person is shown only their own match."""
    view, page = view_of(conn, post), ROUND.facts(post).page
    if post.person_id is not None:
        return _own_part(view, post.person_id)
    matches, byes = tuple(on_page(view.matches, page, PAGE)), tuple(on_page(view.byes, page, BYES))
    first = view.round.number == 1 and page == 1
    beside = rest_beside(view.groups, [match.match for match in view.matches])
    resting = [beside[match.match.id] for match in matches if match.match.id in beside]
    people = [*(side for match in matches for side in match.sides), *byes, *resting]
    groups = tuple(group if group.resting in resting else replace(group, resting=None) for group in view.groups)
    return RoundPost(
        view=replace(view, matches=matches, byes=byes, groups=groups),
        page=page,
        pages=pages_of(len(view.matches), len(view.byes)),
        ping_ids=known(person.discord_id for person in people if person.active),
        salt=view.season.salt if first else None,
        sealed=rules_season.load(conn, view.season.id).sealed if first and view.season.salt_kind == SEALED else None,
        also=hooks.shown_with_season(conn, view.season, view.round),
        fingerprints=Fingerprints() if first or page > 1 else _before(conn, view),
        maps=round_maps.of_round(conn, view.round),
    )


def _before(conn: Connection, view: RoundView) -> Fingerprints:
    """Return the fingerprint of the round before, if its news had nothing else to say."""
    season_id = view.season.id
    return proofs.with_rounds(conn, season_id, proofs.without_news(conn, season_id, view.round.number - 1, NEWS))


def _own_part(view: RoundView, person_id: int) -> RoundPost:
    matches = tuple(match for match in view.matches if match.side_of(person_id) is not None)
    byes = tuple(bye for bye in view.byes if bye.discord_id == person_id)
    groups = tuple(group for group in view.groups if group.resting and group.resting.discord_id == person_id)
    if not matches and not byes and not groups:
        raise Gone
    own = replace(view, matches=matches, byes=byes, groups=groups)
    return RoundPost(view=own, ping_ids=(person_id,), person_id=person_id)


def load_group(conn: Connection, post: PostRow, _: datetime) -> GroupPost:
    """Load a group's card; a person is shown only their own matches."""
    season, row = seasons.get(conn, there(post.season_id)), rounds.get(conn, there(post.round_id))
    facts = GROUP.facts(post)
    people = {player.id: player for player in entrants.some(conn, facts.players)}
    stage = (match for together in rounds.at_once(conn, row) for match in matches.of_round(conn, together.id))
    played = [match for match in stage if match.upper_id in people]
    confirmed = {match.id for match in played if match.state is MatchState.CONFIRMED}
    left = Counter(player for match in played if match.id not in confirmed for player in match.players)
    reader = None if post.person_id is None else _reader(people.values(), post.person_id)
    thread = None if not played else threads.find(conn, played[0].id)
    own = [match.id for match in played if reader is not None and reader.id in match.players]
    first = facts.page == 1 and post.person_id is None
    return GroupPost(
        league=leagues.get(conn, post.league_id),
        season=season,
        round=row,
        number=facts.page,
        name=facts.name,
        players=tuple(people.values()),
        last=tuple(views.match_view(conn, match) for match in facts.last if match in confirmed),
        left=tuple(sorted(((people[player], left[player]) for player in left), key=_most_first)),
        thread=thread.thread_id if thread is not None and thread.works else None,
        own=tuple(views.match_view(conn, match) for match in own),
        reader=reader,
        ping_ids=known(player.discord_id for player in ((reader,) if reader else people.values())),
        also=hooks.shown_with_season(conn, season, row),
        salt=season.salt if first else None,
        sealed=rules_season.load(conn, season.id).sealed if first and season.salt_kind == SEALED else None,
    )


def _reader(players: Iterable[EntrantRow], discord_id: int) -> EntrantRow:
    """Return the player of an account; raises Gone if none of them has it any more."""
    for player in players:
        if player.discord_id == discord_id:
            return player
    raise Gone


def _most_first(played: tuple[EntrantRow, int]) -> tuple[int, str]:
    player, count = played
    return -count, player.called.casefold()
