"""The record of each setting: what it says holds in files, in forms and in sentences alike."""

import contextlib
from collections import Counter

import pytest

from bot.league.errors import Invalid, InvalidFile
from bot.league.formats import ALL
from bot.league.formats.shared.base import Format
from bot.league.season.setting_values import Page, Setting
from bot.league.season.settings import SETTINGS

EACH = pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS.keys())
MOST_VALUES = 22
"""As many as a select has room for beside the default, the value of now and another one."""
MOST_SELECTS = 8
"""As many settings as a page of the panel has room for; the three of a match's games share one select."""
MOST_AT_FIRST = 28
"""As many settings of a format as an organiser sees who never opens More settings."""


@EACH
def test_every_value_offered_can_be_typed_in_capitals_or_by_its_words_and_is_shown_as_it_is_typed(
    setting: Setting,
) -> None:
    for text in setting.values.offered:
        plain = setting.typed(f" {text.upper()} ")
        held = setting.read(plain)
        assert setting.typed(setting.words(held).upper()) == plain
        if plain is not None:
            setting.require(plain)
            assert setting.text(held) == text


@EACH
def test_the_default_is_typed_as_nothing_has_words_and_is_kept_where_its_text_is_saved_untouched(
    setting: Setting,
) -> None:
    assert setting.typed("") is setting.typed("Default") is None
    assert setting.words(setting.default)
    assert bool(setting.unset) == (setting.default is None)
    if setting.default is None:
        assert setting.read(None) is setting.typed(setting.unset) is None
        assert setting.text(None) == ""
    else:
        assert setting.read(setting.typed(setting.text(setting.default))) == setting.default


@EACH
def test_nonsense_is_refused_with_what_to_give_by_the_key_of_a_file_and_the_label_of_a_form(setting: Setting) -> None:
    with pytest.raises(Invalid, match=rf"^{setting.label}: ") as typed:
        setting.typed("nonsense, 1" if not setting.values.as_typed else "n" * 60)
    assert setting.values.takes in str(typed.value)
    with pytest.raises(InvalidFile, match=rf"^{setting.key}[:\[]"):
        setting.read([[]])
    with pytest.raises(Invalid, match=rf"^{setting.label}: .*\.$"):
        setting.require([[]])


@EACH
def test_what_is_said_of_a_setting_fits_discord(setting: Setting) -> None:
    assert len(setting.label) <= 45
    assert len(f"{setting.meaning}. Empty: the default.") <= 100
    assert setting.meaning[0].isupper()
    assert len(setting.values.offered) <= MOST_VALUES
    assert all(len(setting.line(setting.read(setting.typed(text)))) <= 100 for text in setting.values.offered)


def test_a_name_means_one_setting_and_a_page_has_room_for_its_settings() -> None:
    names = Counter(name.casefold() for key, setting in SETTINGS.items() for name in {key, setting.label.casefold()})
    assert max(names.values()) == 1
    assert {setting.page for setting in SETTINGS.values()} == {*Page} - {Page.ALL, Page.MORE}
    for format_ in ALL:
        pages = Counter(SETTINGS[key].page for key in format_.settings_keys)
        assert max(pages.values()) <= MOST_SELECTS


def is_a_choice(format_: Format, key: str) -> bool:
    """Return whether a format takes more than one value of a setting, or what people type."""
    if not format_.setting(key).values.closed:
        return len(format_.offered(key)) != 1
    taken = 0
    for text in format_.offered(key):
        with contextlib.suppress(Invalid):
            format_.read_settings({key: format_.setting(key).typed(text)})
            taken += 1
    return taken > 1


def test_an_organiser_sees_at_first_only_settings_that_leagues_change() -> None:
    for format_ in ALL:
        few = [key for key in format_.settings_keys if SETTINGS[key].more]
        assert len(few) <= MOST_SELECTS, format_.key
        shown = [key for key in format_.settings_keys if key not in few and is_a_choice(format_, key)]
        first = [key for key in shown if format_.pages.get(key) is not Page.MORE]
        assert len(first) <= MOST_AT_FIRST, format_.key


def test_a_format_offers_only_what_it_takes() -> None:
    for format_ in ALL:
        assert {*format_.offers, *format_.unset} - {"cut"} <= {*format_.settings_keys}
        for key, texts in format_.offers.items():
            for text in texts:
                format_.read_settings({key: SETTINGS[key].typed(text)})


