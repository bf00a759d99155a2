"""Who may do what in a league: one line for each command, button, form and option with suggestions."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from tests.cogs.who_may.crowd import ELSEWHERE, Kind

HERE = frozenset(Kind) - ELSEWHERE
"""Everyone of the league's server; what they may is look, and look after their own things."""
NOBODY: frozenset[Kind] = frozenset()
ADMINS = frozenset({Kind.ADMIN})
ORGANISERS = ADMINS | {Kind.ORGANISER}
MODERATORS = ORGANISERS | {Kind.MODERATOR}
REPORTER, OPPONENT = frozenset({Kind.REPORTER}), frozenset({Kind.OPPONENT})
CONTRADICTED = frozenset({Kind.CONTRADICTED})
SIDES = REPORTER | OPPONENT
BOTH = frozenset({Kind.TELLER, Kind.ANSWERER})
PLAYING = SIDES | BOTH | CONTRADICTED | {Kind.ENTRANT, Kind.SITTER}
PLAYERS = PLAYING | {Kind.DROPPED, Kind.DISQUALIFIED}
NEWCOMERS = MODERATORS | {Kind.OUTSIDER, Kind.OTHER_PLAYER, Kind.OTHER_MODERATOR, Kind.OTHER_ORGANISER}

REFUSALS = {
    ADMINS: "Only people with Manage Server",
    ORGANISERS: "Only organisers of",
    MODERATORS: "Only moderators and organisers of",
}
"""What people of the league's server hear where only those may."""


@dataclass(frozen=True)
class Line:
    """Who may use a door, whether it changes something, and what it's tried with."""

    may: Set[Kind]
    changes: bool
    tries: tuple[Any, ...]
    posts: bool = False
    """Whether what it answers is for everyone."""


def looks(may: Set[Kind], *tries: Any) -> Line:
    """Return a door that shows something and changes nothing."""
    return Line(may, changes=False, tries=tries)


def acts(may: Set[Kind], *tries: Any) -> Line:
    """Return a door that changes something for those who may."""
    return Line(may, changes=True, tries=tries)


def posts(may: Set[Kind], *tries: Any) -> Line:
    """Return a door that shows something to everyone and changes nothing."""
    return Line(may, changes=False, tries=tries, posts=True)


_FILE = b'{"fairpair": 1, "league": "X", "season": 9, "format": "record", "players": [], "rounds": []}'
_WHY = {"reason": "because"}
_MATCH = {"match": "{reported_ref}"}
_PLAYER = {"player": "{upper}"}

