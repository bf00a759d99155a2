"""The rules of a season in plain words: the sentences all formats share, those on results among them."""

from collections.abc import Iterable

from bot.league.counting.tiebreaks import TiebreakName
from bot.league.formats.shared.base import Chapter, Rule
from bot.league.match_day.time_called import round_minutes
from bot.league.match_day.weighing import TAKE_BACK_MINUTES
from bot.league.season.choices import VARIANTS, Advance, DiceOff, Game, NoShow, Overdue, Pace, Rejoin, TableTiebreak
from bot.league.season.in_words import amount, capitalised
from bot.league.season.list_rules import ListRules
from bot.league.season.settings import SeasonSettings, has_finals

_SITS_OUT = "You can sit out a regular round until it's paired, with /sit-out. It counts as a loss without an opponent."
_SUBSTITUTES = (
    "An organiser can let another person take your place for the next rounds. The results stay with the place; the "
    "rating and the opponents of earlier seasons are the person's own."
)
_DISQUALIFIED = "Disqualified players are out at once and can't come back."


def ordinal(number: int) -> str:
    """Return a place as people say it: `1st`, `12th`."""
    last = "th" if 10 < number % 100 < 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{last}"


def matches(settings: SeasonSettings, game: Game | None = None, *, finals: bool = True) -> tuple[Rule, ...]:
    """Say what is played, how many games a match has, who goes first and which lists players hand in.

    `game` is the one of the format, `finals` is False where no bracket follows.
    """
    played = settings.game or game
    games, first = _games(settings, finals=finals), _first_choice(settings.dice_off)
    rules = (_variant(settings, played), games, first, _lists(settings.lists))
    most = max(settings.best_of, settings.finals_best_of, settings.final_best_of) if finals else settings.best_of
    later = (_LOSER_CHOOSES,) if played is Game.KEYFORGE and most > 1 else ()
    scored = (_SCORES,) if settings.scores else ()
    return (*(rule for rule in rules if rule is not None), *scored, *later)


def _variant(settings: SeasonSettings, game: Game | None) -> Rule | None:
    if settings.variant is None or game is None or settings.variant not in VARIANTS[game]:
        return None
    called = "Format" if game is Game.LIGHTSEEKERS else "Variant"
    return Rule(Chapter.ROUNDS, f"{settings.variant.words}.", called)


def _lists(rules: ListRules | None) -> Rule | None:
    if rules is None:
        return None
    words = (
        f"Players hand in their army or deck lists with /list: {rules.words}. When they're due, a fingerprint "
        "(SHA-256) of each is posted, so no one can change a list unseen. A late one is marked late and can't change "
        "any more."
    )
    return Rule(Chapter.ROUNDS, words, "Lists")


_SCORES = Rule(Chapter.ROUNDS, "Each match has a score, such as 87-62. You report it with the result.", "Scores")

_LOSER_CHOOSES = Rule(
    Chapter.ROUNDS, "In a match of several games, the loser of a game chooses who goes first in the next."
)


def _first_choice(dice_off: DiceOff) -> Rule | None:
    """Say who has the first choice in a match, where the season has dice-offs."""
    match dice_off:
        case DiceOff.OFF:
            return None
        case DiceOff.DRAW:
            how = "The draw gives one of you the first choice in your match (in its first game)."
        case DiceOff.EQUALIZER:
            how = (
                "In each match (in its first game) it goes to the player who had it in the smaller share of their "
                "matches so far; if that's equal, to one of you by the draw."
            )
    return Rule(Chapter.ROUNDS, f"{how} Your match and /why show it.", "First choice")


def _games(settings: SeasonSettings, *, finals: bool) -> Rule:
    first, later, last = settings.best_of, settings.finals_best_of, settings.final_best_of
    words = f"Each match is {best_of(first)}"
    if finals and later != first:
        words += f"; in the finals it is {best_of(later)}"
    if finals and last != later:
        words += f"; the final is {best_of(last)}"
    return Rule(Chapter.ROUNDS, f"{words}.", "Matches")


def best_of(games: int) -> str:
    """Return how many games a match has."""
    return "a single game" if games == 1 else f"best of {games}"


def tiebreaks(names: Iterable[TiebreakName], *then: str) -> Rule:
    """Say what standings go by among equals, each with its column in tables, and what decides `then`."""
    first, *others = [(name.term or name.meaning, name.short) for name in names]
    listed = [f"{first[0]} ({first[1]} in tables)", *(f"{term} ({short})" for term, short in others), *then]
    return Rule(Chapter.STANDINGS, f"{capitalised(', '.join(listed))}.", "Tie-breaks")


