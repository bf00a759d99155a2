"""Leaving a season: what it costs, in words, the one way of it, and finals paired again (docs/formats/shared.md).

A person can leave a place in which another one plays, or will play: it then stays in the season.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.league.errors import Conflict
from bot.league.formats import by_key
from bot.league.season.choices import Rejoin
from bot.league.season.in_words import first_few
from bot.league.season.model import DepartureKind, Name, Stage
from bot.league.season.phases import MatchState, RoundPhase, SeasonPhase
from bot.services.base import cached, hooks
from bot.services.base.events import FieldChanged
from bot.services.base.outbox import NOTICE, OWN_PLACE
from bot.services.base.permissions import is_organiser
from bot.services.base.transaction import ReadTransaction, Transaction
from bot.services.matches import views
from bot.services.matches.views import MatchView
from bot.services.play import progression, transitions
from bot.services.play.field import moving_up
from bot.services.play.field.eligibility import can_come_back, next_round, settle_request
from storage import rules_season
from storage.rows import DepartureRow, EntrantRow, RoundRow, SeasonRow
from storage.tables import audit, matches, rounds
from storage.tables.field import entrants, substitutions
from storage.tables.people import players

_STAY = "Results so far still count."
_NAMED = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """A player who left; `withdrew` before the start, `waited` for a place or `asked` for one.

    `forfeited` are the matches it cost; `struck` is whether their results count for nobody.
    """

    name: str
    season: SeasonRow
    kind: DepartureKind
    withdrew: bool = False
    waited: bool = False
    asked: bool = False
    forfeited: tuple[MatchView, ...] = ()
    struck: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultsNews:
    """What others read of the results of a player who leaves; those against `concerned` count no more."""

    text: str = ""
    concerned: tuple[EntrantRow, ...] = ()

    @property
    def pings(self) -> list[int | None]:
        """Return the Discord ids of those who are mentioned."""
        return [entrant.discord_id for entrant in self.concerned]


def require_here(tx: ReadTransaction, entrant: EntrantRow) -> None:
    """Raise Conflict for a player who has left already."""
    if not entrant.active:
        raise Conflict(f"{entrant.called} has already left season {tx.season.number}.")


def of_dropping(tx: ReadTransaction, entrant: EntrantRow) -> str:
    """Return what dropping out costs the player themselves; nothing where they can sign up again at once."""
    require_here(tx, entrant)
    number = tx.season.number
    if tx.season.phase is SeasonPhase.SIGNUP:
        if tx.settings.max_players is None:
            return ""
        again = "You can sign up again until the season starts, while there are places."
        return f"You'll be off the sign-up list of season {number}. {again}"
    lost = ""
    if round_of_replacement(tx, entrant) is not None:
        lost = " and lose your place in the finals, which are paired again without you"
    elif opponents := open_opponents(tx, entrant):
        lost = f" and forfeit your open {against(opponents)}"
    left = f"You'll leave season {number}{lost}.{ends_with_it(tx, entrant)}"
    return f"{left} {_results(tx, entrant, 'You', 'your')} {_way_back(tx, entrant, 'You')}"


def of_removing(tx: ReadTransaction, entrant: EntrantRow) -> str:
    """Return what dropping a player does."""
    require_here(tx, entrant)
    if tx.season.phase is SeasonPhase.SIGNUP:
        gone = f"{entrant.called} is taken off the sign-up list of season {tx.season.number}."
        return f"{gone} They can sign up again until the season starts. A post in the league's channel tells them."
    return f"{entrant.called} leaves season {_with_losses(tx, entrant)} {_way_back(tx, entrant, 'They')}"


def is_struck(tx: ReadTransaction, entrant: EntrantRow) -> bool:
    """Whether the results of a player who has left count for nobody."""
    return entrant.name in cached.struck(tx.conn, tx.season)


def results_after(struck: bool, *, own: bool = False) -> str:
    """Return whether the results of a player who has left still count, for an organiser or for the player."""
    return f"{'Your' if own else 'Their'} results count for nobody." if struck else _STAY


def of_disqualifying(tx: ReadTransaction, entrant: EntrantRow) -> str:
    """Return what disqualifying a player does; one who dropped has nothing more to lose than the way back."""
    number, undo = tx.season.number, "/player reinstate undoes this until the next round is paired."
    if entrant.departed is DepartureKind.DROP:
        kept = results_after(is_struck(tx, entrant))
        gone = f"{entrant.called} has left season {number}. They are disqualified as well and can't come back. {kept}"
        return f"{gone} {undo}"
    require_here(tx, entrant)
    if round_of_replacement(tx, entrant) is not None:  # at once, unless a player who moves up is asked first
        undo = "/player reinstate undoes this only until the finals are posted again."
    return f"{entrant.called} is disqualified from season {_with_losses(tx, entrant)} They can't come back. {undo}"


def _with_losses(tx: ReadTransaction, entrant: EntrantRow) -> str:
    """Return the season's number with what is lost in it, and who is told."""
    subject, lost = entrant.called, ""
    if round_of_replacement(tx, entrant) is not None:
        lost = " and loses the place in the finals, which are paired again without them"
    elif opponents := open_opponents(tx, entrant):
        subject = f"{entrant.called} and {opponents[0] if len(opponents) == 1 else 'these opponents'}"
        lost = f" and forfeits the open {against(opponents)}"
    also = ends_with_it(tx, entrant)
    results = _results(tx, entrant, entrant.called, "their")
    return f"{tx.season.number}{lost}.{also} {results} A post in the league's channel tells {subject}."


