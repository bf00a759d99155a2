"""What a season's files say, read back as other programs read them, held against what people are shown."""

import csv
import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import icalendar
import python_calamine

from bot.exporters.calendar import to_ics
from bot.exporters.sheets import FORMULA_SIGNS, to_workbook, to_zip
from bot.league.bracket.match_names import FINAL, THIRD_PLACE
from bot.league.checking.by_hand import FORGOTTEN
from bot.league.checking.league_file import reading
from bot.league.counting.ratings import ratings_of_the_table, season_ratings, shown_rating
from bot.league.counting.standings import at_the_end
from bot.league.counting.tiebreaks import printed
from bot.league.errors import NotFound, WrongPhase
from bot.league.formats import by_key
from bot.league.season.match_score import Scoreline, result_words, score
from bot.league.season.model import Kind
from bot.league.season.phases import MatchState, SeasonPhase
from bot.services.base.permissions import Actor
from bot.services.leagues import exporting
from bot.services.matches.views import MatchView, RoundView
from bot.services.reads import season_sheets, tables
from bot.services.reads.tables import StandingsView
from bot.services.times import calendars, timetable
from cogs.matches.rounds import STATE_MARKS, in_groups, round_head, round_lines
from cogs.reads.table_lines import standing_line
from cogs.ui.text import shown, when
from storage.database import Database
from storage.rows import LeagueId
from tests.files import do, see
from tests.looked_up import posted_round

Row = Mapping[str, Any]
_TEXTS = {
    *("player", "status", "goes on", "tied, by the draw", "provisional", "stage", "match", "opponent", "winner"),
    *("group", "division"),
    *(
        "games",
        "score",
        "how",
        "date",
        "confirmation",
        "waits for",
        "rematch",
        "changed by an organiser",
        "part",
        "state",
    ),
    *("sitting out", "played by", "formerly", "how they left", "sits out rounds"),
    *("seat of the player", "seat of the opponent"),
}


def from_zip(content: bytes) -> dict[str, list[Row]]:
    """Read the tables of a zip."""
    packed = zipfile.ZipFile(io.BytesIO(content))
    texts = {name.removesuffix(".csv"): packed.read(name).decode("utf-8-sig") for name in packed.namelist()}
    return {
        name: [
            {title: _value(title, cell, in_csv=True) for title, cell in row.items()}
            for row in csv.DictReader(io.StringIO(text, newline=""))
        ]
        for name, text in texts.items()
    }


def from_workbook(content: bytes) -> dict[str, list[Row]]:
    """Read the sheets of a workbook."""
    book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(content))
    found: dict[str, list[Row]] = {}
    for name in book.sheet_names:
        titles, *rows = book.get_sheet_by_name(name).to_python()
        found[name] = [
            {str(title): _value(str(title), cell, in_csv=False) for title, cell in zip(titles, row, strict=True)}
            for row in rows
        ]
    return found


def _value(title: str, cell: Any, *, in_csv: bool) -> Any:
    """Return a cell as what its column holds: a text, a number, a moment to the minute, or nothing."""
    if title in _TEXTS:
        assert isinstance(cell, str), f"{title}: {cell!r}"
        guarded = in_csv and cell.startswith("'") and cell.lstrip("'").startswith(FORMULA_SIGNS)
        return cell[1:] if guarded else cell
    if cell == "":
        return None
    if title.endswith("(UTC)"):
        moment = datetime.fromisoformat(str(cell))  # at midnight it's read as a mere date
        return _minute(moment + timedelta(milliseconds=1))
    return float(cell)


def _minute(moment: datetime | None) -> datetime | None:
    return moment and moment.replace(second=0, microsecond=0, tzinfo=None)


def to_minutes(text: str) -> str:
    """Return a text in which Discord's times have no seconds, as they are shown."""
    return re.sub(r"<t:(\d+)", lambda found: f"<t:{int(found[1]) // 60 * 60}", text)


