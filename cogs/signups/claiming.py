"""People who played before: the question who they are, what organisers answer, and taking a wrong Yes back."""

from collections.abc import Awaitable, Callable, Iterator
from functools import partial

from bot.league.season.phases import PLAYING
from bot.services.base.outbox import NoticePost
from bot.services.signups import claim_answers
from bot.services.signups.recognising import CLAIM_ANSWER, CLAIMS, Claimed, ClaimsPost, Past, PerhapsYou
from cogs.ui.actions import DANGER, SUCCESS, ActionButton, Press, action, yes_or_no
from cogs.ui.cards import AMBER, GREY, Answer, Part, card
from cogs.ui.context import Interaction
from cogs.ui.forms import Form
from cogs.ui.other_members import has_left
from cogs.ui.posts import renders
from cogs.ui.questions import Then, question
from cogs.ui.replies import Reply
from cogs.ui.text import mention, season_title, shown, with_commands
from storage.rows import SeasonRow
from storage.tables.signups.claims import ClaimId, ClaimRow

LONGEST_NAME = 32
Typed = Callable[[Interaction, str], Awaitable[Reply]]


class PlayerNameForm(Form):
    """One league name: a new one for someone whose own is another player's, or the one they had."""

    def __init__(self, title: str, label: str, then: Typed) -> None:
        super().__init__(title)
        self._then = then
        self._typed = self.ask("name", label, limit=LONGEST_NAME)

    async def answer(self, interaction: Interaction) -> Reply:
        """Go on with what was typed."""
        return await self._then(interaction, self._typed.value)


def are_you(perhaps: PerhapsYou, that_is_me: Then, someone_else: Then) -> Answer:
    """Return the question whether someone is a player of the past."""
    lines = [f"Are you the {_past(perhaps.past)}?", "An organiser confirms it; then the results are yours."]
    if perhaps.other:
        lines.append("Someone else says so too. An organiser decides.")
    if perhaps.own is not None:
        also = "If you're both, organisers are asked to make the two one."
        lines[1] = f"You're already **{shown(perhaps.own)}** here. {also}"
    return question(
        "claim",
        "Have you played here before?",
        "\n".join(lines),
        yes="That's me",
        no=None if perhaps.own is None else "Someone else",
        then=that_is_me,
        others={"Someone else": someone_else} if perhaps.own is None else {},
        style=SUCCESS,
    )


def _past(past: Past) -> str:
    name = past.player.name
    return f"**{shown(name)}**{past.words.removeprefix(name)}"


def claimed(done: Claimed) -> Answer:
    """Return what someone is told who said who they were."""
    sent = "You've already asked" if done.already else "Request sent"
    name, number = shown(done.name), done.season.number
    if done.own is not None:
        text = f"{sent}: organisers can make **{name}** and **{shown(done.own)}** one player."
        how = "use /signup" if done.season.phase in PLAYING else "press **Join**"
        return Answer(text=f"{text} To join season {number} as {shown(done.own)} now, {how}.")
    late = " Each round that begins before that counts as a loss." if done.season.phase in PLAYING else ""
    text = f"{sent}: an organiser confirms that you're **{name}**, and you're in season {number}. You'll be told."
    return Answer(text=f"{text}{late} {way_out(done.season, 'stop asking')}")


def way_out(season: SeasonRow, to: str) -> str:
    """Return how someone leaves a season, in a sentence: the post with **Leave** is there until it starts."""
    return f"To {to}, {'use /drop' if season.phase in PLAYING else 'press **Leave** where you joined'}."


@yes_or_no("claim")
async def answer_claim(press: Press, yes: bool, claim: ClaimId) -> Reply:
    """Say that an account is the player it claims to be, or isn't."""
    about = partial(claim_answers.season_of, claim_id=claim)
    account = await press.who.db.read(claim_answers.account_of, claim_id=claim)
    left = yes and await has_left(press.interaction.guild, account)
    done = await press.who.enter(about, claim_answers.answer, claim_id=claim, accept=yes, left=left)
    name = shown(done.name)
    if left:
        return Answer(text=f"{shown(done.called)} isn't on this server any more, so **{name}** has no account yet.")
    text = f"**{name}** has this account now" if yes else f"{shown(done.called)} isn't {name}"
    return Answer(text=f"{text}, and is told.")


@action("claim-undo")
async def undo_claim(press: Press, claim: ClaimId) -> Reply:
    """Take a wrong Yes back."""
    done = await press.who.write(claim_answers.undo, claim_id=claim)
    return Answer(text=f"Undone: {shown(done.called)} isn't {shown(done.name)}, and is told. Nothing else was changed.")


def claim_buttons(row: ClaimRow, *, alone: bool = True) -> tuple[ActionButton, ...]:
    """Return what organisers can answer a claim; with the name in both where there are several lines above."""
    yes, no = answer_claim(row.id).buttons(f"Yes, it's {row.name}", "No" if alone else f"No, not {row.name}", DANGER)
    return (no,) if row.own is not None else (yes, no)


@renders(CLAIMS)
def claims_post(post: ClaimsPost) -> Answer:
    """Return a page of people who say who they were, each with its answer; in public, only how many wait."""
    waiting = sum(row.answered_at is None for row, _, _ in post.rows)
    title = f"{season_title(post)}: who is who?"
    colour = AMBER if waiting else GREY
    if not post.apart:
        text = f"{waiting} to answer: `/disputes` shows organisers who." if waiting else "All answered."
        return card(title, with_commands(text.replace("`", "")), colour=colour)
    parts: list[Part] = [f"### {title}"]
    for row, past, undoable in post.rows:
        parts.append("\n".join(_lines(row, past)))
        if row.answered_at is None:
            parts.append(claim_buttons(row))
        elif undoable:
            parts.append((undo_claim(row.id).button("Undo"),))
    return Answer(parts=tuple(parts), colour=colour)


def _lines(row: ClaimRow, past: Past) -> Iterator[str]:
    mentioned = mention(row.discord_id, row.called)
    if row.accepted:
        yield f"✅ {mentioned} is **{shown(row.name)}**."
    elif row.answered_at is not None:
        yield f"{mentioned} isn't {shown(row.name)}." if row.accepted is False else f"{mentioned} doesn't ask any more."
    else:
        yield f"{mentioned} says they're the {_past(past)}."
        if past.proposed is not None:
            yield f"The imported file says: {shown(past.proposed)}."
        if row.own is not None:
            merge = f"/player merge player:{row.name} into:{row.own}"
            yield f"They're **{shown(row.own)}** here already. One person? Use `{merge}`."


@renders(CLAIM_ANSWER)
def claim_answer(post: NoticePost) -> Answer:
    """Return what became of someone's claim."""
    return card(shown(post.league.name), with_commands(post.text))
