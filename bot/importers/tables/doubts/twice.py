"""Two who meet more than once: as matches of their own, one match written twice, or the games of one match."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.importers.cells import Cell
from bot.importers.found import About, Answers, Choice, FoundBye, FoundMatch, Question
from bot.league.season.model import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A match or a bye of a row, and the season it's in."""

    season: object
    pairing: FoundMatch | FoundBye
    cells: Sequence[Cell]
    columns: tuple[str, str]

    @property
    def place(self) -> str:
        """The row within a sentence."""
        where = self.pairing.where
        return where if "," in where else f"{where[:1].lower()}{where[1:]}"


_TWICE = (
    Choice(value="one", label="One match, written twice"),
    Choice(value="two", label="Two matches"),
)
_GAMES = (
    Choice(value="two", label="Matches of their own"),
    Choice(value="games", label="Games of one match"),
)
_REPEATED = Choice(value="one", label="One match, written twice, where the results are the same")


class Meetings:
    """Decides which rows of one pair are one match; `questions` ask where a table doesn't say."""

    def __init__(self, entries: Sequence[Entry], answers: Answers) -> None:
        self.questions: dict[str, Question] = {}
        self.merged = self.dropped = 0
        self._answers = answers.meant
        self._gone = set[int]()
        self._merges: dict[int, FoundMatch] = {}
        groups: dict[object, list[int]] = {}
        for index, entry in enumerate(entries):
            key = _key(entry)
            if key is not None:
                groups.setdefault(key, []).append(index)
        for indexes in groups.values():
            if len(indexes) > 1:
                self._group(entries, indexes)
        self.entries = tuple(self._left(entries))

    def _left(self, entries: Sequence[Entry]) -> Iterator[Entry]:
        for index, entry in enumerate(entries):
            if index in self._merges:
                yield replace(entry, pairing=self._merges[index])
            elif index not in self._gone:
                yield entry

    def _group(self, entries: Sequence[Entry], indexes: Sequence[int]) -> None:
        """Decide over the rows of one pair: first what each side wrote, then games of one match, then equal rows."""
        kept, copied = list[int](), set[int]()
        for index in indexes:
            other = next((at for at in kept if at not in copied and _other_side(entries[at], entries[index])), None)
            if other is not None:
                copied.add(other)
            if other is None or not self._is_one("both sides", entries[other], entries[index], _TWICE):
                kept.append(index)
            else:
                self._gone.add(index)
        first = entries[kept[0]].pairing
        matches = [index for index in kept if _is_played(entries[index].pairing)]
        if isinstance(first, FoundMatch) and first.round is not None and len(matches) > 1:
            differ = len({tuple(entries[index].cells) for index in matches}) > 1
            if differ and self._answers.get("same round") is None:
                self._ask_games([entries[index] for index in matches])
                return
            if "games" in (self._answers.get("same round"), None if differ else self._answers.get("same rows")):
                self._merges[matches[0]] = _one_of([match for at in matches if (match := _match(entries[at]))])
                self._gone.update(matches[1:])
                self.merged += len(matches) - 1
                return
        if self._answers.get("same round") == "one":
            kept = self._without_repeated(entries, kept)
        before: dict[tuple[Cell, ...], int] = {}
        for index in kept:
            same = before.setdefault(tuple(entries[index].cells), index)
            choices = _TWICE if first.round is None or isinstance(first, FoundBye) else (*_TWICE, _GAMES[1])
            if same != index and self._is_one("same rows", entries[same], entries[index], choices):
                self._gone.add(index)

    def _is_one(self, key: str, first: Entry, second: Entry, choices: tuple[Choice, ...]) -> bool:
        """Return whether two rows were said to be one match; asks where nobody said it yet."""
        answer = self._answers.get(key)
        if answer is None:
            what = {
                "same rows": f"is the same as {first.place} in every cell",
                "both sides": f"has the match of {first.place} from the other side",
            }
            text = f"{second.pairing.where} {what[key]}. One match, or two?"
            self.questions.setdefault(key, Question(about=About.MEANING, key=key, text=text, choices=choices))
        self.dropped += answer == "one"
        return answer == "one"

    def _without_repeated(self, entries: Sequence[Entry], indexes: Sequence[int]) -> list[int]:
        """Return the rows without those that have what one before them has, in other cells."""
        first: dict[object, int] = {}
        left = [
            index
            for index in indexes
            if entries[first.setdefault(_told(entries[index].pairing), index)].cells == entries[index].cells
        ]
        self._gone.update({*indexes} - {*left})
        self.dropped += len(indexes) - len(left)
        return left

    def _ask_games(self, meetings: Sequence[Entry]) -> None:
        """Ask what rows of one pair in one round are; rows with one result may also be one match, on two sheets."""
        first, second = meetings[0], meetings[1]
        repeated = len({_told(entry.pairing) for entry in meetings}) < len(meetings)
        players = " and ".join(match.players) if (match := _match(first)) else ""
        text = (
            f"{players} meet in {first.place} and in {second.place}, in one round."
            " Are such rows matches of their own, or games of one match?"
        )
        choices = (*_GAMES, _REPEATED) if repeated else _GAMES
        asked = Question(about=About.MEANING, key="same round", text=text, choices=choices)
        if len(choices) > len(self.questions.setdefault("same round", asked).choices):
            self.questions["same round"] = asked


def _match(entry: Entry) -> FoundMatch | None:
    return entry.pairing if isinstance(entry.pairing, FoundMatch) else None


def _is_played(entry: FoundMatch | FoundBye) -> bool:
    return isinstance(entry, FoundMatch) and entry.kind is Kind.PLAYED


def _key(entry: Entry) -> object:
    """Return what two rows of one meeting share; None where neither round nor day says when it was."""
    pairing = entry.pairing
    if isinstance(pairing, FoundBye):
        return None if pairing.round is None else (entry.season, pairing.round, pairing.name)
    if pairing.round is None and pairing.day is None:
        return None
    return (
        entry.season,
        pairing.round,
        frozenset(pairing.players),
        pairing.day if pairing.round is None else None,
    )


def _told(pairing: FoundMatch | FoundBye) -> object:
    """Return what a row says of a meeting, whichever player stands first; the place and the day may differ."""
    if isinstance(pairing, FoundBye):
        return pairing.name
    numbers = [
        numbers if numbers is None else frozenset(zip(pairing.players, numbers, strict=True))
        for numbers in (pairing.games, pairing.score)
    ]
    return (pairing.winner, pairing.kind, *numbers)


def _other_side(first: Entry, second: Entry) -> bool:
    """Whether two rows are one match as each of the two sees it."""
    own, other = first.pairing, second.pairing
    if isinstance(own, FoundBye) or isinstance(other, FoundBye) or own.players != other.players[::-1]:
        return False
    return replace(other, players=own.players, games=_turned(other.games), score=_turned(other.score)) == replace(
        own, where=other.where
    )


def _turned(numbers: tuple[int, int] | None) -> tuple[int, int] | None:
    return None if numbers is None else (numbers[1], numbers[0])


def _one_of(games: Sequence[FoundMatch]) -> FoundMatch:
    """Return the match of which these are the games."""
    first = games[0]
    won = [sum(game.winner == name for game in games) for name in first.players]
    winner = None if won[0] == won[1] else first.players[won[0] < won[1]]
    return replace(first, winner=winner, games=(won[0], won[1]), score=None)
