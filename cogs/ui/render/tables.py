"""Cards and tables: a round, a match, the standings, a bracket, a season; short lines that a phone shows whole."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import discord

from bot.league.bracket.match_names import FINAL, THIRD_PLACE, in_sentence
from bot.league.bracket.whole_tree import TreeMatch
from bot.league.counting.ratings import ENOUGH_MATCHES, ShownRating
from bot.league.counting.standings import Standing
from bot.league.counting.tiebreaks import TiebreakName, printed
from bot.league.season.match_score import score
from bot.league.season.model import Stage, Status
from bot.league.season.phases import MatchState, RoundPhase
from bot.league.telling.outlook.prospects import Verdict
from bot.services.matches.views import MatchView, RoundView
from bot.services.reads.ranking import Ranked, RankingView
from bot.services.reads.tables import BracketView, TableRow
from cogs.ui.actions import SHOW
from cogs.ui.buttons import ActionButton
from cogs.ui.cards import AMBER, BLUE, GREEN, ORANGE, Attached
from cogs.ui.replies import Answer
from cogs.ui.text import CARD_LIMIT, count, cut, listed, pages, quoted, shown, when
from storage.rows import EntrantRow, LeagueId, LeagueRow, RoundRow

TITLE_LIMIT = 256

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
STATUS_WORDS: Mapping[Status, str] = {
    Status.CHAMPION: " 🏆",
    Status.QUALIFIED: " · in the finals",
    Status.ELIMINATED: " · out",
    Status.DROPPED: " · dropped",
    Status.DISQUALIFIED: " · disqualified",
    Status.ACTIVE: "",
}
_VERDICTS = {Verdict.IN: " · sure of the finals", Verdict.OUT: " · out", Verdict.OPEN: ""}


def card(
    title: str,
    text: str,
    *,
    footer: str = "",
    buttons: tuple[ActionButton, ...] = (),
    colour: discord.Colour = BLUE,
    private: bool = True,
) -> Answer:
    """Return an answer or post with a heading, small print and buttons."""
    small = "\n".join(f"-# {line}" for line in footer.splitlines())
    parts = ("\n".join(part for part in (f"### {cut(title, TITLE_LIMIT)}", text, small) if part),)
    return Answer(parts=parts, buttons=buttons, colour=colour, private=private)


def long_answer(
    title: str,
    lines: Sequence[str],
    *,
    file_name: str,
    private: bool = False,
    head: str = "",
    room: int = CARD_LIMIT,
    buttons: tuple[ActionButton, ...] = (),
) -> Answer:
    """Return lines as a card; of what does not fit into `room` characters the whole is in a file."""
    parts = pages([head, *lines] if head else lines, room)
    if len(parts) <= 1:
        return card(title, parts[0] if parts else "Nothing yet.", private=private, buttons=buttons)
    whole = "\n".join(plain(line) for line in lines)
    made = card(title, f"{parts[0]}\n…\nThe whole list is in the file.", private=private, buttons=buttons)
    return replace(made, parts=(*made.parts, Attached(file_name, whole)))


BESIDE_MENTIONS = 1900
"""Characters of a list in a message that mentions as many people as it can."""


def plain(line: str) -> str:
    """Return a line of Markdown as text for a file."""
    for mark in ("**", "\\", "\N{ZERO WIDTH SPACE}"):
        line = line.replace(mark, "")
    return line


def mention(discord_id: int | None, name: str) -> str:
    """Return a player's name, with the mention that leads to their profile."""
    return f"**{shown(name)}**" + (f" (<@{discord_id}>)" if discord_id is not None else "")


def pings(ids: Sequence[int], roles: Sequence[int] = ()) -> str:
    """Return mentions of roles and players."""
    return " ".join([*(f"<@&{role_id}>" for role_id in roles), *(f"<@{user}>" for user in ids)])


def round_title(view: RoundView) -> str:
    """Return the heading of a round."""
    return f"{shown(view.league.name)}, season {view.season.number}: {in_sentence(view.round.name)}"


def match_line(view: MatchView) -> str:
    """Return a match on one line: number, names, and the result when there is one."""
    number = f"{view.match.name}:" if view.match.name else f"{view.match.position}."
    line = f"{STATE_MARKS[view.match.state]} **{number}** {shown(view.pairing)}"
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
    if round_.stage is Stage.FINALS:
        return f"Bye: {names}. Through to the next round."
    return f"Bye: {names}. {'It counts as a win' if len(byes) == 1 else 'Each counts as a win'}."


def sitting_out_line(people: Sequence[EntrantRow]) -> str:
    """Return everyone who sits a round out, and what it means; nothing where no one does."""
    if not people:
        return ""
    names = [f"**{quoted(one.called, 40)}**" for one in people[:_NAMED]]
    names += [f"{len(people) - _NAMED} more"] if len(people) > _NAMED else []
    verb, counts = ("sits", "It counts as a loss") if len(people) == 1 else ("sit", "Each counts as a loss")
    return f"{listed(names)} {verb} out this round. {counts}."


_NAMED = 12
"""As many of those who sit a round out as are named."""


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
    return [*(match_line(match) for match in view.matches), *byes, *away]


def round_head(view: RoundView) -> str:
    """Return what holds for every match of a round: how many games, until when."""
    games = "Single games" if view.best_of == 1 else f"Best of {view.best_of}"
    by_hand = f"\nChanged by an organiser: {shown(view.round.by_hand)}" if view.round.by_hand else ""
    if view.round.deadline is not None:
        until = f" · play by {when(view.round.deadline)}"
    else:
        until = f"\n{CLOCK_TO_COME}" if view.round.phase is RoundPhase.OPEN else ""
    return f"{games}{until}{by_hand}"