COMMANDS: Mapping[str, Line] = {
    "signup": acts(NEWCOMERS | PLAYING | {Kind.WAITING}, {"name": ""}),
    "drop": acts({Kind.WAITING}, _WHY),
    "rejoin": looks(HERE, {}),
    "match": looks(HERE, {}),
    "report": acts(SIDES, _MATCH | {"result": "won", "score": "1-0"}),
    "confirm": acts(OPPONENT | MODERATORS, _MATCH),
    "dispute": acts(OPPONENT | MODERATORS, _MATCH | _WHY),
    "schedule": looks(HERE, {}),
    "time-called": posts(frozenset(Kind), {"game": "keyforge"}, {"game": "lightseekers"}),
    "availability": acts(HERE, {"time_zone": "Europe/Berlin", "hours": "daily 9-14"}),
    "list": acts(PLAYING, {}, _PLAYER, {"number": 1, "round": 1}, {"file": ("list.txt", b"4 Dragons")}),
    "sit-out": looks(HERE, {"round": 3, **_WHY}),
    "notify": looks(HERE, {}),
    "help": looks(HERE, {}),
    "why": looks(HERE, _PLAYER),
    "standings": looks(HERE, {}, {"season": 1}),
    "bracket": looks(HERE, {"season": 1}),
    "ranking": looks(HERE, {}),
    "profile": looks(HERE, _PLAYER),
    "champions": looks(HERE, {}),
    "outlook": looks(HERE, _PLAYER),
    "rules": looks(HERE, {"season": 1}),
    "disputes": looks(MODERATORS, {}),
    "result set": looks(MODERATORS, _MATCH | _WHY | {"outcome": "{upper}", "score": "1-0", "kind": "adjudicated"}),
    "result clear": looks(MODERATORS, _MATCH | _WHY),
    "round post": looks(ORGANISERS, {}),
    "round swap": looks(ORGANISERS, _WHY | {"a": "{upper}", "b": "{lower}"}),
    "round extend": looks(ORGANISERS, {"days": 3}, _MATCH | {"days": 3}),
    "round tiebreak": acts(ORGANISERS, {}, {"order": "{upper}, {lower}", **_WHY}, {"how": "draw"}),
    "round start-clock": acts(ORGANISERS, {"minutes": 30}),
    "round undo": looks(ORGANISERS, _WHY, _WHY | {"finals": True}),
    "season create": acts(ORGANISERS, {"format": "ohs", "from": 1}),
    "season start": acts(ORGANISERS, {}),
    "season status": looks(HERE, {"season": 1}),
    "season settings": acts(ORGANISERS, {"setting": "round_days", "value": "5"}),
    "season pause": looks(ORGANISERS, {}, {"until": "7d"}),
    "season maps": acts(ORGANISERS, {}, {"file": ("maps.txt", b"1 Ruins")}),
    "season cancel": looks(ORGANISERS, _WHY),
    "player add": acts(ORGANISERS, _WHY | {"user": "{outsider}", "name": "Someone"}),
    "player drop": looks(ORGANISERS, _PLAYER | _WHY),
    "player disqualify": looks(ORGANISERS, _PLAYER | _WHY),
    "player reinstate": looks(ORGANISERS, {"player": "{disqualified}", **_WHY}),
    "player substitute": looks(ORGANISERS, _WHY | {"old": "{upper}", "new": "{outsider}", "name": "Someone"}),
    "player link": looks(ORGANISERS | REPORTER, _PLAYER | {"user": "{outsider}"}),
    "player forget": looks(ORGANISERS | REPORTER, _PLAYER),
    "player rename": acts(ORGANISERS, _PLAYER | _WHY | {"name": "Someone"}),
    "announce": looks(ORGANISERS, {"text": "Hello"}, {"text": "Hello", "to": "unplayed"}),
    "player ban": looks(ORGANISERS, _PLAYER | _WHY, _WHY | {"player": "<@999999999999999999>", "until": "30d"}),
    "player apart": looks(ORGANISERS, _WHY | {"a": "{upper}", "b": "{lower}"}),
    "player merge": looks(ORGANISERS, _WHY | {"player": "{upper}", "into": "{lower}"}),
    "league settings": acts(ORGANISERS, {"time_zone": "Europe/Berlin", "board": "off"}),
    "league delete": looks(ORGANISERS, {}),
    "league export": looks(ORGANISERS, {"season": 1}),
    "league import": acts(ORGANISERS, {"file": ("season.json", _FILE)}),
    "league audit": looks(ORGANISERS, {}, {"person": "{upper}", "days": 3}),
    "league create": acts(ADMINS, {"name": "Third", "channel": "{channel}"}),
}
"""Each with what is typed for its options; what costs something is asked first, and changes nothing here."""

MENUS: Mapping[str, Line] = {
    "Propose a time": looks(HERE, Kind.ANSWERER),
    "League profile": looks(HERE, Kind.ANSWERER),
    "Report our match": acts(PLAYING, Kind.ANSWERER),
    "Report this match": acts(PLAYING, "{round}"),
}
"""Each with the member, or the message, it is tried on; who can't see that tries it on themselves, or their own."""

