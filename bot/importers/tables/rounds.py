"""Rounds as leagues name them: a number, a week, or a round of the finals, which come after all numbers in order."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from bot.importers.tables.headings import plain

LATEST_ROUND = 1_000
LATEST_PLACE = 64

_ROUND = (
    "swiss round|swiss|vorrunde|regular round|round|rd|rnd|r|week|wk|w|game ?week|gw|match ?week|match ?day|md|spieltag"
    "|runde|woche|journee|semaine|tour|ronde|jornada|ronda|giornata|turno|kolejka|runda|speelronde|j"
)
_NUMBERED = re.compile(
    rf"(?:(?:{_ROUND}) ?)?0*(\d{{1,9}})(?: (?:of|von|sur|de) \d+)?"
    rf"|0*(\d{{1,9}})(?:st|nd|rd|th|e|er|eme|re)? (?:{_ROUND})"
)
_COUNTED = (
    "one first erste premiere premier uno; two second zweite deuxieme due; three third dritte troisieme tre;"
    " four fourth vierte quatrieme quattro; five fifth funfte cinquieme cinque; six sixth sechste sixieme sei;"
    " seven seventh siebte septieme sette; eight eighth achte huitieme otto"
)
_IN_WORDS = {word: number for number, listed in enumerate(_COUNTED.split(";"), start=1) for word in listed.split()}
_WORDED = re.compile(rf"(?:{_ROUND}) ({'|'.join(_IN_WORDS)})|({'|'.join(_IN_WORDS)})r? (?:{_ROUND})")
_PLACE = re.compile(
    r"(?:match |game |play ?off )?(?:for |um )?(?:the )?(\d{1,2})(?:st|nd|rd|th|e|eme)"
    r"(?: (?:and )?\d{1,2}(?:th|e|eme))?(?: place)?(?: (?:match|game|play ?off))?"
    r"|(?:spiel um )?platz (\d{1,2})(?: \d{1,2})?"
)
_PLAYOFF = re.compile(
    r"(?:play ?offs?|top ?cut|cut|knock ?outs?|ko|finals|endrunde|elimination|elims?)"
    r"(?: (?:round|runde|tour|week|r))? ?(\d{1,3})"
)
_SIZES = {
    "quarter|viertel|quarts?(?: de)?|cuartos(?: de)?|quarti(?: di)?|kwart|qf": 8,
    "semi|halb|demi|mezza|halve|sf|semis|final four": 4,
    "achtel|huitiemes?(?: de)?|octavos(?: de)?|ottavi(?: di)?|achtste": 16,
    "sechzehntel|seiziemes?(?: de)?|dieciseisavos(?: de)?|sedicesimi(?: di)?": 32,
    "zweiunddreissigstel|trente deuxiemes?(?: de)?": 64,
}
_SIZE = re.compile(
    "|".join(f"(?P<n{size}>{name})" for name, size in _SIZES.items()).join(
        ("(?:", r")(?: ?(?:finals?|finales?|finaux))?(?: ?(?:\d{1,3}|[a-d]))?")
    )
)
_OF = re.compile(
    r"(?:round of|top|t|last|best|ro|letzte|runde der letzten) ?(?:the )?(\d{1,4})|(\d{1,4})(?:er|ers) ?runde"
)
_FRACTION = re.compile(
    r"1 (2|4|8|16|32|64)(?: ?(?:de )?(?:finals?|finales?))?"
    r"|(\d{1,3})(?:tel|th|ths|emes?|es) ?(?:de )?(?:finals?|finales?)(?: \d+)?"
)
_SHORT = re.compile(r"r(8|16|32|64)")
_THIRD = re.compile(
    r"(?:match |game |play ?off )?(?:for |um |spiel um )?(?:the )?"
    r"(?:platz 3|(?:3rd|third|3) place(?: (?:match|game|play ?off))?)"
    r"|3rd|third|bronze(?: (?:match|game|medal(?: match)?))?|kleines finale|petite finale|consolation(?: final)?"
    r"|(?:match |finale )?(?:pour |de )?(?:la )?(?:3e|3eme|troisieme) place"
    r"|3 platz|spiel um (?:platz )?(?:3|drei|den dritten platz)|tercer puesto|finale 3 4"
)
_FINAL = re.compile(
    r"(?:the )?(?:final|finale|finals|grand finals?|grosses finale|endspiel|finalspiel|gf|champ(?:ionship)?"
    r"(?: (?:match|game))?|f)"
    r"(?: (?:match|game))?(?: \d)?"
)
_LATE = re.compile(
    r"(?:the )?(?:play ?offs?|finals?(?: stage| round)?|knock ?outs?(?: stage)?|ko|top ?cut|cut"
    r"|elimination(?: stage)?|bracket|endrunde|finalrunde|phase finale|top ?\d{1,3}|cut to top \d{1,3})"
)
_RESET = re.compile(r"(?:grand )?finals? (?:reset|2)|bracket reset")
_BRACKET = re.compile(
    r"(?:winners?|losers?|upper|lower|wb|lb|ub)(?: bracket)?(?: .*)?|(?:winner|loser)s? (?:round|final|semi).*"
)


@dataclass(frozen=True, slots=True, order=True)
class Stage:
    """Where a round belongs: numbered ones first, then those of the finals; `size` counts down in the finals."""

    part: int
    size: int

    @property
    def number(self) -> int | None:
        """The number it was given, None in the finals."""
        return self.size if self.part == 0 else None


_PLAYOFF_ROUND, _KNOCK_OUT, _PLACED, _BRACKETS, _LAST = 1, 2, 3, 4, 5
FINAL = Stage(_LAST, 0)


def stage_of(text: str) -> Stage | None:
    """Return which round a text names, None for what isn't one: a number counts alone or after a word for round."""
    name = plain(re.sub(r"(?<=\d)\.0\b", "", text.strip()))
    if len(name) > 60:
        return None
    numbered = _NUMBERED.fullmatch(name)
    if numbered is not None:
        number = int(numbered[1] or numbered[2])
        return Stage(0, number) if number <= LATEST_ROUND else None
    if (worded := _WORDED.fullmatch(name)) is not None:
        return Stage(0, _IN_WORDS[worded[1] or worded[2]])
    if (playoff := _PLAYOFF.fullmatch(name)) is not None:
        return Stage(_PLAYOFF_ROUND, int(playoff[1]))
    if _RESET.fullmatch(name):
        return Stage(_LAST, 1)
    if _FINAL.fullmatch(name):
        return FINAL
    if _THIRD.fullmatch(name):
        return Stage(_PLACED, 0)
    if (place := _PLACE.fullmatch(name)) is not None and 3 <= int(place[1] or place[2]) < LATEST_PLACE:
        return Stage(_PLACED, 3 - int(place[1] or place[2]))
    size = _size_of(name)
    if size is not None:
        return FINAL if size == 2 else Stage(_KNOCK_OUT, -size)
    return Stage(_BRACKETS, 0) if _BRACKET.fullmatch(name) else None


