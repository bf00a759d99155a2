"""The first posts of the practice server: they lead a newcomer through a whole season."""

from simcord import Env
from simcord.builders import ChannelHandle

from bot.league.formats.ohs import Ohs
from bot.practice.simulation import Simulation
from bot.practice.world import LEAGUE_NAME, MODERATOR, ORGANISER, PLAYERS, World

_FIRST, _OTHERS = PLAYERS[0], ", ".join(PLAYERS[1:-1]) + f" and {PLAYERS[-1]}"

_HEAD = """\
# Welcome to the practice server
This is the real bot in a simulated server on your computer. At the top you choose **which channel** you see and \
**who you act as**."""

_STEPS = f"""\
Play a whole season like this:

1. Act as **{ORGANISER}**, open **#league**, type `/season create` and choose a format, for example `{Ohs.title}`. \
Sign-ups are open.
2. Act as **{_FIRST}** and press **Join** under the sign-up post. Do the same as {_OTHERS}.
3. Act as **{ORGANISER}** and type `/season start`. Round 1 is posted, every match with its own buttons.
4. Settle each match: act as one of its two players and press **I lost**, which counts at once. \
Or press **I won**, act as the opponent and press **Confirm**. If a match has several games, a form asks for the \
score; you can leave it empty.
5. When the last result is confirmed, the next round is posted automatically: repeat step 4. The sign-up post \
says how many rounds there are and who plays the bracket; after the last match the **champion** is posted.

**On the way, try** `/why` (why this pairing?), `/standings`, `/match` and `/drop`. Or press **Dispute** instead of \
**Confirm**, then act as **{MODERATOR}**, open **#moderators** and decide with the buttons there.

-# Nothing is lost when you stop the server and start it again. With `--autoplay` everyone you don't act as plays \
on their own, season after season through all formats; so does the person you act as, after a minute without a click."""

LEAGUE = "Sign-ups, pairings and results of the league are posted here. **#welcome** shows the next step."
MODERATORS = "Disputes, overdue matches and other decisions are posted here. Players can't see this channel."


async def prepare(simulation: Simulation) -> None:
    """Make the league and the first posts where they are missing; the caller holds the lock."""
    world, env = simulation.world, simulation.env
    for channel, words in ((world.league, LEAGUE), (world.moderators, MODERATORS)):
        _post_first(env, channel, words)
    if not _posts(env, world.welcome):
        await _create_league(world)
    # The welcome comes last: where it is posted, everything is.
    _post_first(env, world.welcome, text())


def text(here: str = "") -> str:
    """Return the welcome post, with the current step before all steps."""
    return "\n\n".join(part for part in (_HEAD, here, _STEPS) if part)


async def _create_league(world: World) -> None:
    # Where the league is there already, because a first start was cut short, the bot says so to the organiser alone.
    await world.organiser.slash(
        world.moderators,
        "league create",
        name=LEAGUE_NAME,
        channel=world.league,
        moderator_role=world.moderator_role,
        organiser_role=world.organiser_role,
        moderation_channel=world.moderators,
    )


def _post_first(env: Env, channel: ChannelHandle, text: str) -> None:
    if not _posts(env, channel):
        env.backend.create_message(channel.id, env.backend.bot_user.id, text)


def _posts(env: Env, channel: ChannelHandle) -> bool:
    return any(not post.is_ephemeral for post in env.backend.messages[channel.id].values())