CLOCK_TO_COME = "⏱️ A live round: an organiser starts its clock. It warns 10 and 5 minutes before the end."


def round_answer(view: RoundView, *, note: str) -> Answer:
    """Return a round with all its matches, for organisers, below a note."""
    head = f"{note}\n{round_head(view)}"
    name = f"round-{view.round.number}.txt"
    return long_answer(round_title(view), round_lines(view), file_name=name, private=True, head=head)


def record(row: Standing) -> str:
    """Return wins-losses, with draws where there are any."""
    return score(row.wins, row.losses, *((row.draws,) if row.draws else ()))


def show_button(label: str, league_id: LeagueId, number: int | None) -> ActionButton:
    """Return the button that shows the standings, the bracket or the rules of a season."""
    return SHOW.button(label, league_id, extra=f"{label.lower()}:{number}")


def rating_words(rating: ShownRating) -> str:
    """Return a rating with its uncertainty; a star where it is provisional."""
    star = "\\*" if rating.provisional else ""
    return f"rating {rating.value} ± {rating.uncertainty}{star}"


def moved(places: int | None) -> str:
    """Return how a player moved in the last round."""
    return f" {'▲' if places > 0 else '▼'}{abs(places)}" if places else ""


def standing_line(line: TableRow, tiebreaks: Mapping[str, TiebreakName], own: str | None = None) -> str:
    """Return one player's line of the standings; that of the person who asks is the bold one."""
    row = line.standing
    name = in_bold(line.called) if row.name == own else shown(line.called)
    parts = [f"**{row.rank}.**{moved(line.movement)} {name} · {record(row)}"]
    if row.points != row.wins:
        parts.append(f"{row.points} p")
    values = printed(row.tiebreaks)
    parts += [f"{name.short} {values[key]}" for key, name in tiebreaks.items() if key in values]
    parts += [rating_words(line.rating)] if line.rating else []
    # A player with a place in the finals is out of them, or has won them; at the end the rank is their place.
    place = "" if row.place in (None, row.rank) else f" · place {row.place}"
    status = (
        "" if row.place and row.status is Status.ELIMINATED else STATUS_WORDS[row.status] or _VERDICTS[line.verdict]
    )
    drawn = " · tied, by the draw" if line.drawn else ""
    return " · ".join(parts) + place + status + drawn


def bracket_lines(view: BracketView) -> list[str]:
    """Return a bracket round by round: results, states, byes, and who comes into the matches that aren't paired yet."""
    lines: list[str] = []
    order = {match.name: at for at, match in enumerate(view.tree)}
    for round_ in view.rounds:
        lines.append(f"__{round_.round.name}__" + (f" · best of {round_.best_of}" if round_.best_of > 1 else ""))
        lines += [
            _bracket_line(match) for match in sorted(round_.matches, key=lambda match: order.get(match.match.name, 0))
        ]
        lines += [bye_line(bye, round_.round) for bye in round_.byes]
        lines.append("")
    to_come = [match for match in view.tree if match.match is None and match.round > len(view.rounds)]
    lines += ["__Still to come__", *(_line_to_come(match, view) for match in to_come)] if to_come else []
    return lines


def _line_to_come(match: TreeMatch, view: BracketView) -> str:
    which = "Loser" if match.name == THIRD_PLACE else "Winner"
    names = [
        shown(view.called[slot.name] if slot.name else f"{which} of {in_sentence(slot.source or '')}")
        for slot in match.slots
    ]
    return f"{match.name}: {' v '.join(names)}"


def _bracket_line(view: MatchView) -> str:
    won = view.match.winner_id
    names = [f"**{shown(side.called)}**" if side.id == won else shown(side.called) for side in view.sides]
    games = "" if view.result.games is None else f" {score(*view.result.games)}"
    name = "" if view.match.name == view.round.name else f"{view.match.name}: "
    return f"{STATE_MARKS[view.match.state]} {name}{names[0]} v {names[1]}{games}"


def in_bold(name: str) -> str:
    """Return a name as the line of the person who asks shows it."""
    return f"**{shown(name)}**"


def ranking_lines(view: RankingView) -> list[str]:
    """Return a league's ratings, the best first; those that are provisional stand apart, without a place."""
    settled = [one for one in view.players if not one.rating.provisional]
    others = [one for one in view.players if one.rating.provisional]
    lines = [f"**{place}.** {_rated(one, view.own)}" for place, one in enumerate(settled, start=1)]
    heading = f"__Provisional, until {ENOUGH_MATCHES} rated matches__"
    return [*lines, *([heading] if others else []), *(f"• {_rated(one, view.own)}" for one in others)]


def _rated(one: Ranked, own: str | None) -> str:
    rating = f"**{one.rating.value}** ± {one.rating.uncertainty}"
    name = in_bold(one.name) if one.name == own else shown(one.name)
    return f"{name} · {rating} · {count(one.matches, 'match', 'matches')}"


def league_line(league: LeagueRow) -> str:
    """Return where a league speaks and who runs it."""
    moderation = f"<#{league.moderation_channel_id}>" if league.moderation_channel_id else "the league's channel"
    organisers = f"<@&{league.organiser_role_id}>" if league.organiser_role_id else "everyone with Manage Server"
    moderators = f"<@&{league.moderator_role_id}>" if league.moderator_role_id else "the organisers"
    return f"""Channel: <#{league.channel_id}>
Moderators' posts: {moderation}
Organisers: {organisers}
Moderators: {moderators}
Time zone: {shown(league.time_zone)}"""
