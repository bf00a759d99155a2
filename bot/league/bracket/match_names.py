"""What people call the rounds and matches of the finals: final, semi-final 2, round of 16, play-in 1, third place."""

from typing import NamedTuple

from bot.league.bracket.tree import Bracket, Duel
from bot.league.season.model import Match, Round

THIRD_PLACE = "Third place"
FINAL = "Final"
_PLAY_IN = "Play-in"
_KINDS = {2: FINAL, 4: "Semi-final", 8: "Quarter-final"}


class RoundNames(NamedTuple):
    """The name of a round as a heading, and those of its matches in order, empty outside the finals."""

    round: str
    matches: tuple[str, ...]


class BracketRound(NamedTuple):
    """A round of the finals: the bracket before it and its duels, as they were published or as the rules say."""

    before: Bracket
    duels: tuple[Duel, ...]
    round: Round

    def duel_of(self, match: Match) -> Duel | None:
        """Return the duel of a match; None for the match for third place."""
        return next((duel for duel in self.duels if duel.players == frozenset(match.players)), None)

    @property
    def names(self) -> RoundNames:
        """Return its name, and those of its matches."""
        duels = [self.duel_of(match) for match in self.round.matches]
        named = (THIRD_PLACE if duel is None else self.name_of(duel) for duel in duels)
        return RoundNames(round_name(self.before), tuple(named))

    def name_of(self, duel: Duel) -> str:
        """Return the name of a match of the bracket, or of a bye because a player left.

        Play-ins are numbered as they were published: where a drawn name was forgotten, byes may stand elsewhere now.
        """
        if _kind(self.before) != _PLAY_IN:
            return match_name(self.before, duel.place)
        places = sorted(duel.place for duel in self.duels if duel.lower is not None or duel.absent is not None)
        return f"{_PLAY_IN} {places.index(duel.place) + 1}"


def match_name(bracket: Bracket, place: int) -> str:
    """Return the name of the match whose winner goes on to `place`: its number is the better slot of the round."""
    kind = _kind(bracket)
    if kind == FINAL:
        return kind
    return f"{kind} {place}" if kind in _KINDS.values() else f"{kind}, match {place}"


def round_name(bracket: Bracket) -> str:
    """Return the name of the bracket's next round, as a heading."""
    kind = _kind(bracket)
    return "Play-in round" if kind == _PLAY_IN else round_of(len(bracket.places))


def round_of(places: int) -> str:
    """Return the name of the round a bracket of so many places is played in, as a heading: `Quarter-finals`."""
    kind = match_of(places)
    return f"{kind}s" if kind in _KINDS.values() and kind != FINAL else kind


def match_of(places: int) -> str:
    """Return what a match of a bracket of so many places is called: `Quarter-final`, `Round of 16`."""
    return _KINDS.get(places, f"Round of {places}")


def in_sentence(name: str) -> str:
    """Return the name of a round or match as it reads within a sentence."""
    return name[:1].lower() + name[1:]


def with_article(place: str) -> str:
    """Return where a match is played, within a sentence, with the article that the final needs."""
    return f"the {place}" if place == in_sentence(FINAL) else place


def _kind(bracket: Bracket) -> str:
    """Return what the matches of the next round are called; a first round with empty slots is played to get in."""
    size = len(bracket.places)
    return _PLAY_IN if size > len(bracket.slots) else match_of(size)
