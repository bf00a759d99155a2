"""The next round in full, as it is saved: paired and named, every reason in words; whether a preview is still that."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from bot.league.counting.records import Record
from bot.league.errors import LeagueError, PairingImpossible
from bot.league.formats import by_key
from bot.league.match_day.dice_offs import first_choices
from bot.league.pairing.in_short import Pieces, either, tell
from bot.league.pairing.proposal import Champion, Proposal, Qualified
from bot.league.pairing.reasons import Reason
from bot.league.season.match_score import score
from bot.league.season.model import Match, Name, Round, Season, Stage
from bot.services.base import outbox
from bot.services.base.outbox import STUCK
from bot.services.base.transaction import Transaction
from bot.services.matches import given_places
from bot.services.play.field.eligibility import wrong_groups
from bot.services.play.field.seats_after_stage import follow_stage
from storage import rules_season
from storage.rows import EntrantId, RoundRow
from storage.tables import matches
from storage.tables.field import entrants


@dataclass(frozen=True, slots=True)
class Decided:
    """Why something was decided, sentence by sentence and in short, and the texts of the draws it rests on."""

    why: tuple[str, ...] = ()
    draws: tuple[str, ...] = ()
    in_short: Pieces = ()


@dataclass(frozen=True, slots=True)
class Label:
    """What a match is called, if anything, and who has the first choice in it, if the season has dice-offs.

    `first` is None too where a file names another player.
    """

    name: str
    first: Name | None
    decided: Decided


def label_columns(label: Label, ids: Mapping[Name, EntrantId]) -> dict[str, Any]:
    """Return a match's label as columns; a first choice that a file names stays as it is."""
    if label.first is None:
        return {"name": label.name}
    why, draws = label.decided.why, label.decided.draws
    return {"name": label.name, "dice_off_id": ids[label.first], "dice_off_why": why, "dice_off_draws": draws}


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedMatch:
    """A pair of the next round; `tier` says the levels of both, where the round has several, or their group."""

    upper: Name
    lower: Name
    tier: str
    rematch: bool
    decided: Decided
    label: Label

    @property
    def players(self) -> frozenset[Name]:
        """Both players."""
        return frozenset((self.upper, self.lower))


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedRound:
    """The next round as it is saved, its matches in order, and those who have a bye.

    `beside` are the rounds after it where all are played at once; it is then `together` with them.
    """

    number: int
    stage: Stage
    name: str
    matches: tuple[PreparedMatch, ...]
    byes: tuple[tuple[Name, Decided], ...]
    together: bool = False
    beside: tuple["PreparedRound", ...] = ()

    @property
    def pairs(self) -> set[frozenset[Name]]:
        """Who plays against each other."""
        return {match.players for match in self.matches}

    @property
    def resting(self) -> set[Name]:
        """Who has a bye."""
        return {name for name, _ in self.byes}


log = logging.getLogger(__name__)

NOT_PAIRED = "not paired"
"""The word for the one post of a season that says why its next round can't be paired."""
Prepared = PreparedRound | Champion | Qualified
"""What comes next, as it is saved."""


def next_round(season: Season) -> Prepared:
    """Return what the rules say comes next; raises PairingImpossible."""
    format_ = by_key(season.format)
    next_ = format_.next_round(season)
    if not isinstance(next_, Proposal):
        return next_
    if next_.stage is not Stage.REGULAR or not season.settings.schedule.open_together:
        return prepared(season, next_)
    first, *others = _at_once(season, next_)
    return replace(first, together=True, beside=tuple(replace(round_, together=True) for round_ in others))


def record_of(tx: Transaction) -> Season:
    """Return the season as the rules read it."""
    return rules_season.load(tx.conn, tx.season.id)


def propose(tx: Transaction) -> Prepared:
    """Return what the rules say comes next; raises PairingImpossible."""
    return _next(tx, record_of(tx))


