"""Army and deck lists: handed in by a form or a file, sealed, missing, and read once they are revealed."""

from collections.abc import Iterator, Sequence
from typing import Any

import discord
from discord import app_commands

from bot.league.errors import NotFound
from bot.league.formats import by_key
from bot.league.season.choices import Game
from bot.league.season.in_words import amount, capitalised
from bot.league.season.list_rules import ListRules, SecretUntil
from bot.services.lists import handing_in, list_text, visibility
from bot.services.lists.handing_in import HandedIn
from bot.services.lists.list_posts import LISTS_MISSING, SEALS, MissingListsPost, SealsPost
from bot.services.lists.list_sets import due_words
from bot.services.lists.list_text import is_deck_link
from bot.services.lists.visibility import MatchLists, OwnLists, SeenList, Slot
from bot.services.reads.board import BoardPost
from bot.services.reads.details import Details
from bot.services.signups.signing_up import SignedUp
from bot.services.signups.waiting_list import Waits
from cogs.play.match_card import OnCard
from cogs.ui.actions import ActionButton, Press, action
from cogs.ui.cards import AMBER, BLUE, Answer, Attached, Part, card
from cogs.ui.commands import LeagueCog, command
from cogs.ui.context import Caller, Interaction, asked, caller
from cogs.ui.forms import Field, Form
from cogs.ui.options.names import Pairs, PlayerName, SeasonNumber, Suggestions
from cogs.ui.options.uploads import text_of
from cogs.ui.posts import renders
from cogs.ui.replies import Reply
from cogs.ui.text import CARD_LIMIT, cut, quoted, relative, season_title, shown, urgent, with_commands
from storage import rules_season
from storage.rows import LeagueId, MatchId
from storage.tables.lists import ListRow, ListSetRow

_MOST_LISTS = 5
_MOST_NAMED = 25
_TEXTS = 3_000
"""Characters of all texts in one message."""
MOST_TEXTS = 10
"""As many files as one message takes."""


async def _list_rounds(interaction: Interaction, typed: str) -> Pairs:
    own = await (await asked(interaction, interaction.namespace.league)).read(visibility.own_lists)
    rounds = {slot.scope.round: slot.words for slot in own.slots if slot.scope.round is not None}
    return [(capitalised(words), number) for number, words in rounds.items()]


ListRound = app_commands.Transform[int, Suggestions(_list_rounds, discord.AppCommandOptionType.integer)]


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
        asker: Caller,
        number: app_commands.Range[int, 1, _MOST_LISTS] | None = None,
        round: ListRound | None = None,
        file: discord.Attachment | None = None,
        player: PlayerName | None = None,
        season: SeasonNumber | None = None,
    ) -> Reply:
        """Hand in your army or deck list, or read lists that are revealed."""
        if player is not None:
            seen_lists = await asker.read(visibility.of_player, player=player, number=season)
            return texts_answer(f"Lists of {shown(seen_lists[0].owner.called)}", seen_lists)
        if file is not None:
            return handed_in(
                await asker.write(handing_in.hand_in, text=await text_of(file), number=number, round=round)
            )
        if number is None and round is None:
            return overview(await asker.read(visibility.own_lists))
        return await _form(asker, number or 1, round)


def _slot(own: OwnLists, number: int, round_: int | None) -> Slot:
    """Return the list meant, without a round the first that can still be handed in; raises NotFound."""
    slots = [slot for slot in own.slots if slot.number == number and round_ in (None, slot.scope.round)]
    ready = [slot for slot in slots if slot.row is None or slot.row.sealed_at is None]
    if not (ready or slots):
        raise NotFound("There's no such list to hand in now. /list shows which are due.")
    return (ready or slots)[0]


@action("list", form=True)
async def hand_in(press: Press, league: LeagueId, number: int, round_: int | None) -> Reply:
    """Open the form of one list."""
    return await _form(press.who.of(league), number, round_)


async def _form(asker: Caller, number: int, round_: int | None) -> Form:
    own = await asker.read(visibility.own_lists)
    slot = _slot(own, number, round_)
    await asker.read(handing_in.require_open, number=number, round_=slot.scope.round)
    return ListForm(own, slot)


@action("my-lists")
async def show_my_lists(press: Press, league: LeagueId) -> Reply:
    """Show someone their own lists."""
    asker = press.who.of(league)
    own = await asker.read(visibility.own_lists)
    if own.entrant is None:
        raise NotFound(f"You're not in season {own.season.number}.")
    return texts_answer("Your lists", await asker.read(visibility.of_player, player=own.entrant.name))


@action("lists")
async def show_match_lists(press: Press, match: MatchId) -> Reply:
    """Show the lists of a match, as far as this person can read them."""
    return texts_answer("Lists of this match", await press.who.read(visibility.of_match, match_id=match))


