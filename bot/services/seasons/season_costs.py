"""What cancelling or finishing a season does and who it affects, in words, before it is done."""

from bot.services.base.transaction import ReadTransaction
from bot.services.matches import views
from storage.tables import rounds
from storage.tables.field import entrants

_NAMED = 10
FINAL = "You can't undo this."
OF_DISCARDING = f"No season is running. The one you prepared is discarded with its settings. {FINAL}"


def of_cancelling(tx: ReadTransaction) -> str:
    """Return what cancelling the season does."""
    number, people = tx.season.number, _people(tx)
    latest = rounds.latest(tx.conn, tx.season.id)
    if latest is None:
        return (
            f"Season {number} is cancelled before it starts, and the next season gets its number. "
            f"All sign-ups are lost. {people} {FINAL}"
        )
    lost = views.stage_view(tx.conn, latest).missing
    pairs = ", ".join(match.label for match in lost[:_NAMED]) + (", …" if len(lost) > _NAMED else "")
    gone = f" These matches no longer count: {pairs}." if lost else ""
    return f"Season {number} ends now without a champion.{gone} Confirmed results still count. {people} {FINAL}"


def of_finishing(tx: ReadTransaction) -> str:
    """Return what finishing the season now does."""
    latest = rounds.latest(tx.conn, tx.season.id)
    after = "" if latest is None else f" after {latest.stage_words}"
    return (
        f"Season {tx.season.number} ends now{after}, without a champion: no more rounds and no finals are played. "
        f"Results and ratings so far count. {_people(tx)} {FINAL}"
    )


def _people(tx: ReadTransaction) -> str:
    names = [entrant.called for entrant in entrants.of_season(tx.conn, tx.season.id) if entrant.active]
    if not names:
        return "No one is signed up."
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"Players concerned ({len(names)}): {', '.join(names[:_NAMED])}{more}."
