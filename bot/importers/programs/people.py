"""Who the numbers of a tournament are: two numbers are two people until someone says otherwise, a dummy is no one."""

from collections.abc import Collection, Iterable, Mapping
from itertools import count

from bot.importers.found import About, Choice, Question
from bot.importers.gathering import Gathering
from bot.importers.tables.doubts.byes import about_bye, is_bye
from bot.league.season.names import LONGEST, written_key
from bot.league.season.node import quoted

_MOST_LISTED = 5
"""Names and numbers in one sentence."""
_MOST_CHOICES = 20


class People:
    """The people of one tournament, by the numbers a program gave them.

    `names` are theirs in the file, `met` says which numbers played each other, `accounts` which belong to someone who
    signed in: such a person may be called Bye.
    """

    def __init__(
        self,
        names: Mapping[object, str],
        met: Iterable[tuple[object, object]],
        gathering: Gathering,
        *,
        accounts: Collection[object] = (),
    ) -> None:
        self._gathering = gathering
        self._met = set(map(frozenset[object], met))
        self._taken = {written_key(raw) for raw in names.values()}
        meant = gathering.answers.meant
        invented = {number: raw for number, raw in names.items() if number not in accounts}
        self.dummies = {number for number, raw in invented.items() if is_bye(raw, meant)}
        asked = (about_bye(raw, f"player {number}", meant) for number, raw in invented.items())
        gathering.questions += [question for question in asked if question is not None][:1]
        self.called: dict[object, str] = {}
        holders: dict[str, list[object]] = {}
        for number, raw in names.items():
            if number in self.dummies:
                gathering.note(f"{quoted(raw)} is read as a bye, not as a person.")
                continue
            name = gathering.name(raw)
            same = holders.setdefault(name, [])
            self.called[number] = self._another(number, name, same) if same else name
            same.append(number)

    def __contains__(self, number: object) -> bool:
        """Whether a number is someone's or a dummy's."""
        return number in self.called or number in self.dummies

    def note_idle(self, seen: Collection[object]) -> None:
        """Say who stays out, because the file has no match and no bye of them."""
        idle = [name for number, name in self.called.items() if number not in seen]
        if idle:
            more = f" and {len(idle) - _MOST_LISTED:,} more" if len(idle) > _MOST_LISTED else ""
            self._gathering.note(f"Without a match or a bye, so left out: {'; '.join(idle[:_MOST_LISTED])}{more}.")

    def _another(self, number: object, name: str, same: list[object]) -> str:
        """Return what one more person with a name is called; without an answer that's a question."""
        proposals = (_numbered(name, at) for at in count(len(same) + 1))
        proposal = next(text for text in proposals if written_key(text) not in self._taken)
        self._taken.add(written_key(proposal))
        answer = self._gathering.answers.names.get(proposal)
        if answer is None and self._gathering.questions:
            return proposal
        others = dict.fromkeys(self.called[other] for other in same)
        rivals = {self.called[other] for other in same if frozenset((number, other)) in self._met}
        if answer is not None and written_key(answer) not in map(written_key, rivals):
            return self._gathering.name(answer)
        free = [other for other in others if other not in rivals][:_MOST_CHOICES]
        self._gathering.questions.append(_question(proposal, name, [*same, number], free, met=bool(rivals)))
        return proposal


def _numbered(name: str, number: int) -> str:
    return f"{name[: LONGEST - len(f' ({number})')].rstrip()} ({number})"


def _question(proposal: str, name: str, numbers: list[object], free: list[str], *, met: bool) -> Question:
    last = numbers[-1]
    listed = ", ".join(map(str, numbers[:-1][:_MOST_LISTED]))
    many = "two" if len(numbers) == 2 else f"{len(numbers)}"
    asked = "Is it one person?" if len(numbers) == 2 else f"Who is number {last}?"
    if met and not free:
        asked = f"They played each other, so they're two people. What is number {last} called?"
    choices = [
        Choice(value=other, label="One person" if len(numbers) == 2 else f"The same as {other}") for other in free
    ]
    return Question(
        about=About.NAME,
        key=proposal,
        text=f"The file has {many} players called {name}, numbers {listed} and {last}. {asked}",
        choices=(*choices, Choice(value=proposal, label=f"Another person: {proposal}")),
    )
