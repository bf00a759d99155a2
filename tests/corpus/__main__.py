"""A corpus of league files with what both engines answer: `python -m tests.corpus [FILE]` makes it.

`node tests/corpus/check.js [FILE]` checks it without Python. What seldom happens comes first: of many random seasons
those are taken that have most of it.
"""

import gzip
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from bot.league.checking.fingerprints import fingerprints
from bot.league.checking.league_file.reading import read
from bot.league.checking.verify import verify
from bot.league.errors import LeagueError
from bot.random_seasons.chance import Chance
from bot.random_seasons.season import texts
from tests.checker.engines import FORMATS, answered, difference, of_program

FILE = Path(__file__).parent / "corpus.jsonl.gz"
OF_EACH = 50
"""So many files of each format."""
TRIED = 200
"""So many seasons of each they are chosen from."""

Data = dict[str, Any]


def _matches(data: Data) -> Iterator[Data]:
    return (match for round_ in data["rounds"] for match in round_["matches"])


def _departures(data: Data, key: str, value: object) -> bool:
    return any(row[key] == value for row in data["departures"])


def _any_match(key: str) -> Callable[[Data], bool]:
    return lambda data: any(match.get(key) is not None for match in _matches(data))


def _setting(key: str, value: object) -> Callable[[Data], bool]:
    return lambda data: data["settings"].get(key) == value


RARE: Mapping[str, Callable[[Data], bool]] = {
    "double loss": lambda data: any(match["kind"] == "double_loss" for match in _matches(data)),
    "everyone lost a round": lambda data: any(
        round_["matches"] and all(match["kind"] == "double_loss" for match in round_["matches"])
        for round_ in data["rounds"]
    ),
    "forfeit": lambda data: any(match["kind"] == "forfeit" for match in _matches(data)),
    "draw": lambda data: any(match["winner"] == "draw" for match in _matches(data)),
    "open match": lambda data: any(match["kind"] == "open" for match in _matches(data)),
    "drop": lambda data: _departures(data, "kind", "drop"),
    "disqualification": lambda data: _departures(data, "kind", "disqualification"),
    "left after the pairing": lambda data: _departures(data, "after_pairing", True),
    "return": lambda data: any(row["rejoined"] for row in data["departures"]),
    "late entry": lambda data: any(row.get("entered", 1) > 1 for row in data["players"]),
    "sitting out": lambda data: bool(data.get("sat_out")),
    "substitute": lambda data: bool(data.get("substitutes")),
    "back in their seat": lambda data: any(row["seat"] == row["player"] for row in data.get("substitutes", ())),
    "kept apart": lambda data: bool(data.get("apart")),
    "kept apart for a while": lambda data: any(row.get("until") for row in data.get("apart", ())),
    "sealed salt": lambda data: bool(data.get("sealed")),
    "salt": lambda data: "salt" in data["settings"],
    "forgotten": lambda data: bool(data.get("forgotten")),
    "kept bracket": lambda data: bool(data.get("bracket")),
    "kept groups": lambda data: bool(data.get("groups")),
    "awarded points": _any_match("points"),
    "score": _any_match("score"),
    "first choice": _any_match("dice_off"),
    "organiser's order": lambda data: bool(data["decisions"]),
    "tie-break round": lambda data: any(round_["stage"] == "tiebreak" for round_ in data["rounds"]),
    "changed by hand": lambda data: any(round_.get("by_hand") for round_ in data["rounds"]),
    "several byes": lambda data: any(
        isinstance(round_["bye"], list) and len(round_["bye"]) > 1 for round_ in data["rounds"]
    ),
    "earlier seasons": lambda data: any(season["matches"] for season in data["past_seasons"]),
    "lists": lambda data: bool(data.get("lists")),
    "ladder": lambda data: bool(data.get("ladder")),
    "divisions": _setting("grouping", "divisions"),
    "by rating": _setting("grouping", "rating"),
    "all rounds open": _setting("schedule", "open"),
    "third place": _setting("third_place", True),
    "no replacements": _setting("replace", False),
    "lowest bye": _setting("bye_among", "lowest"),
    "other losses": lambda data: data["settings"].get("losses", 2) != 2,
}
"""What can be in a league file and seldom is."""