def open_opponents(tx: ReadTransaction, entrant: EntrantRow) -> list[str]:
    """Return who a player has open matches against."""
    return [view.opponent_of(entrant).called for view in views.open_matches(tx.conn, entrant.id)]


def against(opponents: Sequence[str]) -> str:
    """Return open matches that are forfeited, after `open`, and who wins them."""
    if len(opponents) == 1:
        return f"match against {opponents[0]}, who wins it"
    return f"matches against {first_few(opponents, _NAMED)}, who win them"


def _results(tx: ReadTransaction, entrant: EntrantRow, subject: str, whose: str) -> str:
    """Return what becomes of the results of a player who leaves, and of the matches they would still have."""
    if not _loses_the_rest(tx):
        return _STAY
    struck = by_key(tx.season.format).struck_by_leaving(rules_season.load(tx.conn, tx.season.id), Name(entrant.name))
    rest = f" Matches without a result are lost, also those of later rounds: {whose} opponents win them."
    if struck is None:
        return f"{_STAY}{rest}"
    have = "have" if subject == "You" else "has"
    played, matches = struck
    return f"{subject} {have} played {played} of {matches}: {whose} results will count for nobody.{rest}"


def ends_with_it(tx: ReadTransaction, entrant: EntrantRow) -> str:
    """Return that no one takes over a place that leaves, with a space before it, where someone would have."""
    coming = substitutions.coming(tx.conn, entrant.id)
    return "".join(f" {row.name} doesn't take the place over then." for row in coming)


def _way_back(tx: ReadTransaction, entrant: EntrantRow, called: str) -> str:
    if not can_come_back(tx) or _starts_the_last_round(tx, entrant):
        return f"{called} can't come back this season."
    agreed = ", if an organiser agrees" if tx.settings.rejoin is Rejoin.ASK else ""
    until = "with /rejoin until the last regular round is paired"
    return f"{called} can come back {until}{agreed}. Missed rounds count as losses."


def _starts_the_last_round(tx: ReadTransaction, entrant: EntrantRow) -> bool:
    """Whether the match this forfeits is the last one missing, so that the last regular round is paired at once."""
    latest, lost = rounds.latest(tx.conn, tx.season.id), matches.open_of(tx.conn, entrant.id)
    if latest is None or not lost or not progression.ends_by_itself(tx.season, latest):
        return False
    planned = by_key(tx.season.format).planned_rounds(rules_season.load(tx.conn, tx.season.id))
    return latest.number + 1 == planned and matches.count_missing(tx.conn, latest) == len(lost)


def of_reinstating(
    tx: ReadTransaction, entrant: EntrantRow, left: DepartureRow, number: int, forfeited: MatchView | None
) -> str:
    """Return what putting a player back does, who plays again from round `number` on."""
    if by_key(tx.season.format).fixed_rounds:
        return _of_opening(tx, entrant)
    first = left.round + left.after_pairing
    missed = "" if number <= first else f" {_as_losses(first, number - 1)}"
    lost = "" if forfeited is None else f" {forfeited.label} stays lost; /result clear lets it be played."
    back = f"{entrant.called} is back in season {tx.season.number} and plays from round {number} on."
    return f"{back}{missed}{lost}{_too_many(tx)}{_told(tx, entrant, entrant.called)}"


def _of_opening(tx: ReadTransaction, entrant: EntrantRow) -> str:
    """Return what putting a player back does where their matches went on without them."""
    opens = [view for view in transitions.lost_by_leaving(tx, entrant) if view.opponent_of(entrant).active]
    played = f" Open again: {', '.join(view.label for view in opens)}." if opens else ""
    if any(view.round.phase is RoundPhase.CLOSED for view in opens):
        played += " Earlier rounds get the time of a round, and no round follows before all of these have a result."
    back = f"{entrant.called} is back in season {tx.season.number}, as if they had never left.{played}"
    return f"{back}{_too_many(tx)}{_told(tx, entrant, 'them')}"


