"""Write the index of a league for programs: what its pages say, and where they are, as JSON (docs/index-json.md)."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from bot.league.counting import table_columns
from bot.league.counting.ratings import ShownRating
from bot.league.counting.seat_holders import people_in_seats
from bot.league.season.match_score import scoreline_of
from bot.league.season.model import Kind, Match, Name, Round, Stage
from bot.league.season.phases import LIVE, PLAYING, SeasonPhase
from bot.league.summaries.careers import Career
from bot.league.summaries.league_records import RecordLine
from bot.league.summaries.season_table import TableRow
from bot.site.facts import LeagueFacts, PlayerFacts, RoundFacts
from bot.site.lines import Line
from bot.site.rounds import Result, RoundView, called_in
from bot.site.season_view import SeasonView, outcome
from bot.site.words import Clock

VERSION = 1
"""Rises when a field goes or means something else; a new field leaves it."""
_HOW = {Kind.FORFEIT: "forfeit", Kind.ADJUDICATED: "decision"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """What a league's index says; `address` is where its folder is on the web, `check` whether seasons are checked."""

    league: LeagueFacts
    seasons: Sequence[SeasonView]
    careers: Mapping[int, Career]
    records: Sequence[RecordLine]
    with_page: Collection[int]
    clock: Clock
    address: str
    check: bool

    def parts(self) -> Iterator[bytes]:
        """Yield it as JSON, with addresses as seen from it, season by season: with many it's the largest file."""
        league = self.league
        names = {person.id: person.name for person in league.players}
        first = {
            "fairpair_index": VERSION,
            "address": f"{self.address}/" if self.address else None,
            "written": _moment(league.now),
            "league": league.name,
            "time_zone": league.time_zone,
            "page": "index.html",
            "calendar": None if league.every_season is None else "calendar.ics",
            "running": self._running(),
            "players": [self._player(person) for person in league.players if person.id in self.with_page],
            "records": [
                {
                    "title": record.title,
                    "players": [{"name": names[person], "page": self._page(person)} for person in record.people],
                    "number": record.number,
                    "where": record.where or None,
                    "season": record.season,
                }
                for record in self.records
            ],
        }
        yield _packed(first)[:-1] + b',"seasons":['
        for at, season in enumerate(self.seasons):
            yield (b"," if at else b"") + _packed(self._season(season))
        yield b"]}"

    def _page(self, person: int | None) -> str | None:
        return f"players/{person}.html" if person in self.with_page else None

    def _player(self, person: PlayerFacts) -> dict[str, Any]:
        career = self.careers[person.id]
        ratings = [match.rating for match in career.rated if match.rating is not None]
        return {
            "name": person.name,
            "former_names": person.former_names,
            "page": self._page(person.id),
            "titles": career.titles,
            "rating": _rating(ratings[-1] if ratings else None),
        }

    def _running(self) -> dict[str, int | None] | None:
        live = next((season for season in self.seasons[::-1] if season.facts.phase in LIVE), None)
        return {"season": live.number, "round": live.rounds[-1].number if live.rounds else None} if live else None

    def _season(self, season: SeasonView) -> dict[str, Any]:
        facts, folder = season.facts, f"season-{season.number}"
        files = f"{folder}/{facts.files.name}"
        people = _shown_people(season)
        signs_up, plays = facts.phase is SeasonPhase.SIGNUP, facts.phase in PLAYING
        calendar = self.league.calendar is not None and self.league.calendar.season == season.number
        champion = season.champion and season.over and {"name": season.champion, "page": self._page(facts.champion_id)}
        return {
            "season": season.number,
            "page": f"{folder}/index.html",
            "format": facts.record.format,
            "state": facts.phase.value,
            "began": _day(facts.began, self.clock),
            "ended": _day(facts.ended, self.clock),
            "signups_close": _moment(facts.signups_close) if signs_up else None,
            "paused_until": _moment(facts.paused_until) if plays else None,
            "champion": champion or None,
            "begun": facts.table.begun,
            "cut_after": season.cut_after if season.cut_words else None,
            "standings": [
                self._line(line, row, season) for line, row in zip(season.lines, facts.table.rows, strict=True)
            ],
            "groups": [
                {
                    "name": group.table_title,
                    "cut_after": group.cut_after if group.cut_words else None,
                    "players": [
                        {"rank": line.rank, "name": line.name, "page": self._page(line.player)} for line in group.lines
                    ],
                }
                for group in season.groups
                if len(season.groups) > 1
            ],
            "rounds": [
                self._round(*both, season)
                for both in zip(season.rounds, facts.record.rounds, facts.rounds, strict=True)
            ],
            "rounds_to_come": [self._to_come(view, people) for view in season.to_come],
            "bracket": [
                {
                    "name": match.label,
                    "round": match.round,
                    "players": [
                        {
                            "name": side.name,
                            "page": self._page(people.get(side.name or "")),
                            "seed": side.seed,
                            "from": None if side.name else match.to_come(side),
                        }
                        for side in match.sides
                    ],
                    "outcome": outcome(match, facts.phase),
                }
                for match in season.tree
            ],
            "filled": season.filled,
            "ladder": [
                {"name": name, "page": self._page(people.get(name)), "place": place} for name, place in season.ladder
            ],
            "files": {
                "league_file": f"{files}.json",
                "csv": f"{files}.zip",
                "workbook": f"{files}.xlsx",
                "calendar": f"{folder}/fairpair.ics" if calendar else None,
                "check": f"{folder}/check.html" if self.check and season.checkable else None,
            },
        }

    def _line(self, line: Line, row: TableRow, season: SeasonView) -> dict[str, Any]:
        """Return a line of the table: only what the page shows of its state, which says nobody was disqualified."""
        further = table_columns.further(season.columns)
        cells = table_columns.cells(row.standing, further)
        return {
            "rank": line.rank,
            "name": line.name,
            "seat": row.standing.name,
            "page": self._page(line.player),
            "points": row.standing.points,
            "wins": row.standing.wins,
            "losses": row.standing.losses,
            "draws": row.standing.draws,
            "tiebreaks": {column.key: cell for column, cell in zip(further, cells, strict=True) if cell},
            "rating": _rating(line.rating),
            "state": line.mark or None,
            "finals": line.went or None,
            "champion": line.champion,
        }

    def _to_come(self, view: RoundView, people: Mapping[str, int | None]) -> dict[str, Any]:
        return {
            "round": view.number,
            "name": view.title,
            "matches": [
                {
                    "group": group or None,
                    "players": [
                        {"name": name, "page": self._page(people.get(name))} for name in (match.first, match.second)
                    ],
                }
                for group, matches, _ in view.groups
                for match in matches
            ],
            "resting": [name for _, _, resting in view.groups for name in resting],
        }

    def _round(self, view: RoundView, round_: Round, facts: RoundFacts, season: SeasonView) -> dict[str, Any]:
        record = season.facts.record
        called, people = called_in(record, round_.number), people_in_seats(record, round_.number)
        groups = {match: group for group, matches, _ in view.groups for match in matches}
        cancelled = season.facts.phase is SeasonPhase.CANCELLED

        def player(seat: Name) -> dict[str, Any]:
            person = season.facts.people.get(people.get(seat, seat))
            return {"name": called.get(seat, seat), "seat": seat, "page": self._page(person)}

        def match(shown: Result, played: Match) -> dict[str, Any]:
            first = played.winner or played.upper
            numbers = scoreline_of(played, first)
            is_open = played.kind is Kind.OPEN
            agreed = facts.agreed.get(played.players) if is_open and not cancelled else None
            return {
                "name": shown.name or None,
                "group": groups.get(shown) or None,
                "players": [player(first), player(played.opponent_of(first))],
                "result": _result(played),
                "games": numbers.games,
                "score": numbers.score,
                "by": _HOW.get(played.kind),
                "agreed": _moment(agreed),
            }

        return {
            "round": view.number,
            "name": view.title,
            "stage": round_.stage.value,
            "deadline": _moment(facts.deadline) if view.ends else None,
            "changed_by_organiser": view.by_hand,
            "matches": [match(*both) for both in zip(view.matches, round_.matches, strict=True)],
            "byes": [player(seat) for seat in round_.byes],
            "resting": [name for _, _, resting in view.groups for name in resting],
            "open": view.open,
        }