def table_tiebreaks(settings: SeasonSettings) -> list[str]:
    """Return what can put players of a table in order who have the same points, the draw last.

    Without scores the games of a match count instead; where it has one alone, they're equal.
    """
    of_games = {TableTiebreak.DIFFERENCE: "game difference", TableTiebreak.SCORED: "games won"}
    if settings.scores:
        of_games = dict[TableTiebreak, str]()
    elif settings.best_of == 1:
        of_games = dict.fromkeys(of_games, "")
    names = (of_games.get(tiebreak, tiebreak.words) for tiebreak in settings.tiebreaks)
    return [*filter(None, names), "the draw"]


def cut(size: int, entrants: int | None) -> Rule:
    """Say how many play the finals; never more than there are entrants. With one there are none."""
    if not has_finals(size):
        return Rule(Chapter.FINALS, "None. The first in the standings wins the season.", "Cut")
    many = min(size, entrants or size)
    return Rule(Chapter.FINALS, f"The best {many} go on to the finals. Lose a match there and you're out.", "Cut")


def replaced(settings: SeasonSettings) -> Rule:
    """Say what happens when a qualified player leaves before the finals."""
    if settings.replace:
        text = (
            "A qualified player who leaves before the first result of the finals is replaced. Everyone below moves up "
            "and the next player goes in last."
        )
    else:
        text = "Qualified players who leave before the finals aren't replaced: their opponent has a bye."
    return Rule(Chapter.FINALS, text)


def coming_and_going(
    settings: SeasonSettings, *, comes_back: bool = True, enters_late: bool = True, sits_out: str = _SITS_OUT
) -> tuple[Rule, ...]:
    """Say what all formats say last, on leaving, coming back, joining late, not showing up, and the draw.

    `comes_back` and `enters_late` are False where a format has neither, whatever the settings say; `sits_out` says what
    a round sat out costs, or nothing where no one can.
    """
    sentences = (
        "Players who drop out are no longer paired. If their match is still open, they lose it and their opponent "
        "wins. Confirmed results still count.",
        _return(settings.rejoin if comes_back else Rejoin.NEVER),
        _late_entry(min(settings.late_entry, settings.rounds or settings.late_entry) if enters_late else 1),
        _DISQUALIFIED,
        _no_show(settings),
        *((sits_out,) if sits_out else ()),
        _SUBSTITUTES,
    )
    return (*(Rule(Chapter.PEOPLE, text) for text in sentences), Rule(Chapter.DRAW, _draw(settings)))


def _return(rejoin: Rejoin) -> str:
    if rejoin is Rejoin.NEVER:
        return "Players who dropped out can't come back this season."
    asked = ", if an organiser agrees" if rejoin is Rejoin.ASK else ""
    return (
        "Players who dropped out can come back until the last regular round is paired"
        f"{asked}. Each round they missed counts as a loss."
    )


def _late_entry(last: int) -> str:
    if last == 1:
        return "No one can join after round 1 is paired."
    return (
        f"New players can join until round {last} is paired, but not in the finals. "
        "Each round they missed counts as a loss."
    )


def _no_show(settings: SeasonSettings) -> str:
    dropped = " and drop you from the season" if settings.no_show is NoShow.DROP else ""
    return (
        f"If you don't show up, a moderator can give your opponent the match{dropped}. "
        "You can concede a match at any time; that counts as a loss."
    )


def _draw(settings: SeasonSettings) -> str:
    salt = "" if settings.salt is None else f"{settings.salt}/"
    return (
        'Every "random" order can be checked: it sorts players by a fingerprint (SHA-256) of the text '
        f"SEASON/ROUND/PURPOSE/{salt}NAME, smallest first. /why shows yours."
    )


# -- how results come about ----------------------------------------------------------------------------------------

_TAKE_BACK = (
    f"For {TAKE_BACK_MINUTES} minutes you can take back a loss you reported or a result you confirmed, until the next "
    "round is paired or the season is over."
)
_DISPUTE = "If you two disagree, the moderators decide. Both of you are told."
_ADVANCE = {
    Advance.ALL_IN: "The next round is posted as soon as all results are confirmed.",
    Advance.DEADLINE: "The next round is posted once the deadline is over and all results are confirmed.",
    Advance.MANUAL: "Once all results are confirmed, an organiser posts the next round.",
}


def results(settings: SeasonSettings, game: Game | None, *, finals: bool, bracket: bool = False) -> tuple[Rule, ...]:
    """Say how results count; `game` is the format's, `finals` whether any follow, `bracket` if there's nothing else."""
    live = settings.pace is Pace.LIVE
    sentences = (
        *(_live(settings, game) if live else (_days(settings),)),
        _ADVANCE[settings.advance],
        "One of you reports the match, with Report or /report. Your own loss counts at once.",
        _confirmation(settings),
        _TAKE_BACK,
        _DISPUTE,
        (_late_live if live else _overdue)(settings, finals=finals, bracket=bracket),
    )
    return tuple(Rule(Chapter.RESULTS, text) for text in sentences)


