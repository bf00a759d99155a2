"""Joining a season: what is asked and agreed to first, a role that's needed, places offered, check-in, invitations."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any

from bot.league.errors import Invalid
from bot.league.formats.shared.words import ordinal
from bot.league.season.in_words import amount
from bot.league.season.names import look_alike_key
from bot.league.season.phases import PLAYING
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.reads.board import BoardPost
from bot.services.seasons.invitations import INVITATION, InvitationPost
from bot.services.signups import check_in, names_in_game, recognising, signing_up, waiting_list
from bot.services.signups.approval import Asks
from bot.services.signups.check_in import CHECK_IN, CheckInPost
from bot.services.signups.free_places import PLACE, PlacePost
from bot.services.signups.names_in_game import AnswerNeeded
from bot.services.signups.recognising import Claimed, PerhapsYou
from bot.services.signups.signing_up import LateEntry, RoleNeeded, SignedUp, missed_rounds
from bot.services.signups.waiting_list import Waits
from cogs.signups.claiming import PlayerNameForm, are_you, claimed, way_out
from cogs.signups.names_in_game import OpponentsForm, seen_by_opponents
from cogs.ui.actions import SUCCESS, Doing, Press, action, yes_or_no
from cogs.ui.cards import AMBER, BESIDE_MENTIONS, Answer, Attached, card
from cogs.ui.commands import LeagueCog, Option, command
from cogs.ui.context import Caller, Interaction, caller
from cogs.ui.other_members import someone_else_is_called
from cogs.ui.posts import renders
from cogs.ui.questions import Then, question
from cogs.ui.replies import Reply
from cogs.ui.text import quoted, season_title, shown, when
from storage.rows import LeagueId, PlayerId
from storage.tables.signups.waitlist import WaitingId

Typed = Mapping[str, str | None]
_LONGEST_ADDED = 100
"""Characters of a text typed for another subject: so many fit the question before joining beside the longest rules."""


@dataclass(frozen=True, slots=True)
class Added(Option):
    """An option of another subject: what it takes, the command that takes more of it, and what became of the text.

    `outcome` is asked without a text too, and says nothing or a sentence with a space before it.
    """

    what: str
    instead: str
    outcome: Callable[[SignedUp | Waits, str], str]


ADDED: list[Added] = []
"""What can be typed with a sign-up for other subjects; filled by `cogs.wiring`."""


JOINED: list[Callable[[Caller], Awaitable[Answer | None]]] = []
"""What other subjects ask someone who has joined, below what they're told; filled by `cogs.wiring`."""