def _told(tx: ReadTransaction, entrant: EntrantRow, who: str) -> str:
    return without_account(tx, entrant) or f" A post in the league's channel tells {who}."


def without_account(tx: ReadTransaction, entrant: EntrantRow) -> str:
    """Return what to do about a place whose person has no account, with a space before it; nothing for others."""
    if entrant.discord_id is not None:
        return ""
    none, instead = f" {entrant.called} has no Discord account", "/player substitute puts someone else there"
    if audit.was_forgotten(tx.conn, tx.league.id, players.get(tx.conn, entrant.person_id).name):
        return f"{none}, so nobody can play in this place. {instead}."
    return f"{none}, so they can't play yet. /player link gives them one, or {instead}."


def _too_many(tx: ReadTransaction) -> str:
    """Return that the places aren't enough for one player more, who had one once; nothing where they are."""
    players_then = 1 + sum(row.active for row in entrants.of_season(tx.conn, tx.season.id))
    places = tx.settings.max_players
    return (
        "" if places is None or players_then <= places else f" That makes {players_then} players for {places} places."
    )


def _as_losses(first: int, last: int) -> str:
    return f"Round {first} counts as a loss." if first == last else f"Rounds {first} to {last} count as losses."


def round_of_replacement(tx: ReadTransaction, entrant: EntrantRow) -> RoundRow | None:
    """Return the first round of the finals where players in it are still replaced: with `replace`, before any report.

    A season that is a bracket from round 1 has no one outside who could come in.
    """
    latest = rounds.latest(tx.conn, tx.season.id)
    if latest is None or latest.phase is not RoundPhase.OPEN or not tx.settings.replace:
        return None
    finals = [row for row in rounds.published(tx.conn, tx.season.id) if row.stage is Stage.FINALS]
    seated = entrant.id in {seat.entrant_id for seat in matches.seats(tx.conn, latest.id)}
    untouched = all(match.state is MatchState.OPEN for match in matches.of_round(tx.conn, latest.id))
    return latest if finals == [latest] and latest.number > 1 and seated and untouched else None


def leave(
    tx: Transaction, entrant: EntrantRow, kind: DepartureKind, reason: str | None, *, announced: bool = False
) -> Dropped:
    """Take a player out, the one way of leaving: before the start they were never there, later they forfeit.

    `announced` is whether another message tells people of it: a decision about their match.
    """
    require_here(tx, entrant)
    if tx.season.phase is SeasonPhase.SIGNUP and kind is DepartureKind.DROP:
        return _withdraw(tx, entrant)
    replaced = round_of_replacement(tx, entrant)
    if replaced is not None:
        _depart(tx, entrant, kind, reason, round_=replaced.number, after_pairing=False)
        tell(tx, entrant, kind)
        _post_again(tx, entrant, replaced)
        return Dropped(name=entrant.called, season=tx.season, kind=kind)
    news = _news_of_results(tx, entrant)
    latest = rounds.latest(tx.conn, tx.season.id)
    paired = bool(rounds.open_rounds(tx.conn, tx.season.id)) and not _is_stage_over(tx)
    open_ = matches.open_of(tx.conn, entrant.id)
    for match in open_:
        transitions.forfeit(tx, match.id, entrant.id)
    forfeited = tuple(views.match_view(tx.conn, match.id) for match in open_)
    number = latest.number if latest is not None and paired else next_round(tx)
    ruled = announced and not is_organiser(tx.league, tx.actor)
    _depart(tx, entrant, kind, reason, round_=number, after_pairing=paired, by_moderator=ruled)
    if not announced:
        tell(tx, entrant, kind, forfeited, news)
    elif news.text:
        tx.tell(f"{entrant.called} has left season {tx.season.number}.{news.text}", pings=news.pings)
    struck = is_struck(tx, entrant)
    tx.invalidate()
    progression.advance(tx)
    return Dropped(name=entrant.called, season=tx.season, kind=kind, forfeited=forfeited, struck=struck)


def _depart(
    tx: Transaction,
    entrant: EntrantRow,
    kind: DepartureKind,
    reason: str | None,
    *,
    round_: int,
    after_pairing: bool,
    by_moderator: bool = False,
) -> None:
    left, before = entrants.last_departure(tx.conn, entrant.id), None
    if left is not None and left.rejoined is not None and left.rejoined >= next_round(tx):
        # A comeback that has not begun is undone: the player was gone all the time.
        before = {"status": left.kind, "from_round": left.rejoined}
        entrants.change_departure(tx.conn, left.id, kind=kind, rejoined=None, by_moderator=by_moderator)
    else:
        entrants.depart(
            tx.conn,
            entrant_id=entrant.id,
            kind=kind,
            round=round_,
            after_pairing=after_pairing,
            by_moderator=by_moderator,
        )
    settle_request(tx, entrant, accepted=False)
    moving_up.left(tx, entrant)
    coming = substitutions.coming(tx.conn, entrant.id)
    substitutions.stand_down(tx.conn, coming)
    for row in coming:
        text = f"{entrant.name}'s place has left season {tx.season.number}, so {row.name} doesn't take it over."
        tx.tell(text, kind=OWN_PLACE, pings=[players.get(tx.conn, row.player_id).discord_id])
    after = {"status": kind, "round": round_, "after_pairing": after_pairing}
    tx.note(f"entrant.{kind}", entrant.name, before=before, after=after, reason=reason)
    tx.happened(FieldChanged())


