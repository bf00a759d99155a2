"""The index of a league for programs says what its pages say, and nothing that they hide."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot import publishing
from bot.league.formats import ALL
from bot.league.season.match_score import score
from bot.services.base.order import by_bot
from bot.services.organising import rounds_by_hand, swapping
from bot.services.people import forgetting, removing
from bot.services.seasons import lifecycle
from bot.site.index_json import VERSION
from bot.site.pages import Pages, pages
from bot.site.words import Clock
from tests.examples import mostly_long
from tests.files import do
from tests.services.conftest import NAMES, ORGANISER, World
from tests.services.lists.test_handing_in import hand_in
from tests.services.seasons.test_divisions import opened, played
from tests.services.seats.test_seats import substitute
from tests.services.times.test_calendars import meet
from tests.site import example
from tests.site.conftest import Reader, pages_of, target
from tests.site.test_pages import HOSTILE, own

DOCUMENTED = Path(__file__).parents[2] / "docs" / "index-json.md"


class Rows(HTMLParser):
    """The rows of tables and the items of lists on a page, each as its texts, with the links in it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.rows: list[tuple[list[str], list[str]]] = []
        self.feed(html)
        self.close()
        self.rows = [([" ".join(text.split()) for text in texts], links) for texts, links in self.rows if texts]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("tr", "li", "p"):
            self.rows.append(([""] if tag == "li" else [], []))
        if tag in ("td", "th") and self.rows:
            self.rows[-1][0].append("")
        if tag == "a" and self.rows:
            self.rows[-1][1].append(dict(attrs)["href"] or "")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1][0]:
            self.rows[-1][0][-1] += data


def index_of(made: Pages) -> dict[str, Any]:
    return json.loads(made["index.json"])


def on_page(line: dict[str, Any], heads: list[str]) -> list[str]:
    """Return a line of the index as the table on a page has it, in columns with these heads."""
    rating, ties = line["rating"], list(line["tiebreaks"].values())
    cells = {
        "#": "" if line["rank"] is None else str(line["rank"]),
        "Player": line["name"],
        "State": line["state"] or "",
        "Pts": str(line["points"]),
        "W–L": "–".join(str(line[key]) for key in ("wins", "losses", "draws") if key != "draws" or line[key]),
        "Rating": rating and f"{rating['value']} ± {rating['uncertainty']}{'*' if rating['provisional'] else ''}",
        "Finals": line["finals"] or "",
    }
    return [cells[head] or "" if head in cells else ties.pop(0) if ties else "" for head in heads]


def listed(round_: dict[str, Any], clock: Clock) -> Iterator[str]:
    """Yield the matches and byes of a round as the list on a page has them."""
    for match in round_["matches"]:
        first, second = (player["name"] for player in match["players"])
        joint = {"won": "beat", "draw": "drew with", "double_loss": "and", None: "v"}[match["result"]]
        after = [score(*numbers) for numbers in (match["games"], match["score"]) if numbers]
        after += [f"by {match['by']}"] if match["by"] else []
        after += ["both lose"] if match["result"] == "double_loss" else []
        after += [f"agreed: {clock.full(moment(match['agreed']))}"] if match["agreed"] else []
        yield " ".join(filter(None, (match["name"], first, joint, second, *after)))
    yield from (f"{player['name']} bye" for player in round_["byes"])
    yield from (f"{name} rests" for name in round_["resting"])


