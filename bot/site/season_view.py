"""What the page of a season shows: its state, what ends when, table and marks, rounds, bracket, rules and lists."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.league.bracket.match_names import FINAL, THIRD_PLACE, RoundNames
from bot.league.bracket.whole_tree import TreeMatch
from bot.league.checking.by_hand import is_by_organiser
from bot.league.checking.fingerprints import SHOWN, fingerprints
from bot.league.counting import table_columns
from bot.league.counting.table_columns import Column
from bot.league.formats import by_key
from bot.league.formats.shared.base import Chapter
from bot.league.season.in_words import amount, capitalised
from bot.league.season.match_score import score
from bot.league.season.model import Kind, Match, Name, Round, SealedList, Season, Stage, Status
from bot.league.season.phases import LIVE, RoundPhase, SeasonPhase
from bot.league.season.setting_values import SALTED, SEALED
from bot.league.season.settings import SeasonSettings
from bot.league.summaries.careers import place
from bot.league.summaries.divisions import in_ladder, ladder_left
from bot.league.summaries.group_words import how_ties
from bot.league.summaries.outlook.prospects import Verdict
from bot.league.summaries.season_table import TableRow
from bot.pictures.tree import BracketMatch, Side, in_bracket
from bot.site import crossed, drawings, words
from bot.site.crossed import MOST_CROSSED, Cell, Met
from bot.site.drawings import Drawing
from bot.site.facts import RoundFacts, SeasonFacts
from bot.site.groups import GroupPage, groups
from bot.site.lines import Line
from bot.site.rounds import RoundView, called_in, round_view, to_come
from bot.site.words import Clock

OVER = (SeasonPhase.FINISHED, SeasonPhase.CANCELLED)


@dataclass(frozen=True, slots=True)
class SeasonView:
    """A season, ready to be written."""

    facts: SeasonFacts
    title: str
    state: str
    champion: str
    summary: str
    ends: str
    changed: tuple[str, ...]
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    table_title: str
    cut_after: int | None
    cut_words: str
    rounds: tuple[RoundView, ...]
    to_come: tuple[RoundView, ...]
    groups: tuple[GroupPage, ...]
    ties: str
    filled: tuple[str, ...]
    """How its divisions were filled, step by step."""
    ladder: tuple[tuple[str, str], ...]
    """The ladder it leaves to the next season: each player with their place, and where it leads."""
    cross: tuple[tuple[Cell, ...], ...] | None
    chart: tuple[tuple[str, ...], ...] | None
    chart_heads: tuple[str, ...]
    met: tuple[Met, ...]
    wide: Drawing | None
    tall: Drawing | None
    tree: tuple[BracketMatch, ...]
    bracket: tuple[tuple[str, ...], ...]
    in_short: tuple[str, ...]
    rules: tuple[tuple[str, tuple[str, ...]], ...]
    lists: tuple[tuple[str, str], ...]
    secret_lists: int
    over: bool
    fingerprint: str

    @property
    def number(self) -> int:
        """Its number."""
        return self.facts.number

    @property
    def final(self) -> str:
        """How the final ended, for the list of champions."""
        for match in self.rounds[-1].matches if self.rounds and self.wide else ():
            if match.name in ("", FINAL) and match.joint == "beat":
                return f"beat {match.second}{' ' + match.after if match.after else ''} in the final"
        return ""

    @property
    def checkable(self) -> bool:
        """Whether there is anything to check: something was paired here or by the same rules."""
        return bool(self.rounds) and by_key(self.facts.record.format).paired

    @property
    def ratings(self) -> bool:
        """Whether anyone has a rating."""
        return any(line.rating for line in self.lines)

    @property
    def finals_column(self) -> bool:
        """Whether anyone has got somewhere in the finals."""
        return any(line.went for line in self.lines)


def view(facts: SeasonFacts, names: Sequence[RoundNames], clock: Clock) -> SeasonView:
    """Return a season with the names of its rounds as its page shows it."""
    record, format_ = facts.record, by_key(facts.record.format)
    named = list(zip(record.rounds, names, strict=True))
    whole = [
        (round_, match, name or heads.round) for round_, heads in named for match, name in _named(round_, heads.matches)
    ]
    columns = table_columns.columns((row.standing for row in facts.table.rows), format_.named_tiebreaks)
    lines = tuple(_lines(facts, whole, columns))
    order = [line.standing.name for line in facts.table.rows]
    tree, seeds, called = format_.tree(record), format_.seeds(record), facts.called
    champion = called.get(facts.champion, "") if facts.champion else ""
    numbers = {round_.number for round_ in record.rounds} | {list_.round for list_ in record.lists if list_.round}
    seated = {number: called_in(record, number) for number in numbers}
    then = {match.players: seated[round_.number] for round_, match, _ in whole if round_.stage is Stage.FINALS}
    bracket = [
        _in_bracket(duel, seeds, then.get(duel.match.players, called) if duel.match else called) for duel in tree
    ]
    in_groups = tuple(groups(facts, dict(zip(order, lines, strict=True))))
    few = len(order) <= MOST_CROSSED
    crossed_ = bool(whole) and not in_groups  # groups have tables of their own
    last = facts.rounds[-1] if facts.rounds else None
    return SeasonView(
        facts=facts,
        title=format_.title,
        state=_state(facts),
        champion=champion,
        summary=_summary(facts, clock),
        ends=_ends(facts, last, clock),
        changed=tuple(place(round_, heads.round).lower() for round_, heads in named if is_by_organiser(round_.by_hand)),
        columns=columns,
        lines=lines,
        table_title=_table_title(facts),
        cut_after=facts.table.cut_after,
        cut_words=_cut(facts),
        rounds=tuple(
            round_view(facts, round_, heads.round, heads.matches, course, clock)
            for (round_, heads), course in zip(named, facts.rounds, strict=True)
        ),
        to_come=tuple(to_come(facts)),
        groups=in_groups,
        ties=how_ties(record.settings) if in_groups else "",
        filled=tuple(reason.sentence for reason in format_.how_grouped(record)),
        ladder=tuple((called.get(place.name, place.name), in_ladder(place)) for place in ladder_left(record)),
        cross=tuple(crossed.cross(order, whole)) if few and crossed_ else None,
        chart=None if few or not crossed_ else tuple(crossed.chart(order, record.rounds)),
        chart_heads=tuple(words.in_a_cell(round_.stage, round_.number, heads.round) for round_, heads in named),
        met=tuple(crossed.met(facts, whole, seated)) if few and crossed_ else (),
        wide=drawings.wide(bracket, champion) if bracket else None,
        tall=drawings.tall(bracket, champion) if bracket else None,
        tree=tuple(bracket),
        bracket=tuple(
            (duel.label, *(_slot(duel, side) for side in duel.sides), outcome(duel, facts.phase)) for duel in bracket
        ),
        in_short=format_.for_players(_chosen(record), facts.field),
        rules=_rules(facts),
        lists=tuple((_whose(list_, facts, seated), list_.text) for list_ in record.lists if list_.text is not None),
        secret_lists=sum(list_.text is None for list_ in record.lists),
        over=facts.phase in OVER,
        fingerprint=_fingerprint(facts),
    )


def _whose(sealed_list: SealedList, facts: SeasonFacts, seated: Mapping[int, Mapping[Name, str]]) -> str:
    """Return whose list it is: of who sat in the seat in its round, or sits there now."""
    if sealed_list.round is None:
        return facts.called.get(sealed_list.name, sealed_list.name)
    return f"{seated[sealed_list.round].get(sealed_list.name, sealed_list.name)}, round {sealed_list.round}"


def _fingerprint(facts: SeasonFacts) -> str:
    """Return the fingerprint of what was played so far, and after which round that is."""
    values = list(fingerprints(facts.record)) if facts.record.rounds else []
    return f"after {facts.rounds[len(values) - 2].words}: {values[-1][:SHOWN]}" if len(values) > 1 else ""


def _named(round_: Round, names: Sequence[str]) -> Iterator[tuple[Match, str]]:
    return zip(round_.matches, names, strict=True)


def _state(facts: SeasonFacts) -> str:
    return {
        SeasonPhase.SIGNUP: "sign-ups are open",
        SeasonPhase.RUNNING: "running",
        SeasonPhase.FINALS: "in the finals",
        SeasonPhase.FINISHED: "over",
        SeasonPhase.CANCELLED: "cancelled",
    }.get(facts.phase, "")


def _summary(facts: SeasonFacts, clock: Clock) -> str:
    record = facts.record
    played = sum(match.kind is not Kind.OPEN for round_ in record.rounds for match in round_.matches)
    parts = [amount(len(record.entrants), "player")]
    if played:
        parts.append(amount(played, "match"))
    if record.rounds:
        parts.append(amount(len(record.rounds), "round"))
    since, until = (None if moment is None else clock.day(moment) for moment in (facts.began, facts.ended))
    if until is not None:
        parts.append(until if since in (None, until) else f"{since} to {until}")
    elif since is not None and facts.phase in LIVE:
        parts.append(f"since {since}")
    return " · ".join(parts)


def _ends(facts: SeasonFacts, last: RoundFacts | None, clock: Clock) -> str:
    if facts.phase is SeasonPhase.SIGNUP:
        return f"Sign-ups close {clock.full(facts.signups_close)}." if facts.signups_close else "Sign-ups are open."
    if facts.phase not in (SeasonPhase.RUNNING, SeasonPhase.FINALS):
        return ""
    if facts.paused_until is not None:
        return f"The season is paused until {clock.full(facts.paused_until)}."
    together = [each.deadline for each in facts.rounds if each.phase is RoundPhase.OPEN and each.deadline is not None]
    if len(together) > 1:
        return f"All rounds end {clock.full(max(together))}."
    if last is None or last.phase is not RoundPhase.OPEN or last.deadline is None:
        return ""
    ends = "end" if last.words.endswith("s") else "ends"
    return f"{capitalised(last.words)} {ends} {clock.full(last.deadline)}."


def _table_title(facts: SeasonFacts) -> str:
    if not facts.table.begun:
        return "Players"
    if facts.phase in OVER:
        return "Final standings" if facts.phase is SeasonPhase.FINISHED else "Standings when it was cancelled"
    finished = [
        course.words for course, round_ in zip(facts.rounds, facts.record.rounds, strict=True) if round_.finished
    ]
    begun = facts.record.rounds and any(match.kind is not Kind.OPEN for match in facts.record.rounds[-1].matches)
    if finished and (facts.table.all_in or not begun):
        return f"Standings after {finished[-1]}"
    return f"Standings, {facts.rounds[-1].words} being played"


def _cut(facts: SeasonFacts) -> str:
    many = facts.table.going_on
    if facts.phase in OVER or facts.table.cut_after is None:
        return ""
    return f"cut: the top {many} play the finals"


def _chosen(record: Season) -> SeasonSettings:
    """Return a season's settings, with what organisers chose for its salt in place of the text."""
    salt = SEALED if record.sealed else SALTED if record.settings.salt else None
    return replace(record.settings, salt=salt)


