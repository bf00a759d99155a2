"""Play a season by chance, with all that people can do between rounds; results follow the ratings."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from bot import answers
from bot.league.checking.by_hand import BY_HAND, FORGOTTEN
from bot.league.checking.league_file.layout import FINAL
from bot.league.checking.league_file.reading import read_playable
from bot.league.checking.season_end import final_of
from bot.league.errors import LeagueError
from bot.league.formats import by_key
from bot.league.season.model import Ended, Season
from bot.random_seasons.beginning import ROUND_ROBIN, SWISS, File, beginning, rating
from bot.random_seasons.chance import Chance

_MOST_ROUNDS = 60


def texts(format_: str, seed: int | str, players: int | None = None) -> Iterator[str]:
    """Yield the league file of a random season before each of its rounds, and at last with how it ended."""
    season = _Played(format_, seed, players)
    for number in range(1, _MOST_ROUNDS):
        if number > 1 or season.chance.maybe(0.2):
            season.before_round(number)
        yield season.text
        due = season.due()
        if due is None and (season.play_what_is_open() or season.take_back_sit_outs(number)):
            yield season.text
            due = season.due()
        if due is None or "matches" not in due or (number > 1 and season.chance.maybe(0.02)):
            break
        season.play(number, due)
    season.end()
    yield season.text


class _Played:
    def __init__(self, format_: str, seed: int | str, players: int | None) -> None:
        self.chance = Chance(f"{format_}/{seed}")
        self.scores = Chance(f"{format_}/{seed}/scores")
        self.format = format_
        self.file = beginning(format_, self.chance, players)
        if self.scores.maybe(0.3):
            self.file["settings"]["scores"] = self.scores.maybe(0.8)
        self.strengths = {row["name"]: row.get("rating", {"mu": 25})["mu"] for row in self.file["players"]}
        self.sitting = {name: name for name in self.strengths}
        self.newcomers = [f"New {number}" for number in range(9, 0, -1)]
        self.numbers = iter(range(1001, 2000))
        self.ruined = self.chance.maybe(0.15)
        """Whether it's a season of double losses, departures and changes by hand."""
        self._read: tuple[str, Season] | None = None

    @property
    def text(self) -> str:
        return json.dumps(self.file, ensure_ascii=False)

    def season(self) -> Season:
        """Return the file as a season, read again only where it was changed."""
        text = self.text
        if self._read is None or self._read[0] != text:
            self._read = text, read_playable(text.encode())
        return self._read[1]

    def due(self) -> dict[str, Any] | None:
        """Return the next round or the end, None where the rules give neither."""
        try:
            return answers.next_round(self.season())
        except LeagueError:
            return None

    def add(self, key: str, row: File) -> bool:
        """Add a row to a list of the file, if that is still a league file then."""
        rows: list[File] = self.file.setdefault(key, [])
        rows.append(row)
        try:
            self.season()
        except LeagueError:
            rows.pop()
            return False
        return True

    @property
    def open_together(self) -> bool:
        return self.file["settings"].get("schedule") == "open"

    def present(self) -> list[str]:
        gone = {row["name"] for row in self.file["departures"] if row["rejoined"] is None}
        return [row["name"] for row in self.file["players"] if row["name"] not in gone]

    def before_round(self, number: int) -> None:
        """Let people leave, come back, come late, sit out, be replaced and be kept apart."""
        chance, names = self.chance, [row["name"] for row in self.file["players"]]
        in_finals = number > 1 and self.file["rounds"][-1]["stage"] == "finals"
        if self.open_together and number > 1 and not in_finals:
            return
        if in_finals and chance.maybe(0.06):
            self.forget()
            names = [row["name"] for row in self.file["players"]]
        for _ in range(chance.whole(0, 3) if self.ruined else int(chance.maybe(0.25))):
            if len(self.present()) < (1 if self.ruined else 3):
                break
            kind = chance.one(("drop", "drop", "disqualification"))
            self.leave(chance.one(self.present()), kind, number, after_pairing=False)
        for row in self.file["departures"]:
            if row["rejoined"] is None and self.format in ("ohs", *SWISS) and chance.maybe(0.2):
                self.come_back(row, number)
        if number > 1 and self.format != "single-elimination" and chance.maybe(0.15):
            late: File = {"name": self.newcomers[-1], "entered": number}
            if chance.maybe(0.5):
                late["rating"] = rating(chance)
            if self.add("players", late):
                self.arrives(self.newcomers.pop(), late, seat=late["name"])
        if chance.maybe(0.3):
            self.add("sat_out", {"name": chance.one(names), "round": number})
        if chance.maybe(0.2):
            self.substitute(chance.one(names), number)
        for _ in range(chance.one((0, 0, 1, 3))):
            until = chance.one((None, number, number + 1, number + 2))
            self.add("apart", {"players": chance.some(names, 2), "round": number, "until": until})
        if self.format == "lightseekers-swiss" and number > 1 and chance.maybe(0.5):
            self.add("decisions", {"after_round": chance.whole(max(1, number - 2), number - 1), "order": self.order()})
        if "lists" in self.file["settings"] and chance.maybe(0.5):
            self.hand_in(chance.one(names), number)

    def order(self) -> list[str]:
        """Return an order as an organiser enters it: of players who are equal in everything, or of any others."""
        season = self.season()
        format_ = by_key(season.format)
        groups = format_.equals(format_.before_finals(season))
        if not groups or self.chance.maybe(0.2):
            names = [row["name"] for row in self.file["players"]]
            return self.chance.some(names, self.chance.whole(2, 4))
        group = list(self.chance.one(groups))
        return self.chance.some(group, len(group) - int(self.chance.maybe(0.2)))

    def arrives(self, person: str, row: File, *, seat: str) -> None:
        self.strengths[person] = row.get("rating", {"mu": 25})["mu"]
        self.sitting[seat] = person

    def substitute(self, seat: str, number: int) -> None:
        if self.sitting[seat] != seat and self.chance.maybe(0.5):
            if self.add("substitutes", {"seat": seat, "player": seat, "round": number}):
                self.sitting[seat] = seat
            return
        row: File = {"seat": seat, "player": self.newcomers[-1], "round": number, "rating": rating(self.chance)}
        if self.chance.maybe(0.3):
            row["former_names"] = [f"once {self.newcomers[-1]}"]
        if len(self.newcomers) > 1 and self.add("substitutes", row):
            self.arrives(self.newcomers.pop(), row, seat=seat)

    def hand_in(self, name: str, number: int) -> None:
        key, text = self.chance.hex(32), f"army {number}"
        row: File = {"name": name, "number": 1, "round": number, "key": key, "text": text}
        row["sha256"] = hashlib.sha256(f"{key}/{text}".encode()).hexdigest()
        self.add("lists", row if self.chance.maybe(0.5) else {**row, "key": None, "text": None})

    def leave(self, name: str, kind: str, number: int, *, after_pairing: bool) -> None:
        row = {"name": name, "kind": kind, "round": number, "after_pairing": after_pairing, "rejoined": None}
        self.add("departures", row)

    def come_back(self, row: File, number: int) -> None:
        row["rejoined"] = number
        try:
            self.season()
        except LeagueError:
            row["rejoined"] = None

    def take_back_sit_outs(self, number: int) -> bool:
        """Let everyone play after all; whether anyone sat out."""
        rows = self.file.get("sat_out", [])
        self.file["sat_out"] = [row for row in rows if row["round"] != number]
        return len(self.file["sat_out"]) < len(rows)

    def play(self, number: int, due: dict[str, Any]) -> None:
        """Give a round results, perhaps change it by hand before, and let someone leave after its pairing."""
        finals = due["stage"] == "finals"
        if self.format == ROUND_ROBIN and not finals:
            self.play_of_table(number, [match["players"] for match in due["matches"]])
            return
        bye = due["bye"] if isinstance(due["bye"], list) else [due["bye"]] if due["bye"] else []
        pairs = [match["players"] for match in due["matches"]]
        by_hand = self.chance.maybe(0.3 if self.ruined or finals else 0.06)
        by_hand = by_hand and self.by_hand(pairs, bye, stage=due["stage"])
        lost = self.chance.one((0, 0.3, 1)) if self.ruined else 0.06
        matches = [self.scored(self.result(players, finals=finals, lost=lost)) for players in pairs]
        if not by_hand:
            for match, asked in zip(matches, due["matches"], strict=True):
                if "dice_off" in asked and self.chance.maybe(0.7):
                    match["dice_off"] = asked["dice_off"]
        written: File = {"number": number, "stage": due["stage"], "matches": matches}
        written["bye"] = bye if finals or len(bye) > 1 else bye[0] if bye else None
        self.file["rounds"].append(written | ({"by_hand": BY_HAND} if by_hand else {}))
        if matches and self.chance.maybe(0.15) and len(self.present()) > 2:
            match = self.chance.one(matches)
            leaver, stays = self.chance.some(match["players"], 2)
            if leaver in self.present():
                match.update(kind="forfeit", winner=stays, games=None)
                self.leave(leaver, "drop", number, after_pairing=True)

    def play_of_table(self, number: int, pairs: list[list[str]]) -> None:
        """Give a round of a table results, or leave it open where all are played together; who left forfeits."""
        matches = [self.scored(self.result(players, finals=False, lost=0.06)) for players in pairs]
        open_: File = {"winner": None, "games": None, "kind": "open"}
        if self.open_together:
            matches = [{"players": match["players"], **open_} if self.chance.maybe(0.6) else match for match in matches]
        self.file["rounds"].append({"number": number, "stage": "regular", "bye": None, "matches": matches})
        leaving = 0.6 if self.ruined else 0.15
        if self.open_together:
            if self.due() is None:  # all rounds are there
                self.leave_table(number, leaving)
        elif len(self.present()) > 1:
            self.leave_table(number, leaving)
        gone = {row["name"] for row in self.file["departures"]}
        for match in matches if not self.open_together else ():
            here = [name for name in match["players"] if name not in gone]
            if len(here) < 2 and self.chance.maybe(0.9):
                forfeit: File = {"kind": "forfeit" if here else "double_loss", "winner": here[0] if here else None}
                match.update(forfeit, games=None)
                match.pop("score", None)

    def play_what_is_open(self) -> bool:
        """Give all open matches of a table results; whether there were any."""
        matches = [match for round_ in self.file["rounds"] for match in round_["matches"] if match["kind"] == "open"]
        for match in matches:
            match |= self.scored(self.result(match["players"], finals=False, lost=0.06))
        return bool(matches)

    def leave_table(self, number: int, chance: float) -> None:
        """Let people leave after round `number` was paired."""
        while self.chance.maybe(chance) and len(self.present()) > 1:
            self.leave(self.chance.one(self.present()), "drop", number, after_pairing=True)

    def by_hand(self, pairs: list[list[str]], bye: list[str], *, stage: str) -> bool:
        """Change a round as an organiser can: two swap their opponents, or get byes instead of a match."""
        third_place = stage == "finals" and len(pairs) == 2 and self.file["settings"].get("third_place")
        if len(pairs) > 1 and not third_place and self.chance.maybe(0.7):
            first, other = self.chance.some(range(len(pairs)), 2)
            (a, b), (c, d) = pairs[first], pairs[other]
            pairs[first], pairs[other] = [a, d], [c, b]
            return True
        if stage == "regular" and len(pairs) > 1:
            bye.extend(pairs.pop(self.chance.whole(0, len(pairs) - 1)))
            return True
        return False

    def result(self, players: list[str], *, finals: bool, lost: float) -> File:
        """Return a match with a result: the better player wins more often, most matches are played.

        `lost` is the chance that both lose.
        """
        chance, settings = self.chance, self.file["settings"]
        first, second = (self.strengths[self.sitting[name]] for name in players)
        better = (first - second) / 4
        won = 0 if chance.maybe(0.5 + better / (2 + 2 * abs(better))) else 1
        kind = chance.one(("played",) * 8 + ("adjudicated", "forfeit"))
        match: File = {"players": players, "winner": players[won], "games": None, "kind": kind}
        if not finals and chance.maybe(lost):
            return match | {"winner": None, "kind": "double_loss"}
        if not finals and settings.get("draws") and chance.maybe(0.15):
            match |= {"winner": "draw", "kind": chance.one(("played", "adjudicated"))}
        elif kind == "played" and chance.maybe(0.7):
            match["games"] = self.games(won, finals=finals)
        if self.format == "keyforge-swiss" and chance.maybe(0.03):
            match["points"] = [chance.whole(0, 3), chance.whole(0, 3)]
        return match

    def scored(self, match: File) -> File:
        """Return a match with a score, where the season has them: of one that was played the winner's isn't lower."""
        chance, played = self.scores, match["kind"] == "played"
        if not self.file["settings"].get("scores") or not chance.maybe(0.9 if played else 0.3):
            return match
        most = chance.one((1, 20, 9_999))
        score = [chance.whole(0, most), chance.whole(0, most)]
        if played and match["winner"] == "draw":
            score = score[:1] * 2
        elif played:
            score.sort(reverse=match["winner"] == match["players"][0])
        return match | {"score": score}

    def games(self, won: int, *, finals: bool) -> list[int]:
        settings = self.file["settings"]
        usual = 3 if self.format == "lightseekers-swiss" else 1
        asked = ("finals_best_of", "final_best_of") if finals else ("best_of",)
        most = min(settings.get(key, usual) for key in asked) // 2 + 1
        games = [self.chance.whole(0, most - 1)] * 2
        games[won] = most
        return games

    def end(self) -> None:
        """Write how the season ended: by its rules, or because an organiser ended it."""
        if self.chance.maybe(0.06):
            self.forget()
        due, season = self.due(), self.season()
        if due is None or "matches" in due:
            ended, champion = self.chance.one((Ended.FINISHED, Ended.CANCELLED)), None
        else:
            ended = Ended.RULES
            champion = due["champion"] if "champion" in due else next(iter(due["qualified"]), None)
        self.file["final"] = FINAL.written(final_of(by_key(season.format).standings(season), ended, champion))

    def forget(self) -> None:
        """Call someone by a number from now on, as when they are forgotten; a bracket that has begun stays as it is."""
        season = self.season()
        slots, groups = by_key(season.format).first_slots(season), by_key(season.format).kept_groups(season)
        self.file["forgotten"] = True
        if slots:
            self.file["bracket"] = list(slots)
        if groups:
            self.file["groups"] = [list(group) for group in groups]
        gone = self.chance.one(self.file["players"])
        gone.pop("former_names", None)
        called = {gone["name"]: f"Player {next(self.numbers)}"}
        self.file, self.strengths, self.sitting = (
            {called.get(key, key): _renamed(value, called) for key, value in names.items()}
            for names in (self.file, self.strengths, self.sitting)
        )
        for round_ in self.file["rounds"]:
            if self.format == ROUND_ROBIN and round_["stage"] == "regular":
                for match in round_["matches"]:
                    match.pop("dice_off", None)
            elif round_["stage"] != "finals" or "dice_off" in self.file["settings"]:
                round_["by_hand"] = FORGOTTEN


def _renamed(value: Any, called: dict[str, str]) -> Any:
    """Return a part of a file in which some players have other names."""
    match value:
        case str():
            return called.get(value, value)
        case list():
            return [_renamed(part, called) for part in value]
        case dict():
            return {key: _renamed(part, called) for key, part in value.items()}
        case _:
            return value
