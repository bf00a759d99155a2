"""Random leagues in divisions over six seasons, in both engines: `python -m tests.checker.leagues [LEAGUES [FIRST]]`.

People are missing, come back, are renamed and merged, and leave. Who returns is in the order of the ladder, both
engines find every file right, and each sentence a player is told of their division is so.
"""

import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from pathlib import Path

from bot import answers
from bot.league.checking.fingerprints import fingerprints
from bot.league.checking.league_file.reading import read
from bot.league.checking.verify import verify
from bot.league.formats import by_key
from bot.league.season.model import Name, Season
from bot.league.summaries.divisions import newcomer_here, why_here, would_go
from bot.random_seasons.beginning import File
from bot.random_seasons.chance import Chance
from tests.checker.engines import CHECK, NODE, answered, same

SEASONS, TOGETHER = 6, 5
Tables = Sequence[Sequence[Name]]
_PLACE = re.compile(r"You were (last|\d+)\w* in division (\d+)")
_WAY = re.compile(r"(up|down) to division (\d+)\.|you(?: stay|'re in division (\d+))\.")


def league(seed: int) -> list[File]:
    """Return the files of a random league, season by season."""
    chance, files = Chance(f"divisions/{seed}"), list[File]()
    people = [f"p{number}" for number in range(chance.whole(6, 16))]
    away, came = list[str](), iter(range(100, 1000))
    for number in range(1, SEASONS + 1):
        if files:
            back = [name for name in away if chance.maybe(0.3)]
            gone = [name for name in people if chance.maybe(0.15)]
            people = [*(name for name in people if name not in gone), *back]
            away = [name for name in (*away, *gone) if name not in back]
            people += [f"p{next(came)}" for _ in range(chance.whole(max(0, 4 - len(people)), 4))]
        former = {name: f"p{next(came)}" for name in people if chance.maybe(0.05)}  # who has another name from now on
        people = [former.get(name, name) for name in people]
        rows = {new: [old] for old, new in former.items()}
        if files and away and chance.maybe(0.2):  # someone who was away is one person with one who is there
            rows.setdefault(chance.one(people), []).append(away.pop())
        chance.mix(people)
        files.append(_played(_begun(seed, number, people, rows, files[-1] if files else None, chance), chance))
    return files


def _begun(
    seed: int, number: int, people: Sequence[str], former: dict[str, list[str]], before: File | None, chance: Chance
) -> File:
    settings: File = {"group_size": chance.whole(3, 5), "grouping": "divisions", "moves": chance.whole(0, 3)}
    if chance.maybe(0.15):
        settings["grouping"] = chance.one(("drawn", "rating"))
    if chance.maybe(0.2):
        settings["cut"] = 2
    if chance.maybe(0.3):
        settings["draws"] = True
    ratings = {name: {"mu": chance.decimal(15, 35), "sigma": chance.decimal(1, 8)} for name in people}
    players = [{"name": name, "rating": ratings[name], "former_names": former.get(name, [])} for name in people]
    file = {"fairpair": 1, "league": f"League {seed}", "season": number, "format": "round-robin", "settings": settings}
    file |= {"players": players, "rounds": [], "departures": []}
    if before is None or settings["grouping"] != "divisions":
        return file
    earlier = _season(before)
    *_, last = fingerprints(earlier)
    called = {old: new for new, names in former.items() for old in names} | {name: name for name in people}
    order = [called[name] for name in by_key("round-robin").ladder(earlier) if name in called]
    return file | {"ladder": list(dict.fromkeys(order)), "ladder_of": last}


def _played(file: File, chance: Chance) -> File:
    """Play a season to its end; some leave it in the middle."""
    while "matches" in (due := answers.next_round(_season(file))):
        matches = [_result(match["players"], file, chance) for match in due["matches"]]
        file["rounds"].append({"number": due["number"], "stage": due["stage"], "bye": due["bye"], "matches": matches})
        gone = {row["name"] for row in file["departures"]}
        here = [row["name"] for row in file["players"] if row["name"] not in gone]
        if due["stage"] == "regular" and len(here) > 3 and chance.maybe(0.1):
            row = {"name": chance.one(here), "kind": "drop", "round": due["number"] + 1, "after_pairing": False}
            file["departures"].append(row | {"rejoined": None})
    return file