def _next(tx: Transaction, season: Season) -> Prepared:
    """Return what comes next; before round 1 the groups an organiser gives are completed, and substitutes follow."""
    if season.rounds:
        return next_round(season)
    if given_places.can_be_given(tx):
        given_places.settle(tx)
        if wrong := wrong_groups(tx):
            raise PairingImpossible(wrong)
    follow_stage(tx)
    return next_round(record_of(tx))


def propose_or_tell(tx: Transaction, season: Season) -> Prepared | None:
    """Return what comes next; where that fails the change that led here stays, and organisers are asked."""
    try:
        return _next(tx, season)
    except LeagueError as impossible:
        problem = str(impossible)
    except Exception:
        log.exception("season %s: the next round could not be paired", tx.season.id)
        problem = "the bot made a mistake (see its log)"
    step = "An organiser can fix that, then run /round post."
    text = f"Couldn't pair the next round: {problem.rstrip('.')}. Results are safe. {step}"
    outbox.say(tx.conn, STUCK, tx.season, once=NOT_PAIRED, text=text, now=tx.now)
    return None


def _at_once(season: Season, next_: Proposal) -> Iterator[PreparedRound]:
    """Yield a proposed round and all after it that are played at the same time."""
    format_ = by_key(season.format)
    planned = format_.planned_rounds(season) or next_.number
    while True:
        yield prepared(season, next_)
        if next_.number >= planned:
            return
        matches = tuple(Match(upper=pair.upper, lower=pair.lower) for pair in next_.pairs)
        posted = Round(number=next_.number, stage=next_.stage, matches=matches, byes=())
        season = replace(season, rounds=(*season.rounds, posted))
        following = format_.next_round(season)
        if not isinstance(following, Proposal):
            return
        next_ = following


def prepared(season: Season, proposal: Proposal) -> PreparedRound:
    """Return a proposed round of a season as it is saved."""
    matches = tuple(Match(upper=pair.upper, lower=pair.lower) for pair in proposal.pairs)
    byes = tuple(bye.name for bye in proposal.byes)
    name, named = labelled(season, Round(number=proposal.number, stage=proposal.stage, matches=matches, byes=byes))
    records = _records(season, proposal)
    together = proposal.stage is Stage.REGULAR and season.settings.schedule.open_together
    levels = both_levels(season, proposal.stage, [(pair.upper, pair.lower) for pair in proposal.pairs])
    tiers = [pair.tier for pair in proposal.pairs] if together else levels
    return PreparedRound(
        number=proposal.number,
        stage=proposal.stage,
        name=name,
        matches=tuple(
            PreparedMatch(
                upper=pair.upper,
                lower=pair.lower,
                tier=tier,
                rematch=pair.rematch,
                decided=decided(pair.reasons, records(*pair.players)),
                label=label,
            )
            for pair, tier, label in zip(proposal.pairs, tiers, named, strict=True)
        ),
        byes=tuple((bye.name, decided(bye.reasons, records(bye.name))) for bye in proposal.byes),
    )


def labelled(season: Season, round_: Round) -> tuple[str, tuple[Label, ...]]:
    """Return what a round of a season, published or not, and its matches are called, and the first choices."""
    before = tuple(other for other in season.rounds if other.number < round_.number)
    names = by_key(season.format).round_names(replace(season, rounds=(*before, round_)))[-1]
    return names.round, labels(season, round_, names.matches)


def labels(season: Season, round_: Round, names: Sequence[str]) -> tuple[Label, ...]:
    """Return the labels of a round's matches, which are called so."""
    choices = first_choices(season, round_.number, [match.players for match in round_.matches])
    tags = [Label(name, None, Decided()) for name in names]
    for place, (match, choice) in enumerate(zip(round_.matches, choices, strict=bool(choices))):
        if match.dice_off in (None, choice.name):
            tags[place] = Label(names[place], choice.name, decided(choice.reasons))
    return tuple(tags)


