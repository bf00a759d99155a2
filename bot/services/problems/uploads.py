"""Screenshots people send: small enough, and really the picture they say they are."""

from dataclasses import dataclass

from bot.league.errors import Invalid

MOST_BYTES = 4 * 1024 * 1024
"""Two fit into one request, which Discord takes up to 10 MB of."""
_SIGNATURES = {"png": b"\x89PNG\r\n\x1a\n", "jpg": b"\xff\xd8\xff"}
_WEBP = (b"RIFF", b"WEBP")


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture with the ending its name gets."""

    ending: str
    content: bytes


def require_small(size: int) -> None:
    """Raise Invalid for a file that is too large to be sent on; its size in bytes is known before it is read."""
    if size > MOST_BYTES:
        raise Invalid("The screenshot is too large: 4 MB at most. Send a smaller one, or none.")


def picture(content: bytes) -> Picture:
    """Return a file as the picture its first bytes say it is, whatever its name; raises Invalid for any other."""
    require_small(len(content))
    ending = next((ending for ending, first in _SIGNATURES.items() if content.startswith(first)), None)
    if ending is None and (content[:4], content[8:12]) == _WEBP:
        ending = "webp"
    if ending is None:
        raise Invalid("That file isn't a picture the bot can show. Send a png, jpeg or webp, or none.")
    return Picture(ending=ending, content=content)
