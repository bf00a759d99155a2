"""Maps or scenarios of a season's rounds: a form with a line for each, or a text file."""

import discord

from bot.league.errors import Invalid
from bot.league.season.in_words import amount
from bot.services.organising import round_maps
from bot.services.organising.round_maps import MatchMaps, SeasonMaps
from bot.services.reads.details import Details
from cogs.matches.rounds import chapter_lines, in_full
from cogs.play.match_card import OnCard
from cogs.ui.cards import Answer, long_answer
from cogs.ui.commands import LeagueCog, command
from cogs.ui.context import Caller, Interaction, caller
from cogs.ui.forms import Form
from cogs.ui.options.uploads import text_of
from cogs.ui.replies import Reply

_LONGEST = 4_000


class Maps(LeagueCog):
    """Maps of rounds."""

    @command("season", form=True, file="The lines as a text file; leave it out to type them")
    async def maps(self, asker: Caller, file: discord.Attachment | None = None) -> Reply:
        """Set the maps or scenarios of the rounds, a line for each."""
        season_maps = await asker.read(round_maps.season_maps)
        if file is None:
            return maps_form(season_maps)
        return changed(await asker.write(round_maps.change_maps, lines=await text_of(file)))


def maps_form(maps: SeasonMaps) -> Form:
    """Return the form with the maps as they are; raises Invalid where it would cut some off."""
    if len(maps.lines) > _LONGEST:
        raise Invalid("The maps are too long for a form. To change them, attach all lines as a text file.")
    return MapsForm(maps)


class MapsForm(Form):
    """The maps of a season, a line each."""

    def __init__(self, maps: SeasonMaps) -> None:
        super().__init__("Maps of the season")
        self._league_id = maps.league.id
        note = "A line each: round, map, note, link. Finals by name, for example semi-finals."
        hint = "1, Fields of Fire, 500 points, https://example.org/map"
        self._lines = self.ask("lines", "Maps", limit=_LONGEST, hint=hint, note=note, required=False, long=True)
        self._lines.default = maps.lines

    async def answer(self, interaction: Interaction) -> Reply:
        """Save the lines as they were typed."""
        asker = caller(interaction).of(self._league_id)
        return changed(await asker.write(round_maps.change_maps, lines=self._lines.value))


def changed(maps: SeasonMaps) -> Answer:
    """Return the maps as they were understood."""
    if not maps.maps:
        return Answer(text="The season has no maps now.")
    title = f"{amount(len(maps.maps), 'map')} saved"
    return long_answer(title, chapter_lines(maps.maps), file_name="maps.txt", private=True)


def _lines(details: Details) -> list[str]:
    """Return the maps of a match, for its card."""
    shown_maps = details.part(MatchMaps)
    return [] if shown_maps is None else in_full(shown_maps.maps)


ON_CARD = OnCard(lines=_lines)