def both_levels(season: Season, stage: Stage, pairs: Sequence[tuple[Name, Name]]) -> tuple[str, ...]:
    """Return the levels of each pair after a season so far, in words; empty in the finals, and where all are level."""
    format_ = by_key(season.format)
    by_results = stage is Stage.REGULAR and not format_.fixed_rounds
    records = format_.before_finals(season).records if by_results else {}
    levels = [tuple(format_.level(records[name]) for name in pair if records) for pair in pairs]
    if len({level for both in levels for level in both}) < 2:
        return ("",) * len(pairs)
    return tuple(f"both {upper}" if upper == other else f"{upper} v {other}" for upper, other in levels)


def _records(season: Season, proposal: Proposal) -> Callable[..., Pieces]:
    """Return what tells the records players had before a round; nothing in the first, and where they don't count."""
    if proposal.stage is Stage.FINALS or not season.rounds or by_key(season.format).fixed_rounds:
        return lambda *_: ()
    records = by_key(season.format).before_finals(season).records

    def told_of(name: Name, other: Name | None = None) -> Pieces:
        own, theirs = _record(records[name]), _record(records[other or name])
        if other is None:
            return ()
        if own == theirs:
            return either(f"You were both {own}.", f"Both were {own}.")
        return tell(f"{{a}} had {own}, {{b}} had {theirs}.", a=name, b=other)

    return told_of


def _record(record: Record) -> str:
    return score(record.wins, record.losses, *((record.draws,) if record.draws else ()))


def decided(reasons: Iterable[Reason], first: Pieces = ()) -> Decided:
    """Return reasons as they are kept, in short after a first sentence."""
    reasons = tuple(reasons)
    draws = chain.from_iterable(reason.draws for reason in reasons)
    steps = dict.fromkeys(step for step in (first, *(reason.short for reason in reasons)) if step)
    in_short = tuple(chain.from_iterable((*(("=\n",) if number else ()), *step) for number, step in enumerate(steps)))
    return Decided(tuple(reason.sentence for reason in reasons), tuple(dict.fromkeys(draws)), in_short)


def columns(tx: Transaction, next_: PreparedRound) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the matches and byes of a prepared round as they are kept."""
    ids = entrants.ids_of(tx.conn, tx.season.id)
    pairs = [
        {
            "upper_id": ids[match.upper],
            "lower_id": ids[match.lower],
            "tier": match.tier,
            "rematch": match.rematch,
            "why": match.decided.why,
            "draws": match.decided.draws,
            "in_short": match.decided.in_short,
            **label_columns(match.label, ids),
        }
        for match in next_.matches
    ]
    byes = [
        {"entrant_id": ids[name], "why": why.why, "draws": why.draws, "in_short": why.in_short}
        for name, why in next_.byes
    ]
    return pairs, byes


def is_saved(tx: Transaction, draft: RoundRow, next_: PreparedRound) -> bool:
    """Whether a preview is kept just as it would be saved now, with its reasons and first choices."""
    pairs, byes = columns(tx, next_)
    both = [(matches.of_round(tx.conn, draft.id), pairs), (matches.byes(tx.conn, draft.id), byes)]
    return (draft.number, draft.name, draft.stage) == (next_.number, next_.name, next_.stage) and all(
        len(rows) == len(wanted)
        and all(
            getattr(row, name) == value
            for row, columns in zip(rows, wanted, strict=True)
            for name, value in columns.items()
        )
        for rows, wanted in both
    )


def kept(tx: Transaction, draft: RoundRow) -> tuple[set[frozenset[Name]], set[Name]]:
    """Return the pairs of a preview, and who has a bye in it."""
    names = {id_: name for name, id_ in entrants.ids_of(tx.conn, tx.season.id).items()}
    rows = matches.of_round(tx.conn, draft.id)
    pairs = {frozenset(names[player] for player in match.players) for match in rows}
    return pairs, {names[seat.entrant_id] for seat in matches.byes(tx.conn, draft.id)}
