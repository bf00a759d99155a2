"""Lists as people see them: their fingerprints, who lacks them, and the texts once revealed."""

from collections.abc import Iterator, Sequence

from bot.league.season.list_rules import ListRules, SecretUntil
from bot.services.lists.list_posts import LISTS_MISSING, SEALS, MissingListsPost, SealsPost
from bot.services.lists.list_sets import due_words
from bot.services.lists.list_text import is_deck_link
from bot.services.lists.sight import SeenList
from cogs.ui.cards import AMBER, BLUE, Answer, Attached, Part, card
from cogs.ui.posts import renders
from cogs.ui.text import cut, quoted, relative, shown, urgent, with_commands
from storage.tables.lists import ListRow, ListSetRow

MOST_TEXTS = 10
"""As many files as one message takes."""
_TEXTS = 3_000
"""Characters of all texts in one message."""
_SECRET = {
    SecretUntil.MATCH: "Opponents read them in **Details** of their match, everyone after the season.",
    SecretUntil.END: "Everyone can read them when the season ends.",
}
_REVEALED = "Everyone can read them now: `/list player:`, or **Details** of a match."


@renders(SEALS)
def seals(facts: SealsPost) -> Answer:
    """Return the fingerprints of the lists of a set, or of one that came late."""
    late = any(row.late for _, row in facts.sealed)
    of = f" ({facts.page} of {facts.pages})" if facts.pages > 1 else ""
    title = f"Lists for {shown(facts.words)}: {'handed in late' if late else 'sealed'}{of}"
    revealed = _REVEALED if facts.scope.revealed_at else _SECRET.get(facts.rules.secret, "")
    why = "-# The SHA-256 of a secret key and the list: no one can change a list unseen."
    lines = [f"**{quoted(name, 40)}**{_number(facts.rules, row)} `{row.sha256}`" for name, row in facts.sealed]
    return card(title, "\n".join([revealed, *lines, why]))


def _number(rules: ListRules, row: ListRow) -> str:
    return f" {row.number}" if rules.number > 1 else ""


@renders(LISTS_MISSING)
def missing(facts: MissingListsPost) -> Answer:
    """Return the reminder of players without their lists, before they are due or after."""
    what = "lists" if facts.rules.number > 1 else "list"
    if facts.scope.sealed_at is not None:
        text = f"Your {what} for {shown(facts.words)} is still missing. Hand it in with `/list`: it's sealed at once."
        return card(f"{shown(facts.league.name)}: your {what}, please", text, colour=AMBER)
    text = (
        f"Hand in your {what} for {shown(facts.words)} with `/list`. Due {due(facts.rules, facts.scope, facts.words)}."
    )
    return card(f"{shown(facts.league.name)}: your {what}, please", text, colour=AMBER)


def due(rules: ListRules, scope: ListSetRow, words: str) -> str:
    """Return when lists are due: a moment, or what they have to be there before."""
    return urgent(scope.due_at) if scope.due_at else shown(due_words(rules, words))


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
        return "handed in, only you can read it"
    late = ", late" if one.row.late else ""
    return f"still secret{late}" if one.is_hidden and not shared else f"sealed {relative(one.row.sealed_at)}{late}"
