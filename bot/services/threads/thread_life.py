"""When a match gets its thread, when another, and when it's archived."""

from collections.abc import Sequence
from datetime import datetime

from bot.league.season.settings import MatchPlaces
from bot.services.base import taking_down
from bot.services.base.act import Act
from bot.services.base.post_kinds import PostKind
from bot.services.base.promises import thread_key
from storage.database import Connection
from storage.rows import EntrantRow, MatchId, MatchRow, RoundRow
from storage.tables import matches, outbox, threads


def owe(do: Act, pairs: Sequence[MatchRow]) -> None:
    """Promise each of these matches a thread, if its season has them."""
    if do.settings.match_places is not MatchPlaces.CARD:
        for match in pairs:
            do.owe(PostKind.THREAD, match)


def replace(do: Act, row: RoundRow, players: Sequence[EntrantRow]) -> None:
    """Promise new threads for the matches some players have now in an open round; the old ones are archived."""
    found = [matches.in_round(do.conn, row.id, player.id) for player in players]
    pairs = {match.id: match for match in found if match is not None}
    for post in outbox.of_round(do.conn, row.id):
        if post.kind == PostKind.THREAD and post.match_id in pairs:
            text = "An organiser changed this pairing by hand, so this match isn't played."
            taking_down.end_thread(do.conn, post, text, now=do.now)
    for match_id in pairs:
        threads.forget(do.conn, match_id)
    owe(do, tuple(pairs.values()))


def archive(conn: Connection, *, match_id: MatchId, now: datetime) -> bool:
    """Archive the thread of a match in which nothing has happened for a day after it was settled."""
    if match_id not in threads.to_archive(conn, now):
        return False
    threads.archive(conn, match_id)
    outbox.touch_key(conn, thread_key(match_id), now=now)
    return True