def rare_in(data: Data, answers: Data) -> frozenset[str]:
    """Return what of the rare things a file has, and its answers have."""
    found = {name for name, holds in RARE.items() if holds(data)}
    pair, table = answers["pair"], answers["standings"]
    found |= {"no pairing possible"} if "impossible" in pair else set()
    found |= {"no champion"} if pair.get("champion", ...) is None else set()
    found |= {"rematch"} if pair.get("rematches") else set()
    last_in = sum(row["status"] == "qualified" for row in table)
    if 0 < last_in < len(table) and _equal(table[last_in - 1], table[last_in]):
        found.add("equal at the cut")
    return frozenset(found)


def _equal(one: Data, other: Data) -> bool:
    return all(one[key] == other[key] for key in ("points", "wins", "losses", "tiebreaks"))


def candidates(format_: str) -> Iterator[tuple[str, Data]]:
    """Yield random seasons of a format as they begin, go on and end, some with matches still open, and their ids."""
    for seed in range(TRIED):
        chance, stages = Chance(f"corpus/{format_}/{seed}"), list(texts(format_, seed))
        for name, text in {"end": stages[-1], "middle": chance.one(stages)}.items():
            data = json.loads(text)
            if name == "middle" and data["rounds"] and not data.get("final") and chance.maybe(0.4):
                for match in chance.some(data["rounds"][-1]["matches"], 1) if data["rounds"][-1]["matches"] else ():
                    match |= {"winner": None, "games": None, "kind": "open"}
                    match.pop("points", None)
                    match.pop("score", None)
            try:
                read(json.dumps(data).encode())
            except LeagueError:
                continue
            yield f"{format_}-{seed}-{name}", data


def chosen(format_: str) -> list[Data]:
    """Return the files of a format that have the most of what is rare, with what the program answers."""
    lines: list[Data] = []
    for name, data in candidates(format_):
        season = read(json.dumps(data).encode())
        answers = of_program(season)
        lines.append(
            {
                "id": name,
                "has": sorted(rare_in(data, answers)),
                "file": data,
                "answers": answers | {"fingerprints": list(fingerprints(season)), "verify": verify(season).agrees},
            }
        )
    often, taken = Counter[str](), list[Data]()
    while lines and len(taken) < OF_EACH:
        best = max(
            lines, key=lambda line: sum(1 / (1 + often[name]) for name in line["has"]) / len(line["file"]["players"])
        )
        often.update(best["has"])
        taken.append(best)
        lines.remove(best)
    return taken


def made() -> list[Data]:
    """Return the corpus, what is rarest in it first, without sentences; raises AssertionError if the engines differ."""
    lines = [line for format_ in FORMATS for line in chosen(format_)]
    given = [json.dumps(line["file"]) for line in lines]
    for line, text, found in zip(lines, given, answered(given), strict=True):
        assert "invalid" not in found, f"{line['id']}: {found}"
        differs = difference(text, found)
        assert differs is None, f"{line['id']}: {differs}"
    often = Counter(name for line in lines for name in line["has"])
    lines.sort(key=lambda line: min((often[name] for name in line["has"]), default=len(lines)))
    for line in lines:
        line["answers"]["pair"] = without_sentences(line["answers"]["pair"])
    return lines


def without_sentences(pair: Data) -> Data:
    """Return what comes next without why: sentences can be worded otherwise."""
    if "impossible" in pair:
        return {"impossible": True}
    kept = {key: value for key, value in pair.items() if key != "bye_why"}
    if "matches" in kept:
        kept["matches"] = [{key: value for key, value in match.items() if key != "why"} for match in kept["matches"]]
    return kept


def main(path: Path = FILE) -> None:
    """Write the corpus and say what is in it."""
    lines = made()
    text = "".join(f"{json.dumps(line, ensure_ascii=False, separators=(',', ':'))}\n" for line in lines)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
    often = Counter(name for line in lines for name in line["has"])
    print(f"{path}: {len(lines)} files")
    print(*(f"{number} {name}" for name, number in sorted(often.items(), key=lambda pair: pair[1])), sep="\n")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
