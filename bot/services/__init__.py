"""The use cases: load, decide by the rules, save and promise the announcement in one transaction."""

from bot.services import wiring as wiring