async def require_read_back(db: Database, league_id: LeagueId, number: int, *, actor: Actor, now: datetime) -> None:
    """Fail unless every fact of /standings, round cards and /schedule is the same in a season's files, and no other."""
    who: dict[str, Any] = {"db": db, "actor": actor, "now": now, "league_id": league_id}
    sheets = season_sheets.sheets(await see(season_sheets.taken, **who, season_number=number))
    found = from_zip(to_zip(sheets))
    assert found == from_workbook(to_workbook(sheets, now))
    found["matches"] = [_as_called(row) for row in found["matches"]]
    view = await see(tables.standings, **who, number=number)
    require_standings(found["standings"], view)
    rounds = [row for row in found["rounds"] if row["season"] == number]
    assert len(rounds) == (0 if view.latest is None else view.latest.number)
    for row in rounds:
        shown_ = await see(posted_round, **who, season=number, number=row["round"])
        _require_round(row, found["matches"], shown_)
    assert {row["round"] for row in found["matches"]} <= {row["round"] for row in rounds}
    await _require_schedule(found["matches"], number, who)
    await _require_calendar(found, number, who)
    await _require_league_file(found, number, who, over=view.season.phase is SeasonPhase.FINISHED)


def _as_called(row: Row) -> Row:
    """Return a match with what its players are called: `Hana (for Emil)` where Hana plays in Emil's seat."""
    called = {
        row[who]: f"{row[who]} (for {seat})"
        for who, seat in (("player", row["seat of the player"]), ("opponent", row["seat of the opponent"]))
        if seat
    }
    return {**row, **{who: called.get(row[who], row[who]) for who in ("player", "opponent", "winner")}}


# -- /standings --


def require_standings(rows: Sequence[Row], view: StandingsView) -> None:
    """Fail unless a table's lines can be written from its file."""
    if view.begun:
        assert [_standing_line(row, view) for row in rows] == [standing_line(row, view.columns) for row in view.rows]
    else:
        assert [(row["player"], row["rank"]) for row in rows] == [(row.called, None) for row in view.rows]
    assert [row["byes"] for row in rows] == [row.standing.byes for row in view.rows]
    going_on = [row["goes on"] == "yes" for row in rows]
    assert going_on == [at < (view.cut_after or 0) for at in range(len(rows))]


def _standing_line(row: Row, view: StandingsView) -> str:
    moved = row["moved up"]
    arrow = f" {'▲' if moved > 0 else '▼'}{abs(moved):g}" if moved else ""
    won = score(*(int(row[count]) for count in ("wins", "losses", *(["draws"] if row["draws"] else []))))
    parts = [f"**{row['rank']:g}.**{arrow} {shown(row['player'])} · {won}"]
    if row["points"] != row["wins"]:
        parts.append(f"{row['points']:g} p")
    for key, name in by_key(view.season.format).named_tiebreaks.items():
        value = row[name.meaning]
        whole = any(isinstance(line.standing.tiebreaks.get(key), int) for line in view.rows)
        parts += [] if value is None else [f"{name.short} {value:g}" if whole else f"{name.short} {value:.3f}"]
    if row["rating"] is not None:
        star = "\\*" if row["provisional"] else ""
        parts.append(f"rating {row['rating']:g} ± {row['uncertainty']:g}{star}")
    place = row["place in the finals"]
    words = {"champion": " 🏆", "": ""}.get(row["status"], f" · {row['status']}")
    told = "" if place is None or row["status"] == "champion" else f" · place {place:g}"
    tied = " · tied, by the draw" if row["tied, by the draw"] else ""
    return " · ".join(parts) + told + ("" if place and row["status"] == "out" else words) + tied


# -- the rounds' cards --