BUTTONS: Mapping[str, Line] = {
    "join": acts(NEWCOMERS | PLAYING | {Kind.WAITING}, "{league}"),
    "for-opponents": acts(PLAYERS | {Kind.WAITING}, "{league}"),
    "leave": acts({Kind.WAITING}, "{league}"),
    "my-match": looks(HERE, "{league}"),
    "my-matches": looks(HERE, "{league}:7"),
    "one-of": looks(HERE, "{league}:details:0={reported}", "{league}:times:0={free}", "{league}:problem:0=0"),
    "which-match": looks(HERE, "nothing:0={reported}", "nothing:0=0"),
    "profile-in": looks(HERE, "{league}:{account}"),
    "show": looks(HERE, "{league}:standings:1", "{league}:bracket:1"),
    "show-rules": looks(HERE, "{league}:1"),
    "audit": looks(ORGANISERS, "{league}:1:"),
    "audit-file": looks(ORGANISERS, "{league}:"),
    "set-up": acts(ORGANISERS, "{league}"),
    "league-rules": acts(ORGANISERS, "{league}"),
    "unban": acts(ORGANISERS, "{league}:0={ban}", "{league}:0=0"),
    "let-meet": looks(ORGANISERS, "{league}:0=1-2", "{league}:0=0-0"),
    "finish-season": looks(ORGANISERS, "{league}"),
    "play-after-all": acts({Kind.SITTER}, "{sit_out}"),
    "notify": acts(PLAYERS, "{league}:news=off"),
    "why": looks(HERE, "{reported}"),
    "report-own": acts(PLAYING, "{league}"),
    "report": acts(SIDES | CONTRADICTED, "{reported}", "{disputed}", "{problem}"),
    "details": looks(HERE, "{reported}", "{disputed}", "{problem}"),
    "time-report": acts(SIDES, "{reported}@{reported_v}:upper:1-0", "{reported}@{reported_v}:lower:"),
    "confirm": acts(OPPONENT | MODERATORS, "{reported}@{reported_v}"),
    "dispute": acts(OPPONENT | MODERATORS, "{reported}@{reported_v}"),
    "tell-moderators": acts(CONTRADICTED, "{disputed}"),
    "take-back": acts(REPORTER, "{reported}@{reported_v}"),
    "panel": looks(MODERATORS, "{reported}", "{disputed}", "{problem}"),
    "decide": acts(
        MODERATORS, "{disputed}@{disputed_v}:adjudicated:upper:", "{disputed}@{disputed_v}:forfeit:lower:yes"
    ),
    "decide-all": looks(MODERATORS, "{entrant}"),
    "correct": looks(ORGANISERS, "{reported}"),
    "leave-result": acts(ORGANISERS, "{reported}"),
    "extend": acts(MODERATORS, "{league}:3:{deadline}"),
    "close-round": looks(ORGANISERS, "{league}"),
    "post-round": looks(ORGANISERS, "{league}:0000"),
    "retry": acts(MODERATORS, "{post}"),
    "rejoin": acts(ORGANISERS, "{request}:yes", "{request}:no"),
    "claim": acts(ORGANISERS, "{claim}:no", "{claim}:yes"),
    "claim-undo": looks(ORGANISERS, "{claim}"),
    "played-before": looks(HERE, "{league}"),
    "let-in": acts(ORGANISERS, "{asking}:no", "{asking}:yes"),
    "problem": acts(BOTH, "{problem}"),
    "problem-answer": acts(
        {Kind.ANSWERER}, "{problem}:{problem_id}:", "{problem}:{problem_id}:agree", "{problem}:{problem_id}:play"
    ),
    "problem-withdraw": acts({Kind.TELLER}, "{problem}:{problem_id}"),
    "problem-time": acts(MODERATORS, "{problem}:{problem_id}:3"),
    "problem-play": acts(MODERATORS, "{problem}:{problem_id}"),
    "problem-award": acts(MODERATORS, "{problem}:{problem_id}:upper:yes"),
    "concede": acts(SIDES, "{reported}@{reported_v}"),
    "begins-later": acts(MODERATORS, "{not_begun}"),
    "stay": acts(ORGANISERS, "{stay}:no", "{stay}:yes"),
    "link": acts({Kind.INVITED}, "{link}:yes", "{link}:no"),
    "seeds": looks(ORGANISERS, "{league}:1"),
    "groups": looks(ORGANISERS, "{league}:1"),
    "groups-write": looks(ORGANISERS, "{league}:1"),
    "groups-fill": looks(ORGANISERS, "{league}"),
    "groups-swap": looks(ORGANISERS, "{league}"),
    "plan": looks(ORGANISERS, "{season}:time"),
    "divisions": looks(ORGANISERS, "{season}:1"),
    "plan-page": looks(ORGANISERS, "{season}=time"),
    "plan-format": acts(ORGANISERS, "{season}@{season_v}=two-loss-out"),
    "plan-set": acts(ORGANISERS, "{season}@{season_v}:main:rounds=3", "{season}@{season_v}:main:rounds=other"),
    "plan-dates": acts(ORGANISERS, "{season}@{season_v}"),
    "plan-open": acts(ORGANISERS, "{season}@{season_v}"),
    "plan-discard": acts(ORGANISERS, "{season}@{season_v}"),
    "calendar": acts(PLAYING, "{league}"),
    "list": acts(PLAYING, "{league}:1:1"),
    "my-lists": looks(HERE, "{league}"),
    "lists": looks(HERE, "{reported}"),
    "rules": looks(HERE, "{league}:1=0"),
    "share-rules": posts(HERE, "{league}:1:0"),
    "page": looks(HERE, "{league}:standings:1:1", "{league}:why:1-1-1:1"),
    "show-group": looks(HERE, "{league}:1:1:0=0", "{league}:1:1:0=-1"),
    "text": looks(HERE, "{league}:standings:1", "{league}:ranking:"),
    "share": posts(HERE, "{league}:standings:1:1"),
    "check-in": acts(PLAYERS, "{league}"),
    "place": acts({Kind.WAITING}, "{place}:1:yes", "{place}:2:yes", "{place}:1:no"),
    "end-pause": acts(ORGANISERS, "{league}"),
    "tie-report": acts(NOBODY, "{tie}:won", "{tie}:lost", "{tie}:confirm", "{tie}:dispute"),
    "moving-up": acts(NOBODY, "1:yes", "1:no"),
    "tie": acts(ORGANISERS, "{tie}:draw", "{tie}:match", "{tie}:order"),
    "zone": looks(HERE, "{league}:", "{league}:{problem}-{proposal}"),
    "clock": looks(HERE, "{league}::west=0", "{league}:{problem}-{proposal}:east=60"),
    "city": acts(HERE, "{league}:=Europe/Berlin", "{league}:{problem}-{proposal}=Europe/Berlin"),
    "hours": acts(HERE, "{league}"),
    "forget-hours": acts(HERE, "{league}"),
    "propose": acts(BOTH, "{problem}:0:no", "{problem}:{proposal}:no"),
    "pick-times": acts(BOTH, "{problem}:0={start}"),
    "other-time": acts(BOTH, "{problem}:0", "{problem}:{proposal}"),
    "send-times": acts(BOTH, "{problem}:0:{start}", "{problem}:{proposal}:{start}"),
    "accept-time": acts({Kind.ANSWERER}, "{problem}:{proposal}:{start}"),
    "cancel": looks(frozenset(Kind), ""),
    "again": acts(NOBODY, "{refused}"),
    "import-name": looks(ORGANISERS, "{preview}"),
    "import-column": looks(ORGANISERS, "{preview}:0=1"),
    "import-columns": looks(ORGANISERS, "{preview}"),
    "import-role": looks(ORGANISERS, "{preview}=0"),
    "import-pointed": looks(ORGANISERS, "{preview}:0:0=-"),
    "import-won": looks(ORGANISERS, "{preview}"),
    "import-season": looks(ORGANISERS, "{preview}=0"),
    "import-champion": looks(ORGANISERS, "{preview}:0=Zed"),
    "import-preview": looks(ORGANISERS, "{preview}"),
    "import-who": acts(NOBODY, "0000:0:0", "0000:0:-1"),
    "import-run": acts(NOBODY, "0000"),
    "import-back": acts(NOBODY, "{league}:0"),
    "unmerge": acts(NOBODY, "{league}:1"),
}
"""Each with what it is forged with after its name in the custom_id, and what is chosen where it's a select."""


