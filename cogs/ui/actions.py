"""Every action a button can stand for, with the kind of thing it is about."""

from cogs.ui.buttons import Action, PlanAction, VersionedAction
from storage.posts import PostId
from storage.rows import LeagueId, MatchId, TieId
from storage.tables.finals_places import FinalsPlaceId
from storage.tables.links import LinkId
from storage.tables.memberships import StayId
from storage.tables.sat_out import SitOutId
from storage.tables.waitlist import WaitingId

JOIN = Action[LeagueId]("join")
LEAVE = Action[LeagueId]("leave")
MY_MATCH = Action[LeagueId]("my-match")
SHOW = Action[LeagueId]("show")
"""Shows the season's standings, bracket or rules to the person who presses."""
AUDIT = Action[LeagueId]("audit")
SET_UP = Action[LeagueId]("set-up", form=True)
PLAY_AFTER_ALL = Action[SitOutId]("play-after-all")
NOTIFY = Action[LeagueId]("notify")

WHY = Action[MatchId]("why")
REPORT = Action[MatchId]("report", form=True)
DETAILS = Action[MatchId]("details")
TIME_REPORT = VersionedAction("time-report", form=True)
CONFIRM = VersionedAction("confirm")
DISPUTE = VersionedAction("dispute", form=True)
TELL = Action[MatchId]("tell-moderators", form=True)
TAKE_BACK = VersionedAction("take-back")

PANEL = Action[MatchId]("panel")
DECIDE = VersionedAction("decide", form=True)
APPLY = VersionedAction("apply")
EXTEND = Action[LeagueId]("extend")
RETRY = Action[PostId]("retry")
REJOIN = Action[int]("rejoin")

PROBLEM = Action[MatchId]("problem", form=True)
ANSWER_PROBLEM = Action[MatchId]("problem-answer", form=True)
WITHDRAW_PROBLEM = Action[MatchId]("problem-withdraw")
SETTLE_PROBLEM = Action[MatchId]("problem-settle", form=True)
CONCEDE = VersionedAction("concede")

STAY = Action[StayId]("stay")
LINK = Action[LinkId]("link")
ASK_LINK = Action[LeagueId]("ask-link")

PLAN = PlanAction("plan")
"""Shows a page of a season's panel."""
SET_FORMAT = PlanAction("plan-format")
SET = PlanAction("plan-set", form=True)
DATES = PlanAction("plan-dates", form=True)
OPEN_SIGNUPS = PlanAction("plan-open")
DISCARD = PlanAction("plan-discard")

LIST = Action[LeagueId]("list", form=True)
"""Opens the form of one of the lists someone is to hand in."""
MY_LISTS = Action[LeagueId]("my-lists")
LISTS = Action[MatchId]("lists")

RULES = Action[LeagueId]("rules")
SHARE_RULES = Action[LeagueId]("share-rules")

PAGE = Action[LeagueId]("page")
AS_TEXT = Action[LeagueId]("text")
SHARE = Action[LeagueId]("share")

CHECK_IN = Action[LeagueId]("check-in")
PLACE = Action[WaitingId]("place")
"""About a place offered to someone on a waiting list."""
TIE_REPORT = Action[TieId]("tie-report")
MOVING_UP = Action[FinalsPlaceId]("moving-up")
PAUSE = Action[LeagueId]("pause")
TIE = Action[TieId]("tie", form=True)

ZONE = Action[LeagueId]("zone")
"""Chooses a time zone in two steps, for `/availability` or on the way to proposing times."""
HOURS = Action[LeagueId]("hours", form=True)
PROPOSE = Action[MatchId]("propose")
PICK_TIMES = Action[MatchId]("pick-times")
OTHER_TIME = Action[MatchId]("other-time", form=True)
SEND_TIMES = Action[MatchId]("send-times")
ACCEPT_TIME = Action[MatchId]("accept-time")

CANCEL = Action[int]("cancel")
"""About nothing: its subject is always 0."""
AGAIN = Action[int]("again", form=True)
"""About a form that was refused, kept for as long as forms are."""
