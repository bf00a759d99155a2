"""Read a bracket or list of matches copied from a web page such as Challonge: lines of names and scores."""

import re

from bot.importers.cells import MOST_USUAL, says_bye
from bot.importers.found import FoundBye, FoundMatch
from bot.importers.gathering import Gathering, require_few, result_of
from bot.importers.reader import Content, Reader
from bot.importers.tables.headings import heading_alone, recognised
from bot.importers.tables.rounds import stage_of
from bot.importers.tables.scores import about_scores
from bot.league.errors import InvalidFile

_LINE = re.compile(r"(?:\d+[.)]?\s+)?(\S.*?)\s+(\d{1,4})\s*[-\N{EN DASH}:]\s*(\d{1,4})\s+(\S.*)")
_LONGEST = 200
"""Characters in a line that can be a match."""
_ROUND = re.compile(r"[^\W\d]{4,}(?: [^\W\d]+)?\s*\d")
"""How a heading begins that may name a round: a number alone is a score, and few letters before it rather a name."""
_FINALS = re.compile(
    r"(grand |losers |winners )?(quarter-?\s?|semi-?\s?)?finals?|losers round \d+|round of \d+|top ?\d+"
    r"|(achtel|viertel|halb)?finale|(quarts? de |demi-?)finales?|(3rd|third) place( match)?",
    re.IGNORECASE,
)
_NOISE = re.compile(r"(vs?\.?|report|details|match details|final|complete|\N{EM DASH}|-)", re.IGNORECASE)


def _looks_pasted(content: Content) -> bool:
    """Return whether lines of a text are matches with scores, or names with a score below each."""
    text = content.text if content.json is None else ""
    lines = [line.strip() for line in text.splitlines()[:2000] if line.strip()]
    if lines and recognised(re.split("[\t,;|]", lines[0])):
        return False
    matches = sum(_match_in(line) is not None and "," not in line and ";" not in line for line in lines)
    bare = sum(line.isdecimal() for line in _pieces(lines))
    heads = any(_round_in(line) is not None for line in lines)
    several = "," in text or ";" in text or "|" in text
    return (
        matches * 2 >= len(lines) > 0
        or (heads and (matches > 0 or bare >= 2))
        or (bare >= 2 and not several and all("\t" not in line for line in lines))
    )


def _match_in(line: str) -> re.Match[str] | None:
    return _LINE.fullmatch(line) if len(line) <= _LONGEST else None


def _round_in(line: str) -> int | None:
    """Return the number of the round a line is the heading of, such as 1 for “Week 1 - Jan 8”; None for no heading."""
    heading = heading_alone(line[:_LONGEST])
    stage = stage_of(heading) if _ROUND.match(heading) else None
    return None if stage is None else stage.number


def _read(content: Content, title: str, gathering: Gathering) -> None:
    """Read the matches; who has the higher score won."""
    gathering.season("pasted", title, None)
    gathering.note("Read as text copied from a page: the higher score won, and rounds are as the headings say.")
    number: int | None = None
    block: list[str] = []
    begun = 1
    for row, line in enumerate([*content.text.splitlines(), "Round 0"], start=1):
        line = line.strip()
        head, finals = _round_in(line), _FINALS.fullmatch(line)
        match = _match_in(line) if head is None else None  # “Week 1 - 8 January” isn't one
        if head is not None or finals or match:
            _read_block(block, f"Row {begun}", number, gathering)
            block = []
        if head is not None:
            number = head or number
        elif finals:
            number = (number or 0) + 1
        elif match:
            _add((match[1], match[4]), (int(match[2]), int(match[3])), f"Row {row}", number, gathering)
        elif line:
            begun = begun if block else row
            block.extend(_pieces([line]))


def _pieces(lines: list[str]) -> list[str]:
    parts = (part.strip() for line in lines for part in line.split("\t"))
    return [part for part in parts if part and _NOISE.fullmatch(part) is None]


def _read_block(pieces: list[str], where: str, number: int | None, gathering: Gathering) -> None:
    """Read names two by two; the first number after a name is its score, others are seeds and numbers of matches."""
    names, scores = list[str](), list[int | None]()
    for piece in pieces:
        if not (piece.isascii() and piece.isdigit()):
            names.append(piece)
            scores.append(None)
        elif scores and scores[-1] is None and len(piece) < 6:
            scores[-1] = int(piece)
    require_few(len(names) // 2)
    if len(names) % 2:
        gathering.wrong(where, "", f"“{names[-1][:40]}” has no opponent below. Copy both names and their scores.")
        return
    for index in range(0, len(names), 2):
        first, second = scores[index], scores[index + 1]
        if (first is None or second is None) and not any(map(says_bye, names[index : index + 2])):
            text = (
                f"{names[index][:40]} against {names[index + 1][:40]} has no score. Write one number below each name."
            )
            gathering.wrong(where, "score", text)
            continue
        _add((names[index], names[index + 1]), (first or 0, second or 0), where, number, gathering)


def _add(
    players: tuple[str, str], score: tuple[int, int], where: str, number: int | None, gathering: Gathering
) -> None:
    gathering.rows += 1
    if gathering.rows > 200_000:
        raise InvalidFile("is too long for something copied from a page.")
    real_players = [name for name in players if not says_bye(name)]
    if len(real_players) < 2:
        for name in real_players:
            gathering.bye("pasted", FoundBye(where=where, name=gathering.name(name), round=number))
        return
    names = (gathering.name(players[0]), gathering.name(players[1]))
    meaning = gathering.answers.meant.get("scores")
    if meaning is None and max(score) > MOST_USUAL and not gathering.questions:
        gathering.questions.append(about_scores(f"{score[0]}-{score[1]} in {where[:1].lower()}{where[1:]}"))
    match = FoundMatch(
        where=where,
        players=names,
        winner=result_of(names, score),
        games=None if meaning == "points" else score,
        score=score if meaning == "points" else None,
        round=number,
    )
    gathering.match("pasted", match)


READER = Reader(
    name="copied text",
    file="the matches of a page, such as a bracket of Challonge, copied into a text file",
    knows=_looks_pasted,
    read=_read,
)
