"""The rules of a round robin in plain words."""

from bot.league.formats.round_robin.berger import rounds_of
from bot.league.formats.round_robin.filling import group_sizes
from bot.league.formats.round_robin.finals_of_groups import finals_size
from bot.league.formats.shared import words
from bot.league.formats.shared.base import Chapter, Rule
from bot.league.season.choices import Grouping, Schedule
from bot.league.season.in_words import amount
from bot.league.season.settings import SeasonSettings

_GROUPS = {
    Grouping.DRAWN: "The groups are drawn.",
    Grouping.RATING: "The groups are about equally strong: players are dealt by rating.",
    Grouping.DIVISIONS: "The divisions are filled from the top by the ladder of the season before, then by rating.",
    Grouping.GIVEN: "An organiser chose the groups.",
}
_BRACKET = (
    "In the first round of the finals no one meets a player of their own group, if that can be avoided. "
    "Later they can meet."
)
_MOVING_UP = (
    "A player who leaves before the first result of the finals is replaced. Everyone below moves up and the next "
    "player goes in last."
)
_OPEN = "All matches are open from the start, and you can play them in any order until one deadline."
_LEAVING = (
    "Players who leave lose their matches without a result, also those of later rounds; their opponents win them.",
    "If a player leaves during the rounds with fewer than half of their matches played, none of their results count, "
    "for anyone.",
)


def in_words(settings: SeasonSettings, entrants: int | None) -> tuple[Rule, ...]:
    """Return the rules of a season; `entrants` is None before their number is known."""
    often = "twice" if settings.meetings == 2 else "once"
    several = settings.group_size is not None or settings.grouping is Grouping.GIVEN
    unit = settings.grouping.unit
    of_all_ = f"of your {unit}" if several or settings.grouping is Grouping.DIVISIONS else ""
    rounds = _rounds(settings, entrants)
    length = "" if rounds is None else f"{rounds}. "
    size = "" if settings.group_size is None else f" A {unit} has at most {amount(settings.group_size, 'player')}."
    finals = bool(finals_size(settings, _groups(settings, entrants)))
    meeting = f"{length}You meet everyone{f' {of_all_}' if of_all_ else ''} {often}."
    return (
        Rule(Chapter.ROUNDS, meeting, "Rounds"),
        *((Rule(Chapter.ROUNDS, f"{_GROUPS[settings.grouping]}{size}", f"{unit.capitalize()}s"),) if several else ()),
        *words.matches(settings, finals=finals),
        *((Rule(Chapter.ROUNDS, _OPEN, "Schedule"),) if settings.schedule is Schedule.OPEN else ()),
        Rule(
            Chapter.ROUNDS,
            "Your number in the table is drawn, and the table (FIDE's Berger table) says who you meet when. No result "
            "changes it. With an odd number one player rests in each round; that counts for nothing.",
            "Pairings",
        ),
        *words.results(settings, None, finals=finals),
        *_first_match(settings),
        _points(settings),
        _tiebreaks(settings),
        *_across(settings, entrants),
        *_finals(settings, entrants),
        *(Rule(Chapter.PEOPLE, text) for text in _LEAVING),
        *_people(settings),
    )


def _first_match(settings: SeasonSettings) -> tuple[Rule, ...]:
    """Return what is asked of players who haven't begun, where all matches are open."""
    if settings.first_match_days is None:
        return ()
    days, hours = amount(settings.first_match_days, "day"), amount(settings.confirm_hours, "hour")
    text = (
        f"If you have no result and no agreed time after {days}, you're asked once. Without an answer in {hours} the "
        "moderators look at it; that alone costs you nothing."
    )
    return (Rule(Chapter.RESULTS, text),)


def _asked_in_short(settings: SeasonSettings) -> tuple[str, ...]:
    if settings.first_match_days is None:
        return ()
    days = amount(settings.first_match_days, "day")
    return (f"No result and no agreed time after {days}? You're asked once, and that costs you nothing.",)


def _people(settings: SeasonSettings) -> tuple[Rule, ...]:
    """Return what all formats say of people; leaving is said apart."""
    plain = words.coming_and_going(settings, comes_back=False, enters_late=False, sits_out="")
    return plain[1:]


