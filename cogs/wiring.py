"""What the surface is made of: every cog and renderer, and what the subjects add to the cards of others."""

from bot.services.base import post_kinds
from cogs.leagues import leagues
from cogs.leagues.greeting import Greeting
from cogs.leagues.leagues import Leagues
from cogs.lists import lists
from cogs.lists.lists import Lists
from cogs.organising import asked_corrections, maps
from cogs.organising.announcing import Announcing
from cogs.organising.maps import Maps
from cogs.organising.rounds import Rounds
from cogs.organising.time_called import TimeCalled
from cogs.people import apart, bans, drops, not_begun, stay_or_leave
from cogs.people.apart import KeptApart
from cogs.people.bans import Bans
from cogs.people.drops import Drops
from cogs.people.linking import Linking
from cogs.people.merging import Merging
from cogs.people.notify import Notify
from cogs.people.players import Players
from cogs.play import deciding_all, decisions, disputes, match_card, my_match, reports, round_card
from cogs.play.decisions import Decisions
from cogs.play.my_match import Matches
from cogs.play.reports import Results
from cogs.posting.announcer import Announcer
from cogs.posting.roles import Roles
from cogs.problems import problems, settling
from cogs.reads import board, champion, group_card, news, outlook, pairings
from cogs.reads.audit import AuditLog
from cogs.reads.champions import Champions
from cogs.reads.help import Help
from cogs.reads.inbox import Disputes
from cogs.reads.outlook import Outlooks
from cogs.reads.pairings import Pairings
from cogs.reads.profile import Profiles
from cogs.reads.rules import Rules
from cogs.reads.tables import Tables
from cogs.runtime.backups import Backups
from cogs.runtime.clock import Clock
from cogs.runtime.on_server import OnServer
from cogs.runtime.publisher import Publisher
from cogs.seasons import pause
from cogs.seasons.seasons import Seasons
from cogs.seats import moving_up, sit_outs
from cogs.seats.sit_outs import SitOuts
from cogs.seats.substitutes import Substitutes
from cogs.signups import letting_in, names_in_game, signup
from cogs.signups.signup import Signup
from cogs.ties import ties
from cogs.ties.ties import Ties
from cogs.times import proposing, time_cards
from cogs.times.proposing import Availabilities
from cogs.times.schedule import Schedule
from cogs.ui.commands import LeagueCog
from cogs.ui.posts import RENDERED
from cogs.ui.stale_components import StaleComponents

COGS: tuple[type[LeagueCog], ...] = (
    Signup,
    Pairings,
    Rounds,
    Announcing,
    Maps,
    Ties,
    Matches,
    Results,
    Schedule,
    TimeCalled,
    Availabilities,
    Drops,
    Lists,
    SitOuts,
    Tables,
    Profiles,
    Champions,
    Outlooks,
    Rules,
    Seasons,
    Leagues,
    Greeting,
    AuditLog,
    Disputes,
    Decisions,
    Players,
    Bans,
    KeptApart,
    Merging,
    Substitutes,
    Linking,
    Notify,
    Help,
    StaleComponents,
    Announcer,
    Roles,
    Clock,
    Backups,
    Publisher,
    OnServer,
)

reports.ALSO_REPORTED[:] = (ties.ALSO_REPORTED,)
_DECK = "Your list or deck, if the season takes lists; /list changes it"
signup.ADDED[:] = (signup.Added("deck", _DECK, "a list", "/list", lists.deck_words),)
signup.WAYS_OUT[:] = (drops.leave,)
signup.JOINED[:] = (proposing.after_joining,)
match_card.SHOWN[:] = (
    reports.ON_CARD,
    names_in_game.ON_CARD,
    time_cards.ON_CARD,
    problems.ON_CARD,
    settling.ON_CARD,
    decisions.ON_CARD,
    lists.ON_CARD,
    pairings.ON_CARD,
    maps.ON_CARD,
)
leagues.LISTED[:] = (bans.list_of_bans, apart.list_of_pairs)
board.SIGNING_UP[:] = (signup.who_can_join, lists.before_start)
my_match.ADDED[:] = (names_in_game.ADDED, sit_outs.ADDED, outlook.ADDED)
my_match.ONE_OF.update(times=proposing.TO_ONE, problem=problems.WITH_ONE, details=my_match.DETAILS)

POSTS = (
    asked_corrections,
    letting_in,
    board,
    champion,
    deciding_all,
    disputes,
    group_card,
    moving_up,
    news,
    not_begun,
    pause,
    round_card,
    stay_or_leave,
)
"""What renders posts beside the cogs."""
if wrong := set(post_kinds.every()) ^ RENDERED.keys():
    raise TypeError(f"kinds of posts without a renderer, or the other way round: {', '.join(sorted(wrong))}")
