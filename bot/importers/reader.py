"""What a reader of a kind of file is: its name, where people get such a file, how it's known, and how it's read."""

import io
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bot.importers.gathering import Gathering
from bot.importers.tables.table import Table
from bot.importers.texts import decoded, looks_like_json, parsed

_OF_DOCUMENTS = ("[Content_Types].xml", "mimetype", "content.xml", "META-INF/", "Index/", "xl/", "word/", "ppt/")
"""What the names in the archives of office programs begin with."""


class Content:
    """What is in a file: its bytes, and what these are as text and as JSON, each read once."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    @property
    def packed(self) -> bool:
        """Whether it's an archive, as spreadsheets are."""
        return self.data.startswith(b"PK")

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """The names of what is in an archive; nothing for a damaged one."""
        try:
            with zipfile.ZipFile(io.BytesIO(self.data)) as archive:
                return tuple(archive.namelist())
        except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError):
            return ()

    @property
    def holds_files(self) -> bool:
        """Whether it's a zip of files, and not a document, which is one too."""
        return self.packed and bool(self.parts) and not any(part.startswith(_OF_DOCUMENTS) for part in self.parts)

    @cached_property
    def text(self) -> str:
        """The text; raises InvalidFile for what has none."""
        return "" if self.packed else decoded(self.data)

    @cached_property
    def json(self) -> Any:
        """The value of a JSON file, or the list of several one below the other; None for all other files."""
        return parsed(self.text) if looks_like_json(self.text) else None

    @property
    def values(self) -> list[Any]:
        """The values of a JSON file, one below the other or in one list."""
        if self.json is None:
            return []
        return self.json if isinstance(self.json, list) else [self.json]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A kind of file: `knows` says whether a file is one, `read` tells a Gathering what is in it.

    Where that is tables, `tables` returns them instead. `name` stands in answers, the command's help and
    docs/moving-in.md, there beside `file`: how people get one.
    """

    name: str
    file: str
    knows: Callable[[Content], bool]
    read: Callable[[Content, str, Gathering], None] | None = None
    tables: Callable[[Content, str], list[Table]] | None = None
