"""How a random season begins: its settings, its players, their past."""

from typing import Any

from bot.league.counting.draw import commitment_of, salt_of
from bot.league.errors import Invalid
from bot.league.formats import by_key
from bot.league.season.choices import TableTiebreak
from bot.league.season.model import Name
from bot.random_seasons.chance import Chance

File = dict[str, Any]
"""A league file as JSON values."""

ROUND_ROBIN = "round-robin"
SWISS = ("keyforge-swiss", "lightseekers-swiss")
NAMES = (
    "Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana", "Ivo", "Jun", "Kai", "Lena", "Zoë", "名一", "Mo", "Nia",
    "Oz", "Pat", "Quin", "Rae", "Sam", "Tia", "Uma", "Vic", "Wes", "Xan", "Yas", "Zed", 'the "rook"', "a/b", "c\\d",
    "🦊 fox", "𝒜𝓁", "﹏", "O'Hara", "dot.", "<b>bold</b>", "שרה", "  blank  ",
)  # fmt: skip
"""Names of all kinds: beyond the first plane, in other scripts, and what a file or a page must escape."""

_LARGE = 40
_FEWEST = {**dict.fromkeys(SWISS, 5), ROUND_ROBIN: 3}
_MOST_IN_A_GROUP = 12


def beginning(format_: str, chance: Chance, players: int | None = None) -> File:
    """Return the file of a season that takes its players, without rounds."""
    size = players or (chance.whole(2, 14) if chance.maybe(0.8) else chance.whole(15, _LARGE))
    size = max(_FEWEST.get(format_, 2), size)
    names = [NAMES[at] if at < len(NAMES) else f"Player {at + 1}" for at in range(size)]
    chance.mix(names)
    number = chance.one((chance.whole(0, 3), chance.whole(1, 60)))
    settings = _settings(format_, chance, size)
    file: File = {"fairpair": 1, "league": "By chance", "season": number, "format": format_, "settings": settings}
    file |= {"players": _players(names, settings, chance)}
    if format_ == ROUND_ROBIN:
        file |= _ladder(names, settings, chance)
    file |= {"past_seasons": _past(file["players"], number, chance), "rounds": [], "departures": [], "decisions": []}
    return file | _salt(settings, names, chance)


def _settings(format_: str, chance: Chance, size: int) -> File:
    settings: File = {}
    for key, chances, values in _SETTINGS:
        if chance.maybe(chances) and _reads(format_, key, value := chance.one(values)):
            settings[key] = value
    if chance.maybe(0.3):
        draws = chance.one((0, 0, 0.1, 0.3))
        settings["rating"] = {"mu": 25, "sigma": chance.decimal(4, 9), "beta": chance.decimal(3, 6), "tau": 0.1}
        settings["rating"]["draw_probability"] = draws
    if chance.maybe(0.1):
        settings["lists"] = {"number": chance.whole(1, 2), "per": chance.one(("season", "round")), "secret": "end"}
    if format_ == ROUND_ROBIN:
        return settings | _round_robin(chance, size)
    if format_ != "single-elimination" and chance.maybe(0.5):
        swiss = (0, 2, 4, 8, 16)
        settings["cut"] = chance.one(swiss if format_ in SWISS else (0, 1, 2, 3, 4, 6, 8, 10, 16))
    if format_ in ("ohs", *SWISS) and chance.maybe(0.5):
        settings["rounds"] = chance.whole(1, 6 if size < _LARGE else 9)
    if format_ == "two-loss-out" and chance.maybe(0.4):
        settings["losses"] = chance.one((1, 2, 3, 4))
    if format_ == "ohs" and chance.maybe(0.4):
        settings["bye_among"] = chance.one(("lowest", "all"))
    if format_ == "keyforge-swiss" and chance.maybe(0.4):
        win, draw = chance.whole(2, 5), chance.whole(1, 2)
        settings["points"] = {"win": win, "draw": draw, "loss": chance.whole(0, 1), "bye": chance.whole(1, win)}
        settings["draws"] = chance.maybe(0.8)
    if format_ == "single-elimination":
        settings |= {"third_place": chance.maybe(0.5), "seeding": "seeded" if chance.maybe(0.4) else "drawn"}
    return settings


def _round_robin(chance: Chance, size: int) -> File:
    """Return the settings only a round robin has."""
    settings: File = {"grouping": chance.one(("drawn", "drawn", "rating", "divisions", "given"))}
    if size > _MOST_IN_A_GROUP or chance.maybe(0.6):
        settings["group_size"] = chance.whole(3, 7)
    if chance.maybe(0.3):
        settings["meetings"] = 2
    if chance.maybe(0.4):
        settings["schedule"] = "open"
    if chance.maybe(0.5):
        settings["tiebreaks"] = chance.some(list(TableTiebreak), chance.whole(0, len(TableTiebreak)))
    if chance.maybe(0.3):
        settings["moves"] = chance.whole(0, 4)
    if chance.maybe(0.6):
        settings[chance.one(("cut", "through"))] = chance.one((2, 2, 3, 4, 5, 8))
    elif chance.maybe(0.2):
        settings["cut"] = 0
    if chance.maybe(0.4):
        settings["draws"] = chance.maybe(0.8)
    if chance.maybe(0.3):
        settings["points"] = {"win": chance.whole(3, 5), "draw": chance.whole(1, 2)}
    return settings