@dataclass(frozen=True)
class Opened:
    """A form or question: who may send it or agree, who opens it, and with which custom_id or command."""

    line: Line
    by: Kind
    how: str
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])


FORMS: Mapping[str, Opened] = {
    "SetUpForm": Opened(acts(ORGANISERS), Kind.ADMIN, "fp:set-up:{league}"),
    "UnbanForm": Opened(acts(ORGANISERS), Kind.ADMIN, "fp:unban:{league}:0={ban}"),
    "TogetherForm": Opened(looks(ORGANISERS), Kind.ADMIN, "fp:let-meet:{league}:0=1-2"),
    "FinishForm": Opened(looks(ORGANISERS), Kind.ADMIN, "fp:finish-season:{league}"),
    "RulesForm": Opened(acts(ORGANISERS), Kind.ADMIN, "fp:league-rules:{league}"),
    "DisputeForm": Opened(acts(OPPONENT | MODERATORS), Kind.OPPONENT, "fp:dispute:{reported}@{reported_v}"),
    "TellForm": Opened(acts(CONTRADICTED), Kind.CONTRADICTED, "fp:tell-moderators:{disputed}"),
    "ProblemForm": Opened(acts({Kind.ENTRANT, Kind.SITTER}), Kind.ENTRANT, "fp:problem:{free}"),
    "SettleForm": Opened(acts(MODERATORS), Kind.MODERATOR, "fp:problem-award:{problem}:{problem_id}:upper:yes"),
    "AnswerForm": Opened(acts({Kind.ANSWERER}), Kind.ANSWERER, "fp:problem-answer:{problem}:{problem_id}:"),
    "DecisionForm": Opened(acts(MODERATORS), Kind.MODERATOR, "fp:decide:{disputed}@{disputed_v}:adjudicated:upper:"),
    "ConfirmForm": Opened(acts(MODERATORS), Kind.MODERATOR, "fp:confirm:{reported}@{reported_v}"),
    "ReportForm": Opened(acts({Kind.ENTRANT, Kind.SITTER}), Kind.ENTRANT, "fp:report:{free}"),
    "OtherTimeForm": Opened(acts(BOTH), Kind.ANSWERER, "fp:other-time:{problem}:0"),
    "OpponentsForm": Opened(acts(PLAYERS | {Kind.WAITING}), Kind.REPORTER, "fp:for-opponents:{league}"),
    "HoursForm": Opened(acts(HERE), Kind.REPORTER, "fp:hours:{league}"),
    "ListForm": Opened(acts(PLAYING), Kind.ENTRANT, "/list", {"number": 1, "round": 1}),
    "OrderForm": Opened(acts(ORGANISERS), Kind.ADMIN, "fp:tie:{tie}:order"),
    "KeyForgeForm": Opened(posts(frozenset(Kind)), Kind.REPORTER, "/time-called", {"game": "keyforge"}),
    "LightseekersForm": Opened(posts(frozenset(Kind)), Kind.REPORTER, "/time-called", {"game": "lightseekers"}),
    "PlayerNameForm": Opened(looks(HERE), Kind.OUTSIDER, "fp:played-before:{league}"),
    "NameForm": Opened(looks(ORGANISERS), Kind.ADMIN, "fp:import-name:{preview}"),
    "MapsForm": Opened(acts(ORGANISERS), Kind.ADMIN, "/season maps"),
    "ValueForm": Opened(acts(ORGANISERS), Kind.ADMIN, "fp:plan-set:{season}@{season_v}:main:rounds=other"),
    "RoleForm": Opened(acts(ORGANISERS), Kind.ADMIN, "fp:plan-set:{season}@{season_v}:people:join_role=other"),
    "GamesForm": Opened(acts(ORGANISERS), Kind.ADMIN, "fp:plan-set:{season}@{season_v}:main:match=other"),
    "DatesForm": Opened(acts(ORGANISERS), Kind.ADMIN, "fp:plan-dates:{season}@{season_v}"),
}