def _points(settings: SeasonSettings) -> Rule:
    points = settings.points
    draw = f"draw {points.draw}, " if settings.draws else ""
    return Rule(Chapter.STANDINGS, f"Win {points.win}, {draw}loss {points.loss}.", "Points")


def _tiebreaks(settings: SeasonSettings) -> Rule:
    called = ", ".join(words.table_tiebreaks(settings))
    return Rule(Chapter.STANDINGS, f"{called.capitalize()}.", "Tie-breaks")


def _across(settings: SeasonSettings, entrants: int | None) -> tuple[Rule, ...]:
    """Return how players of several groups are compared."""
    if settings.grouping is Grouping.DIVISIONS:
        moves = settings.moves
        text = "Between two divisions no one changes for the next season."
        if moves == 1:
            text = "For the next season the last of a division goes down and the first of the next goes up."
        elif moves:
            text = (
                f"For the next season the last {moves} of a division go down and the first {moves} of the next go up, "
                "never more than half of either."
            )
        return (Rule(Chapter.STANDINGS, text, "Up and down"),)
    if _groups(settings, entrants) == 1:
        return ()
    counted = f"{'score' if settings.scores else 'game'} difference per match, then "
    counted = counted if settings.scores or settings.best_of > 1 else ""
    text = f"Across groups the place in the group comes first, then points per match, then {counted}the draw."
    return (Rule(Chapter.STANDINGS, text),)


def _finals(settings: SeasonSettings, entrants: int | None) -> tuple[Rule, ...]:
    size = finals_size(settings, _groups(settings, entrants))
    if not size:
        return (words.cut(0, entrants),)
    finalists = _who(settings, size)
    several = _groups(settings, entrants) != 1 and settings.grouping is not Grouping.DIVISIONS
    return (
        Rule(Chapter.FINALS, f"{finalists} go on to single elimination.", "Cut"),
        *((Rule(Chapter.FINALS, _BRACKET),) if several else ()),
        Rule(Chapter.FINALS, _MOVING_UP),
    )


def _who(settings: SeasonSettings, size: int) -> str:
    """Return who enters the finals, as the subject of a sentence."""
    if settings.grouping is Grouping.DIVISIONS:
        return f"The best {size} of division 1"
    if settings.cut is not None or not _has_groups(settings):
        return f"The best {size}"
    through = settings.through or 2
    return f"The first {through} of each group" if through > 1 else "The winners of the groups"


def _has_groups(settings: SeasonSettings) -> bool:
    return settings.group_size is not None or settings.grouping is Grouping.GIVEN


def _groups(settings: SeasonSettings, entrants: int | None) -> int:
    """Return how many groups there will be; 2, which stands for several, where that isn't known."""
    if not _has_groups(settings):
        return 1
    if entrants is None or settings.grouping is Grouping.GIVEN:
        return 2
    return len(group_sizes(entrants, settings.group_size))


def _rounds(settings: SeasonSettings, entrants: int | None) -> int | None:
    """Return how many rounds there will be, where that is known."""
    if not entrants or settings.grouping is Grouping.GIVEN:
        return None
    return settings.meetings * rounds_of(group_sizes(entrants, settings.group_size)[0])


def in_short(settings: SeasonSettings, entrants: int | None) -> tuple[str, ...]:
    """Return what players ask first."""
    several = _has_groups(settings) or settings.grouping is Grouping.DIVISIONS
    all_ = f"everyone of your {settings.grouping.unit}" if several else "everyone"
    often = " twice" if settings.meetings == 2 else ""
    when = "in any order, until one deadline" if settings.schedule is Schedule.OPEN else words.a_match(settings)
    size = finals_size(settings, _groups(settings, entrants))
    *first, draw = words.table_tiebreaks(settings)
    ties = ", ".join([*first, f"then {draw}" if first else draw])
    return (
        f"You meet {all_}{often}: {when} ({words.best_of(settings.best_of)}).",
        words.finals_in_short(settings, None if size else 0, entrants, usually=_who(settings, size)),
        words.results_in_short(settings, finals=bool(size)),
        *_asked_in_short(settings),
        f"Ties: {ties}.",
    )