def _ladder(names: list[str], settings: File, chance: Chance) -> File:
    """Return the ladder a season begins with, if any: not of everyone, and of others too."""
    if not chance.maybe(0.8 if settings["grouping"] == "divisions" else 0.1):
        return {}
    ladder = chance.some([*names, "who has gone"], chance.whole(1, len(names) + 1))
    return {"ladder": ladder} | ({"ladder_of": chance.hex(64)} if chance.maybe(0.5) else {})


def _reads(format_: str, key: str, value: Any) -> bool:
    """Whether a format takes a value of a setting."""
    try:
        by_key(format_).read_settings({key: value})
    except Invalid:
        return False
    return True


_SETTINGS: tuple[tuple[str, float, tuple[Any, ...]], ...] = (
    ("best_of", 0.3, (1, 3, 5)),
    ("finals_best_of", 0.3, (1, 3, 5)),
    ("final_best_of", 0.3, (3, 5, 7)),
    ("dice_off", 0.4, ("draw", "equalizer", "off")),
    ("replace", 0.3, (False, True)),
    ("late_entry", 0.3, (1, 2, 3, 4)),
    ("rejoin", 0.3, ("ask", "free", "never")),
    ("no_show", 0.2, ("drop", "forfeit")),
    ("game", 0.2, ("keyforge", "lightseekers", None)),
    ("variant", 0.1, ("archon", "sealed", None)),
    ("pace", 0.1, ("days", "live")),
    ("match_places", 0.1, ("card", "threads", "private")),
    ("check_in_hours", 0.1, (0, 12)),
    ("round_ends", 0.1, (None, "sunday 21:00")),
    ("advance", 0.1, ("all-in", "deadline", "manual")),
    ("overdue", 0.1, ("moderators", "double_loss", "extend")),
    ("round_days", 0.1, (3, 7, 14)),
    ("confirm_hours", 0.1, (12, 48)),
    ("max_players", 0.1, (None, 64)),
)


def rating(chance: Chance) -> dict[str, float]:
    """Return a rating as a file says it: most are like others, a few far off."""
    mu = 25 + chance.decimal(-4, 4) + chance.decimal(-4, 4)
    return {"mu": chance.one((mu, mu, mu, 25, chance.decimal(10, 40))), "sigma": chance.one((2, chance.decimal(1, 8)))}


def _players(names: list[str], settings: File, chance: Chance) -> list[File]:
    players: list[File] = [{"name": name} for name in names]
    share = chance.one((0, 0.5, 1))
    seeds = chance.some(range(1, 2 * len(names)), len(names))
    for index, player in enumerate(players):
        if chance.maybe(share):
            player["rating"] = rating(chance)
        if settings.get("grouping") == "given":
            player["group"] = index % max(1, min(len(names) // 3, 4)) + 1
        if settings.get("seeding") == "seeded":
            player["seed"] = seeds[index]
        if chance.maybe(0.1):
            player["former_names"] = [f"once {index}"]
    return players


def _past(players: list[File], number: int, chance: Chance) -> list[File]:
    names = [name for player in players for name in (player["name"], *player.get("former_names", ()))]
    names += ["who has gone"] if chance.maybe(0.3) else []
    own = {name: at for at, player in enumerate(players) for name in (player["name"], *player.get("former_names", ()))}
    files: list[File] = []
    for back in range(1, chance.one((1, 2, 3, 3, 4))):
        if number - back < 0:
            break
        met = [chance.some(names, 2) for _ in range(chance.whole(0, 2 * len(players)))]
        met = [two for two in met if own.get(two[0]) != own.get(two[1])]
        past: File = {"season": number - back, "matches": met}
        if chance.maybe(0.5):
            past["rounds"] = [chance.one((None, 1, 2, 3)) for _ in met]
        files.append(past)
    return files


def _salt(settings: File, names: list[str], chance: Chance) -> File:
    """Mix the names into the draw, with a secret or without, or neither; sometimes the file tells the names."""
    kind = chance.one(("off", "off", "names", "sealed"))
    if kind == "off":
        return {}
    salt_fields: File = {"drawn_names": list(names)} if chance.maybe(0.6) else {}
    secret = chance.hex(64) if kind == "sealed" else None
    settings["salt"] = salt_of(map(Name, names), secret)
    if secret is not None:
        salt_fields["sealed"] = {"commitment": commitment_of(secret), "secret": secret if chance.maybe(0.9) else None}
    return salt_fields
