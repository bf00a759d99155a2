"""A corrected match of the finals whose winner has played on: what depends on it is played again."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.league.checking import consequences
from bot.league.errors import Conflict
from bot.league.pairing.proposal import Champion, Proposal
from bot.league.season.model import Match, Name, Season, Stage
from bot.league.season.phases import MatchState, SeasonPhase, require_move
from bot.services.base.transaction import ReadTransaction, Transaction
from bot.services.matches import views
from bot.services.matches.decision_posts import CORRECTED
from bot.services.matches.views import MatchView
from bot.services.play import progression, transitions
from bot.services.play.field.eligibility import departure
from bot.services.play.prepared import Prepared, PreparedRound, prepared
from bot.services.play.progression import CHAMPION
from storage import rules_season
from storage.rows import EntrantRow, RoundRow
from storage.tables import rounds, seasons, times
from storage.tables.field import entrants


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedOn:
    """Finals that depend on a result: the first round they change, its matches that stay, and those played again.

    `restart` are those of the same two players that hold something that can't be kept: a report, a dispute, a problem,
    a time, more days.
    """

    first: RoundRow
    later: tuple[RoundRow, ...]
    stays: tuple[MatchView, ...]
    restart: tuple[MatchView, ...]
    again: tuple[MatchView, ...]
    instead: tuple[str, ...]
    """The pairs of the first round that come in place of others, in words."""
    champion: str | None
    """Who wins the season with this result, where nobody is left to play them."""
    reopens: bool

    @property
    def effects(self) -> tuple[str, ...]:
        """What taking these rounds back does, in words."""
        sentences = [f"These matches don't count any more: {_named(self.again)}."] if self.again else []
        if self.instead:
            sentences.append(f"Next to play: {', '.join(self.instead)}.")
        if self.restart:
            sentences.append(f"These start again, without what was reported or agreed: {_named(self.restart)}.")
        if self.stays:
            sentences.append(f"These stay as they are: {', '.join(match.heading for match in self.stays)}.")
        if self.champion is not None:
            sentences.append(f"The champion is {self.champion}: no one is left to play against.")
        elif self.reopens:
            sentences.append("The season isn't over any more: its champion has to be played for again.")
        return tuple(sentences)


def found(tx: ReadTransaction, view: MatchView, corrected: Match, number: int) -> PlayedOn:
    """Return what depends on a match of the finals that is corrected; `number` is the first round that changes.

    Raises Conflict where the next season has begun.
    """
    _require_possible(tx, view)
    first, *later = [row for row in rounds.of_season(tx.conn, tx.season.id) if row.number >= number]
    season = rules_season.load(tx.conn, tx.season.id)
    then = _after(consequences.corrected(season, view.round.number, corrected), number)
    next_ = then if isinstance(then, PreparedRound) else None
    due = set[frozenset[Name]]() if next_ is None else next_.pairs
    standing = views.round_view(tx.conn, first.id).matches
    same = tuple(match for match in standing if _pair(match) in due)
    restart = _holding(tx, same)
    stays = tuple(match for match in same if match not in restart)
    dependent = [views.round_view(tx.conn, row.id) for row in later]
    return PlayedOn(
        first=first,
        later=tuple(later),
        stays=stays,
        restart=restart,
        again=(
            *(match for match in standing if match not in same),
            *(match for round_ in dependent for match in round_.matches),
        ),
        instead=_instead(tx, next_, {_pair(match) for match in same}),
        champion=then.name if isinstance(then, Champion) else None,
        reopens=tx.season.phase is SeasonPhase.FINISHED,
    )


def _holding(tx: ReadTransaction, pairs: Sequence[MatchView]) -> tuple[MatchView, ...]:
    """Return the matches without a result for which something was reported, told, proposed, agreed or given."""
    left = [view for view in pairs if view.match.state is not MatchState.CONFIRMED]
    proposed = {row.match_id for row in times.waiting_proposals(tx.conn, [view.match.id for view in left])}
    return tuple(
        view
        for view in left
        if view.match.state is not MatchState.OPEN
        or view.problem is not None
        or view.match.agreed_at is not None
        or view.match.deadline is not None
        or view.match.id in proposed
    )


def _named(pairs: Sequence[MatchView]) -> str:
    return ", ".join(f"{match.heading} ({match.state_words})" for match in pairs)


def _require_possible(tx: ReadTransaction, view: MatchView) -> None:
    if view.round.stage is not Stage.FINALS:
        way = "An organiser can take the finals back with /round undo, option finals; then fix this result."
        over = tx.season.phase is SeasonPhase.FINISHED
        more = f"were played, and season {tx.season.number} is over." if over else f"are posted already. {way}"
        raise Conflict(f"{view.label} can't be changed like that: finals that depend on it {more}")
    newest = seasons.newest(tx.conn, tx.league.id)
    if newest is not None and newest.id != tx.season.id:
        raise Conflict(
            f"Season {tx.season.number} is over and season {newest.number} has been opened, so the finals of season "
            f"{tx.season.number} can't be played again."
        )


def _after(season: Season, number: int) -> Prepared | None:
    """Return round `number` of a season as it is played now, or who has won it without that; None where neither is."""
    next_ = consequences.paired_again(season, number)
    return prepared(season, next_) if isinstance(next_, Proposal) else next_


def _instead(tx: ReadTransaction, next_: PreparedRound | None, stays: set[frozenset[Name]]) -> tuple[str, ...]:
    called = {entrant.name: entrant.called for entrant in entrants.of_season(tx.conn, tx.season.id)}
    new = [match for match in (() if next_ is None else next_.matches) if match.players not in stays]
    return tuple(f"{called[match.upper]} v {called[match.lower]}" for match in new)


def _pair(match: MatchView) -> frozenset[Name]:
    return frozenset(Name(side.name) for side in match.sides)


def play_again(tx: Transaction, before: PlayedOn, view: MatchView, words: str, why: str) -> None:
    """Take back what depends on a corrected match and post its round again; matches that stay keep their results.

    One message says what the correction means for each whose next match is another; the round mentions no one.
    """
    text = f"{view.label} was corrected, so this round is played again."
    for row in reversed(before.later):
        progression.revert(tx, row, text)
    progression.revert(tx, before.first, text, pairs_again=True)
    _reopen(tx)
    season = rules_season.load(tx.conn, tx.season.id)
    then = _after(season, before.first.number)
    next_ = then if isinstance(then, PreparedRound) else None
    meant = [*_meant(tx, before, view, next_)]
    people = {entrant.id: entrant for named, _ in meant for entrant in (*view.sides, *named)}
    sentences = [f"{' and '.join(entrant.called for entrant in named)}, {what}" for named, what in meant]
    text = " ".join([f"Corrected: {words}.", *sentences])
    transitions.tell_players(tx, view, text, *people.values(), kind=CORRECTED, decided=True, why=why)
    if next_ is not None:
        row = progression.save_draft(tx, next_)
        progression.publish(tx, row, quietly=True)
        _settle(tx, row, {_pair(match): match for match in before.stays})
    gone = {match.label: match.state_words for match in (*before.again, *before.restart)}
    tx.note("finals.again", view.label, before=gone)


def _meant(
    tx: Transaction, before: PlayedOn, view: MatchView, next_: PreparedRound | None
) -> Iterator[tuple[list[EntrantRow], str]]:
    """Yield what a correction means for the players it changes something for, those of one match together."""
    people = {Name(entrant.name): entrant for entrant in entrants.of_season(tx.conn, tx.season.id) if entrant.active}
    restart, stays = ({_pair(match) for match in some} for some in (before.restart, before.stays))
    matches_ = () if next_ is None else next_.matches
    for match in matches_:
        named = [people[name] for name in (match.upper, match.lower) if name in people]
        if not named:
            continue
        if match.players in restart:
            yield named, "your match starts again. Played already? Report it again."
        elif match.players not in stays:
            yield named, "you play each other now." if len(named) > 1 else "you go on: your opponent has left."
    resting = set[Name]() if next_ is None else next_.resting
    moved = [side for side in view.sides if side.name in resting]
    if moved:
        yield moved, "you go on without a match."
    kept = {name for pair in stays for name in pair} | (resting - {side.name for side in moved})
    for match in before.again:
        waiting = [side for side in match.sides if side.name in kept and side.active]
        if waiting:
            yield waiting, f"your {match.place} waits."
    if next_ is None:
        return
    addressed: set[str] = {*resting.union(*next_.pairs)}
    for match in before.again:
        others = [side for side in match.sides if side.active and side.name not in addressed]
        if others:
            yield others, f"your {match.place} doesn't count any more."
        addressed.update(side.name for side in others)


def _reopen(tx: Transaction) -> None:
    """Let a season that is over go on, without its champion."""
    if tx.season.phase is SeasonPhase.FINISHED:
        require_move(tx.season.phase, SeasonPhase.FINALS)
        tx.retract(CHAMPION)
        tx.change_season(phase=SeasonPhase.FINALS, ended_at=None, champion_id=None)
        tx.invalidate()


def _settle(tx: Transaction, row: RoundRow, stays: Mapping[frozenset[Name], MatchView]) -> None:
    """Give the matches that stay their results; a player who has left since loses their new match by forfeit."""
    for match in views.round_view(tx.conn, row.id).matches:
        old = stays.get(_pair(match))
        if old is not None:
            _keep(tx, match, old)
            continue
        for side in match.sides:
            if not side.active:
                _forfeit(tx, match, side, row)


def _keep(tx: Transaction, match: MatchView, old: MatchView) -> None:
    if old.match.state is not MatchState.CONFIRMED:
        return
    upright = old.upper.id == match.upper.id
    result = old.result if upright else replace(old.result, scoreline=old.result.scoreline.flipped)
    transitions.confirm(tx, match, result, old.match.confirmed_by)


def _forfeit(tx: Transaction, match: MatchView, side: EntrantRow, row: RoundRow) -> None:
    transitions.forfeit(tx, match.match.id, side.id)
    left = departure(tx, side)
    entrants.change_departure(tx.conn, left.id, round=row.number, after_pairing=True)
