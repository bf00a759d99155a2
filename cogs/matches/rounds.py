"""A round in words: heading, matches, byes, sit-outs, maps, fingerprints, one a line; marks and colours of states."""

from collections.abc import Iterator, Mapping, Sequence

import discord

from bot.league.bracket.match_names import FINAL, THIRD_PLACE, in_sentence
from bot.league.checking.by_hand import is_by_organiser
from bot.league.checking.fingerprints import SHOWN
from bot.league.season.in_words import capitalised, first_few
from bot.league.season.model import Stage
from bot.league.season.phases import MatchState, RoundPhase
from bot.services.matches.round_groups import RoundGroup
from bot.services.matches.views import MatchView, RoundView
from bot.services.organising.round_maps import THIRD
from cogs.ui.cards import AMBER, BLUE, GREEN, ORANGE, Answer, long_answer
from cogs.ui.text import cut, listed, quoted, season_title, shown, when
from storage.rows import EntrantRow, RoundRow
from storage.tables.proofs import Fingerprints
from storage.tables.rounds import MapRow

MOST_FINGERPRINTS = 8
"""As many fingerprints as a post names: the newest stand for all that was played."""
STATE_MARKS: Mapping[MatchState, str] = {
    MatchState.OPEN: "▫️",
    MatchState.REPORTED: "🕓",
    MatchState.DISPUTED: "⚖️",
    MatchState.CONFIRMED: "✅",
}
STATE_COLOURS: Mapping[MatchState, discord.Colour] = {
    MatchState.OPEN: BLUE,
    MatchState.REPORTED: AMBER,
    MatchState.DISPUTED: ORANGE,
    MatchState.CONFIRMED: GREEN,
}


def round_title(view: RoundView) -> str:
    """Return the heading of a round."""
    return f"{season_title(view)}: {in_sentence(view.round.name)}"


def match_line(view: MatchView) -> str:
    """Return a match on one line: number, or group where all are open, names, and the result when there is one."""
    group = f"{capitalised(view.match.tier)}:" if view.match.tier else ""
    number = f"{view.match.name}:" if view.match.name else f"{view.match.position}."
    label = group if view.round.together else number
    line = " ".join(filter(None, (STATE_MARKS[view.match.state], label and f"**{label}**", shown(view.pairing))))
    return line if view.match.state is MatchState.OPEN else f"{line} · {shown(view.state_words)}"


def bye_line(bye: EntrantRow, round_: RoundRow) -> str:
    """Return a bye on one line; without an opponent left in the final's round, third place is decided."""
    if round_.name == FINAL:
        return f"**{THIRD_PLACE}:** {shown(bye.called)}, because their opponent has left"
    return f"🆓 {shown(bye.called)} has a bye" + (", through to the next round" if round_.stage is Stage.FINALS else "")


def byes_line(byes: Sequence[EntrantRow], round_: RoundRow) -> str:
    """Return everyone who has a bye, and what it means; nothing where no one has."""
    if not byes or round_.name == FINAL:
        return "\n".join(bye_line(bye, round_) for bye in byes)
    names = listed([f"**{shown(bye.called)}**" for bye in byes])
    have, get = ("has", "gets") if len(byes) == 1 else ("have", "each get")
    then = "then plays on" if len(byes) == 1 else "then play on"
    gets = then if round_.stage is Stage.FINALS else f"{get} a win"
    return f"Bye: {names} {have} no opponent this round and {gets}."


def sitting_out_line(people: Sequence[EntrantRow]) -> str:
    """Return everyone who sits a round out, and what it means; nothing where no one does."""
    if not people:
        return ""
    names = [f"**{quoted(person.called, 40)}**" for person in people[:_NAMED]]
    names += [f"{len(people) - _NAMED} more"] if len(people) > _NAMED else []
    verb, counts = ("sits", "It counts as a loss") if len(people) == 1 else ("sit", "Each counts as a loss")
    return f"{listed(names)} {verb} out this round. {counts}."


_NAMED = 12
"""As many of those who sit a round out as are named."""


def group_heading(group: RoundGroup | None) -> str:
    """Return a group's name as a heading; nothing where there is one group, or none."""
    return "" if group is None or not group.name else capitalised(group.name)


def resting_line(group: RoundGroup | None) -> str:
    """Return who of a group has no match in a round where everyone meets everyone; nothing where no one rests."""
    resting = None if group is None else group.resting
    return "" if resting is None else f"**{quoted(resting.called, 60)}** rests this round."


def done_line(view: RoundView) -> str:
    """Return which groups have played all their rounds, because they are smaller than others."""
    done = [group_heading(group) for group in view.groups if not group.players]
    names = first_few(done, _NAMED)
    return f"{names} {'has' if len(done) == 1 else 'have'} played all rounds." if done else ""