def _require_round(row: Row, matches: Sequence[Row], view: RoundView) -> None:
    there = [match for match in matches if match["round"] == row["round"]]
    games = "Single games" if row["best of"] == 1 else f"Best of {row['best of']:g}"
    until = row["deadline (UTC)"]
    head = round_head(view).splitlines()
    assert to_minutes(head[0]).startswith(games + (f" · play by {_when(until)}" if until else ""))
    assert (until is None) == (" · play by " not in head[0])
    changed = None if view.round.by_hand == FORGOTTEN else view.round.by_hand
    assert (row["changed by an organiser"] or None) == changed
    assert all(match["changed by an organiser"] == ("" if changed is None else "yes") for match in there)
    played = [match for match in there if match["how"] != "bye"]
    lines = [_match_line(told, match) for told, match in zip(played, view.matches, strict=True)]
    lines += [_bye_line(match, row) for match in there if match["how"] == "bye"]
    above = {line for text, _ in in_groups(view) for line in text.splitlines()}
    assert lines == [line for line in round_lines(view) if line not in above][: len(view.matches) + len(view.byes)]
    assert row["sitting out"] == ", ".join(who.called for who in view.sitting_out)
    for told, match in zip(played, view.matches, strict=True):
        assert told["deadline (UTC)"] == _minute(match.deadline)
        assert told["rematch"] == ("yes" if match.match.rematch else "")
        assert told["confirmation"].endswith(", season cancelled") == match.stopped
        if match.match.state is MatchState.REPORTED:
            assert told["waits for"] == ("" if match.stopped else match.asked.called)


def _when(moment: datetime) -> str:
    return when(moment.replace(tzinfo=UTC))


def _match_line(row: Row, match: MatchView) -> str:
    """Return a match as a line shows it: by its number, or by its group, if any, where all are open at once."""
    state = MatchState(row["confirmation"].split(",")[0])
    number = f"{row['match']}:" if not row["match"].isdecimal() else f"{row['match']}."
    if match.round.together:
        group = match.match.tier
        number = f"{group[0].upper()}{group[1:]}:" if group else ""
    label = f" **{number}**" if number else ""
    line = f"{STATE_MARKS[state]}{label} {shown(row['player'])} v {shown(row['opponent'])}"
    match state:
        case MatchState.OPEN:
            return line
        case MatchState.CONFIRMED:
            return f"{line} · {shown(_result(row))}"
        case _:
            return f"{line} · {shown(state.words)}"


def _result(row: Row) -> str:
    winner = None if row["winner"] in ("", "draw") else row["winner"]
    scoreline = Scoreline(*map(_pair, (row["games"], row["score"]) if "games" in row else (row["score"], "")))
    if winner == row["opponent"]:
        scoreline = scoreline.flipped
    kind = Kind(row["how"].replace(" ", "_"))
    assert (row["winner"] == "draw") == (winner is None and kind is not Kind.DOUBLE_LOSS)
    return result_words(kind, winner=winner, scoreline=scoreline)


def _pair(cell: str) -> tuple[int, int] | None:
    first, _, second = cell.partition("-")
    return (int(first), int(second)) if cell else None


def _bye_line(match: Row, round_: Row) -> str:
    if round_["stage"] == FINAL:
        return f"**{THIRD_PLACE}:** {shown(match['player'])}, because their opponent has left"
    return f"🆓 {shown(match['player'])} has a bye" + (
        ", through to the next round" if round_["part"] == "finals" else ""
    )


# -- /schedule --


async def _require_schedule(matches: Sequence[Row], number: int, who: dict[str, Any]) -> None:
    try:
        view = await see(timetable.timetable, **who)
    except WrongPhase:
        return
    if view.season.number != number:
        return
    open_ = [row for row in matches if row["confirmation"] == "open" and row["how"] != "bye"]
    agreed = [(row["agreed (UTC)"], _names(row)) for row in open_ if row["agreed (UTC)"]]
    assert sorted(agreed) == sorted((_minute(one.match.match.agreed_at), _sides(one)) for one in view.agreed)
    others = [row for row in open_ if not row["agreed (UTC)"]]
    assert [(_names(row), row["waits for"]) for row in others if row["waits for"]] == [
        (_sides(one), ", ".join(side.called for side in one.asked)) for one in view.proposed
    ]
    assert [_names(row) for row in others if not row["waits for"]] == [_sides(one) for one in view.silent]


def _names(row: Row) -> tuple[str, str]:
    return row["player"], row["opponent"]


def _sides(one: timetable.Planned) -> tuple[str, str]:
    return one.match.upper.called, one.match.lower.called


# -- the other two files --


