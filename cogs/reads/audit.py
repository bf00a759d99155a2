"""The audit log as an organiser sees it: pages to turn, with what was looked for, and as a file."""

from dataclasses import replace

import discord
from discord import app_commands

from bot.league.season.in_words import amount
from bot.services.reads import audit_log
from bot.services.reads.audit_log import AuditPage, Filter, sentence
from cogs.ui.actions import Press, action
from cogs.ui.button_memory import keep, kept
from cogs.ui.cards import Answer, Attached, card
from cogs.ui.commands import LeagueCog, command
from cogs.ui.context import Caller
from cogs.ui.options.names import AnyMatch, AuditAction, PlayerName
from cogs.ui.replies import Reply
from cogs.ui.text import pages, quoted
from storage.rows import LeagueId


class AuditLog(LeagueCog):
    """The audit log."""

    @command(
        "league",
        person="Only what this person did, or what was done about them",
        action="Only this kind of change, for example result reported",
        match="Only changes of this match",
        days="Only the last so many days",
    )
    async def audit(
        self,
        asker: Caller,
        person: PlayerName | None = None,
        action: AuditAction | None = None,
        match: AnyMatch | None = None,
        days: app_commands.Range[int, 1, audit_log.MOST_DAYS] | None = None,
    ) -> Reply:
        """Show who did what, newest first."""
        wanted = Filter(person=person, action=action, match=match, days=days)
        return audit_answer(await asker.read(audit_log.show, wanted=wanted), wanted, asker.league_id)


def audit_answer(audit_page: AuditPage, wanted: Filter, league_id: LeagueId) -> Answer:
    """Return a page of the audit log, with buttons to turn it and to download what was looked for."""
    lines: list[str] = []
    for row in audit_page.rows:
        why = f" · {quoted(row.reason, 100)}" if row.reason else ""
        at = discord.utils.format_dt(row.at, "f")
        by = "" if row.actor == row.subject else f" · {quoted(row.actor, 40)}"
        lines.append(f"{at} **{sentence(row, quoted(row.subject, 80))}**{by}{why}")
    pages_beside = {"Newer": audit_page.page - 1, "Older": audit_page.page + 1}
    key = None if wanted == audit_log.EVERYTHING else keep(wanted)
    buttons = [
        turn_page(league_id, page, key).button(label)
        for label, page in pages_beside.items()
        if 1 <= page <= audit_page.pages
    ]
    if audit_page.rows:
        buttons.append(download(league_id, key).button("Download"))
    days = None if wanted.days is None else str(wanted.days)
    typed = {"Person": wanted.person, "Action": wanted.action, "Match": wanted.match, "Days": days}
    looked_for = "\n".join(f"{option}: {quoted(value, 100)}" for option, value in typed.items() if value)
    title = f"Audit log, page {audit_page.page} of {audit_page.pages}"
    nothing = "Nothing yet." if wanted == audit_log.EVERYTHING else "Nothing fits what you look for."
    return card(title, pages(lines)[0] if lines else nothing, footer=looked_for, buttons=tuple(buttons))


def _wanted(key: str | None) -> Filter:
    return audit_log.EVERYTHING if key is None else kept(key)


@action("audit")
async def turn_page(press: Press, league: LeagueId, page: int, key: str | None) -> Reply:
    """Show another page of the audit log."""
    wanted = _wanted(key)
    asker = await press.who.of(league).read(audit_log.show, wanted=wanted, page=page)
    return replace(audit_answer(asker, wanted, league), replace=True)


@action("audit-file")
async def download(press: Press, league: LeagueId, key: str | None) -> Reply:
    """Answer with all that was looked for, as a file."""
    asker = await press.who.of(league).read(audit_log.export, wanted=_wanted(key))
    rows = asker.text.count("\n") - 1
    return Answer(text=f"The audit log, {amount(rows, 'change')}.", parts=(Attached(asker.filename, asker.text),))
