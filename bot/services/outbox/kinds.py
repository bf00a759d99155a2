"""What a promised post has to show, one shape for each kind of post."""

from dataclasses import dataclass
from datetime import datetime

from bot.league.formats.base import Summary
from bot.league.standings import Standing
from bot.services.matches.views import MatchView, RoundView
from storage.rows import EntrantRow, LeagueRow, PostRow, PostState, RoundRow, SeasonRow, TieRow


@dataclass(frozen=True, slots=True, kw_only=True)
class SignupPost:
    """The public sign-up post; `open` while people can still join, `names` in the order they came."""

    league: LeagueRow
    season: SeasonRow
    format_title: str
    summary: Summary
    names: tuple[str, ...]
    open: bool

    @property
    def count(self) -> int:
        """Return how many have signed up."""
        return len(self.names)


@dataclass(frozen=True, slots=True, kw_only=True)
class StartPost:
    """The season starts: its rules in short, its field and its salt."""

    league: LeagueRow
    season: SeasonRow
    format_title: str
    summary: Summary
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPost:
    """One page of a round's pairings; `view` holds the matches and byes of this page, `ping_ids` their players.

    `match_posts` is whether each match has a post of its own.
    """

    view: RoundView
    page: int
    pages: int
    match_posts: bool
    ping_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPost:
    """One match with its buttons."""

    view: MatchView


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderPost:
    """A reminder to the players of these open matches, and to nobody else."""

    league: LeagueRow
    season: SeasonRow
    round_number: int
    matches: tuple[MatchView, ...]
    deadline: datetime | None
    ping_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputePost:
    """A dispute for the moderators, with both statements; settled once `view.dispute` is None."""

    view: MatchView


@dataclass(frozen=True, slots=True, kw_only=True)
class OverduePost:
    """Matches nobody reported by the deadline, for the moderators; `matches` are those still open."""

    league: LeagueRow
    season: SeasonRow
    round: RoundRow
    matches: tuple[MatchView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionPost:
    """What the moderators decided, for both players."""

    view: MatchView
    text: str
    ping_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RejoinPost:
    """A player asks to come back; `accepted` is None until an organiser answers."""

    league: LeagueRow
    season: SeasonRow
    request_id: int
    name: str
    discord_id: int | None
    accepted: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticePost:
    """A plain fact."""

    league: LeagueRow
    text: str
    ping_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChampionPost:
    """The end of a season; without `champion` it ended with its regular stage or with nobody left."""

    league: LeagueRow
    season: SeasonRow
    champion: EntrantRow | None
    standings: tuple[Standing, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TroublePost:
    """A post couldn't be made: said where people can read it, until it is made."""

    league: LeagueRow
    post: PostRow

    @property
    def fixed(self) -> bool:
        """Whether the post was made since, or isn't needed any more."""
        return self.post.state in (PostState.DONE, PostState.WITHDRAWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawnPost:
    """A post that was taken back after it was sent: what to show in its place."""

    league: LeagueRow
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TiePost:
    """Equals the organiser is asked about; `text` says who and for what, `silent_at` when the draw stands."""

    league: LeagueRow
    season: SeasonRow
    tie: TieRow
    text: str
    silent_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TieMatchPost:
    """A tie-break match, for its players: their seats, each with the text of its draw."""

    league: LeagueRow
    season: SeasonRow
    tie: TieRow
    seats: tuple[tuple[str, str], ...]
    ping_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockPost:
    """The clock of a live round: it starts (`left` None), so many minutes are left, or time is called (0)."""

    league: LeagueRow
    season: SeasonRow
    round_number: int
    left: int | None
    minutes: int
    ends_at: datetime
    ping_ids: tuple[int, ...]


PostFacts = (
    SignupPost
    | StartPost
    | RoundPost
    | MatchPost
    | ReminderPost
    | DisputePost
    | OverduePost
    | DecisionPost
    | RejoinPost
    | NoticePost
    | ChampionPost
    | TroublePost
    | WithdrawnPost
    | TiePost
    | TieMatchPost
    | ClockPost
)