_MARKS = {Status.QUALIFIED: "in", Status.ELIMINATED: "out", Status.DROPPED: "dropped", Status.DISQUALIFIED: "dropped"}


def _lines(facts: SeasonFacts, whole: Sequence[tuple[Round, Match, str]], columns: Sequence[Column]) -> Iterator[Line]:
    went: dict[Name, str] = {}
    finals = [(match, name) for round_, match, name in whole if round_.stage is Stage.FINALS]
    regular = any(round_.stage is Stage.REGULAR for round_ in facts.record.rounds)
    for match, name in finals:
        for loser in match.winless:
            went[loser] = words.went_out(name)
        if match.winner is not None and name == THIRD_PLACE:
            went[match.winner] = "third"
    over = facts.phase in OVER
    for row in facts.table.rows:
        line = row.standing
        champion = line.name == facts.champion and over
        yield Line(
            rank=line.rank if facts.table.begun else None,
            name=row.called,
            player=facts.people[line.name],
            mark=_mark(row, over=over),
            cells=table_columns.cells(line, columns),
            record=words.record(line),
            rating=row.rating,
            went="champion" if champion else went.get(line.name, "") if regular or over else "",
            champion=champion,
            out=not line.status.inside or row.verdict is Verdict.OUT,
        )


def _mark(row: TableRow, *, over: bool) -> str:
    mark = _MARKS.get(row.standing.status, "")
    if over:
        return mark if mark == "dropped" else ""
    return mark or {Verdict.IN: "in", Verdict.OUT: "out"}.get(row.verdict, "")


def _in_bracket(tree_match: TreeMatch, seeds: Mapping[Name, int], called: Mapping[Name, str]) -> BracketMatch:
    match = in_bracket(tree_match, seeds, called)
    return replace(match, note="by forfeit") if match.forfeit else match


def _slot(match: BracketMatch, side: Side) -> str:
    text = side.name or match.to_come(side)
    return text if side.seed is None else f"{side.seed} {text}"


def outcome(match: BracketMatch, phase: SeasonPhase) -> str:
    """Return how a match of a bracket ended, or where it stands."""
    won, lost = sorted(match.sides, key=lambda side: not side.won)
    if not won.won:
        return match.note or ("not played" if phase in OVER else "to play")
    games = f" {score(int(won.score), int(lost.score))}" if won.score and lost.score else ""
    return f"{won.name} won{games}{f', {match.note}' if match.note else ''}"


def _rules(facts: SeasonFacts) -> tuple[tuple[str, tuple[str, ...]], ...]:
    rules = by_key(facts.record.format).in_words(facts.record.settings, facts.field)
    chapters = (
        (chapter.value, tuple(rule.sentence for rule in rules if rule.chapter is chapter)) for chapter in Chapter
    )
    return tuple((title, sentences) for title, sentences in chapters if sentences)