def _packed(fields: dict[str, Any]) -> bytes:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()


def _shown_people(season: SeasonView) -> dict[str, int | None]:
    """Return who each name in the table and in the finals is."""
    facts = season.facts
    people: dict[str, int | None] = {line.name: line.player for line in season.lines}
    for round_ in facts.record.rounds:
        if round_.stage is Stage.FINALS:
            seated = people_in_seats(facts.record, round_.number)
            people |= {
                shown: facts.people.get(seated.get(seat, seat))
                for seat, shown in called_in(facts.record, round_.number).items()
            }
    return people


def _result(match: Match) -> str | None:
    if match.kind is Kind.OPEN:
        return None
    if match.winner is not None:
        return "won"
    return "double_loss" if match.kind is Kind.DOUBLE_LOSS else "draw"


def _rating(rating: ShownRating | None) -> dict[str, Any] | None:
    if rating is None:
        return None
    return {
        "value": rating.value,
        "uncertainty": rating.uncertainty,
        "provisional": rating.provisional,
    }


def _day(moment: date | None, clock: Clock) -> str | None:
    """Return a day in the league's time zone."""
    local = moment.astimezone(clock.zone).date() if isinstance(moment, datetime) else moment
    return local.isoformat() if local else None


def _moment(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z") if moment else None
