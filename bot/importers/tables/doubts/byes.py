"""Names that stand for no one: sure ones are byes, doubtful ones are asked about."""

import re
from collections.abc import Mapping

from bot.importers.cells import says_bye, shortened, words
from bot.importers.found import About, Choice, Question

_DOUBTFUL = re.compile(
    r".*\b(?:bye|byes|freilos|spielfrei|exempte?|no opponent)\b.*"
    r"|b y e|none|n ?a|null|nil|nobody|no one|free|frei|empty|x|xx|dummy|tbd|tba|leer|niemand|kein(?:er|e)?"
    r"|ghost|rest|rests|resting|rest day|pause|pausiert|pausing|idle|libre|vrij|riposa|sit(?:s|ting)? out|sat out"
    r"|aussetzen|setzt aus|ausgesetzt|pas d adversaire|personne|aucun|repos|au repos|deleted|unknown|unbekannt|inconnu"
)
_LONGEST = 40


def is_bye(name: str, meant: Mapping[str, str]) -> bool:
    """Return whether a name says that there was no opponent, by itself or because someone answered so."""
    return bool(name) and (says_bye(name) or meant.get(_key(name)) == "bye")


def about_bye(name: str, place: str, meant: Mapping[str, str]) -> Question | None:
    """Return the question whether a name is a person's, if that isn't sure and nobody answered yet."""
    if not name or says_bye(name) or _key(name) in meant or len(name) > _LONGEST:
        return None
    plain_words = words(name)
    if plain_words and _DOUBTFUL.fullmatch(plain_words) is None:
        return None
    return Question(
        about=About.MEANING,
        key=_key(name),
        text=f"Is “{shortened(name)}” in {place} a person, or a bye?",
        choices=(Choice(value="bye", label="A bye"), Choice(value="person", label="A person")),
    )


def _key(name: str) -> str:
    return f"bye {words(name) or name}"
