"""Texts of lists: kept as they were typed, without what could fool a reader."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.league.errors import Invalid
from bot.services.lists.list_text import LONGEST_LIST, clean, deck_link, is_deck_link
from cogs.lists.lists import list_lines

LINK = "https://www.keyforgegame.com/deck-details/0123abcd-0123-4567-89ab-0123456789ab"
TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"


@given(st.text(st.characters() | st.sampled_from(TURNING + "\r\n\t\0\x1b\ufeff\u2028"), max_size=300))
def test_a_list_never_holds_controls_or_turned_text_and_is_kept_the_second_time(text: str) -> None:
    try:
        kept = clean(text)
    except Invalid:
        return
    assert kept.strip()
    assert len(kept) <= LONGEST_LIST
    assert not set(kept) & set(TURNING + "\ufeff\r")
    assert {char for char in kept if unicodedata.category(char) in ("Cc", "Cs")} <= {"\n", "\t"}
    assert clean(kept) == kept
    kept.encode()


@given(st.text("*_~`|<>[]()#@:/-+ \n\\abc.gg", min_size=1, max_size=200))
def test_a_list_is_shown_without_marks_links_or_mentions(text: str) -> None:
    shown = list_lines(text)
    assert "@everyone" not in list_lines("@everyone\n" + text)
    assert "https://" not in list_lines("https://evil.example\n" + text)
    assert shown.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "link",
    [
        "http://www.keyforgegame.com/deck-details/0123abcd-0123-4567-89ab-0123456789ab",
        "https://keyforgegame.com.evil.example/deck-details/0123abcd-0123-4567-89ab-0123456789ab",
        "https://evil.example/https://www.keyforgegame.com/deck-details/0123abcd-0123-4567-89ab-0123456789ab",
        "https://user@www.keyforgegame.com/deck-details/0123abcd-0123-4567-89ab-0123456789ab",
        "https://www.keyforgegame.com/deck-details/0123abcd",
        f"{LINK}abc",
        "deck",
        "",
    ],
)
def test_only_links_of_decks_are_taken(link: str) -> None:
    with pytest.raises(Invalid, match="isn't a link to a deck"):
        deck_link(link)


@pytest.mark.parametrize("more", ["", "/", "?ref=1", "#cards"])
def test_the_link_of_a_deck_is_kept_without_what_follows_its_number(more: str) -> None:
    assert deck_link(f" {LINK.upper().replace('HTTPS', 'https')}{more} ") == LINK
    assert is_deck_link(LINK)
    assert list_lines(LINK) == f"<{LINK}>"
    other = "https://decksofkeyforge.com/decks/0123abcd-0123-4567-89ab-0123456789ab"
    assert deck_link(other) == other