@pytest.mark.parametrize(
    ("key", "typed", "value"),
    [
        ("rounds", "4", 4),
        ("rounds", "default", None),
        ("cut", "no finals", 0),
        ("points", "3-1-0-3", {"win": 3, "draw": 1, "loss": 0, "bye": 3}),
        ("overdue", "extend", "extend"),
        ("overdue", "Both players lose, but not in finals", "double_loss"),
        ("third_place", "on", True),
        ("round_ends", "Sunday 9:05", "sunday 09:05"),
        ("rating", "25 8.3 4.2 0.08 0", {"mu": 25, "sigma": 8.3, "beta": 4.2, "tau": 0.08, "draw_probability": 0}),
        ("ask_name", " KeyForge  user name", "KeyForge user name"),
        ("ask_name", "nothing", None),
        ("lists", "2 season 0 round 1", {"number": 2, "per": "season", "due_hours": 0, "secret": "round 1"}),
    ],
)
def test_settings_are_read_as_plain_values(key: str, typed: str, value: object) -> None:
    assert SETTINGS[key].typed(typed) == value


@pytest.mark.parametrize(
    ("key", "value", "text", "words"),
    [
        ("best_of", 1, "1", "1 game"),
        ("best_of", 3, "3", "best of 3"),
        ("rating", {"mu": 25, "sigma": 8.5}, "25 8.5 4.166666666666667 0.08333333333333333 0", None),
        ("lists", {"number": 2}, "2 season 0 due", "2 for the season, before the season starts, secret until then"),
        (
            "lists",
            {"per": "round", "due_hours": 24, "secret": "match"},
            "1 round 24 match",
            "1 for each round, until 24 hours after it is posted, shown to each opponent",
        ),
    ],
)
def test_values_are_shown_as_they_are_typed_and_in_words(key: str, value: object, text: str, words: str | None) -> None:
    held = SETTINGS[key].read(value)
    assert SETTINGS[key].text(held) == text
    assert words in (SETTINGS[key].words(held), None)


@pytest.mark.parametrize(
    ("key", "typed"),
    [
        ("points", "3"),
        ("points", "3-x-0-1"),
        ("points", "3-1-0-1-9"),
        ("rounds", "-1"),
        ("rounds", "٤"),
        ("overdue", "never"),
        ("draws", "maybe"),
        ("lists", "2 season x due"),
        ("ask_name", "x" * 46),
        ("ask_name", "who is <@123>"),
        ("ask_name", "ask /report"),
        ("ask_name", "user\u200bname"),
    ],
)
def test_settings_nobody_can_read_are_refused(key: str, typed: str) -> None:
    with pytest.raises(Invalid):
        SETTINGS[key].typed(typed)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("rounds", 51, "51 isn't possible. Give a whole number from 1 to 50, or leave it empty for the default."),
        ("best_of", 2, "2 isn't possible. Give 1, 3, 5, 7 or 9."),
        ("points", {"win": 101}, "101 isn't possible. Give a whole number from 0 to 100."),
        ("points", {"win": 0}, "a win must give more than a loss, and a draw at most a win and at least a loss."),
        (
            "lists",
            {"per": "round", "secret": "round 1"},
            "lists of each round can't be revealed with round 1: say when they are due, match or end.",
        ),
        ("check_in_hours", 999, "999 isn't possible. Give a whole number from 0 to 168."),
    ],
)
def test_a_value_out_of_its_limits_is_refused_in_a_sentence(key: str, value: object, said: str) -> None:
    with pytest.raises(Invalid) as refused:
        SETTINGS[key].require(value)
    assert str(refused.value) == f"{SETTINGS[key].label}: {said}"


def test_a_file_can_tell_of_more_places_than_a_season_here_has() -> None:
    assert SETTINGS["max_players"].read(5_000) == 5_000
    with pytest.raises(Invalid, match="from 2 to 1000"):
        SETTINGS["max_players"].require(5_000)


def test_a_role_is_shown_as_the_mention_it_is_typed_as() -> None:
    role = SETTINGS["join_role"]
    assert role.typed(role.text(100200300400500600)) == role.typed("100200300400500600") == 100200300400500600


def test_rules_in_short_say_that_a_role_is_asked_for_and_not_which() -> None:
    assert SETTINGS["join_role"].words(100200300400500600) == "only members with one role"
    assert SETTINGS["join_role"].words(None) == SETTINGS["join_role"].unset
