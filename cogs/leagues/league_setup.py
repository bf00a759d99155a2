"""Setting up a league by clicking: what is still missing, the organisers' own rules, and deleting it."""

import discord

from bot.services.leagues import deletion, set_up
from bot.services.leagues.set_up import Checkup
from cogs.leagues.checkup import checked
from cogs.ui.actions import SUCCESS, Press, action
from cogs.ui.cards import Answer, card
from cogs.ui.context import Caller, Interaction, caller
from cogs.ui.forms import Form
from cogs.ui.questions import asked_first
from cogs.ui.replies import Reply
from cogs.ui.text import shown
from storage.rows import LeagueId, LeagueRow

LONGEST_RULES = 3_600
"""Characters of the organisers' own rules: with what stands around them, they fit one message."""


@asked_first("delete-league", "Delete the league?", yes="Delete the league", no="Keep it")
async def delete(who: Caller, *, agreed: str = "") -> str:
    """Delete a league once an organiser has agreed to what is lost."""
    return f"{shown((await who.do(deletion.delete, agreed=agreed)).name)} is deleted."


def guild_of(interaction: Interaction) -> discord.Guild:
    """Return the server an interaction comes from."""
    assert interaction.guild is not None
    return interaction.guild


def setup_answer(interaction: Interaction, found: Checkup, title: str, then: str = "") -> Answer:
    """Return what works, what has to be changed and what comes next, with a button that asks for what is missing."""
    league = found.league
    lines = [line for about in checked(guild_of(interaction), found).values() for line in about]
    missing = None in (league.moderation_channel_id, league.moderator_role_id)
    ask = (fill_in(league.id).button("Fill in what's missing", SUCCESS),) if missing else ()
    return card(title, "\n".join([*lines, then]), buttons=ask)


class SetUpForm(Form):
    """Who settles disputes and where, and in which time zone dates are typed."""

    def __init__(self, league: LeagueRow) -> None:
        super().__init__(f"Set up {league.name}")
        self._league = league
        self._channel = self.pick(
            "channel",
            "Moderators' channel",
            discord.ui.ChannelSelect(channel_types=[discord.ChannelType.text], required=False),
            note="Without one, players read both sides' statements in the league's channel.",
        )
        self._role = self.pick(
            "role",
            "Moderator role",
            discord.ui.RoleSelect(required=False),
            note="Pinged when something waits for a decision, such as a dispute.",
        )
        note = f"Dates are typed in this time zone. Now: {league.time_zone}"
        self._zone = self.ask("zone", "Time zone", limit=60, hint="Europe/Berlin", note=note, required=False)

    async def answer(self, interaction: Interaction) -> Reply:
        """Save what was filled in and test everything again."""
        said = {
            "moderation_channel_id": next((channel.id for channel in self._channel.values), None),
            "moderator_role_id": next((role.id for role in self._role.values), None),
            "time_zone": self._zone.value or None,
        }
        changes = {key: value for key, value in said.items() if value is not None}
        who = caller(interaction).of(self._league.id)
        await who.do(set_up.change, changes=changes)
        found = await who.see(set_up.checkup)
        return setup_answer(interaction, found, f"{shown(found.league.name)} is set up")


@action("set-up", form=True)
async def fill_in(press: Press, league: LeagueId) -> Reply:
    """Ask for what is missing in a league's set-up."""
    return SetUpForm((await press.who.of(league).see(set_up.checkup)).league)


class RulesForm(Form):
    """The organisers' own rules."""

    def __init__(self, league: LeagueRow) -> None:
        super().__init__(f"Rules of {league.name}")
        self._league = league
        note = "Players agree to them before they join. Leave it empty to have no rules of your own."
        self._text = self.ask("rules", "Your own rules", limit=LONGEST_RULES, note=note, required=False, long=True)
        self._text.default = league.rules_text

    async def answer(self, interaction: Interaction) -> Reply:
        """Save the text, or remove it where it is empty."""
        text = self._text.value
        made = await caller(interaction).of(self._league.id).do(set_up.write_rules, text=text)
        if made.rules_text is None:
            return Answer(text="Removed: players join without rules of your own. `/rules` shows the season's rules.")
        return Answer(text="Saved. Players read these rules and agree before they join; `/rules` shows them too.")
