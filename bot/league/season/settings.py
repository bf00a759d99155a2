"""The settings of a season: one record each, which files, commands, the panel, the rules and the documentation read."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, TypeVar

from bot.league.season.choices import (
    Advance,
    ByeAmong,
    DiceOff,
    Game,
    Grouping,
    MatchPlaces,
    NoShow,
    Overdue,
    Pace,
    Rejoin,
    Schedule,
    Seeding,
    TableTiebreak,
    Variant,
)
from bot.league.season.each_once import EachOnce
from bot.league.season.list_rules import ListRules, ListValues
from bot.league.season.round_end import Moment, RoundEnd
from bot.league.season.scales import POINTS, RATING, PointScale, RatingScale
from bot.league.season.setting_values import (
    SEALED,
    BestOf,
    Flag,
    OneOf,
    Page,
    Places,
    RoleId,
    Salt,
    Setting,
    Values,
    Whole,
    Words,
)

_MOST_ROUNDS = 50
_MOST_IN_GROUPS = 100_000


ValueT = TypeVar("ValueT")
DefaultT = TypeVar("DefaultT")


def _setting(
    label: str, default: DefaultT, values: Values[ValueT], page: Page, meaning: str, **facts: bool | str
) -> ValueT | DefaultT:
    """Declare a field of SeasonSettings with the record of its setting; `facts` are those of `Setting`."""
    record = {"label": label, "values": values, "page": page, "meaning": meaning, **facts}
    return field(default=default, metadata=record)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonSettings:
    """All settings of a season; a format uses those it names, the rest keep their defaults."""

    rounds: int | None = _setting(
        "Rounds",
        None,
        Whole(1, _MOST_ROUNDS, range(1, 13)),
        Page.MAIN,
        "Rounds of the regular stage",
        unset="by the number of players",
        common=False,
        in_short=True,
    )
    cut: int | None = _setting(
        "Finals",
        None,
        Whole(0, 64, (0, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32), "top {}", named={0: "none"}, also={"no finals": 0}),
        Page.MAIN,
        "How many enter the finals; 0 for none",
        unset="the default number",
        common=False,
        in_short=True,
    )
    group_size: int | None = _setting(
        "Group size",
        None,
        Whole(3, _MOST_IN_GROUPS, (3, 4, 5, 6, 7, 8, 10, 12), "at most {} players"),
        Page.MAIN,
        "The most players in a group",
        unset="one group of all",
        common=False,
    )
    grouping: Grouping = _setting(
        "Groups", Grouping.DRAWN, OneOf(Grouping), Page.MAIN, "How players come into groups", common=False
    )
    meetings: int = _setting(
        "Meetings",
        1,
        Whole(1, 2, (1, 2), named={1: "once", 2: "twice"}),
        Page.MAIN,
        "How often two players of a group meet",
        common=False,
        in_short=True,
    )
    through: int | None = _setting(
        "Into finals",
        None,
        Whole(1, 1000, range(1, 9), "the first {} of each group", named={1: "the first of each group"}),
        Page.MAIN,
        "How many of each group enter the finals; with divisions, of division 1",
        unset="2 of each, or none with one group or divisions",
        common=False,
        in_short=True,
    )
    best_of: int = _setting("Match", 1, BestOf(), Page.MAIN, "Games of a match in the regular stage", in_short=True)
    finals_best_of: int = _setting(
        "Finals matches", 1, BestOf(), Page.MAIN, "Games of a match in the finals", in_short=True
    )
    final_best_of: int = _setting("The final", 1, BestOf(), Page.MAIN, "Games of the final", more=True, in_short=True)
    losses: int = _setting(
        "Losses",
        2,
        Whole(1, 5, (1, 2, 3, 4, 5), unit="loss"),
        Page.MAIN,
        "Losses that eliminate",
        common=False,
        in_short=True,
    )
    seeding: Seeding = _setting(
        "Bracket", Seeding.DRAWN, OneOf(Seeding), Page.MAIN, "How the bracket is filled", common=False, in_short=True
    )
    third_place: bool = _setting(
        "Third place",
        False,
        Flag(yes="played", no="not played"),
        Page.MAIN,
        "Whether the losing semi-finalists play for third place",
        common=False,
        in_short=True,
    )
    pace: Pace = _setting("Pace", Pace.DAYS, OneOf(Pace), Page.TIME, "Rounds that last days, or a live event")
    schedule: Schedule = _setting(
        "Schedule", Schedule.ROUNDS, OneOf(Schedule), Page.TIME, "When matches are played", common=False, in_short=True
    )
    round_days: int = _setting(
        "Round length",
        7,
        Whole(1, 365, (1, 2, 3, 4, 5, 7, 10, 14, 21, 28), unit="day"),
        Page.TIME,
        "How many days a round lasts",
        changes_pairings=False,
        in_short=True,
    )
    round_ends: str | None = _setting(
        "Rounds end",
        None,
        RoundEnd(),
        Page.TIME,
        "The weekday and time at which rounds end",
        unset="a full round length after they start",
        changes_pairings=False,
    )
    stage_ends: str | None = _setting(
        "Stage ends",
        None,
        Moment(),
        Page.TIME,
        "The deadline of all rounds, where all are played at once",
        unset="a round length for each round",
        changes_pairings=False,
        common=False,
        in_file=False,
    )
    first_match_days: int | None = _setting(
        "First match",
        None,
        Whole(1, 365, (3, 5, 7, 10, 14), "within {}", unit="day"),
        Page.MATCHES,
        "Days until players without a result or a time are asked, if all is open",
        unset="nobody is asked",
        changes_pairings=False,
        in_file=False,
        in_short=True,
    )
    advance: Advance = _setting(
        "Next round",
        Advance.ALL_IN,
        OneOf(Advance),
        Page.TIME,
        "When the next round is paired",
        changes_pairings=False,
    )
    confirm_hours: int = _setting(
        "Time to answer",
        24,
        Whole(1, 24 * 14, (1, 2, 6, 12, 24, 36, 48, 72), unit="hour"),
        Page.TIME,
        "Hours to answer whatever is asked; then a report counts",
        changes_pairings=False,
        in_short=True,
    )
    overdue: Overdue = _setting(
        "At the deadline",
        Overdue.MODERATORS,
        OneOf(Overdue),
        Page.TIME,
        "What happens to unreported matches at the deadline",
        changes_pairings=False,
        in_short=True,
    )
    max_players: int | None = _setting(
        "Places",
        None,
        Places(),
        Page.PEOPLE,
        "How many players can sign up",
        unset="no limit",
        changes_pairings=False,
        announced=False,
    )
    approval: bool = _setting(
        "Joining",
        False,
        Flag(yes="an organiser lets each player in", no="open"),
        Page.PEOPLE,
        "Whether organisers let each player in who wants to join",
        changes_pairings=False,
        announced=False,
        in_file=False,
    )
    join_role: int | None = _setting(
        "Role to join",
        None,
        RoleId(),
        Page.PEOPLE,
        "The role members need to join by themselves",
        unset="none needed",
        changes_pairings=False,
        announced=False,
        in_file=False,
        in_short=True,
    )
    late_entry: int = _setting(
        "Late entry",
        2,
        Whole(1, _MOST_ROUNDS, (1, 2, 3, 4, 5, 6, 8), "until round {} is paired", named={1: "none"}),
        Page.PEOPLE,
        "The last round in which new players can join",
    )
    check_in_hours: int = _setting(
        "Check-in",
        0,
        Whole(0, 24 * 7, (0, 1, 2, 6, 12, 24, 48), "from {} before the start", unit="hour", named={0: "none"}),
        Page.PEOPLE,
        "Hours before the start in which players say they're there",
        changes_pairings=False,
    )
    rejoin: Rejoin = _setting(
        "Coming back",
        Rejoin.ASK,
        OneOf(Rejoin),
        Page.PEOPLE,
        "Whether players who dropped out can come back",
    )
    no_show: NoShow = _setting(
        "No-shows", NoShow.DROP, OneOf(NoShow), Page.PEOPLE, "What a no-show costs: the season, or the match"
    )
    replace: bool = _setting(
        "Replacements",
        True,
        Flag(yes="the next player goes on", no="none, the opponent has a bye"),
        Page.PEOPLE,
        "Whether qualified players who leave before the finals are replaced",
        more=True,
    )
    moves: int = _setting(
        "Promotion",
        2,
        Whole(0, _MOST_IN_GROUPS, range(7), "{} go up and down", named={0: "none"}),
        Page.PEOPLE,
        "How many players change between two divisions",
        common=False,
        more=True,
    )
    match_places: MatchPlaces = _setting(
        "Match places",
        MatchPlaces.CARD,
        OneOf(MatchPlaces),
        Page.MATCHES,
        "Where the players of a match talk",
        changes_pairings=False,
    )
    ask_name: str | None = _setting(
        "Asked at sign-up",
        None,
        Words(),
        Page.MATCHES,
        "What players say at sign-up for their opponents, such as KeyForge user name",
        unset="nothing",
        changes_pairings=False,
        in_file=False,
    )
    dice_off: DiceOff = _setting(
        "Dice-off", DiceOff.OFF, OneOf(DiceOff), Page.MATCHES, "Who has the first choice in a match", more=True
    )
    lists: ListRules | None = _setting(
        "Lists", None, ListValues(), Page.MATCHES, "The army or deck lists players hand in", unset="none"
    )
    game: Game | None = _setting(
        "Game", None, OneOf(Game), Page.PLAY, "The game, for round lengths and time called", unset="not set"
    )
    variant: Variant | None = _setting(
        "Variant",
        None,
        OneOf(Variant),
        Page.PLAY,
        "The variant of KeyForge or the format of Lightseekers",
        unset="not set",
        more=True,
    )
    points: PointScale = _setting(
        "Points", PointScale(), POINTS, Page.PLAY, "Points for a win, draw, loss and bye", common=False
    )
    draws: bool = _setting(
        "Draws", False, Flag(yes="possible", no="not possible"), Page.PLAY, "Whether a match can be drawn", common=False
    )
    tiebreaks: tuple[TableTiebreak, ...] = _setting(
        "Tie-breaks",
        tuple(TableTiebreak)[:4],
        EachOnce(TableTiebreak, "difference scored head-to-head sonneborn-berger"),
        Page.PLAY,
        "What puts players in order who have the same points",
        common=False,
        more=True,
        in_short=True,
    )
    scores: bool = _setting(
        "Scores",
        False,
        Flag(yes="each match has one, such as 87-62", no="none"),
        Page.PLAY,
        "Whether each match has a score, such as 87-62, besides its games",
    )
    bye_among: ByeAmong = _setting(
        "Byes",
        ByeAmong.ALL,
        OneOf(ByeAmong),
        Page.PLAY,
        "Who gets the bye, of those with the fewest: anyone, or who lost most",
        common=False,
        more=True,
    )
    rating: RatingScale = _setting(
        "Ratings", RatingScale(), RATING, Page.PLAY, "How fast ratings move (TrueSkill)", more=True
    )
    salt: str | None = _setting(
        "Protected draw",
        None,
        Salt(),
        Page.PLAY,
        "Whether a secret is mixed into the draw, so that no one can try names",
        unset="no",
        begins=SEALED,
    )
    explicit: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType[str, Any]({}))
    """The settings an organiser chose, as plain JSON values: files and the database keep these, not the defaults."""


SETTINGS = {f.name: Setting(key=f.name, default=f.default, **f.metadata) for f in fields(SeasonSettings) if f.metadata}
"""The record of each setting, page by page in the order of the panel."""

GAMES = ("best_of", "finals_best_of", "final_best_of")
"""The settings that say how many games a match has, one in the finals, and the final."""

NOT_IN_FILES = frozenset(setting.key for setting in SETTINGS.values() if not setting.in_file)
"""Settings that never stand in a league file."""

COMMON = tuple(setting.key for setting in SETTINGS.values() if setting.common)
"""The keys every format takes."""


def has_finals(cut: int | None) -> bool:
    """Whether a bracket may follow the rounds: with a cut of 1 the first has won, and None leaves it to the format."""
    return cut not in (0, 1)


def with_salt(settings: SeasonSettings, salt: str) -> SeasonSettings:
    """Return the settings with the salt made when sign-ups closed."""
    return replace(settings, salt=salt, explicit=MappingProxyType({**settings.explicit, "salt": salt}))
