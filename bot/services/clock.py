"""What is due by the clock: sign-ups that close, silence that confirms, reminders, deadlines."""

from datetime import datetime

from storage.database import Database


async def tick(db: Database, now: datetime) -> int:
    """Do everything that is due, each in its own transaction, and return how many things were done."""
    raise NotImplementedError