def is_late(text: str) -> bool:
    """Return whether a part of a season comes after its rounds: the finals, the play-offs, the cut."""
    return _LATE.fullmatch(plain(text)) is not None


def _size_of(name: str) -> int | None:
    """Return how many are left in a round of the finals."""
    if (of := _OF.fullmatch(name)) is not None:
        return int(of[1] or of[2])
    if (part := _FRACTION.fullmatch(name)) is not None:
        return 2 * int(part[1] or part[2])
    if (named := _SIZE.fullmatch(name)) is not None:
        return next(int(group[1:]) for group, text in named.groupdict().items() if text)
    return None


def numbers_of(names: Iterable[str]) -> dict[str, int]:
    """Return the number of each round of a season by its name, in order of appearance; those of finals go on counting.

    Rounds of a bracket with winners and losers are taken as they come, from the other end if the final comes first.
    """
    stages = {name: stage for name in names if (stage := stage_of(name)) is not None}
    counted = {stage.number for stage in stages.values()}
    if any(stage.number is None for stage in stages.values()):
        # Beside a semi-final, R16 is a round of 16, unless there is a fifteenth round.
        for name in stages:
            size = _SHORT.fullmatch(plain(name))
            if size is not None and int(size[1]) - 1 not in counted:
                stages[name] = Stage(_KNOCK_OUT, -int(size[1]))
    numbers = {name: stage.number for name, stage in stages.items() if stage.number is not None}
    late = [name for name in stages if name not in numbers]
    if any(stages[name].part == _BRACKETS for name in late):
        if stages[late[0]].part == _LAST and stages[late[-1]].part != _LAST:
            late.reverse()
        order = {
            name: (stages[name].part == _LAST, stages[name].size * (stages[name].part == _LAST), at)
            for at, name in enumerate(late)
        }
        late.sort(key=lambda name: order[name])
        groups = [(name,) for name in late]
    else:
        of_stage: dict[Stage, list[str]] = {}
        for name in late:
            of_stage.setdefault(stages[name], []).append(name)
        groups = [tuple(of_stage[stage]) for stage in sorted(of_stage)]
    first = max(numbers.values(), default=0) + 1
    return numbers | {name: number for number, group in enumerate(groups, start=first) for name in group}
