"""The letters: Noto Sans from its package, other scripts from the system, a visible box where no font has one."""

import os
import unicodedata
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path

import fontpkg
from PIL import ImageFont, features

from bot.pictures.layout import SMALLEST, Style
from bot.pictures.painting import coverage

_FAMILY = "Noto Sans"
SCALE = 3
"""Letters are made so many times as large as they are shown."""
_BOLD = 600
_NORMAL_WIDTH = 100
_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.local/share/fonts",
    "~/.fonts",
    "/System/Library/Fonts",
    "/Library/Fonts",
    "~/Library/Fonts",
    f"{os.environ.get('WINDIR', 'C:/Windows')}/Fonts",
)
_ENDINGS = {".ttf", ".otf", ".ttc"}
_PREFERRED = ("NotoSans", "Noto", "DejaVuSans")
_LEFT_OUT = ("italic", "oblique", "mono", "bold")
"""Letters of other styles are left to the fonts beside them."""

Font = ImageFont.FreeTypeFont


@lru_cache(maxsize=4096)
def width(words: str, style: Style) -> float:
    """Return how wide words are, in pixels."""
    return sum(font.getlength(run) for font, run in runs(words, style)) / SCALE


def runs(words: str, style: Style) -> list[tuple[Font, str]]:
    """Return words in runs of one font each, in the order they are painted."""
    paths = _paths(words, style)
    grouped = groupby(zip(paths, words, strict=True), key=lambda pair: pair[0])
    return [(_font(path, style), _ordered("".join(letter for _, letter in run))) for path, run in grouped]


def has(letter: str) -> bool:
    """Whether some font has a letter."""
    return coverage.has(_own(False), letter) or _other(letter) is not None


def can_draw(words: str) -> bool:
    """Whether some font has every letter of a name, which has at least one."""
    return any(map(_is_drawn, words)) and all(map(has, filter(_is_drawn, words.replace(" ", ""))))


def _paths(words: str, style: Style) -> list[Path]:
    """Return the font of each letter; an accent takes that of the letter before, a space where both sides agree."""
    own = _own(style.italic)
    paths: list[Path] = []
    for letter in words:
        before = paths[-1] if paths else own
        if _is_drawn(letter):
            before = own if coverage.has(own, letter) else _other(letter) or own
        paths.append(before)
    for at in range(1, len(words) - 1):
        if words[at] == " " and paths[at - 1] == paths[at + 1] and coverage.has(paths[at - 1], " "):
            paths[at] = paths[at - 1]
    return paths


def _is_drawn(letter: str) -> bool:
    return unicodedata.category(letter) not in ("Cf", "Mn", "Me") and not "\ufe00" <= letter <= "\ufe0f"


def _ordered(run: str) -> str:
    """Return a run as Pillow draws it: without raqm, which orders letters itself, right to left by hand."""
    backwards = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in run)
    return run[::-1] if backwards and not _shapes() else run


@cache
def _shapes() -> bool:
    return bool(features.check("raqm"))


@cache
def _own(italic: bool) -> Path:
    return fontpkg.path(_FAMILY, style="italic" if italic else "normal")


@cache
def _font(path: Path, style: Style) -> Font:
    if path != _own(style.italic):
        # The bold font beside a regular one, where bold letters are wanted and there is one.
        bold = path.with_stem(path.stem.replace("Regular", "Bold"))
        return ImageFont.truetype(bold if style.weight >= _BOLD and bold.exists() else path, style.size * SCALE)
    font = ImageFont.truetype(path, style.size * SCALE)
    font.set_variation_by_axes([style.weight, _NORMAL_WIDTH])
    return font


@cache
def _other(letter: str) -> Path | None:
    return next((path for path in _system() if coverage.has(path, letter) and _leaves_ink(path, letter)), None)


def _leaves_ink(path: Path, letter: str) -> bool:
    """Return whether a font can be read and draws a letter: fonts of coloured pictures often do neither."""
    try:
        return ImageFont.truetype(path, SCALE * SMALLEST).getmask(letter).getbbox() is not None
    except OSError:
        return False


@cache
def _system() -> tuple[Path, ...]:
    """Return the fonts of the system, Noto Sans of other scripts first."""
    folders = [Path(folder).expanduser() for folder in _FOLDERS]
    paths = {path for folder in folders for path in folder.rglob("*") if path.suffix.lower() in _ENDINGS}
    upright = (path for path in paths if not any(part in path.stem.lower() for part in _LEFT_OUT))
    return tuple(sorted(upright, key=_rank))


def _rank(path: Path) -> tuple[int, bool, str]:
    family = next((at for at, name in enumerate(_PREFERRED) if path.stem.startswith(name)), len(_PREFERRED))
    return family, "Regular" not in path.stem, str(path)