QUESTIONS: Mapping[str, Opened] = {
    "drop": Opened(acts(PLAYING), Kind.REPORTER, "/drop", _WHY),
    "leave-sign-ups": Opened(acts(PLAYING), Kind.REPORTER, "fp:leave:{league}"),
    "sit-out": Opened(acts(PLAYING), Kind.REPORTER, "/sit-out", {"round": 3, **_WHY}),
    "dispute-for": Opened(acts(MODERATORS), Kind.MODERATOR, "/dispute", _MATCH | _WHY),
    "concede": Opened(acts(SIDES), Kind.REPORTER, "fp:concede:{reported}@{reported_v}"),
    "decide": Opened(
        acts(MODERATORS), Kind.ADMIN, "/result set", _MATCH | _WHY | {"outcome": "{upper}", "kind": "adjudicated"}
    ),
    "drop-player": Opened(acts(ORGANISERS), Kind.ADMIN, "/player drop", _PLAYER | _WHY),
    "disqualify": Opened(acts(ORGANISERS), Kind.ADMIN, "/player disqualify", _PLAYER | _WHY),
    "reinstate": Opened(acts(ORGANISERS), Kind.ADMIN, "/player reinstate", {"player": "{disqualified}", **_WHY}),
    "substitute": Opened(
        acts(ORGANISERS), Kind.ADMIN, "/player substitute", {"old": "{upper}", "new": "{outsider}", "name": "Someone"}
    ),
    "announce": Opened(acts(ORGANISERS), Kind.ADMIN, "/announce", {"text": "Hello"}),
    "ban": Opened(acts(ORGANISERS), Kind.ADMIN, "/player ban", _WHY | {"player": "<@999999999999999999>"}),
    "ask-link": Opened(acts(ORGANISERS | REPORTER), Kind.ADMIN, "/player link", _PLAYER | {"user": "{outsider}"}),
    "pause": Opened(acts(ORGANISERS), Kind.ADMIN, "/season pause", {"until": "7d"}),
    "cancel-season": Opened(acts(ORGANISERS), Kind.ADMIN, "/season cancel", _WHY),
    "forget": Opened(acts(ORGANISERS | REPORTER), Kind.ADMIN, "/player forget", _PLAYER),
}
"""What is asked first, by its name in the log, where it can be asked here."""