def in_slot(player: dict[str, Any]) -> str:
    """Return a side of a match of the bracket as the page has it."""
    who = player["name"] or player["from"]
    return who if player["seed"] is None else f"{player['seed']} {who}"


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def say_the_same(made: Pages) -> None:
    """Hold the index against the pages: tables, results, rounds, champions, players."""
    index = index_of(made)
    clock = Clock(ZoneInfo(index["time_zone"]))
    champions: list[str] = []
    for season in index["seasons"]:
        path = season["page"]
        page = made[path].decode()
        whole = re.sub(r'<section class="card group".*?</section>', "", page, flags=re.DOTALL)
        table = whole[whole.index('<table class="standings">') :]
        head, *rows = Rows(table[: table.index("</table>")]).rows
        of_table = [(texts, links) for texts, links in rows if len(texts) == len(head[0])]
        assert [texts for texts, _ in of_table] == [on_page(line, head[0]) for line in season["standings"]]
        assert [[target(path, link) for link in links] for _, links in of_table] == [
            [line["page"]] if line["page"] else [] for line in season["standings"]
        ]
        assert [at for at, (texts, _) in enumerate(rows) if len(texts) != len(head[0])] == (
            [] if season["cut_after"] is None else [season["cut_after"]]
        )
        in_rounds = page[page.index('<div class="rounds">') :] if season["rounds"] else ""
        sections = re.findall(r"<section.*?</section>", in_rounds[: in_rounds.find("</div>")], flags=re.DOTALL)
        for round_, html in zip(season["rounds"], sections, strict=False):
            assert f"<h3>{round_['name']}" in html
            assert Counter(texts[0] for texts, _ in Rows(html).rows) == Counter(listed(round_, clock))
            assert ("Changed by an organiser" in html) == round_["changed_by_organiser"]
            ends = re.search(r"Ends (.*?)</p>", html)
            assert (ends and ends[1]) == (round_["deadline"] and clock.full(moment(round_["deadline"])))
        later = sections[len(season["rounds"]) :]
        assert all("To come" in html for html in later)
        for round_, html in zip(season["rounds_to_come"], later, strict=True):
            assert f"<h3>{round_['name']}" in html
            pairs = [" v ".join(player["name"] for player in match["players"]) for match in round_["matches"]]
            resting = [f"{name} rests" for name in round_["resting"]]
            shown = Counter(texts[0] for texts, _ in Rows(html).rows if texts[0] != "To come")
            assert shown == Counter([*pairs, *resting])
        tree = re.search(r"The same as a table</summary>(.*?)</table>", page, flags=re.DOTALL)
        of_tree = [texts for texts, _ in Rows(tree[1]).rows[1:]] if tree else []
        assert of_tree == [
            [match["name"], " v ".join(map(in_slot, match["players"])), match["outcome"]] for match in season["bracket"]
        ]
        for heading, steps in (
            ("How they were filled", season["filled"]),
            ("The ladder for the next season", [f"{line['name']} {line['place']}" for line in season["ladder"]]),
        ):
            told = re.search(rf"<summary>{heading}</summary>(.*?)</ol>", page, flags=re.DOTALL)
            assert [texts[0].strip() for texts, _ in Rows(told[1]).rows] == steps if told else not steps
        for at, group in enumerate(season["groups"]):
            [html] = re.findall(rf"<caption>{group['name']}</caption>.*?</table>", page, flags=re.DOTALL)
            names = [(texts[0], texts[1]) for texts, _ in Rows(html).rows[1:] if len(texts) > 1]
            assert names == [(str(line["rank"] or ""), line["name"]) for line in group["players"]], at
        title = Reader(made[path]).text.split("Rounds")[0]
        if season["champion"]:
            assert f"Champion: {season['champion']['name']}" in title
            champions.insert(0, season["champion"]["name"])
        else:
            assert "Champion:" not in title.split("Final standings")[0]
    front = made["index.html"].decode()
    cards = re.search(r'<ol class="champions">(.*?)</ol>', front, flags=re.DOTALL)
    shown = re.findall(r"<div><b><bdi>(.*?)</bdi>", cards[1]) if cards else []
    assert [Reader(name.encode()).text for name in shown if name != "No champion"] == champions
    assert {player["page"] for player in index["players"]} == {path for path in made if path.startswith("players/")} - {
        path for path in made if path.endswith(".png")
    }
    for player in index["players"]:
        text = Reader(made[player["page"]]).text
        assert player["name"] in text
        assert all(name in text for name in player["former_names"])
        assert ("Champion of season" in text) == bool(player["titles"])
        if player["rating"]:
            assert re.search(rf"{player['rating']['value']} ± {player['rating']['uncertainty']}", text)
    front_text = re.sub(r"\s+", " ", Reader(made["index.html"]).text)
    for record in index["records"]:
        assert record["number"] in front_text
        assert record["players"][0]["name"] in front_text


