"""Words on Discord: nothing anyone typed reaches Markdown; dates, settings and long lists as people expect."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.league.errors import Invalid
from bot.pictures.drawing import Drawn
from cogs.ui.cards import Attached, long_answer
from cogs.ui.drawn import as_parts
from cogs.ui.options.dates import read_date
from cogs.ui.text import clickable, listed, pages, quoted, shown, with_commands

INVISIBLE = re.compile("[\u200b\u202a-\u202e\u2066-\u2069]")
NOW = datetime(2026, 3, 28, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("typed", "escaped"),
    [
        ("dok", "dok"),
        ("player_1", "player_1"),
        ("_x_", r"\_x\_"),
        ("a__b", r"a\_\_b"),
        ("**bold**", r"\*\*bold\*\*"),
        ("`code`", r"\`code\`"),
        ("||spoiler||", r"\|\|spoiler\|\|"),
        ("[x](http://evil)", r"\[x](http:\//evil)"),
        ("<@123456789012345678>", "\\<@\N{ZERO WIDTH SPACE}123456789012345678>"),
        ("@everyone", "@\N{ZERO WIDTH SPACE}everyone"),
        ("# big", r"\# big"),
        ("discord.gg/abc", r"discord.gg\/abc"),
        ("https://Discord.com/invite/abc", r"https:\//Discord.com/invite\/abc"),
        ("a\u202eb\u2066c", "abc"),
        ("/report", r"\/report"),
        ("AC/dc", "AC/dc"),
        ("Olivia (organiser) R3 M2", "Olivia (organiser) R3 M2"),
    ],
)
def test_typed_text_is_escaped(typed: str, escaped: str) -> None:
    assert shown(typed) == escaped


@pytest.mark.long
@given(st.text(max_size=60))
def test_escaping_hides_nothing_and_leaves_no_bare_mark(text: str) -> None:
    escaped = shown(text)
    assert re.sub(r"\\(.)|\N{ZERO WIDTH SPACE}", r"\1", escaped, flags=re.DOTALL) == INVISIBLE.sub("", text)
    assert not re.search(r"(?<!\\)(?:\\\\)*[*~`|<\[]", escaped)
    assert "@everyone" not in escaped


def test_quoted_text_is_one_short_line() -> None:
    assert quoted("a\n\n  b") == "a b"
    assert len(quoted("x" * 1000, 50)) == 50


def test_words_are_listed_as_people_say_them() -> None:
    assert [listed([]), listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]


@pytest.mark.long
@given(st.lists(st.text(max_size=300), max_size=50), st.integers(20, 200))
def test_pages_hold_every_short_line_and_keep_the_limit(lines: list[str], limit: int) -> None:
    parts = pages(lines, limit)
    assert all(len(part) <= limit for part in parts)
    short = [line for line in lines if len(line) <= limit and line]
    assert all(any(line in part for part in parts) for line in short)


def test_a_long_list_comes_with_a_file_of_the_whole() -> None:
    lines = [f"**{number}.** {'x' * 60}" for number in range(200)]
    answer = long_answer("Standings", lines, file_name="all.txt")
    text, whole = answer.parts
    assert isinstance(text, str)
    assert len(text) <= 4000
    assert isinstance(whole, Attached)
    assert str(whole.content).splitlines()[-1] == f"199. {'x' * 60}"


@pytest.mark.parametrize(
    ("typed", "moment"),
    [
        ("3d", NOW + timedelta(days=3)),
        ("12h", NOW + timedelta(hours=12)),
        ("1d 6h", NOW + timedelta(days=1, hours=6)),
        ("2026-12-01 18:00", datetime(2026, 12, 1, 17, 0, tzinfo=UTC)),
        ("2026-03-29 18:00", datetime(2026, 3, 29, 16, 0, tzinfo=UTC)),
        ("tomorrow 8pm", datetime(2026, 3, 29, 18, 0, tzinfo=UTC)),
    ],
)
def test_dates_are_read_in_the_leagues_time_zone(typed: str, moment: datetime) -> None:
    assert read_date(typed, now=NOW, time_zone="Europe/Berlin") == moment


@pytest.mark.parametrize(
    "typed", ["", "soon", "2026-02-30 12:00", "2020-01-01 00:00", "0d", "2026-12-01", "3661d", "99999999d"]
)
def test_other_dates_are_refused_with_what_would_work(typed: str) -> None:
    with pytest.raises(Invalid, match="2026-12-01 18:00"):
        read_date(typed, now=NOW, time_zone="UTC")


def test_a_local_time_that_clocks_skip_is_refused() -> None:
    with pytest.raises(Invalid, match="doesn't exist in Europe/Berlin"):
        read_date("2026-03-29 02:30", now=NOW, time_zone="Europe/Berlin")


def test_a_local_time_that_comes_twice_has_to_be_said_with_its_offset() -> None:
    with pytest.raises(Invalid, match="comes twice in Europe/Berlin") as asked:
        read_date("2026-10-25 02:30", now=NOW, time_zone="Europe/Berlin")
    first, second = re.findall(r"2026-10-25 02:30 [+]\d{4}", str(asked.value))
    assert read_date(first, now=NOW, time_zone="Europe/Berlin") == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert read_date(second, now=NOW, time_zone="Europe/Berlin") == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)


def test_commands_in_sentences_are_set_apart_as_people_type_them() -> None:
    said = "Use /report result:lost, /round start-clock or /why; not a/b."
    assert with_commands("/confirm match:R2 M3.") == "`/confirm match:R2 M3`."
    assert with_commands("/report result:won match:R2 M3 or") == "`/report result:won match:R2 M3` or"
    assert with_commands(said) == "Use `/report result:lost`, `/round start-clock` or `/why`; not a/b."


IDS = {"report": 7, "round post": 8}


@pytest.mark.parametrize(
    ("text", "clicked"),
    [
        ("Use `/report result:won match:R2 M3`.", "Use </report:7> result:won match:R2 M3."),
        ("`/round post` or /round post, then /report.", "</round post:8> or </round post:8>, then </report:7>."),
        ("`/round undo`, /round, `/elsewhere`", "`/round undo`, /round, `/elsewhere`"),
        ("`printf '%s' a /report`", "`printf '%s' a /report`"),
        ("```\n/report\n```", "```\n/report\n```"),
        ("</report:7>, a/report, https://x.y/report", "</report:7>, a/report, https://x.y/report"),
        (shown("/report v x /report"), r"\/report v x \/report"),
    ],
)
def test_commands_are_clickable_but_not_in_code_or_names(text: str, clicked: str) -> None:
    assert clickable(text, IDS) == clicked
    assert clickable(text, {}) == text


@pytest.mark.parametrize(
    ("stand_ins", "said"),
    [
        ((("太郎", "Player 1"),), "-# In the picture Player 1 is 太郎: it can't show their name."),
        (
            (("太郎", "Player 1"), ("花子", "Player 2")),
            "-# In the picture Player 1 is 太郎 and Player 2 is 花子: it can't show their names.",
        ),
    ],
)
def test_who_stands_in_a_picture_is_said_of_one_and_of_two(stand_ins: tuple[tuple[str, str], ...], said: str) -> None:
    drawn = Drawn(png=b"", alt="", number=0, titles=("",), stand_ins=stand_ins)
    assert as_parts(drawn, "standings")[1] == said
