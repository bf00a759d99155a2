"""What closing or undoing a round does and who it affects, in words, before it is done."""

from collections.abc import Sequence

from bot.league.pairing.proposal import Champion, Qualified
from bot.league.season.choices import Advance
from bot.league.season.phases import MatchState, RoundPhase
from bot.services.base.transaction import ReadTransaction
from bot.services.matches.views import RoundView
from storage.rows import RoundRow

_NAMED = 10


def of_closing(tx: ReadTransaction, row: RoundRow) -> str:
    """Return what closing an open round does, whose results are all in."""
    if tx.settings.advance is Advance.MANUAL:
        following = "If no round follows, the season ends. Otherwise you pair the next one with /round post."
    else:
        following = "The next round is posted at once and mentions its players. If no round follows, the season ends."
    return f"{_called(tx, row)}: this ends now, with all its results. {following}"


def _called(tx: ReadTransaction, row: RoundRow) -> str:
    """Return a round at the start of a sentence, or all that are played at once with it."""
    every = tx.settings.schedule.open_together
    return "All regular rounds" if every else "The open rounds" if row.together else row.name


def of_posting(row: RoundRow, ends: RoundRow | None) -> str:
    """Return what pairing and posting the next round does; `ends` is the open round, whose results are all in."""
    first = "" if ends is None else f"{ends.name} ends. "
    if row.together:
        return f"{first}All regular rounds are posted, and mention their players. Preview shows them to you first."
    return f"{first}{row.name} is paired and posted at once, and mentions its players. Preview shows it to you first."


def of_posting_preview(view: RoundView) -> str:
    """Return what posting a preview does: all its pairings, so that agreeing means exactly these."""
    byes = [f"{player.called} has a bye" for player in view.byes]
    paired = ", ".join([*(match.pairing for match in view.matches), *byes])
    if view.round.together:
        return f"All regular rounds are posted and mention their players: {paired}."
    return f"{view.round.name} is posted and mentions its players: {paired}."


def none_follows(decided: Champion | Qualified) -> str:
    """Return why no round follows in a season that is decided."""
    why = f"{decided.name} is the champion" if decided.name else "the season is decided"
    return f"No round follows: {why}."


def of_undoing(view: RoundView) -> str:
    """Return what undoing a preview or an open round does."""
    if view.round.phase is RoundPhase.DRAFT:
        return f"The preview of {view.words} is deleted. Only organisers have seen it."
    return (
        f"You take back {view.words}: {_listed([match.heading for match in view.matches])}. Its posts then say "
        "so, and matches already played in it don't count. With the same results, the same pairings come again."
    )


def of_undoing_finals(finals: Sequence[RoundView], last: int) -> str:
    """Return what taking back all rounds of the finals does, and which results that loses."""
    matches = [match for view in finals for match in view.matches]
    lost = [f"{match.heading} ({match.news})" for match in matches if match.match.state is not MatchState.OPEN]
    results = f" These results are lost: {_listed(lost)}." if lost else " No one has reported in them yet."
    return (
        f"You take back the finals, {len(matches)} matches.{results} Their posts then say so, and their players are "
        f"told. Round {last} is the last one then: you can fix its results, and /round post pairs the next one."
    )


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