def _loses_the_rest(tx: ReadTransaction) -> bool:
    """Whether who leaves now loses the rest of fixed rounds: not before round 1, also where it was undone."""
    playing_them = by_key(tx.season.format).fixed_rounds and tx.season.phase is SeasonPhase.RUNNING
    return playing_them and rounds.latest(tx.conn, tx.season.id) is not None and not _is_stage_over(tx)


def _is_stage_over(tx: ReadTransaction) -> bool:
    """Whether the last of all fixed rounds has its results: who leaves then was there to the end of them."""
    format_ = by_key(tx.season.format)
    if not format_.fixed_rounds or tx.season.phase is not SeasonPhase.RUNNING:
        return False
    season = rules_season.load(tx.conn, tx.season.id)
    finished = bool(season.rounds) and all(round_.finished for round_ in season.rounds)
    return finished and len(season.rounds) >= (format_.planned_rounds(season) or 0)


def _news_of_results(tx: ReadTransaction, entrant: EntrantRow) -> ResultsNews:
    """Return what others read of the results of a player who leaves, where their matches go on without them."""
    if not _loses_the_rest(tx):
        return ResultsNews()
    name, season = entrant.called, rules_season.load(tx.conn, tx.season.id)
    rest = f" {name}'s opponents win the matches that are left. {name}'s results"
    if by_key(tx.season.format).struck_by_leaving(season, Name(entrant.name)) is None:
        return ResultsNews(text=f"{rest} so far still count.")
    opponents = [view.opponent_of(entrant) for view in transitions.with_result(tx, entrant)]
    here = {opponent.id: opponent for opponent in opponents if opponent.active}
    those = f", also those against {first_few([row.called for row in here.values()], _NAMED)}" if here else ""
    return ResultsNews(text=f"{rest} count for nobody{those}.", concerned=tuple(here.values()))


def tell(
    tx: Transaction,
    entrant: EntrantRow,
    kind: DepartureKind,
    forfeited: Sequence[MatchView] = (),
    results: ResultsNews | None = None,
) -> None:
    """Tell the league, the player unless they did it themselves, and the opponents whose results change by it."""
    verb = "has left" if kind is DepartureKind.DROP else "was disqualified from"
    text = f"{entrant.called} {verb} season {tx.season.number}."
    themselves = tx.actor.user_id == entrant.discord_id
    pings = [] if themselves else [entrant.discord_id]
    if len(forfeited) == 1:
        text += f" {forfeited[0].opponent_of(entrant).called} wins {forfeited[0].label} by forfeit."
    elif forfeited:
        winners = [view.opponent_of(entrant).called for view in forfeited]
        text += f" {first_few(winners, _NAMED)} win their matches against {entrant.called} by forfeit."
    pings += [view.opponent_of(entrant).discord_id for view in forfeited]
    if results is not None:
        text += results.text
        pings += results.pings
    tx.tell(text, kind=NOTICE if themselves else OWN_PLACE, pings=pings)


def _post_again(tx: Transaction, entrant: EntrantRow, row: RoundRow) -> None:
    """Pair the first round of the finals again without a player who was in it: everyone below moves up."""
    text = f"{entrant.called} left before the first result of the finals, so the finals are paired again."
    progression.revert(tx, row, text)
    tx.by_itself().note("round.undo", row.words, reason=text)
    tx.invalidate()
    progression.pair_and_post(tx.by_itself())


def _withdraw(tx: Transaction, entrant: EntrantRow) -> Dropped:
    hooks.withdraw(tx.conn, entrant.id)
    tx.note("entrant.withdraw", entrant.name, before={"name": entrant.name})
    tx.happened(FieldChanged())
    tx.invalidate()
    return Dropped(name=entrant.called, season=tx.season, kind=DepartureKind.DROP, withdrew=True)


def tell_taken_off(tx: Transaction, entrant: EntrantRow) -> None:
    """Tell a player who was in before the start that an organiser took them off."""
    text = f"{entrant.called} is off the sign-up list of season {tx.season.number}: an organiser took them off."
    tx.tell(text, kind=OWN_PLACE, pings=[entrant.discord_id])
