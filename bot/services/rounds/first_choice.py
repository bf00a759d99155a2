"""Who has the first choice in the matches of a round, where the season has dice-offs."""

from collections.abc import Mapping

from bot.league.dice_offs import first_choices
from bot.league.model import Name, Round, Season
from bot.services.act import Act
from storage.rows import EntrantId, RoundRow
from storage.tables import matches


async def note(do: Act, row: RoundRow, season: Season, round_: Round, ids: Mapping[Name, EntrantId]) -> None:
    """Note the first choices of a round after it was paired or changed by hand; one a file names stays as it is."""
    choices = first_choices(season, round_.number, [match.players for match in round_.matches])
    rows = await matches.of_round(do.conn, row.id)
    for kept, match, choice in zip(rows, round_.matches, choices, strict=bool(choices)):
        if match.dice_off in (None, choice.name):
            why = [reason.sentence for reason in choice.reasons]
            draws = [text for reason in choice.reasons for text in reason.draws]
            await matches.give_first_choice(do.conn, kept.id, ids[choice.name], why=why, draws=draws)
