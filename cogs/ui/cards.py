"""What a message shows: parts, frame colours, long lists as a file, in Components V2 within Discord's limits."""

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import discord

from cogs.ui.text import CARD_LIMIT, cut, pages, plain

TEXT_LIMIT = 4000
"""Characters of text in one message, all its parts together."""
BUTTONS_A_ROW = 5

BLUE, AMBER, ORANGE, GREEN, GOLD, GREY = (
    discord.Colour(value) for value in (0x6CB8F6, 0xF2B83B, 0xFF9468, 0x3DD1A5, 0xF5D06A, 0x7C8291)
)
"""The frame of what is to play, waits, is disputed, is confirmed, is the champion's, or is only to read."""


@dataclass(frozen=True, slots=True)
class Row:
    """A text with one button beside it: three components."""

    text: str
    button: discord.ui.Item[Any]


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG file with the words for people who can't see it, at most 1,024 characters."""

    name: str
    png: bytes
    alt: str


@dataclass(frozen=True, slots=True)
class Attached:
    """A file to download."""

    name: str
    content: str | bytes


@dataclass(frozen=True, slots=True)
class Line:
    """A line between two areas."""


LINE = Line()
Buttons = Sequence[discord.ui.Item[Any]]
"""Buttons, five a row, or one select."""
Part = str | Row | Picture | Attached | Line | Buttons


def layout(lead: str, parts: Iterable[Part], colour: discord.Colour | None, mark: int | None) -> discord.ui.LayoutView:
    """Return parts in a frame of a colour, or unframed, after a text above it; `mark` is an invisible id of the whole.

    Must be called in the event loop. Text beyond what a message holds is cut, the
    text above to 2,000 characters.
    """
    view, left = discord.ui.LayoutView(timeout=None), _Budget(TEXT_LIMIT)
    above = [discord.ui.TextDisplay[Any](left.fit(cut(lead)))] if lead else []
    items = [item for part in parts for item in _items(part, left)]
    if colour is not None and items:
        items = [discord.ui.Container[Any](*items, accent_colour=colour)]
    for item in [*above, *items]:
        view.add_item(item)
    if mark is not None:
        view.children[-1].id = mark
    view.stop()  # discord.py then keeps nothing of it: buttons are found by their custom_id
    return view


def files(parts: Iterable[Part]) -> list[discord.File]:
    """Return the files that pictures and attachments show, freshly opened."""
    attachments = [
        (part.name, part.png if isinstance(part, Picture) else part.content)
        for part in parts
        if isinstance(part, Picture | Attached)
    ]
    return [
        discord.File(io.BytesIO(content.encode() if isinstance(content, str) else content), filename=name)
        for name, content in attachments
    ]


def text_length(parts: Iterable[Part]) -> int:
    """Return how many characters of text parts show."""
    return sum(map(len, texts_of(parts)))


def texts_of(parts: Iterable[Part]) -> Iterator[str]:
    """Yield the texts of parts."""
    shown = (part.text if isinstance(part, Row) else part for part in parts)
    yield from (text for text in shown if isinstance(text, str))


def texts(components: Iterable[Any]) -> Iterator[str]:
    """Yield the texts a message shows, from top to bottom."""
    for component in components:
        if isinstance(component, discord.TextDisplay):
            yield component.content
        yield from texts(getattr(component, "children", ()))


class _Budget:
    """The characters a message has left."""

    def __init__(self, left: int) -> None:
        self._left = left

    def fit(self, text: str) -> str:
        fitting = cut(text, self._left) if self._left > 1 else "…"
        self._left -= len(fitting)
        return fitting


def _items(part: Part, left: _Budget) -> list[discord.ui.Item[Any]]:
    match part:
        case "":
            return []
        case str():
            return [discord.ui.TextDisplay(left.fit(part))]
        case Row():
            return [discord.ui.Section(left.fit(part.text), accessory=part.button)]
        case Picture():
            shown = discord.MediaGalleryItem(f"attachment://{part.name}", description=part.alt[:1024])
            return [discord.ui.MediaGallery(shown)]
        case Attached():
            return [discord.ui.File(f"attachment://{part.name}")]
        case Line():
            return [discord.ui.Separator()]
        case _:
            return [
                discord.ui.ActionRow(*part[start : start + BUTTONS_A_ROW])
                for start in range(0, len(part), BUTTONS_A_ROW)
            ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a person sees: a plain text above, then parts in a frame of a colour, then buttons.

    `private` shows it only to them, `replace` in place of the message whose button they pressed, however long that
    took; `public` is posted for everyone beside it. Only `ping_ids` and `role_ids` are notified, whatever the texts
    mention.
    """

    text: str = ""
    parts: tuple[Part, ...] = ()
    colour: discord.Colour | None = None
    buttons: tuple[discord.ui.Item[Any], ...] = ()
    ping_ids: tuple[int, ...] = ()
    role_ids: tuple[int, ...] = ()
    private: bool = True
    replace: bool = False
    public: "Answer | None" = None


TITLE_LIMIT = 256


def card(
    title: str,
    text: str,
    *,
    footer: str = "",
    buttons: tuple[discord.ui.Item[Any], ...] = (),
    colour: discord.Colour = BLUE,
    private: bool = True,
) -> Answer:
    """Return an answer or post with a heading, small print and buttons."""
    small = "\n".join(f"-# {line}" for line in footer.splitlines())
    parts = ("\n".join(part for part in (f"### {cut(title, TITLE_LIMIT)}", text, small) if part),)
    return Answer(parts=parts, buttons=buttons, colour=colour, private=private)


def long_answer(
    title: str,
    lines: Sequence[str],
    *,
    file_name: str,
    private: bool = False,
    head: str = "",
    room: int = CARD_LIMIT,
    buttons: tuple[discord.ui.Item[Any], ...] = (),
) -> Answer:
    """Return lines as a card; of what does not fit into `room` characters the whole is in a file."""
    parts = pages([head, *lines] if head else lines, room)
    if len(parts) <= 1:
        return card(title, parts[0] if parts else "Nothing yet.", private=private, buttons=buttons)
    whole = "\n".join(plain(line) for line in lines)
    answer = card(title, f"{parts[0]}\n…\nThe whole list is in the file.", private=private, buttons=buttons)
    return replace(answer, parts=(*answer.parts, Attached(file_name, whole)))


BESIDE_MENTIONS = 1900
"""Characters of a list in a message that mentions as many people as it can."""
