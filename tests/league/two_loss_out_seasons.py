"""Small two-loss-out seasons, written in letters."""

from collections.abc import Iterable, Sequence
from hashlib import sha256

from bot.league.formats import by_key
from bot.league.model import Entrant, Season, Stage, Status
from bot.league.proposal import Proposal
from tests.league.builders import Played, double_loss, season, with_round, won

TWO_LOSS_OUT = by_key("two-loss-out")


def field(players: int | Sequence[str | Entrant], **given_: object) -> Season:
    return season(TWO_LOSS_OUT, players, number=1, **given_)


def proposed(now: Season) -> Proposal:
    answer = TWO_LOSS_OUT.next_round(now)
    assert isinstance(answer, Proposal)
    return answer


def after(now: Season, *results: Sequence[str], byes: Sequence[str] = "") -> Season:
    """Return the season with one more round of results like `ab` or `("ab", "cd")`: the first won; `a=b`: both lost."""
    matches = (double_loss(r[0], r[2]) if "=" in r else won(r[0], r[1]) for r in results)
    return with_round(now, *matches, byes=tuple(byes))


def pairs(now: Season) -> set[frozenset[str]]:
    return {frozenset(pair.players) for pair in proposed(now).pairs}


def drawn(purpose: str, round_: int, letters: Iterable[str]) -> list[str]:
    """Return the letters in the order of a draw of season 1."""
    return sorted(letters, key=lambda name: sha256(f"1/{round_}/{purpose}/{name}".encode()).hexdigest())


def statuses(now: Season) -> dict[str, Status]:
    return {standing.name: standing.status for standing in TWO_LOSS_OUT.standings(now)}


def regular(played: Played) -> list[int]:
    return [round_.number for round_ in played.season.rounds if round_.stage is Stage.REGULAR]
