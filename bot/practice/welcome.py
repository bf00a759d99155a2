"""The first posts of the practice server: they lead a newcomer through a whole season."""

from simcord import Env
from simcord.builders import ChannelHandle

from bot.league.formats.ohs import Ohs
from bot.practice.simulation import Simulation
from bot.practice.world import LEAGUE_NAME, MODERATOR, ORGANISER, PLAYERS, World

_FIRST, _OTHERS = PLAYERS[0], ", ".join(PLAYERS[1:-1]) + f" and {PLAYERS[-1]}"

_TITLE = "# Welcome to the practice server"
_OTHERS_PLAY = f"""\
> **Everyone else plays by themselves** (`--autoplay`). You are {ORGANISER}, who begins each season: type \
`/season create` in #league, or act as someone else at the top and it begins within seconds. A person you act as \
plays too after a minute without a click; so season follows season, through all formats."""
_HEAD = """\
This is the real bot in a simulated server on your computer. At the top you choose **which channel** you see, \
**who you act as** and **what time** it is. A red number counts messages that mention this person."""

_STEPS = f"""\
Play a whole season like this:

1. Act as **{ORGANISER}**, open **#league**, type `/season create` and choose a format, for example `{Ohs.title}`. \
Its settings open; press **Open sign-ups**.
2. Act as **{_FIRST}** and press **Join** under the sign-up post. Do the same as {_OTHERS}.
3. Act as **{ORGANISER}** and type `/season start`. Round 1 is posted.
4. Settle each match: act as one of its two players, press **Report** beside it and choose the result. \
A loss counts at once. After a win, act as the opponent, who is asked, and press **Confirm**.
5. When the last result is in, the next round is posted automatically: repeat step 4. After the final the \
**champion** is posted."""
_ON_THE_WAY = f"""\
**On the way, try**
- Silence: report a win and move the time **+24 hours**. The opponent is reminded, then it counts.
- **Dispute** instead of **Confirm**; then act as **{MODERATOR}**, open **#moderators** and decide.
- **My match**, **Standings**, **Bracket** and **Rules** on the board in #league.
- **Propose times** in `/match`; the opponent presses one of them.
- `/notify`: choose direct messages. They appear at the top.
- `/season settings` before the start, as {ORGANISER}.

-# When you stop the server and start it again, you begin with an empty league."""
_LET_OTHERS_PLAY = "-# With `--autoplay` everyone you don't act as plays on their own."

LEAGUE = "Sign-ups, pairings and results of the league are posted here. **#welcome** shows the next step."
MODERATORS = "Disputes, overdue matches and other decisions are posted here. Players can't see this channel."


async def prepare(simulation: Simulation) -> None:
    """Make the league and the first posts; the caller holds the lock."""
    world, env = simulation.world, simulation.env
    for channel, words in ((world.league, LEAGUE), (world.moderators, MODERATORS)):
        _post(env, channel, words)
    await _create_league(world)
    _post(env, world.welcome, text(), _ON_THE_WAY)


def text(here: str = "", *, autoplay: bool = False, pages: str = "") -> str:
    """Return the welcome post, with the current step before all steps, and before that that the others play.

    `pages` is where the league's web pages are.
    """
    head = "\n".join((_TITLE, _OTHERS_PLAY, "", _HEAD) if autoplay else (_TITLE, _HEAD))
    words = f"The league's own web pages, as players see them: {pages}/1/" if pages else ""
    hint = "" if autoplay else _LET_OTHERS_PLAY
    return "\n\n".join(part for part in (head, here, words, _STEPS, hint) if part)


async def _create_league(world: World) -> None:
    await world.organiser.slash(
        world.moderators,
        "league create",
        name=LEAGUE_NAME,
        channel=world.league,
        moderator_role=world.moderator_role,
        organiser_role=world.organiser_role,
        moderation_channel=world.moderators,
    )
    await world.organiser.slash(world.league, "league settings", site="on")


def _post(env: Env, channel: ChannelHandle, *texts: str) -> None:
    for text in texts:
        env.backend.create_message(channel.id, env.backend.bot_user.id, text)
