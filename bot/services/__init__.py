"""The use cases: load, decide by the rules, save and promise the announcement in one transaction."""

import bot.services.wiring  # noqa: F401 (listeners before the first use case)