class ListForm(Form):
    """The form of one list, with what was handed in so far."""

    def __init__(self, own: OwnLists, slot: Slot) -> None:
        super().__init__(f"Your {_which(own.rules, slot.number)} for {slot.words}")
        self._league_id = own.league.id
        self._meant: dict[str, Any] = {"number": slot.number, "round": slot.scope.round}
        self._link: Field | None = None
        if by_key(own.season.format).game_of(rules_season.settings_of(own.season)) is Game.KEYFORGE:
            hint = "https://www.keyforgegame.com/deck-details/..."
            self._link = self.ask("link", "Link of the deck", limit=200, hint=hint, required=False)
        note = "Only you can read it until it's revealed."
        most = list_text.LONGEST_LIST
        self._text = self.ask("text", "Your list", limit=most, note=note, required=False, long=True)
        self._text.default = None if slot.row is None else slot.row.text
        self._file = discord.ui.FileUpload[Any](custom_id="file", required=False, max_values=1)
        self.add_item(discord.ui.Label(text="Or a text file", component=self._file))

    async def answer(self, interaction: Interaction) -> Reply:
        """Hand in what was typed, or the file."""
        text = await text_of(self._file.values[0]) if self._file.values else self._text.value
        link = self._link.value.strip() if self._link is not None else ""
        if link:
            text = "\n".join(filter(None, [list_text.deck_link(link), text]))
        asker = caller(interaction).of(self._league_id)
        return handed_in(await asker.write(handing_in.hand_in, **self._meant, text=text))


def handed_in(done: HandedIn) -> Answer:
    """Return a list as it was kept, with what becomes of it."""
    text = done.row.text or ""
    which = _which(done.rules, done.row.number)
    title = f"Your {which} for {shown(done.words)} is {'replaced' if done.replaced else 'in'}"
    if done.row.late:
        state = "It came late, which is marked, and it's sealed: it can't change any more."
    else:
        state = f"You can change it until it's due: {due(done.rules, done.scope, done.words)}. Only you can read it."
    lines, colour = list_lines(text), AMBER if done.row.late else BLUE
    if len(lines) <= CARD_LIMIT - 200:
        return card(title, f"{state}\n\n{lines}", colour=colour)
    return Answer(parts=(*card(title, state).parts, Attached("list.txt", text)), colour=colour)


def overview(own: OwnLists) -> Answer:
    """Return what someone is to hand in, and for moderators who has handed in."""
    lines = [f"Each player hands in: {own.rules.words}."]
    for slot in own.slots:
        which = f"List {slot.number}" if own.rules.number > 1 else "Your list"
        lines.append(f"{which} for {shown(slot.words)}: {_state_of(own, slot)}")
    for progress in own.progress:
        count = len(progress.expected) - len(progress.missing)
        lines.append(f"**Lists for {shown(progress.words)}:** {count} of {amount(len(progress.expected), 'player')}")
        named = ", ".join(quoted(entrant.called, 60) for entrant in progress.missing[:_MOST_NAMED])
        more = f" and {len(progress.missing) - _MOST_NAMED} more" if len(progress.missing) > _MOST_NAMED else ""
        lines += [f"Missing: {named}{more}"] if progress.missing else []
    if not own.slots and not own.progress:
        lines.append("Nothing to hand in now. `/list player:` shows the lists that are revealed.")
    ready = [slot for slot in own.slots if slot.row is None or slot.row.sealed_at is None]
    several = len({slot.scope.id for slot in ready}) > 1
    buttons: list[ActionButton] = []
    for slot in ready:
        where = f" for {slot.words}" if several else ""
        label = f"{'Hand in' if slot.row is None else 'Change'} {_which(own.rules, slot.number)}{where}"
        buttons.append(hand_in(own.league.id, slot.number, slot.scope.round).button(label))
    if any(slot.row is not None for slot in own.slots):
        buttons.append(show_my_lists(own.league.id).button("Show my lists"))
    title = f"{season_title(own)}: lists"
    return card(title, "\n".join(lines), buttons=tuple(buttons))


def _state_of(own: OwnLists, slot: Slot) -> str:
    row, until = slot.row, due(own.rules, slot.scope, slot.words)
    if row is None:
        return "missing, and late" if slot.scope.sealed_at else f"missing. Due {until}"
    if row.sealed_at is not None:
        return f"✅ sealed{', late,' if row.late else ''} `{row.sha256}`"
    return f"✅ handed in {relative(row.handed_in_at)}. You can change it until it's due: {until}"


@renders(SEALS)
def seals(post: SealsPost) -> Answer:
    """Return the fingerprints of the lists of a set, or of one that came late."""
    late = any(row.late for _, row in post.sealed)
    of = f" ({post.page} of {post.pages})" if post.pages > 1 else ""
    title = f"Lists for {shown(post.words)}: {'handed in late' if late else 'sealed'}{of}"
    secret = {
        SecretUntil.MATCH: "Opponents read them in **Details** of their match, everyone after the season.",
        SecretUntil.END: "Everyone can read them when the season ends.",
    }
    revealed = "Everyone can read them now: `/list player:`, or **Details** of a match."
    lines = [revealed if post.scope.revealed_at else secret.get(post.rules.secret, "")]
    for name, row in post.sealed:
        number = f" {row.number}" if post.rules.number > 1 else ""
        lines.append(f"**{quoted(name, 40)}**{number} `{row.sha256}`")
    why = "-# The SHA-256 of a secret key and the list: no one can change a list unseen."
    return card(title, "\n".join([*lines, why]))


