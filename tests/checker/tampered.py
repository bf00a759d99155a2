"""League files that somebody changed, judged by both engines: `python -m tests.checker.tampered [FILES [FIRST]]`."""

import json
import random
import subprocess
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from bot.league.checking.league_file.reading import read
from bot.league.checking.verify import verify
from bot.league.errors import InvalidFile, LeagueError
from bot.random_seasons.season import texts
from tests.checker.engines import FORMATS, HERE, NODE, answered
from tests.checker.tampered_groups import OF_GROUPS

FINE, DIFFERS, REFUSED, CRASHED = range(4)  # the exit codes of both engines; neither ever crashes
SOURCES = 10  # seasons of each format by each engine that are changed in turn
WRONG = [None, -1, 0, 1, 1.5, 10**7, "x", "", "1", True, [], {}]

File = dict[str, Any]
Change = Callable[[File, random.Random], object]


def spots(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each place of a file as what it is in and its key."""
    places: list[Any] = list(value.items() if isinstance(value, dict) else enumerate(value)) if value else []
    for key, inner in places:
        yield value, key
        if isinstance(inner, dict | list):
            yield from spots(inner)


def matches(file: File) -> list[Any]:
    return [match for round_ in file["rounds"] for match in round_["matches"]]


def names(file: File) -> list[str]:
    return [player["name"] for player in file["players"]]


def another_value(file: File, chance: random.Random) -> None:
    where, key = chance.choice([*spots(file)])
    where[key] = chance.choice(WRONG)


def taken_out(file: File, chance: random.Random) -> None:
    where, key = chance.choice([*spots(file)])
    del where[key]


def doubled(file: File, chance: random.Random) -> None:
    where = chance.choice([where for where, _ in spots(file) if isinstance(where, list)])
    where.insert(chance.randrange(len(where) + 1), json.loads(json.dumps(chance.choice(where))))


def shuffled(file: File, chance: random.Random) -> None:
    chance.shuffle(chance.choice([where for where, _ in spots(file) if isinstance(where, list)]))


def as_text(file: File, chance: random.Random) -> None:
    where, key = chance.choice([(where, key) for where, key in spots(file) if isinstance(where[key], int | float)])
    where[key] = str(where[key])


def a_little_more(file: File, chance: random.Random) -> None:
    where, key = chance.choice([(where, key) for where, key in spots(file) if type(where[key]) in (int, float)])
    where[key] += chance.choice([-1, 1, 0.5])


def look_alike(file: File, chance: random.Random) -> None:
    where, key = chance.choice([(where, key) for where, key in spots(file) if isinstance(where[key], str)])
    ways: list[Callable[[str], str]] = [
        lambda text: text.replace("a", "а").replace("e", "е"),  # Cyrillic
        lambda text: unicodedata.normalize("NFD", text + "é"),
        lambda text: text + "\u200b",
        lambda text: text.swapcase(),
        lambda text: text + " ",
    ]
    where[key] = chance.choice(ways)(where[key])


def unknown_field(file: File, chance: random.Random) -> None:
    where = chance.choice([file, *(where for where, _ in spots(file) if isinstance(where, dict))])
    where[chance.choice(["surprise", "approval", "__proto__", "Name", "losses", "cut", "points", "score"])] = 1


def pairs_swapped(file: File, chance: random.Random) -> None:
    round_ = chance.choice([round_ for round_ in file["rounds"] if len(round_["matches"]) > 1])
    one, other = chance.sample(round_["matches"], 2)
    mine, theirs = one["players"], other["players"]
    mine[1], theirs[1] = theirs[1], mine[1]
    for match in (one, other):
        match["winner"] = match["players"][0] if match["winner"] not in (None, "draw") else match["winner"]
        match.pop("dice_off", None)


def rounds_mixed(file: File, chance: random.Random) -> None:
    """Exchange two people of two rounds."""
    one, other = chance.choice(matches(file)), chance.choice(matches(file))
    a, b = chance.choice(one["players"]), chance.choice(other["players"])
    for match, old, new in ((one, a, b), (other, b, a)):
        exchanged = json.dumps(match).replace(json.dumps(old), json.dumps(new))
        match |= json.loads(exchanged)


def another_result(file: File, chance: random.Random) -> None:
    match = chance.choice(matches(file))
    match["winner"] = chance.choice([*match["players"], "draw", None])
    if chance.random() < 0.5 and match.get("games"):
        match["games"] = match["games"][::-1]


def another_kind(file: File, chance: random.Random) -> None:
    match = chance.choice(matches(file))
    match["kind"] = chance.choice(["played", "forfeit", "double_loss", "adjudicated", "open"])
    if chance.random() < 0.5:
        match["games"] = None
        match["winner"] = None if match["kind"] in ("double_loss", "open") else chance.choice(match["players"])


def other_games(file: File, chance: random.Random) -> None:
    chance.choice(matches(file))["games"] = [chance.randrange(4), chance.randrange(4)]


def another_score(file: File, chance: random.Random) -> None:
    match = chance.choice(matches(file))
    score = [chance.choice([0, 7, 9999]), chance.choice([0, 7, 10_000])]
    match["score"] = chance.choice([score, score, score[:1], [7.0, 0], [True, 0], match.get("score", score)[::-1]])
    if chance.random() < 0.8:
        file.setdefault("settings", {})["scores"] = True


def dice_turned(file: File, chance: random.Random) -> None:
    match = chance.choice(matches(file))
    match["dice_off"] = chance.choice(match["players"])


def bye_moved(file: File, chance: random.Random) -> None:
    round_ = chance.choice(file["rounds"])
    round_["bye"] = chance.choice([None, [], chance.choice(names(file)), chance.sample(names(file), 2)])


def bye_for_a_match(file: File, chance: random.Random) -> None:
    round_ = chance.choice([round_ for round_ in file["rounds"] if isinstance(round_["bye"], str)])
    match = chance.choice(round_["matches"])
    round_["bye"], match["players"][1] = match["players"][1], round_["bye"]
    match["winner"] = match["players"][0]
    match.pop("dice_off", None)


def round_dropped(file: File, chance: random.Random) -> None:
    del file["rounds"][chance.randrange(len(file["rounds"]))]
    if chance.random() < 0.7:
        for number, round_ in enumerate(file["rounds"], 1):
            round_["number"] = number


def last_rounds_dropped(file: File, chance: random.Random) -> None:
    del file["rounds"][chance.randrange(len(file["rounds"])) :]
    if chance.random() < 0.7:
        file.pop("final", None)


def rounds_exchanged(file: File, chance: random.Random) -> None:
    one, other = chance.choice(file["rounds"]), chance.choice(file["rounds"])
    one["matches"], other["matches"] = other["matches"], one["matches"]
    one["bye"], other["bye"] = other["bye"], one["bye"]


def another_stage(file: File, chance: random.Random) -> None:
    chance.choice(file["rounds"])["stage"] = chance.choice(["regular", "tiebreak", "finals"])


def by_hand_turned(file: File, chance: random.Random) -> None:
    round_ = chance.choice(file["rounds"])
    if round_.pop("by_hand", None) is None:
        round_["by_hand"] = "changed by an organiser"


def renamed_everywhere(file: File, chance: random.Random) -> None:
    old, new = chance.choice(names(file)), chance.choice([*names(file), "Somebody new", "draw"])
    changed = json.loads(json.dumps(file).replace(json.dumps(old), json.dumps(new)))
    file.clear()
    file.update(changed)


def renamed_in_one_place(file: File, chance: random.Random) -> None:
    chance.choice(file["players"])["name"] = chance.choice(["Somebody new", *names(file)])


def one_more(file: File, chance: random.Random) -> None:
    file["players"].append({"name": "Somebody new", "entered": chance.randrange(1, 6)})


def entered_otherwise(file: File, chance: random.Random) -> None:
    chance.choice(file["players"])["entered"] = chance.randrange(1, 6)


def rated_otherwise(file: File, chance: random.Random) -> None:
    rating = {"mu": chance.uniform(0, 50), "sigma": chance.choice([0.5, 8, 0, 10**6])}
    chance.choice(file["players"])["rating"] = rating


def seeded_otherwise(file: File, chance: random.Random) -> None:
    chance.choice(file["players"])["seed"] = chance.randrange(1, 10)


def left(file: File, chance: random.Random) -> None:
    row: File = {"name": chance.choice(names(file)), "kind": chance.choice(["drop", "disqualification"])}
    row["round"] = chance.randrange(1, len(file["rounds"]) + 3)
    row["after_pairing"] = chance.random() < 0.5
    row["rejoined"] = chance.choice([None, None, chance.randrange(1, 8)])
    file["departures"] = [*file.get("departures", []), row]


def stayed(file: File, chance: random.Random) -> None:
    file["departures"].pop(chance.randrange(len(file["departures"])))


def sat_out(file: File, chance: random.Random) -> None:
    row = {"name": chance.choice(names(file)), "round": chance.randrange(1, 6)}
    file["sat_out"] = [*file.get("sat_out", []), row]


def substituted(file: File, chance: random.Random) -> None:
    row: File = {"seat": chance.choice(names(file)), "player": chance.choice(["Sub", *names(file)])}
    row["round"] = chance.randrange(1, 6)
    file["substitutes"] = [*file.get("substitutes", []), row]


def kept_apart(file: File, chance: random.Random) -> None:
    row = {"players": chance.sample(names(file), 2), "round": chance.randrange(1, 4)}
    file["apart"] = [*file.get("apart", []), row | chance.choice([{}, {"until": chance.randrange(1, 6)}])]


def met_before(file: File, chance: random.Random) -> None:
    row = {"season": file["season"] - chance.randrange(3), "matches": [chance.sample(names(file), 2)]}
    past = file.setdefault("past_seasons", [])
    past.clear() if chance.random() < 0.5 else past.append(row)


def decided(file: File, chance: random.Random) -> None:
    order = chance.sample(names(file), chance.randrange(1, 4))
    row = {"after_round": chance.randrange(1, 8), "order": order}
    file["decisions"] = [*file.get("decisions", []), row]


def set_otherwise(file: File, chance: random.Random) -> None:
    key, values = chance.choice([*SETTINGS.items()])
    file.setdefault("settings", {})[key] = chance.choice(values)


SETTINGS: dict[str, list[Any]] = {
    "scores": [True, False, None, 1],
    "rounds": [1, 3, 7, 51, None],
    "cut": [None, 0, 1, 2, 3, 4, 8, 65],
    "best_of": [1, 2, 3, 5],
    "finals_best_of": [1, 3],
    "final_best_of": [1, 3],
    "losses": [1, 2, 3, 6],
    "bye_among": ["all", "lowest"],
    "points": [{"win": 3, "draw": 1}, {"win": 0}, {"bye": 0}],
    "draws": [True, False],
    "seeding": ["seeded", "drawn"],
    "third_place": [True, False],
    "rejoin": ["free", "never", "ask", "no"],
    "late_entry": [1, 2, 5],
    "replace": [True, False],
    "rating": [{"mu": 20}, {"draw_probability": 0.1}, {"tau": 0}, {"beta": 1}, {}],
    "salt": [None, "", "0123456789abcdef", "x" * 65],
    "dice_off": ["off", "draw", "equalizer"],
    "round_ends": ["sunday 21:00", "never", None],
    "max_players": [2, 1, None],
}


def digit_of_a_hash(file: File, chance: random.Random) -> None:
    """Change a digit of a salt, secret, commitment or list."""
    long = [(where, key) for where, key in spots(file) if isinstance(where[key], str) and len(where[key]) >= 16]
    where, key = chance.choice(long)
    text: str = where[key]
    i = chance.randrange(len(text))
    where[key] = text[:i] + chance.choice("0af") + text[i + 1 :]


def seal_moved(file: File, chance: random.Random) -> None:
    digits = "".join(chance.choices("0123456789abcdef", k=64))
    file["sealed"] = {"commitment": digits, "secret": chance.choice([None, digits[::-1]])}


def names_of_the_salt(file: File, chance: random.Random) -> None:
    file["drawn_names"] = chance.sample(names(file), chance.randrange(len(file["players"]) + 1))


def end_changed(file: File, chance: random.Random) -> None:
    end = file["final"]
    row = chance.choice(end["standings"])
    ways: list[Callable[[], object]] = [
        lambda: end.update(champion=chance.choice([None, *names(file)])),
        lambda: end.update(ended=chance.choice(["rules", "finished", "cancelled"])),
        lambda: chance.shuffle(end["standings"]),
        lambda: row.update(wins=row["wins"] + 1),
        lambda: row.update(points=row["points"] + 1),
        lambda: row["tiebreaks"].update(strength_of_schedule=chance.random()),
        lambda: row["tiebreaks"].popitem(),
        lambda: end["standings"].pop(),
    ]
    chance.choice(ways)()


def another_format(file: File, chance: random.Random) -> None:
    file["format"] = chance.choice([*FORMATS, "record"])


def forgotten(file: File, _: random.Random) -> None:
    file["forgotten"] = True


def bracket_changed(file: File, chance: random.Random) -> None:
    """Say that a bracket began otherwise, or write one where none is kept."""
    slots: list[Any] = [*(file.get("bracket") or names(file))]
    filled = [*slots, *[None] * ((1 << (len(slots) - 1).bit_length()) - len(slots))]
    at = chance.randrange(len(slots))
    ways = [
        slots,
        filled,
        chance.sample(filled, len(filled)),
        [*slots[:at], None, *slots[at + 1 :]],
        [*slots[:at], chance.choice([*names(file), "Somebody new"]), *slots[at + 1 :]],
        slots[:at],
        filled[: len(filled) // 2],
        [*filled, *[None] * len(filled)],
    ]
    file["bracket"] = chance.choice(ways)
    if chance.random() < 0.8:
        file["forgotten"] = True


def final_exchanged(file: File, chance: random.Random) -> None:
    """Let players of the final and of the match for third place change places."""
    if not file["settings"].get("third_place"):
        raise KeyError
    round_ = chance.choice([round_ for round_ in file["rounds"] if len(round_["matches"]) == 2])
    final, third = round_["matches"]
    i, j = chance.randrange(2), chance.randrange(2)
    final["players"][i], third["players"][j] = third["players"][j], final["players"][i]
    for match in (final, third):
        match["winner"] = match["players"][0]
        match.pop("dice_off", None)
    if chance.random() < 0.7:
        round_["by_hand"] = "changed by an organiser"


def a_list(file: File, chance: random.Random) -> None:
    row: File = {"name": chance.choice(names(file)), "number": chance.randrange(1, 3), "sha256": "0" * 64}
    row |= chance.choice([{}, {"key": "k"}, {"key": "k", "text": "t"}])
    file["lists"] = [*file.get("lists", []), row]


CHANGES: Sequence[Change] = (
    *(another_value, another_value, another_value, taken_out, taken_out, doubled, doubled, shuffled, as_text),
    *(a_little_more, look_alike, unknown_field, pairs_swapped, rounds_mixed, another_result, another_kind, other_games),
    *(another_score, another_score),
    *(dice_turned, bye_moved, bye_for_a_match, round_dropped, last_rounds_dropped, rounds_exchanged, another_stage),
    *(by_hand_turned, renamed_everywhere, renamed_in_one_place, one_more, entered_otherwise, rated_otherwise),
    *(seeded_otherwise, left, stayed, sat_out, substituted, kept_apart, met_before, decided, set_otherwise),
    *(digit_of_a_hash, seal_moved, names_of_the_salt, end_changed, another_format, forgotten, a_list),
    *(bracket_changed, bracket_changed, final_exchanged),
    *OF_GROUPS,
)


@cache
def sources() -> tuple[str, ...]:
    """Return whole seasons of each format, by the program's generator and by the checker's own."""
    found = [list(texts(format_, seed))[-1] for format_ in FORMATS for seed in range(SOURCES)]
    for format_ in FORMATS:
        made = subprocess.run([NODE, HERE / "generate.js", format_, "0", str(SOURCES)], capture_output=True, check=True)
        found += made.stdout.decode().splitlines()
    return tuple(found)


def tampered(number: int, first: int = 0) -> Iterator[tuple[str, str]]:
    """Yield so many changed files with the name of what was done to each; the same numbers give the same files."""
    given = sources()
    for seed in range(first, first + number):
        chance = random.Random(f"tampered {seed}")
        while True:
            file = json.loads(chance.choice(given))
            change = chance.choice(CHANGES)
            try:
                change(file, chance)
            except (IndexError, KeyError, ValueError, TypeError):  # the file has nothing of that kind
                continue
            yield change.__name__, json.dumps(file)
            break


def by_program(data: bytes) -> tuple[int, str]:
    """Return the exit code of the program's `verify` for a file, and what it says first."""
    try:
        judged = verify(read(data))
    except InvalidFile as wrong:
        return REFUSED, str(wrong)
    except LeagueError as wrong:
        return DIFFERS, str(wrong)
    return (FINE, "") if judged.agrees else (DIFFERS, next(iter(judged.differences), ""))


def by_checker(found: dict[str, Any]) -> tuple[int, str]:
    """Return the same of what the checker answered."""
    if "invalid" in found:
        return REFUSED, found["invalid"]
    if "crash" in found:
        return CRASHED, found["crash"]
    judged = found["verify"]
    return (FINE, "") if judged.get("fine") else (DIFFERS, judged.get("impossible") or " / ".join(judged["lines"]))


def judged_otherwise(number: int, first: int = 0) -> Iterator[tuple[str, str, tuple[int, str], tuple[int, str]]]:
    """Yield the changed files that the engines judge otherwise, each with what was done and what either says."""
    files = list(tampered(number, first))
    for (what, text), found in zip(files, answered(text for _, text in files), strict=True):
        theirs, ours = by_program(text.encode()), by_checker(found)
        if theirs[0] != ours[0]:
            yield what, text, theirs, ours


def main(number: int = 3_000, first: int = 0) -> int:
    """Judge so many changed files and write each that the engines judge otherwise; returns the exit code."""
    wrong = list(judged_otherwise(number, first))
    for i, (what, text, theirs, ours) in enumerate(wrong):
        path = Path(f"tampered-{i}.json")
        path.write_text(text, encoding="utf-8")
        print(f"{path}: {what}\n  program: {theirs}\n  checker: {ours}")
    counted = Counter(what for what, *_ in wrong)
    print(f"{number} files: {len(wrong)} are judged otherwise", dict(counted) or "")
    return min(len(wrong), 1)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