SUGGESTIONS: Mapping[str, Set[Kind]] = {
    "availability time_zone": HERE,
    "bracket season": HERE,
    "confirm match": HERE,
    "dispute match": HERE,
    "league audit action": ORGANISERS,
    "league audit match": HERE,
    "league audit person": HERE,
    "league create time_zone": HERE,
    "league export season": HERE,
    "league settings time_zone": HERE,
    "list player": HERE,
    "list round": HERE,
    "list season": HERE,
    "outlook player": HERE,
    "player apart a": HERE,
    "player apart b": HERE,
    "player ban player": HERE,
    "player disqualify player": HERE,
    "player drop player": HERE,
    "player forget player": HERE,
    "player link player": HERE,
    "player reinstate player": HERE,
    "player merge into": HERE,
    "player merge player": HERE,
    "player rename player": HERE,
    "player substitute old": HERE,
    "profile player": HERE,
    "report match": HERE,
    "result clear match": HERE,
    "result set match": HERE,
    "result set outcome": HERE,
    "round extend match": HERE,
    "round swap a": HERE,
    "round swap b": HERE,
    "round tiebreak order": HERE,
    "rules season": HERE,
    "season create from": HERE,
    "season settings season": HERE,
    "season settings setting": HERE,
    "season settings value": HERE,
    "season status season": HERE,
    "standings season": HERE,
    "why player": HERE,
}
"""Who is suggested something of the league for an option; every command has `league` too, for people of its server."""


class Own(StrEnum):
    """What the bot does at someone's word that they need a right of Discord's to do themselves."""

    GIVE = "The bot gives only roles that you could give yourself"
    WRITE = "The bot can write in #"
    PIN = "The bot can pin the board in #"
    THREADS = "The bot can make threads in #"
    MENTION = "and you can't do that yourself"
    SHOW = "ou can't write in this channel"
    NOTHING = ""
    """Nothing: members' roles are compared with it."""


OWN_RIGHTS: Mapping[str, Own] = {
    "league create channel": Own.WRITE,
    "league create moderation_channel": Own.WRITE,
    "league create moderator_role": Own.MENTION,
    "league create organiser_role": Own.MENTION,
    "league create league": Own.WRITE,
    "league settings channel": Own.WRITE,
    "league settings moderation_channel": Own.WRITE,
    "league settings moderator_role": Own.MENTION,
    "league settings organiser_role": Own.MENTION,
    "league settings participant_role": Own.GIVE,
    "league settings champion_role": Own.GIVE,
    "league settings board": Own.PIN,
    "SetUpForm channel": Own.WRITE,
    "SetUpForm role": Own.MENTION,
    "RoleForm role": Own.NOTHING,
    "setting join_role": Own.NOTHING,
    "setting match_places": Own.THREADS,
    "announce text": Own.WRITE,
    "share": Own.SHOW,
    "share-rules": Own.SHOW,
    "KeyForgeForm": Own.SHOW,
    "LightseekersForm": Own.SHOW,
}
"""Each option and select that names a channel or a role, and what else the bot writes, pins or makes at a word."""