def addresses(value: Any, key: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from addresses(inner, "files" if key == "files" else name)
    elif isinstance(value, list):
        for inner in value:
            yield from addresses(inner, key)
    elif key in ("page", "files", "calendar") and value is not None:
        yield value


def keys(value: Any) -> Iterator[str]:
    """Yield every key there is; those of `tiebreaks` are the format's."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from keys(None if key == "tiebreaks" else inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner)


@pytest.mark.long
@pytest.mark.parametrize("groups", [False, True])
async def test_the_index_of_an_example_says_what_its_pages_say(groups: bool) -> None:
    made = pages(await example.league(groups=groups))
    say_the_same(made)
    index = index_of(made)
    assert index["running"] == ({"season": 1, "round": 3} if groups else {"season": 3, "round": 4})
    assert {*addresses(index)} <= made.keys()
    named = {path for path in own(made) if "/" in path} | {"index.html", "calendar.ics"}
    assert named <= {*addresses(index)}


@pytest.mark.long
@pytest.mark.parametrize("format_", mostly_long((format_.key for format_ in ALL), quick=2))
async def test_the_index_says_what_the_pages_say_in_each_format(world: World, format_: str) -> None:
    await world.begin(8, format_)
    await world.play_out()
    await world.begin(8, format_)
    await meet(world, "dok", world.now + timedelta(days=2))
    say_the_same(await pages_of(world))
    await world.play_round()
    made = await pages_of(world)
    say_the_same(made)
    index = index_of(made)
    assert [season["format"] for season in index["seasons"]] == [format_, format_]
    assert [season["state"] for season in index["seasons"]] == ["finished", index["seasons"][1]["state"]]
    assert index["running"]["season"] == 2


@pytest.mark.long
async def test_the_index_has_the_ladder_the_rounds_to_come_and_the_bracket(world: World) -> None:
    await played(world, cut=2)
    await opened(world)
    await world.sign_up(*NAMES[:12])
    await world.start()
    made = await pages_of(world)
    say_the_same(made)
    first, second = index_of(made)["seasons"]
    assert [len(first["ladder"]), len(second["ladder"])] == [12, 0]
    assert "division" in first["ladder"][0]["place"]
    assert len(second["filled"]) > 1
    assert [round_["round"] for round_ in second["rounds_to_come"]] == [2, 3]
    players = [who for match in second["rounds_to_come"][0]["matches"] for who in match["players"]]
    assert len(players) == 12
    assert all(who["page"] for who in players)
    assert [match["name"] for match in first["bracket"]] == ["Final"]
    assert [who["seed"] for who in first["bracket"][0]["players"]] == [1, 2]


@pytest.mark.long
async def test_a_season_in_divisions_says_group_on_no_page_and_in_no_file(world: World) -> None:
    await played(world)
    facts = await publishing.facts_of(world.db, by_bot(world.now, world.league_id))
    made = pages(facts)
    season = [path for path in made if path.endswith(".html") and "check" not in path]
    assert {path: found for path in season if (found := re.search(r".*\bgroups?\b.*", Reader(made[path]).text))} == {}
    sheets = [sheet for season in facts.seasons for sheet in season.files.sheets]
    assert not [title for sheet in sheets for title in sheet.titles if "group" in title]


async def test_an_agreed_time_is_in_the_index(world: World) -> None:
    await world.begin(8)
    agreed = (world.now + timedelta(days=2)).replace(microsecond=0)
    await meet(world, "dok", agreed)
    [season] = index_of(await pages_of(world))["seasons"]
    times = [match["agreed"] for match in season["rounds"][0]["matches"] if match["agreed"]]
    assert [moment(time) for time in times] == [agreed]
    assert all(time.endswith("Z") for time in times)


@pytest.mark.long
async def test_a_substitute_is_linked_as_who_they_are_and_joined_by_their_seat(world: World) -> None:
    await world.begin(8, rounds=3, cut=2)
    await world.play_round()
    await substitute(world, "dok", "Uma")  # from the next round on
    await world.play_round()
    await world.play_round()
    made = await pages_of(world)
    say_the_same(made)
    [season] = index_of(made)["seasons"]
    first, second = (
        next(player for match in round_["matches"] for player in match["players"] if player["seat"] == "dok")
        for round_ in season["rounds"][0:3:2]
    )
    assert (first["name"], second["name"]) == ("dok", "Uma (for dok)")
    pages_by_name = {player["name"]: player["page"] for player in index_of(made)["players"]}
    assert (first["page"], second["page"]) == (pages_by_name["dok"], pages_by_name["Uma"])
    assert first["page"] != second["page"]
    assert "dok" in {line["seat"] for line in season["standings"]}


async def test_names_stay_what_they_are_in_the_index(world: World) -> None:
    await world.create("ohs", rounds=2, cut=2)
    await world.sign_up(*HOSTILE)
    await world.start()
    await world.play_round()
    made = await pages_of(world)
    index = index_of(made)
    assert {player["name"] for player in index["players"]} == {*HOSTILE}
    [season] = index["seasons"]
    assert {line["name"] for line in season["standings"]} == {*HOSTILE}
    played = [player["name"] for match in season["rounds"][0]["matches"] for player in match["players"]]
    assert sorted(played) == sorted(HOSTILE)
    assert all(re.fullmatch(r"[a-z0-9_/.-]+", address) for address in addresses(index))
    assert "\n" not in made["index.json"].decode()


@pytest.mark.long
async def test_the_index_has_nothing_that_pages_hide(world: World) -> None:
    await world.create("ohs", rounds=4, cut=2, lists={"number": 1, "per": "round", "due_hours": 0, "secret": "due"})
    await world.sign_up(*NAMES[:8])
    for name in NAMES[:8]:
        await hand_in(world, name, f"army of {name}")
    await world.start()
    first = await world.match_of("dok")
    assert first is not None
    others = [name for name in NAMES[:8] if name not in (first.upper.name, first.lower.name)]
    who: Any = {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(swapping.swap, **who, first="dok", second=others[0], reason="because of a quarrel")
    await world.play_round()
    await do(removing.disqualify, **who, player=others[1], reason="for cheating")
    await do(forgetting.forget, **who, player=others[2])
    made = await pages_of(world)
    say_the_same(made)
    text = made["index.json"].decode()
    assert not re.search(r"quarrel|cheating|disqualif|army of|sha256|secret|discord", text, flags=re.IGNORECASE)
    index = index_of(made)
    [season] = index["seasons"]
    assert season["rounds"][0]["changed_by_organiser"] is True
    assert {line["seat"]: line["state"] for line in season["standings"]}[others[1]] == "dropped"
    assert f'"{others[2]}' not in text
    assert sum(line["page"] is None for line in season["standings"]) == 1  # who was forgotten


@pytest.mark.long
async def test_a_preview_is_not_in_the_index_and_a_cancelled_season_does_not_run(world: World) -> None:
    await world.begin(8, rounds=2, cut=0, advance="manual")
    await world.play_round()
    who: Any = {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(rounds_by_hand.preview, **who)
    made = await pages_of(world)
    say_the_same(made)
    index = index_of(made)
    assert index["running"] == {"season": 1, "round": 1}
    assert [round_["round"] for round_ in index["seasons"][0]["rounds"]] == [1]
    await do(lifecycle.cancel, **who)
    made = await pages_of(world)
    say_the_same(made)
    index = index_of(made)
    assert (index["running"], index["seasons"][0]["state"]) == (None, "cancelled")


async def test_addresses_are_whole_where_the_address_is_known(world: World) -> None:
    await world.begin(4)
    facts = await publishing.facts_of(world.db, by_bot(world.now, world.league_id))
    assert index_of(pages(facts, "https://league.example.org/1"))["address"] == "https://league.example.org/1/"
    assert index_of(pages(facts))["address"] is None


async def test_a_league_without_a_season_has_an_index(world: World) -> None:
    index = index_of(await pages_of(world))
    assert (index["seasons"], index["players"], index["records"], index["running"]) == ([], [], [], None)


@pytest.mark.long
async def test_its_page_names_each_field_and_the_version(world: World) -> None:
    await world.begin(4)
    await world.play_out()
    made = pages(await publishing.facts_of(world.db, by_bot(world.now, world.league_id)))
    groups = pages(await example.league(groups=True))
    await played(world)
    divisions = await pages_of(world)
    fields = {*keys(index_of(made)), *keys(index_of(groups)), *keys(index_of(divisions))}
    page = DOCUMENTED.read_text(encoding="utf-8")
    rows = [re.findall(r"`(\w+)`", line.split("|")[1]) for line in page.splitlines() if line.startswith("| `")]
    assert {name for row in rows for name in row} <= fields
    assert fields <= {word for line in page.splitlines() if line[:1] == "|" for word in re.findall(r"`(\w+)`", line)}
    assert f"`fairpair_index` | {VERSION}" in page
    assert index_of(made)["fairpair_index"] == VERSION
