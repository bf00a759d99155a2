"""What a promised post has to show; kinds that show the same share a shape."""

from dataclasses import dataclass
from datetime import datetime

from bot.league.season.settings import Game
from bot.services.delivery.board import BoardPost
from bot.services.delivery.champion import ChampionPost
from bot.services.delivery.news import NewsPost
from bot.services.lists.list_posts import MissingListsPost, SealsPost
from bot.services.matches.decided import Decided
from bot.services.matches.views import MatchView, RoundView
from bot.services.play.moving_up import MovingUpPost
from bot.services.problems.disputed import DisputedPost
from bot.services.problems.evidence import ClaimPost
from bot.services.problems.staying import StayPost
from bot.services.reads.inbox import Inbox
from bot.services.reads.thread_card import ThreadPost
from bot.services.seasons.pausing import PausePost
from bot.services.seats.linking import LinkPost
from bot.services.signups.check_in import CheckInPost
from bot.services.signups.free_places import PlacePost
from bot.services.ties.match_reports import TieQuestionPost
from bot.services.times.time_posts import AgreedPost, TimesPost
from storage.posts import PostRow, PostState
from storage.rows import EntrantRow, LeagueRow, SeasonRow, TieRow
from storage.tables.entrants import RejoinRow
from storage.tables.maps import MapRow


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPost:
    """A page of a round, a reminder or what is overdue; `view` holds only the matches and byes of this post.

    With `person_id`, a Discord id, it is for that player alone. `lists` says how many haven't handed in theirs.
    """

    view: RoundView
    ping_ids: tuple[int, ...] = ()
    page: int = 1
    pages: int = 1
    person_id: int | None = None
    lists: str = ""
    maps: tuple[MapRow, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockPost:
    """The clock of a live round: it starts (`left` None), so many minutes are left, or time is called (0)."""

    view: RoundView
    game: Game | None
    left: int | None
    minutes: int
    ends_at: datetime
    ping_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPost:
    """A dispute about a match (settled once `view.dispute` is None), or what `decided` tells both players.

    `why` is shown in a direct message; in the channel only the decision is.
    """

    view: MatchView
    decided: Decided | None = None
    why: str = ""
    ping_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionPost:
    """A report, for the opponent: is that right? Without an answer it counts at `counts_at`."""

    view: MatchView
    counts_at: datetime
    ping_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationPost:
    """Sign-ups are open, for players of the last seasons who haven't signed up."""

    league: LeagueRow
    season: SeasonRow
    ping_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingPost:
    """Everything that still waits for a league's moderators, told once a day."""

    inbox: Inbox


@dataclass(frozen=True, slots=True, kw_only=True)
class RejoinPost:
    """A player asks to come back."""

    league: LeagueRow
    season: SeasonRow
    player: EntrantRow
    request: RejoinRow


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticePost:
    """A plain fact, perhaps with the moment `until` which there is time; or what replaces a post taken back."""

    league: LeagueRow
    text: str
    ping_ids: tuple[int, ...]
    until: datetime | None = None


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


PostFacts = (
    BoardPost
    | NewsPost
    | RoundPost
    | ClockPost
    | TimesPost
    | AgreedPost
    | MatchPost
    | DisputedPost
    | QuestionPost
    | InvitationPost
    | WaitingPost
    | RejoinPost
    | NoticePost
    | ChampionPost
    | TroublePost
    | TiePost
    | TieMatchPost
    | PausePost
    | PlacePost
    | CheckInPost
    | MovingUpPost
    | TieQuestionPost
    | SealsPost
    | MissingListsPost
    | ThreadPost
    | ClaimPost
    | StayPost
    | LinkPost
)