class Signup(LeagueCog):
    """Sign-ups of players."""

    @command(form=True, added=ADDED, name="Your permanent name in this league; your display name if left out")
    async def signup(
        self,
        asker: Caller,
        name: str | None = None,
        **typed: str | None,
    ) -> Reply:
        """Join the season while sign-ups are open, or later if its rules allow it."""
        for added in ADDED:
            if len(typed.get(added.name) or "") > _LONGEST_ADDED:
                most = f"With a sign-up {added.what} has at most {_LONGEST_ADDED} characters."
                raise Invalid(f"{most} Join, then use {added.instead}.")
        return await _join(asker, name, typed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreed:
    """What someone who joins has been asked: the first round they would play, the rules, and another's name.

    `answer` is what they typed for their opponents, `claims_to_be` the player of the past they say they are; or they
    are `someone_else`.
    """

    first: int = 1
    rules: str = ""
    name: bool = False
    answer: str | None = None
    claims_to_be: PlayerId | None = None
    someone_else: bool = False


@action("join", form=True)
async def join(press: Press, league: LeagueId) -> Reply:
    """Join the season of the league."""
    return await _join(press.who.of(league))


async def _join(
    asker: Caller, name: str | None = None, typed: Typed = MappingProxyType({}), agreed: Agreed | None = None
) -> Reply:
    league, agreed = asker.league_id, agreed or Agreed()

    def again(**values: Any) -> Then:
        return lambda press: _join(press.who.of(league), name, typed, replace(agreed, **values))

    def ask(title: str, text: str, yes: str, then: Then) -> Answer:
        return question("join", title, text, yes=yes, no="Stay out", then=then, style=SUCCESS)

    if not agreed.name and await _takes_anothers_name(asker, name):
        called = quoted(name or "")
        text = f"Someone else on this server is called {called}. If you take that name, people will mix you two up."
        text = f"{text} To choose another, use `/signup` again."
        return ask("Take this name?", text, "Take it and join", again(name=True))
    try:
        given: Any = {"agreed": agreed.first, "rules": agreed.rules, "answer": agreed.answer}
        given |= {"claims_to_be": agreed.claims_to_be, "someone_else": agreed.someone_else}
        done = await asker.enter(
            asker.live_season, signing_up.sign_up, display_name=asker.actor.name, name=name, typed=typed, **given
        )
    except RoleNeeded as needed:
        return _needs_role(asker.interaction, needed)
    except ConfirmationNeeded as asked:
        title = "The league's rules have changed" if asked.changed else "The league's rules"
        return ask(title, asked.cost, "I agree, join", again(rules=asked.token))
    except LateEntry as late:
        return ask("Join late?", str(late), "Join anyway", again(first=late.first))
    except PerhapsYou as perhaps:
        me, taken = perhaps.past.player.id, perhaps.taken

        async def under(interaction: Interaction, other: str) -> Reply:
            return await _join(caller(interaction).of(league), other, typed)

        async def another_name(press: Press) -> Reply:
            return PlayerNameForm("Choose another name", "Your name in this league", under)

        return are_you(perhaps, again(claims_to_be=me), another_name if taken else again(someone_else=True))
    except AnswerNeeded as needed:

        async def join_with(interaction: Interaction, typed_answer: str) -> Reply:
            return await _join(caller(interaction).of(league), name, typed, replace(agreed, answer=typed_answer))

        return OpponentsForm(needed.question, None, join_with)
    welcome = _welcome(done, typed, seen_by_opponents(await asker.read(names_in_game.own_if_asked)))
    for more in [] if isinstance(done, Claimed) else JOINED:
        asking = await more(asker)
        if asking is not None:
            welcome = replace(welcome, parts=(*welcome.parts, *asking.parts), colour=asking.colour)
    return welcome


@action("played-before", form=True)
async def played_before(press: Press, league: LeagueId) -> Reply:
    """Open the form in which someone finds themselves under the name they had in the league."""
    try:
        await press.who.of(league).read(signing_up.require_open_to)
    except RoleNeeded as needed:
        return _needs_role(press.interaction, needed)

    async def find(interaction: Interaction, name: str) -> Reply:
        asker = caller(interaction).of(league)
        await asker.read(recognising.require_known, name=name)
        return await _join(asker, name)

    return PlayerNameForm("Find yourself", "My name in this league was", find)


async def _takes_anothers_name(asker: Caller, name: str | None) -> bool:
    """Whether someone joins for the first time under a name that another member has."""
    me = asker.interaction.user
    if not name or look_alike_key(name) == look_alike_key(me.display_name):
        return False
    new = await asker.read(signing_up.names_a_newcomer, name=name)
    return new and await someone_else_is_called(asker.interaction.guild, name, but=me.id)


@yes_or_no("place")
async def take_place(press: Press, yes: bool, waiting: WaitingId, first: int) -> Reply:
    """Take the place that was offered, or leave it; `first` is the first round they know they would play."""
    if not yes:
        season = await press.who.write(waiting_list.decline, waiting_id=waiting)
        return Answer(
            text=f"You're off the waiting list of season {season.number}. The place is free for the next player."
        )
    try:
        about = partial(waiting_list.season_of, waiting_id=waiting)
        return _welcome(await press.who.enter(about, signing_up.take_place, waiting_id=waiting, agreed=first))
    except LateEntry as late:
        buttons = take_place(waiting, late.first).buttons("Join anyway", "No thanks")
        return card("Join late?", str(late), buttons=buttons)


@action("check-in")
async def stay_in(press: Press, league: LeagueId) -> Reply:
    """Note that a player is still in."""
    done = await press.who.of(league).write(check_in.check_in)
    number, closing = done.season.number, when(done.season.signups_close)
    already, now = f"You're already checked in for season {number}.", f"Checked in: you're in season {number}."
    return Answer(text=f"{already if done.already else now} It starts when sign-ups close, {closing}.")


def _needs_role(interaction: Interaction, needed: RoleNeeded) -> Answer:
    """Tell someone which role they need to join, and who gives it."""
    if interaction.guild is None:
        needs = f"Joining season {needed.number} needs a role, and your roles aren't known in a direct message."
        return Answer(text=f"{needs} Press **Join** in the league's channel, or use /signup there.")
    role = interaction.guild.get_role(needed.role_id)
    if role is None:
        gone = f"The role that's needed to join season {needed.number} isn't there any more."
        return Answer(text=f"{gone} Ask an organiser to choose another one.")
    text = f"Only members with {role.mention} can join season {needed.number}."
    return Answer(text=f"{text} Ask an organiser for the role, then try again.")


def who_can_join(post: BoardPost) -> Iterator[str]:
    """Yield which role members need to join, and that organisers let them in, for the board."""
    if post.settings.join_role is not None:
        yield f"🔑 Only members with <@&{post.settings.join_role}> can join."
    if post.settings.approval:
        yield "An organiser lets each player in who wants to join."


def _welcome(done: SignedUp | Waits | Asks | Claimed, typed: Typed = MappingProxyType({}), seen: str = "") -> Answer:
    """Return what someone who joined, or waits for a place, is told."""
    number, leave = done.season.number, way_out(done.season, "leave")
    if isinstance(done, Claimed):
        return claimed(done)
    if isinstance(done, Asks):
        asked = "You've already asked to join" if done.already else "You've asked to join"
        text = f"{asked} season {number}. You'll be told when an organiser answers."
        text += " Each round that begins before that counts as a loss." if done.season.phase in PLAYING else ""
        if done.first_time:
            text += f" **{shown(done.name)}** is your name in the league; an organiser can change it."
        return Answer(text=f"{text}{seen} {leave}")
    also = "".join(added.outcome(done, typed.get(added.name) or "") for added in ADDED) + seen
    if isinstance(done, Waits):
        full = "" if done.already else f"Season {number} is full. "
        text = f"{full}You're {ordinal(done.place)} on the waiting list."
        text += " When a place becomes free for you, you'll be asked."
        if done.first_time:
            text += f" **{shown(done.name)}** is your name in the league; an organiser can change it."
        return Answer(text=f"{text}{also} {leave}")
    name = shown(done.entrant.name)
    if done.already:
        return Answer(text=f"You're already in season {number} as **{name}**.{also} {leave}")
    fixed = " You keep this name in the league; an organiser can change it." if done.first_time else ""
    cost = f" {done.cost}" if done.cost else ""
    text = f"You're in season {number} as **{name}**; {amount(done.count, 'player')} so far.{fixed}{cost}{also}"
    return Answer(text=f"{text} {leave}")


WAYS_OUT: list[Callable[[LeagueId], Doing]] = []
"""What **Leave** does beside the question whether someone is still in; filled by `cogs.wiring`."""


@renders(PLACE)
def place_post(post: PlacePost) -> Answer:
    """Return the question whether the first player on the waiting list takes a free place."""
    number, cost = post.season.number, missed_rounds(post.first)
    text = f"A place in season {number} is free, and you're next. Do you want it?{f' {cost}' if cost else ''}"
    title = f"{shown(post.league.name)}: a place for {shown(post.waiting.name)}"
    until = f"Without an answer it goes to the next player {when(post.until)}."
    return card(
        title,
        f"{text}\n{until}",
        buttons=take_place(post.waiting.id, post.first).buttons("Take the place", "No thanks"),
        colour=AMBER,
    )


@renders(CHECK_IN)
def check_in_post(post: CheckInPost) -> Answer:
    """Return the question whether players are still in, with those who haven't said so."""
    waiting = post.waiting
    others = f"{amount(waiting, 'player waits', 'players wait')} for a place." if waiting else ""
    names = [shown(entrant.name) for entrant in post.silent]
    lines = [
        f"Still in? Press **I'm in** before sign-ups close {when(post.season.signups_close)}.",
        f"{others} If you don't, your place can go to someone who waits for one.".strip(),
        f"{post.asked - len(names)} of {post.asked} have checked in." if names else "✅ Everyone has checked in.",
    ]
    league = post.league.id
    buttons = (stay_in(league).button("I'm in", SUCCESS), *(out(league).button("Leave") for out in WAYS_OUT))
    title = f"{season_title(post)}: check-in"
    missing = f" Still missing: {', '.join(names)}" if names else ""
    if len(missing) <= BESIDE_MENTIONS - sum(map(len, lines)):
        return card(title, "\n".join([*lines[:2], lines[2] + missing]), buttons=buttons, colour=AMBER)
    answer = card(title, "\n".join([*lines, "Everyone still missing is in the file."]), buttons=buttons, colour=AMBER)
    return replace(
        answer, parts=(*answer.parts, Attached("missing.txt", "\n".join(entrant.name for entrant in post.silent)))
    )


@renders(INVITATION)
def invitation(post: InvitationPost) -> Answer:
    """Return the invitation of players who played before."""
    text = f"Sign-ups for season {post.season.number} are open. Press **Join** to play again."
    return card(shown(post.league.name), text, buttons=(join(post.league.id).button("Join", SUCCESS),))