async def _require_calendar(found: Mapping[str, Sequence[Row]], number: int, who: dict[str, Any]) -> None:
    try:
        name, entries = await do(calendars.of_season, **who, season_number=number)
    except NotFound:
        name, entries = "", ()
    now = _minute(who["now"])
    assert now is not None
    events: list[Any] = icalendar.Calendar.from_ical(to_ics(name, entries, who["now"])).walk("VEVENT")
    ahead = {
        (str(event["UID"]).split("-")[0], _minute(event.start), str(event["SUMMARY"]).rsplit(" (", 1)[0])
        for event in events
        if event["STATUS"] == "CONFIRMED" and event.start > who["now"]
    }
    open_ = [row for row in found["matches"] if row["confirmation"] in ("open", "reported", "disputed")]
    rounds = {row["round"]: row["deadline (UTC)"] for row in found["rounds"] if row["state"] == "open"}
    agreed = {("match", row["agreed (UTC)"], " v ".join(_names(row))) for row in open_ if row["agreed (UTC)"]}
    assert _later(agreed, now) == {one for one in ahead if one[0] == "match" and one[1] != now}
    posted = {f"Deadline: round {row['round']:g}" for row in found["rounds"]}
    to_come = {one for one in ahead if re.fullmatch(r"Deadline: round \d+", one[2])} - {
        one for one in ahead if one[2] in posted
    }
    ahead -= to_come
    assert {end for end in rounds.values() if end and end > now} == {
        one[1] for one in ahead if one[0] == "round" and one[1] != now
    }
    given = {("deadline", row["deadline (UTC)"], f"Deadline: {' v '.join(_names(row))}") for row in open_}
    own = {one for one in given if one[1] not in rounds.values()}
    assert _later(own, now) <= {one for one in ahead if one[0] == "deadline"} <= given


def _later(found: set[tuple[str, Any, str]], now: datetime) -> set[tuple[str, Any, str]]:
    return {one for one in found if one[1] > now}


async def _require_league_file(
    found: Mapping[str, Sequence[Row]], number: int, who: dict[str, Any], *, over: bool
) -> None:
    if not found["rounds"]:
        return
    season = reading.read((await see(exporting.export, **who, season_number=number)).text.encode())
    for round_ in season.rounds:
        there = [row for row in found["matches"] if row["round"] == round_.number]
        assert {_seat(row["player"]) for row in there if row["how"] == "bye"} == {*round_.byes}
        played = [row for row in there if row["how"] != "bye"]
        assert [
            (_seat(row["player"]), _seat(row["opponent"]), row["how"].replace(" ", "_") or "open") for row in played
        ] == [(match.upper, match.lower, match.kind) for match in round_.matches]
        for row, match in zip(played, round_.matches, strict=True):
            assert _seat(row["winner"].replace("draw", "")) == (match.winner or "")
            numbers = (row["games"], row["score"]) if season.settings.scores else (row["score"], "")
            assert numbers == tuple(
                "" if pair is None else "-".join(map(str, pair)) for pair in (match.games, match.score)
            )
    table, ratings = by_key(season.format).standings(season), ratings_of_the_table(season)
    if over:
        table, ratings = at_the_end(season, table), season_ratings(season)
    by_name = {_seat(row["player"]): row for row in found["standings"]}
    for line in table:
        row = by_name.pop(line.name)
        assert row["rank"] in (line.rank, None)
        counts = [row[key] for key in ("wins", "losses", "draws", "byes", "points", "place in the finals")]
        assert counts == [line.wins, line.losses, line.draws, line.byes, line.points, line.place]
        values = {key: float(value) for key, value in printed(line.tiebreaks).items()}
        names = by_key(season.format).named_tiebreaks
        assert {key: row[names[key].meaning] for key in values if key in names} == {
            key: value for key, value in values.items() if key in names
        }
        if row["rating"] is not None:
            rating = shown_rating(ratings[line.name], season.settings.rating, 0)
            assert (row["rating"], row["uncertainty"]) == (rating.value, rating.uncertainty)
    assert not by_name


def _seat(called: str) -> str:
    """Return whose seat it is: `Emil` for `Hana (for Emil)`."""
    taken = re.search(r" \(for (.+)\)$", called)
    return taken[1] if taken else called
