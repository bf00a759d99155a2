"""The league file: one season as JSON, complete enough to pair, rank and verify it anywhere."""

from bot.league.league_file.reading import read
from bot.league.league_file.writing import VERSION, to_json

__all__ = ["VERSION", "read", "to_json"]
