"""What holds for every page of every picture."""

from bot.pictures.layout import SMALLEST, Box, Colour, Glow, Line, Page, Text
from bot.pictures.sheet import ALT_LIMIT

LEAST_CONTRAST = 4.5


def texts(page: Page) -> list[Text]:
    return [item for item in page.items if isinstance(item, Text)]


def overlaps(page: Page) -> list[tuple[str, str]]:
    """Return the texts that stand on each other."""
    placed = sorted(texts(page), key=lambda text: text.top)
    return [
        (one.words, other.words)
        for at, one in enumerate(placed)
        for other in placed[at + 1 :]
        if other.top < one.bottom and one.left < other.left + other.width and other.left < one.left + one.width
    ]


def surface(page: Page, text: Text) -> Box | None:
    """Return the filled box a text begins on, the last one placed."""
    x, y = text.left + 1, text.baseline - text.style.size / 3
    filled = (item for item in page.items if isinstance(item, Box) and item.fill)
    found = [b for b in filled if b.left <= x <= b.left + b.width and b.top <= y <= b.top + b.height]
    return found[-1] if found else None


def outside(page: Page) -> list[str]:
    """Return the texts that leave their box or the page."""
    whole = Box(left=0, top=0, width=page.width, height=page.height)
    return [text.words for text in texts(page) if not _inside(text, surface(page, text) or whole)]


def _inside(text: Text, box: Box) -> bool:
    across = box.left <= text.left and text.left + text.width <= box.left + box.width + 0.5
    return across and box.top <= text.top and text.bottom <= box.top + box.height


def faint(page: Page) -> list[tuple[str, float]]:
    """Return the texts that are hard to read on their surface; a glow counts where it is brightest."""
    glow = next((item for item in page.items if isinstance(item, Glow)), None)
    found: list[tuple[str, float]] = []
    for text in texts(page):
        box = surface(page, text)
        under = _rgb(box.fill if box and box.fill else Colour.PAGE)
        if glow and not box:
            away = max(0.0, text.top - glow.centre[1]) / glow.radius
            light = max(0.0, 1 - away) * glow.strength
            under = tuple(a + (b - a) * light for a, b in zip(under, _rgb(glow.colour), strict=True))
        found.append((text.words, contrast(_rgb(text.colour), under)))
    return [(words, ratio) for words, ratio in found if ratio < LEAST_CONTRAST]


def _rgb(colour: Colour) -> tuple[float, ...]:
    return tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))


def contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """Return the contrast of two colours as the Web Content Accessibility Guidelines define it."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: tuple[float, ...]) -> float:
    linear = [part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def crossed(page: Page) -> list[Line]:
    """Return the upright lines that run through a box."""
    boxes = [item for item in page.items if isinstance(item, Box) and item.fill and item.height > 30]
    upright = [i for i in page.items if isinstance(i, Line) and len({x for x, _ in i.points}) == 1]
    return [line for line in upright if any(_through(line, box) for box in boxes)]


def _through(line: Line, box: Box) -> bool:
    top, bottom = sorted(y for _, y in line.points)
    across = box.left < line.points[0][0] < box.left + box.width
    return across and top < box.top + box.height - 1 and bottom > box.top + 1


def assert_sound(page: Page) -> None:
    assert overlaps(page) == []
    assert outside(page) == []
    assert faint(page) == []
    assert all(text.style.size >= SMALLEST for text in texts(page))
    assert 0 < len(page.alt) <= ALT_LIMIT
