"""Names that can be taken, and names that would be mistaken for another."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.league.errors import Conflict, Invalid
from bot.league.season.model import Name
from bot.league.season.names import check_name, look_alike_key, require_free, similar_name, skeleton, written_key


@pytest.mark.parametrize(
    "raw",
    ["dok", "a", "x" * 32, "Zoë", "名前", "שלום", "محمد", "🐉 dragon", "❤️", "*_~`|", "me@home", "O'Neil", "a b", "0"],
)
def test_visible_names_are_taken_as_they_are(raw: str) -> None:
    assert check_name(raw) == raw


def test_a_name_is_trimmed_and_kept_in_nfc() -> None:
    assert check_name("  Zoe\u0308\n") == "Zoë"
    assert check_name("e\u0301" * 32) == "é" * 32


@pytest.mark.parametrize("raw", ["", "   ", "\t\n", "\u3000"])
def test_an_empty_name_is_refused(raw: str) -> None:
    with pytest.raises(Invalid, match="empty"):
        check_name(raw)


@pytest.mark.parametrize("raw", ["/report", "the /report", "(/drop)"])
def test_a_name_that_reads_like_a_command_is_refused(raw: str) -> None:
    with pytest.raises(Invalid, match="reads like a command"):
        check_name(raw)
    assert check_name("AC/DC") == "AC/DC"


def test_thirty_three_characters_are_one_too_many() -> None:
    with pytest.raises(Invalid, match="has 33 characters; use at most 32"):
        check_name("🐉" * 33)


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ("do\u200bk", "U+200B"),
        ("do\u200dk", "U+200D"),
        ("\u202edok", "U+202E"),
        ("do\x00k", "U+0000"),
        ("do\nk", "U+000A"),
        ("do\u00adk", "U+00AD"),
        ("do\u2028k", "U+2028"),
        ("\u3164", "U+3164"),
        ("do\u2800k", "U+2800"),
        ("do\ufe0fk", "U+FE0F"),
        ("do\U000e0101k", "U+E0101"),
        ("do\ud800k", "U+D800"),
        ("do\ue000k", "U+E000"),
        ("\ufeffdok", "U+FEFF"),
    ],
)
def test_a_hidden_character_is_refused_by_its_code(raw: str, code: str) -> None:
    with pytest.raises(Invalid) as refused:
        check_name(raw)
    assert code in str(refused.value)


JOINED = [
    "🏳️‍🌈 Robin",
    "👩‍💻",
    "👩🏽‍💻 Ada",
    "🏴‍☠️",
    "👨‍👩‍👧‍👦",
    "🙂‍↔️",
    "❤️‍🔥",
    "1️⃣",
    "می‌خواهم",  # Persian, kept apart
    "क्‍ष",  # Devanagari, joined
    "ශ්‍රී",  # Sinhala
    "ക്‌ഷ",  # Malayalam
]


@pytest.mark.parametrize("raw", JOINED)
def test_joined_emoji_and_words_of_scripts_that_join_letters_are_taken(raw: str) -> None:
    assert check_name(raw) == unicodedata.normalize("NFC", raw)
    assert similar_name(Name(raw), [Name(raw.replace("\u200d", "").replace("\u200c", ""))]) is not None


@pytest.mark.parametrize(
    "raw",
    [
        "👩\u200d",
        "\u200d👩",
        "👩\u200d\u200d💻",
        "👩\u200c💻",
        "a\u200d💻",
        "می\u200c",
        "می\u200cb",
        "\u200cمی",
        "1\u200d2",
    ],
)
def test_a_joiner_is_refused_where_neither_script_nor_emoji_uses_it(raw: str) -> None:
    with pytest.raises(Invalid, match=r"is invisible \(U\+200[CD]\)"):
        check_name(raw)


@pytest.mark.parametrize(
    "raw",
    ["@everyone", "@here", "x @Everyone y", "<@123>", "<@&123>", "<#5>", "</report:123>", "<:dok:12>", "<t:1700>"],
)
def test_a_name_that_reads_like_a_mention_is_refused(raw: str) -> None:
    with pytest.raises(Invalid, match="reads like"):
        check_name(raw)


@pytest.mark.parametrize("raw", ["draw", "Draw", "DRAW", "ｄｒａｗ", "drаw", "double loss"])
def test_words_for_results_are_refused(raw: str) -> None:
    with pytest.raises(Invalid, match="is a word for a result"):
        check_name(raw)


LOOK_ALIKES = [
    ("dok", "DOK"),
    ("dok", "dоk"),  # Cyrillic
    ("dok", "dοk"),  # Greek omicron
    ("Dok", "ｄｏｋ"),  # fullwidth
    ("d0k", "dok"),
    ("Bob0", "BobO"),
    ("PayPal", "PayPaI"),
    ("Bill", "Bi11"),
    ("Bill", "BiIl"),
    ("rnary", "mary"),
    ("Zoë", "Zoe\u0308"),
    ("STRASSE", "straße"),
    ("𝕕𝕠𝕜", "dok"),
    ("раураl", "paypal"),  # Cyrillic but for the l
    ("a  b", "a b"),
    ("a\u00a0b", "a b"),
    ("❤", "❤️"),
    ("Đok", "D\u0335ok"),  # a letter with a stroke, or the stroke by itself
]


@pytest.mark.parametrize(("one", "other"), LOOK_ALIKES)
def test_names_that_look_the_same_are_found_both_ways(one: str, other: str) -> None:
    assert similar_name(Name(one), [Name("somebody"), Name(other)]) == other
    assert similar_name(Name(other), [Name(one)]) == one


@pytest.mark.parametrize(
    ("one", "other"),
    [("Zoë", "Zoe"), ("mail", "mall"), ("Bill", "Blll"), ("KAI", "KAL"), ("S", "5"), ("名前", "名"), ("dok", "dok2")],
)
def test_different_names_stay_apart(one: str, other: str) -> None:
    assert similar_name(Name(one), [Name(other)]) is None
    assert similar_name(Name(other), [Name(one)]) is None


def test_the_refusal_names_who_is_meant() -> None:
    with pytest.raises(Conflict, match="is taken"):
        require_free(Name("dok"), [Name("dok")])
    with pytest.raises(Conflict, match="looks too much like “dok”"):
        require_free(Name("dоk"), [Name("Xorlof"), Name("dok")])
    require_free(Name("Kinseth"), [Name("dok"), Name("Xorlof")])


@given(st.text(max_size=12))
def test_a_name_is_always_like_itself_in_any_case_and_normal_form(text: str) -> None:
    name = Name(text)
    assert similar_name(name, [name]) == name
    for form in ("NFC", "NFD"):
        assert skeleton(unicodedata.normalize(form, text)) == skeleton(text)
    assert look_alike_key(unicodedata.normalize("NFKC", text).casefold()) == look_alike_key(text)


@given(st.text(max_size=40))
def test_every_text_is_taken_or_refused_and_what_is_taken_is_stable(text: str) -> None:
    try:
        name = check_name(text)
    except Invalid:
        return
    assert 1 <= len(name) <= 32
    assert check_name(name) == name


@given(st.text("ab👩💻️🏽می‌‍क्ष漢é 1", max_size=12))
def test_joiners_never_make_a_name_another_one(text: str) -> None:
    bare = text.replace("\u200c", "").replace("\u200d", "")
    assert look_alike_key(text) == look_alike_key(bare)
    assert skeleton(text) == skeleton(bare)
    assert written_key(text) == written_key(bare)
    try:
        name = check_name(text)
    except Invalid:
        return
    around = [(name[at - 1 : at], name[at + 1 : at + 2]) for at, char in enumerate(name) if char in "\u200c\u200d"]
    assert all(one and two and not {one, two} & set("ab漢é 1\u200c\u200d") for one, two in around)


@given(st.text(max_size=12), st.text(max_size=12))
def test_names_written_the_same_look_the_same(one: str, other: str) -> None:
    assert written_key(one) != written_key(other) or look_alike_key(one) == look_alike_key(other)


def test_a_letter_of_another_script_looks_the_same_and_is_written_otherwise() -> None:
    assert look_alike_key("\u0410da") == look_alike_key("Ada")
    assert written_key("\u0410da") != written_key("Ada")
    assert written_key("ＡＤＡ") == written_key(" ada")