def _result(players: list[str], file: File, chance: Chance) -> File:
    gone = [row["name"] for row in file["departures"] if row["name"] in players]
    if len(gone) == 2:
        return {"players": players, "winner": None, "games": None, "kind": "double_loss"}
    if gone:
        winner = next(name for name in players if name not in gone)
        return {"players": players, "winner": winner, "games": None, "kind": "forfeit"}
    winner = chance.one(players)
    return {"players": players, "winner": winner, "games": None, "kind": chance.one(("played", "played", "forfeit"))}


def _season(file: File) -> Season:
    return read(json.dumps(file).encode())


def differences(seeds: range) -> list[str]:
    """Return all that is not as it should be in the leagues of some seeds."""
    leagues = {seed: league(seed) for seed in seeds}
    found = [f"league {seed}: {wrong}" for seed, files in leagues.items() for wrong in _of_league(files)]
    texts = [json.dumps(file) for files in leagues.values() for file in files]
    for text, answer in zip(texts, answered(texts), strict=True):
        season = read(text.encode())
        if not same(answer["ladder"], answers.ladder(season)):
            found.append(f"{season.league}, season {season.number}: the engines see other ladders")
        if not same(answer["standings"], answers.standings_list(season)):
            found.append(f"{season.league}, season {season.number}: the engines see other standings")
    return [*found, *_not_fine_in_the_checker(texts)]


def _not_fine_in_the_checker(texts: Sequence[str]) -> Iterator[str]:
    """Yield where the other engine doesn't find the files right, or compares another number of ladders."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, f"{number}.json") for number in range(len(texts))]
        for path, text in zip(paths, texts, strict=True):
            path.write_text(text, encoding="utf-8")
        done = subprocess.run([NODE, CHECK, "verify", *paths], capture_output=True, check=False, encoding="utf-8")
    compared, ladders = done.stdout.count(": ladder: as season"), sum('"ladder_of"' in text for text in texts)
    if done.returncode or compared != ladders:
        yield f"the checker compares {compared} of {ladders} ladders, exit {done.returncode}: {done.stdout[-500:]}"


def _of_league(files: Sequence[File]) -> Iterator[str]:
    """Yield what is wrong in a league's files, and in what its players are told."""
    seasons = [_season(file) for file in files]
    for at, season in enumerate(seasons):
        judged = verify(season, seasons)
        wanted = [f"ladder: as season {season.number - 1} says"] if season.ladder_of else []
        if not judged.agrees or [note for note in judged.notes if note.startswith("ladder")] != wanted:
            yield f"season {season.number}: {judged.lines()}"
        yield from (f"season {season.number}, at its end: {wrong}" for wrong in _told_wrongly_at_the_end(season))
        if season.ladder_of:
            yield from (f"season {season.number}: {wrong}" for wrong in _told_wrongly(seasons[at - 1], season))


def _tables(season: Season) -> list[list[Name]]:
    """Return the names of each division, best first, as the standings say them."""
    rows = [row for row in answers.standings_list(season) if row["group"] is not None]
    in_order = sorted(rows, key=lambda row: (row["group"], row["group_rank"]))
    numbers = sorted({row["group"] for row in rows})
    return [[row["name"] for row in in_order if row["group"] == number] for number in numbers]


