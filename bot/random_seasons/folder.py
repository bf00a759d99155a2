"""Write random seasons into a folder that is new or empty, a league file each."""

from collections.abc import Callable
from pathlib import Path

from bot.league.checking.league_file.reading import read
from bot.league.checking.league_file.writing import to_json
from bot.league.errors import Invalid
from bot.random_seasons.season import texts


def write(
    folder: Path,
    formats: tuple[str, ...],
    *,
    seasons: int,
    players: int | None,
    seed: int,
    progress: Callable[[str], None],
) -> int:
    """Write so many seasons of each format into a folder that is made, or empty; returns how many files there are."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise Invalid(f"{folder} isn't empty; name a new folder, because files there could be mixed up with these")
        for format_ in formats:
            for number in range(1, seasons + 1):
                *_, text = texts(format_, f"{seed}/{number}", players)
                path = folder / f"{format_}-{number}.json"
                path.write_text(to_json(read(text.encode())), encoding="utf-8", newline="\n")
                progress(f"{format_}: {number} of {seasons}")
    except OSError as wrong:
        raise Invalid(f"{folder} can't be written ({wrong.strerror}); name another folder") from None
    return len(formats) * seasons
