"""Who is who in a league: its past brought in, names that are one person, people kept apart, roles of the server."""

from bot import steps
from bot.league.errors import LeagueError
from bot.services.base.order import Order
from bot.services.leagues import importing_records, set_up, taking_back
from bot.services.people import keeping_apart, merging
from bot.services.roles import role_holders
from bot.steps import File
from tests.model.announcing import InPlace, discord_of
from tests.model.discord_here import ROLES
from tests.model.moves.moving import Move, often
from tests.model.walk import CHAMPION_ROLE, PARTICIPANT_ROLE, PLAYERS, Walk
from tests.services.conftest import ADMIN, GUILD, MODERATOR_ROLE, ORGANISER_ROLE

ONLY_THERE = ("Pavel", "Quinn", "DOK", "Xorlof")
"""Who is in old sheets: two nobody knows, one written differently, one who plays here."""
MOST_PAST = 3


def _known(walk: Walk) -> str:
    """Return the name of someone the league knows, or nobody's."""
    return walk.pick(walk.file.column("SELECT name FROM players WHERE league_id = ?", walk.league.id)) or "Nobody"


def _sheet(walk: Walk) -> str:
    """Return some seasons of the past as a table; one row may be the same match twice, or nobody's."""
    names = [*ONLY_THERE, *(actor.name for actor in PLAYERS[4:8])]
    rows = ["season,round,player,opponent,winner"]
    for season in range(1, walk.chance.randint(1, MOST_PAST) + 1):
        for number in range(1, walk.chance.randint(1, 3) + 1):
            one, two = walk.chance.sample(names, 2)
            rows.append(f'{season},{number},"{one}","{two}","{walk.pick([one, two])}"')
    if walk.maybe(0.1):
        rows.append(walk.pick([rows[-1], "1,1,,,", "99,1,Pavel,Pavel,Pavel"]) or "")
    return "\n".join(rows)


def _evening(walk: Walk) -> str:
    """Return an evening of the past, which goes where its date belongs."""
    one, two = walk.chance.sample(ONLY_THERE[:3], 2)
    return f"player,opponent,winner,date\n{one},{two},{one},2024-{walk.chance.randint(1, 12):02}-05"


async def bring_in(walk: Walk) -> None:
    several = range(walk.chance.choice((0, 0, 1, 3)))
    texts = [_evening(walk) for _ in several] or [_sheet(walk)]
    files = [File(name=f"{at}.csv", data=text.encode()) for at, text in enumerate(texts)]
    order = Order(**walk.who(walk.staff()))
    try:
        short = await steps.look_through(files)
        assert short is not None
        planned = await walk.db.read(importing_records.plan, order, file=short, decided={})
        decided = {one.name.name: walk.pick(["", *one.candidates]) or "" for one in planned.identities.unclear}
        planned = await walk.db.read(importing_records.plan, order, file=short, decided=decided)
    except LeagueError:
        return  # the file is broken, or they may not
    await walk.call(steps.bring_in, **walk.who(order.actor), files=files, short=short, planned=planned)


async def take_import_back(walk: Walk) -> None:
    newest = walk.file.value("SELECT max(id) FROM imports WHERE league_id = ?", walk.league.id)
    await walk.call(taking_back.take_back, **walk.who(walk.staff()), import_id=walk.pick([newest, newest, 1]) or 1)


async def merge(walk: Walk) -> None:
    two = {"player": _known(walk), "into": _known(walk), "reason": walk.reason()}
    await walk.agreed(steps.merge, **walk.who(walk.staff()), **two, worker=InPlace())


async def take_merge_back(walk: Walk) -> None:
    newest = walk.file.value("SELECT max(id) FROM merges WHERE league_id = ?", walk.league.id)
    await walk.call(merging.take_back, **walk.who(walk.staff()), merge=newest or 1)


async def keep_apart(walk: Walk) -> None:
    two = {"first": _known(walk), "second": _known(walk), "reason": walk.reason()}
    await walk.agreed(keeping_apart.keep_apart, **walk.who(walk.staff()), **two)


async def let_together(walk: Walk) -> None:
    pairs = (
        "SELECT one.name AS first, other.name AS second FROM apart a JOIN players one ON one.id = a.first_id"
        " JOIN players other ON other.id = a.second_id"
    )
    two = walk.pick([dict(row) for row in walk.file.rows(pairs)])
    two = two or {"first": _known(walk), "second": _known(walk)}
    await walk.agreed(keeping_apart.let_together, **walk.who(walk.staff()), **two, reason=walk.reason())


async def choose_roles(walk: Walk) -> None:
    """Choose the roles the bot gives, or none; the Discord of a walk has those of one server."""
    if walk.league is walk.neighbour:
        return
    key = walk.pick(["participant_role_id", "participant_role_id", "champion_role_id"]) or ""
    role = PARTICIPANT_ROLE if key == "participant_role_id" else CHAMPION_ROLE
    await walk.call(set_up.change, **walk.who(walk.staff()), changes={key: walk.pick([role, role, None])})


async def come_and_go(walk: Walk) -> None:
    """Let someone leave the server, with all their roles, or come back."""
    discord_of(walk).come_or_go(walk.chance.choice(PLAYERS))


async def lift_role(walk: Walk) -> None:
    """Put a role above the bot's own, so that the bot can't give it, or below again."""
    above = discord_of(walk).above
    role = walk.chance.choice((PARTICIPANT_ROLE, CHAMPION_ROLE))
    (above.discard if role in above else above.add)(role)


async def delete_role(walk: Walk) -> None:
    """Delete a role of those who run the league, which is made and chosen again before anyone does anything else."""
    if walk.together is not None:
        return
    column = walk.chance.choice(("moderator_role_id", "organiser_role_id"))
    role = MODERATOR_ROLE if column == "moderator_role_id" else ORGANISER_ROLE
    await walk.call(set_up.roles_deleted, guild_id=walk.league.guild_id, role_ids=set(ROLES) - {role}, now=walk.now)
    await walk.call(set_up.change, **walk.who(ADMIN), changes={column: role})


async def roles_again(walk: Walk) -> None:
    await walk.call(role_holders.try_again, guild_id=GUILD, now=walk.now)


MOVES: tuple[Move, ...] = (
    *often(2, bring_in),
    *often(1, take_import_back),
    *often(2, merge),
    *often(1, take_merge_back),
    *often(2, keep_apart),
    *often(1, let_together),
    *often(2, choose_roles),
    *often(1, come_and_go),
    *often(1, lift_role),
    *often(1, delete_role),
    *often(1, roles_again),
)