@renders(LISTS_MISSING)
def missing(post: MissingListsPost) -> Answer:
    """Return the reminder of players without their lists, before they are due or after."""
    several = post.rules.number > 1
    what = "lists" if several else "list"
    if post.scope.sealed_at is not None:
        are, them, they = ("are", "them", "they're") if several else ("is", "it", "it's")
        hand_in = f"Hand {them} in with `/list`: {they} sealed at once."
        text = f"Your {what} for {shown(post.words)} {are} still missing. {hand_in}"
    else:
        until = due(post.rules, post.scope, post.words)
        text = f"Hand in your {what} for {shown(post.words)} with `/list`. Due {until}."
    return card(f"{shown(post.league.name)}: your {what}, please", text, colour=AMBER)


def due(rules: ListRules, scope: ListSetRow, words: str) -> str:
    """Return when lists are due: a moment, or what they have to be there before."""
    return urgent(scope.due_at) if scope.due_at else shown(due_words(rules, words))


def texts_answer(title: str, lists: Sequence[SeenList]) -> Answer:
    """Return lists to the person who may read them, each with a file to check what sealed it."""
    latest = lists[-MOST_TEXTS:]
    parts: list[Part] = [f"### {cut(title, 200)}"]
    for list_ in latest:
        row, name = list_.row, f"list-{list_.row.id}.txt"
        head = f"**{quoted(list_.owner.called, 60)}** · list {row.number} for {shown(list_.words)}"
        if row.text is None or row.key is None:
            hidden = "not in the imported file" if list_.scope.revealed_at else "still secret"
            parts.append(f"{head}\n-# Sealed, {hidden}: `{row.sha256}`")
            continue
        check = f"-# To check: download the file. `sha256sum {name}` prints\n-# `{row.sha256}`"
        parts.append(f"{head}\n{cut(list_lines(row.text), _TEXTS // len(latest))}")
        parts.append("-# Not sealed yet: only you can read it." if row.sha256 is None else check)
        parts.append(Attached(name, f"{row.key}/{row.text}"))
    return Answer(parts=tuple(parts), colour=BLUE)


def _which(rules: ListRules, number: int) -> str:
    return f"list {number}" if rules.number > 1 else "list"


def list_lines(text: str) -> str:
    """Return a list as Discord shows it: as it was typed, the link of a deck to click."""
    return "\n".join(f"<{line}>" if is_deck_link(line) else shown(line) for line in text.split("\n"))


def _section(details: Details) -> Iterator[str]:
    """Yield which lists the players play a match with, as far as they're sealed or one's own, and what to hand in."""
    lines: list[str] = []
    match_lists = details.part(MatchLists)
    if match_lists is None:
        return
    for list_ in match_lists.lists:
        late = ", late" if list_.row.late else ""
        if list_.row.sealed_at is None:
            state = "handed in, only you can read it"
        elif list_.is_hidden and not details.shared:  # in a thread each player can read other lists
            state = f"still secret{late}"
        else:
            state = f"sealed {relative(list_.row.sealed_at)}{late}"
        lines.append(f"{quoted(list_.owner.called, 60)}: list {list_.row.number}, {state}")
    lines += [with_commands(match_lists.to_do)] if match_lists.to_do else []
    if lines:
        yield "\n".join(["**Lists**", *lines])


def _looks(details: Details) -> Iterator[ActionButton]:
    match_lists = details.part(MatchLists)
    if match_lists is not None and match_lists.lists:
        yield show_match_lists(details.match.match.id).button("Lists")


ON_CARD = OnCard(sections=_section, looks=_looks)


def before_start(post: BoardPost) -> Iterator[str]:
    """Yield which lists the season takes and until when, for the board while sign-ups are open."""
    rules, closing = post.settings.lists, post.season.signups_close
    if rules is not None:
        what = "your list" if rules.number == 1 else f"your {rules.number} lists"
        due = f"until {urgent(closing)}" if closing and not rules.due_hours else due_words(rules, "round 1")
        yield f"📋 Hand in {what} with `/list` {due}.{''.join(f' {line}.' for line in post.also)}"


def deck_words(done: SignedUp | Waits, deck: str) -> str:
    """Return what became of a deck typed with a sign-up, or that the season wants lists."""
    kept = None if isinstance(done, Waits) else done.kept.get("deck")
    if isinstance(kept, ListRow):
        late = " It came late, which is marked." if kept.late else ""
        return f" Your list: {quoted(kept.text or '', 600)}.{late} `/list` shows and changes it."
    if rules_season.settings_of(done.season).lists is None:
        return " This season takes no lists, so your deck wasn't kept." if deck else ""
    if not isinstance(done, Waits):
        return " This season takes lists: hand in yours with `/list`."
    no_place = " Your list wasn't kept, because you have no place yet. Once you have one, hand it in with `/list`."
    return no_place if deck else ""
