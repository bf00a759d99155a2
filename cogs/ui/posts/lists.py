"""Lists as people see them: their fingerprints, who lacks them, late ones that wait, and the texts once revealed."""

from collections.abc import Iterator, Sequence

from bot.league.list_rules import ListRules, SecretUntil
from bot.league.phases import PLAYING
from bot.league.reasons import first_few
from bot.services.lists.late_lists import LateList
from bot.services.lists.list_posts import LateListPost, MissingListsPost, SealsPost
from bot.services.lists.list_sets import due_words
from bot.services.lists.list_text import is_deck_link
from bot.services.lists.sight import SeenList
from cogs.ui.actions import LATE_LIST
from cogs.ui.buttons import DANGER, SUCCESS, ActionButton
from cogs.ui.cards import AMBER, BLUE, Attached, Part
from cogs.ui.render.tables import card
from cogs.ui.replies import Answer
from cogs.ui.text import cut, quoted, relative, shown, urgent, with_commands
from storage.tables.lists import ListRow, ListSetRow

MOST_TEXTS = 10
"""As many files as one message takes."""
_TEXTS = 3_000
"""Characters of all texts in one message."""
_NAMED = 24
"""As many of those whose lists are missing as a reminder names."""
_SECRET = {
    SecretUntil.MATCH: "Opponents read them in **Details** of their match, everyone after the season.",
    SecretUntil.END: "Everyone can read them when the season ends.",
}
_REVEALED = "Everyone can read them now: `/list player:`, or **Details** of a match."


def seals(facts: SealsPost) -> Answer:
    """Return the fingerprints of the lists of a set, or of one that was accepted late."""
    late = any(row.late for _, row in facts.sealed)
    of = f" ({facts.page} of {facts.pages})" if facts.pages > 1 else ""
    title = f"Lists for {shown(facts.words)}: {'accepted late' if late else 'sealed'}{of}"
    revealed = _REVEALED if facts.scope.revealed_at else _SECRET.get(facts.rules.secret, "")
    why = "-# The SHA-256 of a secret key and the list: no one can change a list unseen."
    lines = [f"**{quoted(name, 40)}**{_number(facts.rules, row)} `{row.sha256}`" for name, row in facts.sealed]
    return card(title, "\n".join([revealed, *lines, why]))


def _number(rules: ListRules, row: ListRow) -> str:
    return f" {row.number}" if rules.number > 1 else ""


def missing(facts: MissingListsPost) -> Answer:
    """Return the reminder of players without their lists, before they are due or after."""
    what = "lists" if facts.rules.number > 1 else "list"
    names = f"\nMissing: {shown(first_few(facts.names, _NAMED))}" if facts.names else ""
    if facts.scope.sealed_at is not None:
        text = (
            f"Your {what} for {shown(facts.words)} didn't come in time. Hand in late with `/list`: a moderator decides."
        )
        return card(f"{shown(facts.league.name)}: late", text + names, colour=AMBER)
    text = (
        f"Hand in your {what} for {shown(facts.words)} with `/list`. Due {due(facts.rules, facts.scope, facts.words)}."
    )
    return card(f"{shown(facts.league.name)}: your {what}, please", text + names, colour=AMBER)


def due(rules: ListRules, scope: ListSetRow, words: str) -> str:
    """Return when lists are due: a moment, or what they have to be there before."""
    return urgent(scope.due_at) if scope.due_at else shown(due_words(rules, words))


def late_list(facts: LateListPost) -> Answer:
    """Return the question whether a late list counts, or its answer."""
    label = shown(facts.label)
    if facts.row is None or facts.row.sealed_at is not None:
        answer = "❌ Not accepted." if facts.row is None else "✅ Accepted. Its fingerprint (SHA-256) is posted."
        return card(f"{label}: late", answer)
    if facts.season.phase not in PLAYING:
        return card(f"{label}: late", "The season is over.")
    text = "It came after the due date. Does it count? Only its owner can read it until it's revealed."
    return card(f"{label}: late", text, buttons=late_buttons(facts.row.id), colour=AMBER)


def late_buttons(list_id: int, name: str = "") -> tuple[ActionButton, ...]:
    """Return what moderators can answer a late list; with a name where there are several."""
    return (
        LATE_LIST.button(f"Accept {name}".strip(), list_id, extra="accept", style=SUCCESS),
        LATE_LIST.button(f"Refuse {name}".strip(), list_id, extra="refuse", style=DANGER),
    )


def all_late_buttons(waiting: Sequence[LateList]) -> list[ActionButton]:
    """Return the buttons of every late list that waits."""
    return [one for late in waiting for one in late_buttons(late.id, f"{late.owner.called}'s list")]


def texts_answer(title: str, found: Sequence[SeenList]) -> Answer:
    """Return lists to the person who may read them, each with a file to check what sealed it."""
    latest = found[-MOST_TEXTS:]
    parts: list[Part] = [f"### {cut(title, 200)}"]
    for one in latest:
        parts += _text(one, _TEXTS // len(latest))
    return Answer(parts=tuple(parts), colour=BLUE)


def _text(one: SeenList, most: int) -> Iterator[Part]:
    row = one.row
    head = f"**{quoted(one.owner.called, 60)}** · list {row.number} for {shown(one.words)}"
    if row.text is None or row.key is None:
        yield f"{head}\n-# {_hidden(one)}"
        return
    yield f"{head}\n{cut(list_lines(row.text), most)}"
    name = f"list-{row.id}.txt"
    if row.sha256 is None:
        yield "-# Not sealed yet: only you can read it."
    else:
        yield f"-# To check: download the file. `sha256sum {name}` prints\n-# `{row.sha256}`"
    yield Attached(name, f"{row.key}/{row.text}")


def _hidden(one: SeenList) -> str:
    missing_text = "not in the imported file" if one.scope.revealed_at else "still secret"
    return f"Sealed, {missing_text}: `{one.row.sha256}`"


def list_lines(text: str) -> str:
    """Return a list as Discord shows it: as it was typed, the link of a deck to click."""
    return "\n".join(f"<{line}>" if is_deck_link(line) else shown(line) for line in text.split("\n"))


def in_details(found: Sequence[SeenList], to_do: str, *, shared: bool) -> str:
    """Return which lists the players of a match play it with, as far as they're sealed or one's own.

    `to_do` is what this person still has to hand in. In a thread, `shared`, each player can read other lists.
    """
    lines = [_line(one, shared=shared) for one in found]
    lines += [with_commands(to_do)] if to_do else []
    return "\n".join(["**Lists**", *lines]) if lines else ""


def _line(one: SeenList, *, shared: bool) -> str:
    return f"{quoted(one.owner.called, 60)}: list {one.row.number}, {_state(one, shared=shared)}"


def _state(one: SeenList, *, shared: bool) -> str:
    if one.row.sealed_at is None:
        return "late, waits for a moderator" if one.row.late else "handed in, only you can read it"
    return "still secret" if one.is_hidden and not shared else f"sealed {relative(one.row.sealed_at)}"