def _due(tables: Tables, moves: int) -> dict[Name, int]:
    """Return the division each place leads to, worked out player by player."""
    due: dict[Name, int] = {}
    for number, names in enumerate(tables, start=1):
        for place, name in enumerate(names):
            beside = [tables[number - 2]] if number > 1 else []
            below = [tables[number]] if number < len(tables) else []
            goes_up = any(place < min(moves, len(names) // 2, len(other) // 2) for other in beside)
            goes_down = any(len(names) - place <= min(moves, len(names) // 2, len(other) // 2) for other in below)
            due[name] = number - goes_up + goes_down
    return due


def _told_wrongly_at_the_end(season: Season) -> Iterator[str]:
    tables = _tables(season)
    due = _due(tables, season.settings.moves)
    divided = season.settings.grouping.value == "divisions"
    for place in by_key("round-robin").ladder_places(season):
        words = would_go(place)
        if not divided:
            if words:
                yield f"{place.name}: {words}"
            continue
        division = next(at for at, names in enumerate(tables, start=1) if place.name in names)
        way = {-1: "go up to", 0: "stay there", 1: "go down to"}[due[place.name] - division]
        if not _is_place(words, tables, place.name) or way not in words:
            yield f"{place.name}: {words} ({way})"


def _is_place(words: str, tables: Tables, name: Name) -> bool:
    """Whether the place and the division that are told are a player's."""
    told = _PLACE.match(words)
    if told is None:
        return False
    names = tables[int(told[2]) - 1]
    at = len(names) if told[1] == "last" else int(told[1])
    return names[at - 1] == name


def _told_wrongly(before: Season, season: Season) -> Iterator[str]:
    """Yield the sentences of a start that aren't so, by the standings of both seasons."""
    tables, now = _tables(before), _tables(season)
    divided = before.settings.grouping.value == "divisions"
    due, places = _due(tables, before.settings.moves), by_key("round-robin").ladder_places(before)
    called = {old: one.name for one in season.entrants for old in one.former_names}
    called |= {one.name: one.name for one in season.entrants}
    best = {called[place.name]: place for place in reversed(places) if place.name in called}
    for division, names in enumerate(now, start=1):
        for name in names:
            place = best.get(name)
            if place is None:
                words = newcomer_here(division, len(now), season=before.number)
                if "You weren't in" not in words:
                    yield f"{name}: {words}"
                continue
            words = why_here(place, division, len(now), season=before.number)
            told = _is_place(words, tables, place.name) and _is_so(words, place.name, division, due, tables, now)
            if divided and not told:
                yield f"{name} in division {division}: {words}"
    rank = {place.name: at for at, place in enumerate(places)}
    returned = [sorted(rank[best[name].name] for name in names if name in best) for names in now]
    if [*chain.from_iterable(returned)] != sorted(chain.from_iterable(returned)):
        yield "who returns is not in the order of the ladder"
    newcomers_above = [at for at, names in enumerate(now) if any(name not in best for name in names)]
    returning = [at for at, names in enumerate(now) if any(name in best for name in names)]
    if newcomers_above and returning and min(newcomers_above) < max(returning):
        yield "a newcomer stands above someone who returns"


def _is_so(words: str, name: Name, division: int, due: dict[Name, int], tables: Tables, now: Tables) -> bool:
    """Whether the reason and the way in a sentence are as both seasons' tables have them."""
    was = next(at for at, names in enumerate(tables, start=1) if name in names)
    leads_to = due[name]
    way = _WAY.search(words)
    if way is None or int(way[2] or way[3] or was) != division or (way[1] == "up") != (bool(way[1]) and division < was):
        return False
    if leads_to > len(now):
        return f"only {len(now)} division" in words
    free, fewer = "places were free" in words, "fewer places above" in words
    room = [sum(map(len, some[:leads_to])) for some in (tables, now)]
    return free == (division < leads_to) and fewer == (division > leads_to) and (not fewer or room[1] < room[0])


def main(leagues: int = 500, first: int = 0) -> int:
    """Try so many leagues and write what is wrong; returns the exit code."""
    began = time.monotonic()
    parts = [range(start, min(start + TOGETHER, first + leagues)) for start in range(first, first + leagues, TOGETHER)]
    with ProcessPoolExecutor(2) as workers:
        wrong = list(chain.from_iterable(workers.map(differences, parts)))
    print("\n".join([*wrong, f"{leagues} leagues: {len(wrong)} differences ({time.monotonic() - began:.0f} s)"]))
    return min(len(wrong), 1)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