def in_groups(view: RoundView) -> Iterator[tuple[str, MatchView]]:
    """Yield each match of a round with the lines above it: at the first of its group what this is called, who rests."""
    before: RoundGroup | None = None
    for match in view.matches:
        group = view.group_of(match)
        begins = group is not None and (before is None or before.players != group.players)
        yield "\n".join(filter(None, _above(group))) if begins else "", match
        before = group


def _above(group: RoundGroup | None) -> tuple[str, str]:
    heading, resting = group_heading(group), resting_line(group)
    return f"### {heading}" if heading else "", f"-# {resting}" if resting else ""


def bye_words(round_: RoundRow) -> str:
    """Return what a bye means to the player who has it."""
    if round_.name == FINAL:
        return "Third place is yours, because your opponent has left the season."
    if round_.stage is Stage.FINALS:
        return "You're through to the next round without a match."
    return "It counts as a win, and there's nothing for you to do."


def round_lines(view: RoundView) -> list[str]:
    """Return the pairings of a round, one per line."""
    byes = [bye_line(bye, view.round) for bye in view.byes]
    away = [sitting_out_line(view.sitting_out)] if view.sitting_out else []
    each = [line for above, match in in_groups(view) for line in (*above.splitlines(), match_line(match))]
    return [*each, *byes, *away, *filter(None, [done_line(view)])]


def round_head(view: RoundView) -> str:
    """Return what holds for every match of a round: how many games, until when."""
    games = "Single games" if view.best_of == 1 else f"Best of {view.best_of}"
    changed = changed_line(view.round.by_hand)
    if view.round.deadline is not None:
        until = f" · play by {when(view.round.deadline)}"
    else:
        until = f"\n{CLOCK_TO_COME}" if view.round.phase is RoundPhase.OPEN else ""
    return f"{games}{until}" + (f"\n{changed}" if changed else "")


def changed_line(by_hand: str | None) -> str:
    """Return that a round can't be as the rules say, and why; nothing where it is as they say."""
    if by_hand is None:
        return ""
    if is_by_organiser(by_hand):
        return f"Changed by an organiser: {quoted(by_hand)}"
    return "A player was forgotten, so this round can't be checked any more."


CLOCK_TO_COME = "⏱️ A live round: an organiser starts its clock. It warns 10 and 5 minutes before the end."


def round_answer(view: RoundView, *, note: str) -> Answer:
    """Return a round with all its matches, for organisers, below a note."""
    head = f"{note}\n{round_head(view)}"
    name = f"round-{view.round.number}.txt"
    return long_answer(round_title(view), round_lines(view), file_name=name, private=True, head=head)


_ON_CARD = 200
"""Characters of maps on a round's card."""


def on_card(maps: Sequence[MapRow]) -> list[str]:
    """Return the line of a round's card with its maps; nothing where it has none."""
    names = ", ".join(f"{shown(row.name)}{' (third place)' if row.place == THIRD else ''}" for row in maps)
    return [f"🗺️ {cut(names, _ON_CARD)}"] if maps else []


def in_full(maps: Sequence[MapRow]) -> list[str]:
    """Return a line for each map with its note and link."""
    return [f"🗺️ {map_words(row)}" for row in maps]


def map_words(row: MapRow) -> str:
    """Return a map with its note and its link, which shows where it leads."""
    link = f"<{row.link}>" if row.link else ""
    return " · ".join(filter(None, [f"**{quoted(row.name, 80)}**", quoted(row.note, 200), link]))


def chapter_lines(maps: Sequence[MapRow]) -> list[str]:
    """Return the lines of the rules' chapter on maps: the round of each first."""
    where = {row.place: f"Round {row.place}" if row.place.isdecimal() else row.place.capitalize() for row in maps}
    return [f"- {where[row.place]}: {map_words(row)}" for row in maps]


def fingerprint_lines(fingerprints: Fingerprints) -> Iterator[str]:
    """Yield in small print the fingerprints of rounds as a post shows them, first those that no longer count."""
    if fingerprints.void:
        yield f"-# No longer counts: {_fingerprints(fingerprints.void, fingerprints.rounds)}"
    if fingerprints.new:
        yield f"-# To check later: {_fingerprints([*fingerprints.new.items()], fingerprints.rounds)}"


def _fingerprints(these: Sequence[tuple[int, str]], words: Mapping[int, str]) -> str:
    """Return the newest fingerprints with their rounds, and how many more there are."""
    named = [f"{words.get(number, f'round {number}')} `{value[:SHOWN]}`" for number, value in reversed(these)]
    return first_few(named, MOST_FINGERPRINTS)
