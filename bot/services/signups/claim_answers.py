"""Organisers say whether an account is a player of the past; a wrong Yes can be undone until they are paired."""

from contextlib import suppress

from bot.league.errors import Conflict, NotAllowed
from bot.league.formats.shared.words import ordinal
from bot.league.season.phases import PLAYING
from bot.services.base import asked, find, open_questions, promises
from bot.services.base.accounts import NO_ACCOUNT, give_account, require_not_forgotten
from bot.services.base.act import ORGANISER, Act, act, live_if_any
from bot.services.base.ask_first import ask_first
from bot.services.base.events import FieldChanged
from bot.services.base.order import Order
from bot.services.base.promises import OWN_PLACE
from bot.services.play import course, eligibility
from bot.services.signups import free_places, names_in_game, recognising, signing_up
from bot.services.signups.names_in_game import AnswerNeeded
from bot.services.signups.waiting_list import Waits
from storage.database import Connection
from storage.rows import PlayerRow, SeasonRow
from storage.tables import asked_to_join, claims, entrants, memberships, players, seasons, waitlist
from storage.tables.claims import ClaimRow


def season_of(conn: Connection, *, claim_id: int) -> SeasonRow | None:
    """Return the season a claim was made in, or None where it's there no more."""
    row = claims.find(conn, claim_id)
    return None if row is None else seasons.get(conn, row.season_id)


def answer(conn: Connection, order: Order, *, claim_id: int, accept: bool) -> ClaimRow:
    """Say that an account is a player of the past, who gets it and the place they asked for, or that it isn't.

    Raises Conflict where that's settled, or where the account is another player already.
    """
    row = open_questions.found(claims.find(conn, claim_id))
    do = act(conn, order, by=ORGANISER, season_id=row.season_id)
    if row.answered_at is not None:
        done = {True: f"{row.called} is {row.name} already.", False: f"An organiser said no to {row.called} already."}
        raise Conflict("This isn't asked any more." if row.accepted is None else done[row.accepted])
    if not accept:
        _refuse(do, row, f"{row.called}, an organiser couldn't confirm that you're {row.name}.")
        return row
    player = players.get(do.conn, row.player_id)
    _require_possible(do, row, player)
    recognising.end(do, row, accepted=True)
    _put_in(do, row, give_account(do, player, row.discord_id))
    return claims.find(do.conn, row.id) or row


def _refuse(do: Act, row: ClaimRow, told: str) -> None:
    recognising.end(do, row, accepted=False)
    do.note("claim.no", row.name)
    then = "If that's a mistake, ask an organiser. To join as someone new, use /signup with another name."
    recognising.tell(do, row, f"{told} {then}")


def _require_possible(do: Act, row: ClaimRow, player: PlayerRow) -> None:
    asked.require_welcome(do, None, account=row.discord_id, called=row.called)
    asked.require_welcome(do, player)
    require_not_forgotten(do, player, f"{NO_ACCOUNT} Press No.")
    if row.own is not None:
        raise Conflict(
            f"{row.called} is {row.own} in this league already. If they're {row.name} too, use /player merge "
            f"player:{row.name} into:{row.own}. If not, press No."
        )


def _put_in(do: Act, row: ClaimRow, player: PlayerRow) -> None:
    """Put someone who was recognised into the season they wanted to join, and tell them."""
    number, name = do.season.number, player.name
    with suppress(AnswerNeeded):  # where it's asked only since they claimed, /match says what is missing
        names_in_game.ask(do, player, row.answer)
    if entrants.by_player(do.conn, do.season.id, player.id) is not None:
        return  # they were in it without an account, and are told where they play
    if not eligibility.takes_players(do):
        recognising.tell(
            do,
            row,
            f"You're {name} in this league now: an organiser confirmed it. Season {number} takes no new players any "
            "more. Join the next one: its sign-ups are announced in the league's channel.",
        )
        return
    done = signing_up.let_in(do, player)
    if isinstance(done, Waits):
        text = f"{name}, an organiser confirmed who you are. Season {number} is full: you're {ordinal(done.place)} on"
        text = f"{text} the waiting list. When a place becomes free for you, you'll be asked."
    elif do.season.phase in PLAYING:
        text = f"{name}, an organiser confirmed who you are: you play in season {number} from round"
        text = f"{text} {done.entrant.entered} on. {done.cost}".strip()
    else:
        text = f"{name}, you're in season {number}: an organiser confirmed who you are."
    do.tell(text, kind=OWN_PLACE, pings=[player.discord_id])


def undo(conn: Connection, order: Order, *, claim_id: int) -> ClaimRow:
    """Take the account off a player again who got it by a claim; raises Conflict once they were paired."""
    row = open_questions.found(claims.find(conn, claim_id))
    do = act(conn, order, by=ORGANISER, season_id=row.season_id)
    if not row.accepted or row.account != row.discord_id:
        raise Conflict(f"{row.name} doesn't have the account of {row.called} any more. Nothing was changed.")
    _take_off(do, players.get(do.conn, row.player_id))
    return row


def unlink(conn: Connection, order: Order, *, player: str, agreed: str | None = None) -> PlayerRow:
    """Take the account off a player who came with an import; raises AskFirst, and Conflict once they were paired."""
    do = act(conn, order, live_if_any, by=ORGANISER)
    who = find.player(do, player)
    if who.discord_id is None:
        raise Conflict(f"{who.name} has no Discord account.")
    _require_undoable(do, who)
    season = "" if do.found is None else f", and leaves the sign-ups of season {do.season.number}"
    ask_first(f"{who.name} has no Discord account any more{season}. The account is told. Results stay.", agreed)
    _take_off(do, who)
    return who


def _require_undoable(do: Act, player: PlayerRow) -> None:
    if not claims.was_imported(do.conn, player.id):
        raise NotAllowed(f"{player.name} didn't come with an import. /player link gives them another account.")
    if claims.played_here(do.conn, player.id):
        raise Conflict(f"{player.name} was paired with this account. /player link gives them another one.")


def _take_off(do: Act, player: PlayerRow) -> None:
    account = player.discord_id
    assert account is not None
    _require_undoable(do, player)
    claim = claims.accepted(do.conn, player.id, account)
    if do.found is not None:
        _leave(do, player)
    memberships.remove(do.conn, player.id)
    asked_to_join.remove_answers(do.conn, player.id)
    players.change(do.conn, player.id, discord_id=None, refused_at=None)
    do.note("player.unlink", player.name, before={"discord_id": account})
    if claim is not None:
        claims.change(do.conn, claim.id, accepted=False)
        season = seasons.get(do.conn, claim.season_id)
        promises.touch_once(do.conn, recognising.CLAIMS, season, once=str(claim.page), now=do.now)
    whose = do.found or do.league
    told = f"An organiser took back that you're {player.name} in {do.league.name}. If that's a mistake, ask them."
    do.owe(recognising.CLAIM_ANSWER, whose, people=[account], quietly=True, text=told, pings=[account])


def _leave(do: Act, player: PlayerRow) -> None:
    """Take someone out of the sign-ups of the season, or off its waiting list, as if they had never joined."""
    queued = waitlist.by_player(do.conn, do.season.id, player.id)
    if queued is not None:
        free_places.leave(do, queued, "waitlist.leave")
    entrant = entrants.by_player(do.conn, do.season.id, player.id)
    if entrant is not None:
        asked.withdraw(do.conn, entrant.id)
        do.note("entrant.withdraw", entrant.name, before={"name": entrant.name})
        do.happened(FieldChanged())
        do.touch()
        course.advance(do)
