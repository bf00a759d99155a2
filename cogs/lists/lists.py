"""Army and deck lists: hand them in by a form or a file, read those that are revealed, answer late ones."""

from collections.abc import Iterator
from typing import Any

import discord
from discord import app_commands

from bot.league.errors import NotFound
from bot.league.formats import by_key
from bot.league.season.settings import Game
from bot.services.lists import handing_in, list_text, sight
from bot.services.lists.handing_in import HandedIn
from bot.services.lists.list_sets import Progress
from bot.services.lists.sight import OwnLists, Slot
from bot.services.reads.details import Details
from cogs.lists.list_cards import due, in_details, list_lines, texts_answer
from cogs.lists.list_rounds import ListRound
from cogs.play.match_card import OnCard
from cogs.ui.actions import ActionButton, Press, action
from cogs.ui.cards import AMBER, BLUE, Answer, Attached, card
from cogs.ui.commands import LeagueCog, command
from cogs.ui.context import Caller, Interaction, caller
from cogs.ui.forms import Form
from cogs.ui.options.names import PlayerName, SeasonNumber
from cogs.ui.options.uploads import data_of
from cogs.ui.replies import Reply
from cogs.ui.text import CARD_LIMIT, count, quoted, relative, shown
from storage.rows import LeagueId, MatchId

_MOST_LISTS = 5
_MOST_NAMED = 25


class Lists(LeagueCog):
    """Lists of players."""

    @command(
        form=True,
        number="Which of your lists, if the season takes several",
        round="Which round it's for, if each has its own lists",
        file="The list as a text file; leave it out to type or paste it",
        player="Whose lists you want to read",
    )
    async def list_(
        self,
        who: Caller,
        number: app_commands.Range[int, 1, _MOST_LISTS] | None = None,
        round: ListRound | None = None,
        file: discord.Attachment | None = None,
        player: PlayerName | None = None,
        season: SeasonNumber | None = None,
    ) -> Reply:
        """Hand in your army or deck list, or read lists that are revealed."""
        if player is not None:
            found = await who.see(sight.of_player, player=player, number=season)
            return texts_answer(f"Lists of {shown(found[0].owner.called)}", found)
        if file is not None:
            return handed_in(await who.do(handing_in.hand_in, text=await _text_of(file), number=number, round=round))
        own = await who.see(sight.own_lists)
        return overview(own) if number is None and round is None else ListForm(own, _slot(own, number or 1, round))


async def _text_of(file: discord.Attachment) -> str:
    most = list_text.LARGEST_LIST_FILE
    return list_text.from_file(await data_of(file, largest=most, too_large=list_text.too_large(file.size)))


def _slot(own: OwnLists, number: int, round_: int | None) -> Slot:
    """Return the list meant, without a round the first that can still be handed in; raises NotFound."""
    there = [slot for slot in own.slots if slot.number == number and round_ in (None, slot.scope.round)]
    ready = [slot for slot in there if slot.row is None or slot.row.sealed_at is None]
    if not (ready or there):
        raise NotFound("There's no such list to hand in now. `/list` shows which are due.")
    return (ready or there)[0]


@action("list", form=True)
async def hand_in(press: Press, league: LeagueId, number: int, round_: int | None) -> Reply:
    """Open the form of one list."""
    own = await press.who.of(league).see(sight.own_lists)
    return ListForm(own, _slot(own, number, round_))


@action("my-lists")
async def show_my_lists(press: Press, league: LeagueId) -> Reply:
    """Show someone their own lists."""
    who = press.who.of(league)
    own = await who.see(sight.own_lists)
    if own.entrant is None:
        raise NotFound(f"You're not in season {own.season.number}.")
    return texts_answer("Your lists", await who.see(sight.of_player, player=own.entrant.name))


@action("lists")
async def show_match_lists(press: Press, match: MatchId) -> Reply:
    """Show the lists of a match, as far as this person can read them."""
    return texts_answer("Lists of this match", await press.who.see(sight.of_match, match_id=match))