def _days(settings: SeasonSettings) -> str:
    if settings.round_ends is not None:
        day, _, time = settings.round_ends.capitalize().partition(" ")
        least = f"at least {_half_of(settings.round_days)} after it's posted"
        return f"A round ends on a {day} at {time} (the league's time zone), {least}. Its post shows the deadline."
    return f"A round lasts {amount(settings.round_days, 'day')}. Its post shows the deadline."


def _half_of(days: int) -> str:
    if days == 1:
        return "half a day"
    return "1 day" if days == 2 else f"{days // 2}{' and a half' if days % 2 else ''} days"


def _live(settings: SeasonSettings, game: Game | None) -> tuple[str, ...]:
    """Say how long live rounds are, where a document gives that."""
    clock = "Rounds are played live: an organiser starts the clock, and it warns 10 and 5 minutes before the end."
    played = settings.game or game
    usual, final = (
        round_minutes(played, settings.variant, best_of=games, final=last)
        for games, last in ((settings.best_of, False), (settings.final_best_of, True))
    )
    if usual is None:
        return (clock,)
    last = f", the final {final}" if final not in (None, usual) else ""
    return (clock, f"A round takes {usual} minutes{last}. /time-called tells who wins when time is over.")


def _confirmation(settings: SeasonSettings) -> str:
    result = "A win or a draw" if settings.draws else "A win"
    hours = amount(settings.confirm_hours, "hour")
    return (
        f"{result} needs your opponent: they are asked to confirm or dispute it. Without an answer it counts {hours} "
        "after they were asked. Until then you can report again."
    )


def _late_live(settings: SeasonSettings, *, finals: bool, bracket: bool) -> str:
    late = "A match without a report 15 minutes after time"
    if settings.overdue is Overdue.DOUBLE_LOSS and not bracket:
        return f"{late} is a loss for both players{_IN_THE_FINALS if finals else ''}."
    return f"{late} goes to the moderators."


_IN_THE_FINALS = "; in the finals it goes to the moderators"


def _overdue(settings: SeasonSettings, *, finals: bool, bracket: bool) -> str:
    reported = "A reported one waits for its confirmation."
    match settings.overdue:
        case Overdue.EXTEND:
            days = amount(settings.round_days, "day")
            return f"If a match has no report at the deadline, the round gets {days} more. {reported}"
        case Overdue.DOUBLE_LOSS if not bracket:
            lost = f"is a loss for both players{_IN_THE_FINALS if finals else ''}"
            return f"A match without a report at the deadline {lost}. {reported}"
        case _:
            return f"A match without a report at the deadline goes to the moderators, who decide. {reported}"


# -- in short ------------------------------------------------------------------------------------------------------


def a_match(settings: SeasonSettings) -> str:
    """Return how often a match is played: `one match a week`."""
    if settings.pace is Pace.LIVE:
        return "one after the other, live"
    often = {1: "one match a day", 7: "one match a week"}
    return often.get(settings.round_days, f"{settings.round_days} days for each match")


def finals_in_short(settings: SeasonSettings, cut: int | None, entrants: int | None, *, usually: str) -> str:
    """Return who plays the finals and how; `usually` is who does where no number is set yet, with a plural verb."""
    if not has_finals(cut):
        return "There are no finals: the first in the standings wins."
    if cut is not None and (words := everyone_in_finals(settings, cut, entrants)):
        return words
    return f"{usually if cut is None else f'The best {cut}'} play the finals: {how_finals_go(settings)}."


def everyone_in_finals(settings: SeasonSettings, places: int, entrants: int | None) -> str:
    """Say that the finals have room for everyone, where it's known that they do."""
    size = entrants or settings.max_players
    if size is None or size > places:
        return ""
    return f"With {amount(size, 'player')} everyone is in the finals: {how_finals_go(settings)}."


def how_finals_go(settings: SeasonSettings) -> str:
    """Return how finals are played."""
    later, last = settings.finals_best_of, settings.final_best_of
    games = best_of(later) + (f", the final {best_of(last)};" if last != later else ",")
    return f"{games} lose and you're out"


def results_in_short(settings: SeasonSettings, *, finals: bool, bracket: bool = False) -> str:
    """Return when a report counts, and what a deadline costs; `finals` and `bracket` are as in `results`."""
    live = settings.pace is Pace.LIVE
    if settings.overdue is Overdue.EXTEND and not live:
        late = "The round gets longer."
    elif settings.overdue is Overdue.DOUBLE_LOSS and not bracket:
        late = f"Both players lose{'; in the finals the moderators decide' if finals else ''}."
    else:
        late = "The moderators decide."
    asked = "No result in time?" if live else "No result by the deadline?"
    hours = amount(settings.confirm_hours, "hour")
    return f"A win counts once your opponent confirms it, or {hours} after they were asked. {asked} {late}"
