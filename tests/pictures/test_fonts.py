"""Letters: right on a machine without fonts, and never a crash."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import simcord
from PIL import ImageFont

from bot.pictures.layout import Page, Style, Weight
from bot.pictures.painting import coverage, fonts, paint
from bot.pictures.sheet import fit, shown
from tests.pictures import drawings

PLAIN = Style(size=32)


@pytest.fixture
def forget() -> Iterator[None]:
    """Forget the fonts found so far, before and after."""
    caches = (fonts.width, fonts._font, fonts._other, fonts._system, fonts._shapes)
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


def picture() -> Page:
    return drawings.bracket(list(drawings.HOSTILE), rounds=2).pages(fonts.width)[0]


@pytest.mark.parametrize("words", ["Zoë Þórr Łukasz", "Ελένη Παπαδοπούλου", "Мирослава Ґудзь", "0123456789 ± – · ’ …"])
def test_latin_greek_and_cyrillic_need_no_font_of_the_system(words: str) -> None:
    for italic in (False, True):
        own = fonts._own(italic)
        assert all(coverage.has(own, letter) for letter in words)


def test_figures_are_equally_wide_in_every_weight() -> None:
    for weight in Weight:
        assert len({fonts.width(digit, Style(size=32, weight=weight)) for digit in "0123456789"}) == 1


@pytest.mark.long
@pytest.mark.usefixtures("forget")
def test_a_machine_without_fonts_draws_a_box_for_other_scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "_FOLDERS", ())
    assert fonts.width("日本語", PLAIN) > 0
    assert paint.png(picture())


@pytest.mark.long
@pytest.mark.usefixtures("forget")
def test_text_is_drawn_without_raqm_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ImageFont.core, "HAVE_RAQM", False)
    monkeypatch.setattr(fonts, "_shapes", lambda: False)
    assert fonts._font(fonts._own(False), PLAIN).layout_engine == ImageFont.Layout.BASIC
    assert paint.png(picture())


@pytest.mark.usefixtures("forget")
def test_a_broken_font_of_the_system_is_passed_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "NotoSansBroken-Regular.ttf").write_bytes(b"\0\1\0\0\0\1cmap")
    (tmp_path / "NotoSansEmpty-Regular.otf").write_bytes(b"")
    monkeypatch.setattr(fonts, "_FOLDERS", (str(tmp_path), str(tmp_path / "missing")))
    assert fonts.width("日本語", PLAIN) > 0


@pytest.mark.usefixtures("forget")
def test_a_font_whose_letters_leave_no_ink_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    colour = Path(simcord.__file__).parent / "preview" / "static" / "fonts"
    monkeypatch.setattr(fonts, "_FOLDERS", (str(colour),))
    assert fonts._other("語") is not None
    assert fonts._other("😀") is None


def test_a_space_between_words_of_another_script_keeps_them_in_order() -> None:
    assert len(set(fonts._paths("שלום עולם", PLAIN))) == 1


def test_long_names_are_cut_by_their_width() -> None:
    for name in drawings.HOSTILE:
        assert fonts.width(fit(name, PLAIN, 200, fonts.width), PLAIN) <= 200


def test_control_characters_and_heaps_of_accents_are_not_drawn() -> None:
    assert shown("\u202eleft\x00\n \t right") == "left right"
    assert len(shown("a" + "\u0301" * 30)) <= 3