class ListForm(Form):
    """The form of one list, with what was handed in so far."""

    def __init__(self, own: OwnLists, slot: Slot) -> None:
        which = f"list {slot.number}" if own.rules.number > 1 else "list"
        super().__init__(f"Your {which} for {slot.words}")
        self._league_id = own.league.id
        self._meant: dict[str, Any] = {"number": slot.number, "round": slot.scope.round}
        self._link = self._ask_link() if _plays_keyforge(own) else None
        note = "Only you can read it until it's revealed."
        most = list_text.LONGEST_LIST
        self._text = self.ask("text", "Your list", limit=most, note=note, required=False, long=True)
        self._text.default = None if slot.row is None else slot.row.text
        self._file = discord.ui.FileUpload[Any](custom_id="file", required=False, max_values=1)
        self.add_item(discord.ui.Label(text="Or a text file", component=self._file))

    def _ask_link(self) -> discord.ui.TextInput[Any]:
        hint = "https://www.keyforgegame.com/deck-details/..."
        return self.ask("link", "Link of the deck", limit=200, hint=hint, required=False)

    async def answer(self, interaction: Interaction) -> Reply:
        """Hand in what was typed, or the file."""
        text = await _text_of(self._file.values[0]) if self._file.values else self._text.value
        link = self._link.value.strip() if self._link is not None else ""
        if link:
            text = "\n".join(filter(None, [list_text.deck_link(link), text]))
        who = caller(interaction).of(self._league_id)
        return handed_in(await who.do(handing_in.hand_in, **self._meant, text=text))


def _plays_keyforge(own: OwnLists) -> bool:
    game = own.season.settings.get("game") or by_key(own.season.format).game
    return game == Game.KEYFORGE


def handed_in(done: HandedIn) -> Answer:
    """Return a list as it was kept, with what becomes of it."""
    text = done.row.text or ""
    which = f"list {done.row.number}" if done.rules.number > 1 else "list"
    title = f"Your {which} for {shown(done.words)} is {'replaced' if done.replaced else 'in'}"
    if done.row.late:
        state = "It came late, which is marked, and it's sealed: it can't change any more."
    else:
        state = f"You can change it until it's due: {due(done.rules, done.scope, done.words)}. Only you can read it."
    said = list_lines(text)
    made = card(
        title, f"{state}\n\n{said}" if len(said) <= CARD_LIMIT - 200 else state, colour=AMBER if done.row.late else BLUE
    )
    if len(said) <= CARD_LIMIT - 200:
        return made
    return Answer(parts=(*made.parts, Attached("list.txt", text)), colour=made.colour)


def overview(own: OwnLists) -> Answer:
    """Return what someone is to hand in, and for moderators who has handed in."""
    lines = [f"Each player hands in: {own.rules.words}.", *(_slot_line(own, slot) for slot in own.slots)]
    lines += [line for one in own.progress for line in _progress_lines(one)]
    if not own.slots and not own.progress:
        lines.append("Nothing to hand in now. `/list player:` shows the lists that are revealed.")
    title = f"{shown(own.league.name)}, season {own.season.number}: lists"
    return card(title, "\n".join(lines), buttons=tuple(_buttons(own)))


def _slot_line(own: OwnLists, slot: Slot) -> str:
    which = f"List {slot.number}" if own.rules.number > 1 else "Your list"
    return f"{which} for {shown(slot.words)}: {_slot_state(own, slot)}"


def _slot_state(own: OwnLists, slot: Slot) -> str:
    row, until = slot.row, due(own.rules, slot.scope, slot.words)
    if row is None:
        return "missing, and late" if slot.scope.sealed_at else f"missing. Due {until}"
    if row.sealed_at is not None:
        return f"✅ sealed{', late,' if row.late else ''} `{row.sha256}`"
    return f"✅ handed in {relative(row.handed_in_at)}. You can change it until it's due: {until}"


def _progress_lines(one: Progress) -> list[str]:
    there = len(one.expected) - len(one.missing)
    named = ", ".join(quoted(entrant.called, 60) for entrant in one.missing[:_MOST_NAMED])
    more = f" and {len(one.missing) - _MOST_NAMED} more" if len(one.missing) > _MOST_NAMED else ""
    missing = [f"Missing: {named}{more}"] if one.missing else []
    return [f"**Lists for {shown(one.words)}:** {there} of {count(len(one.expected), 'player')}", *missing]


def _buttons(own: OwnLists) -> list[ActionButton]:
    ready = [slot for slot in own.slots if slot.row is None or slot.row.sealed_at is None]
    several = len({slot.scope.id for slot in ready}) > 1
    made = [hand_in(own.league.id, slot.number, slot.scope.round).button(_label(own, slot, several)) for slot in ready]
    there = any(slot.row is not None for slot in own.slots)
    return [*made, *([show_my_lists(own.league.id).button("Show my lists")] if there else [])]


def _label(own: OwnLists, slot: Slot, several: bool) -> str:
    which = f"list {slot.number}" if own.rules.number > 1 else "list"
    where = f" for {slot.words}" if several else ""
    return f"{'Hand in' if slot.row is None else 'Change'} {which}{where}"


def _looks(found: Details) -> Iterator[ActionButton]:
    if found.lists:
        yield show_match_lists(found.match.match.id).button("Lists")


ON_CARD = OnCard(sections=lambda found: (in_details(found.lists, found.list_to_do, shared=found.shared),), looks=_looks)
