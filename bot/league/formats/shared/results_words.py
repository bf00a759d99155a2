"""How results come about, in plain words: reporting, confirmation, deadlines, live rounds."""

from bot.league.formats.shared.base import Chapter, Rule
from bot.league.match_day.round_minutes import round_minutes
from bot.league.season.in_words import counted
from bot.league.season.settings import Advance, Game, Overdue, Pace, SeasonSettings

_TAKE_BACK = (
    "For 10 minutes you can take back a loss you reported or a result you confirmed, until the next round is paired "
    "or the season is over."
)
_DISPUTE = "If you two disagree, the moderators decide. Both of you are told."
_ADVANCE = {
    Advance.ALL_IN: "The next round is posted as soon as all results are confirmed.",
    Advance.DEADLINE: "The next round is posted once the deadline is over and all results are confirmed.",
    Advance.MANUAL: "Once all results are confirmed, an organiser posts the next round.",
}


def results(settings: SeasonSettings, game: Game | None, *, bracket: bool) -> tuple[Rule, ...]:
    """Say how results count; `game` is the one of the format, `bracket` whether the whole season is one."""
    live = settings.pace is Pace.LIVE
    told = (
        *(_live(settings, game) if live else (_days(settings),)),
        _ADVANCE[settings.advance],
        "One of you reports the match, with Report or /report. Your own loss counts at once.",
        _confirmation(settings),
        _TAKE_BACK,
        _DISPUTE,
        _late_live(settings, bracket=bracket) if live else _overdue(settings, bracket=bracket),
    )
    return tuple(Rule(Chapter.RESULTS, text) for text in told)


def _days(settings: SeasonSettings) -> str:
    if settings.round_ends is not None:
        day, _, time = settings.round_ends.capitalize().partition(" ")
        least = f"at least {_half_of(settings.round_days)} after it's posted"
        return f"A round ends on a {day} at {time} (the league's time zone), {least}. Its post shows the deadline."
    return f"A round lasts {counted(settings.round_days, 'day')}. Its post shows the deadline."


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
    hours = counted(settings.confirm_hours, "hour")
    return (
        f"{result} needs your opponent: they are asked to confirm or dispute it. Without an answer it counts {hours} "
        "after they were asked. Until then you can report again."
    )


def _late_live(settings: SeasonSettings, *, bracket: bool) -> str:
    late = "A match without a report 15 minutes after time"
    if settings.overdue is Overdue.DOUBLE_LOSS and not bracket:
        return f"{late} is a loss for both players{_in_the_finals(settings)}."
    return f"{late} goes to the moderators."


def _in_the_finals(settings: SeasonSettings) -> str:
    """Say that no one loses a match of the finals by silence, where there are finals."""
    return "" if settings.cut in (0, 1) else "; in the finals it goes to the moderators"


def _overdue(settings: SeasonSettings, *, bracket: bool) -> str:
    reported = "A reported one waits for its confirmation."
    match settings.overdue:
        case Overdue.EXTEND:
            days = counted(settings.round_days, "day")
            return f"If a match has no report at the deadline, the round gets {days} more. {reported}"
        case Overdue.DOUBLE_LOSS if not bracket:
            lost = f"is a loss for both players{_in_the_finals(settings)}"
            return f"A match without a report at the deadline {lost}. {reported}"
        case _:
            return f"A match without a report at the deadline goes to the moderators, who decide. {reported}"
