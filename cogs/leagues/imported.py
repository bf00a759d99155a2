"""What an import brought, and taking it back."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.league.season.in_words import amount, capitalised
from bot.services.leagues import taking_back
from bot.services.leagues.importing import BY_HAND, Imported
from bot.services.leagues.importing_records import Brought
from cogs.leagues.import_preview import MOST_SHOWN
from cogs.ui.actions import Press, action
from cogs.ui.cards import GREEN, Answer, card
from cogs.ui.replies import Reply
from cogs.ui.text import listed, shown
from storage.rows import LeagueId


def imported(league: LeagueId, done: Brought | Imported, brought: Sequence[str] = ()) -> Answer:
    """Return what an import brought, with the way back."""
    people = f"{amount(done.known + done.new, 'person', 'people')}: {done.known} known, {done.new} new."
    what = [amount(len(done.numbers), "season"), amount(done.matches, "match", "matches")] if done.numbers else []
    title = f"✅ Imported: {', '.join(what) or amount(done.new, 'person', 'people')}"
    counts = "" if not done.numbers else " Ratings and head-to-head include them now."
    if done.numbers and done.running is not None:
        counts += f" Pairings use them from season {done.next} on, because season {done.running} is running."
    until = f"You can take it back until season {done.next} starts, or until one of these people is merged or renamed."
    back = take_back(league, done.id).button("Take the import back")
    if isinstance(done, Imported) and done.live:
        goes_on = f"Season {done.season_number} goes on here.{f' {BY_HAND}' if done.between_rounds else ''}"
        return replace(card(title, f"{people} {goes_on}", colour=GREEN), replace=True)
    text = "\n".join([f"{people}{counts}", *brought, *_accounts(done)])
    answer = card(title, text, footer=until, buttons=(back,), colour=GREEN)
    return replace(answer, replace=True)


def _accounts(done: Brought) -> Iterator[str]:
    """Yield who has an account now, who may be someone else too, and how everyone else comes in."""
    if done.linked:
        yield f"{amount(done.linked, 'person has', 'people have')} the Discord account the file names."
    for double in done.doubles[:MOST_SHOWN]:
        merge = f"/player merge player:{double.name} into:{double.holder}"
        yield f"The file's account of {shown(double.name)} plays as {shown(double.holder)}. One person? Use `{merge}`."
    if done.nameless:
        yield (
            f"{amount(done.nameless, 'person has', 'people have')} no account yet. They press **Join** and say who "
            "they are; you answer in one post, with one press each."
        )


@action("import-back")
async def take_back(press: Press, league: LeagueId, import_id: int) -> Reply:
    """Take an import back while nothing rests on it."""
    numbers = await press.who.of(league).write(taking_back.take_back, import_id=import_id)
    what = listed([f"season {number}" for number in numbers]) or "The list of people"
    gone = "is" if len(numbers) < 2 else "are"
    text = f"{capitalised(what)} {gone} gone again. Everything is as it was before the import."
    return Answer(text=text, replace=True)
