"""What the words at the top of a column say it holds, in the languages leagues write them in."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache

from bot.importers.cells import Cell, unaccented, words


class Role(StrEnum):
    """What a column holds."""

    SEASON = "season"
    NUMBER = "season number"
    YEAR = "year"
    ROUND = "round"
    STAGE = "stage"
    PLAYER = "player"
    OPPONENT = "opponent"
    WINNER = "winner"
    LOSER = "loser"
    SCORE = "score"
    PLAYER_SCORE = "player score"
    OPPONENT_SCORE = "opponent score"
    POINTS = "points"
    PLAYER_POINTS = "player points"
    OPPONENT_POINTS = "opponent points"
    HOW = "how"
    DATE = "date"
    CHAMPION = "champion"
    DISCORD = "discord"
    IN_GAME = "in-game name"
    SEED = "seed"


POINTABLE = tuple(role for role in Role if role not in (Role.IN_GAME, Role.SEED))
"""Roles something is taken from."""

_PEOPLE = (
    "player; name; participant; entrant; competitor; contestant; team; user; spieler; spielerin; teilnehmer; mannschaft"
    "; joueur; equipe; jugador; equipo; giocatore; squadra; speler; nom; nombre; nome"
)
_FIRST = "1; a; one; i"
_SECOND = "2; b; two; ii"
_HOME = (
    "home away; home visitor; home guest; heim gast; heim auswarts; domicile exterieur; domicile visiteur; hote invite;"
    " local visitante; casa trasferta; casa ospite; thuis uit"
)
_COLOURS = "white black; weiss schwarz; blancs noirs; blanc noir; blancas negras; bianco nero; wit zwart"
SIDES = tuple(
    tuple((first, second) for first, second in map(str.split, listed.split(";"))) for listed in (_HOME, _COLOURS)
)
"""Seats that have a name, the first player's and the second's."""
_COUNTED = "score; scores; games; wins; result; results; goals; sets; games won; tore; spiele; siege; ergebnis; buts"
_POINTED = "points; pts; punkte; punti; puntos"

_WORDS: dict[Role, str] = {
    Role.SEASON: "season; season name; saison; league; event; tournament; turnier; tournoi; edition; sheet; liga;"
    " tournament name; event name; temporada; torneo; stagione; seizoen; competition; wettbewerb; cup",
    Role.NUMBER: "season number; season no; number; season id; season nr; saisonnummer; saison nr; numero de saison",
    Role.YEAR: "year; jahr; annee; ano; anno; jaar",
    Role.ROUND: "round; runde; week; rd; round number; round no; matchday; spieltag; woche; ronde; journee; tour;"
    " semaine; jornada; giornata; match week; matchweek;"
    " full round text; fullroundtext; game week; gameweek; match day; round name; stage round;"
    " manche; ronda; turno; rnd; wk",
    Role.STAGE: "stage; phase; part; season stage; bracket; etappe",
    Role.PLAYER: "player; home player; white player; name; league name; participant name; players; joueur; spieler;"
    " spielerin; username; nick; nickname; handle; people; me; you; your; dein; deine; votre; player name; nom; nombre",
    Role.OPPONENT: "opponent; versus; vs; against; gegner; gegnerin; adversaire; opponent name; away player;"
    " black player; oponente; rival; avversario; tegenstander; other player; opp",
    Role.WINNER: "winner; won by; who won; victor; winner name; winning player; sieger; siegerin; gewinner; gewinnerin;"
    " vainqueur; gagnant; gagnante; match winner; winning team; ganador; vincitore; winnaar; wer hat gewonnen;"
    " qui a gagne; gewonnen; won; winner id; winnerid",
    Role.LOSER: "loser; lost by; who lost; losing player; loser name; verlierer; verliererin; perdant; perdante;"
    " losing team; perdedor; perdente; verliezer; verloren; lost; loser id; loserid",
    Role.SCORE: "score; scores; final score; game score; match score; result; results; ergebnis; endergebnis; resultat;"
    " outcome; endstand; spielstand; stand; games; final result; match result; resultado; risultato; uitslag;"
    " marcador; punteggio; spielergebnis; score final; sets",
    Role.POINTS: "points; final points; punkte; pts; punti; puntos",
    Role.PLAYER_SCORE: "player score; my score; games won; player s score; spieler punkte; games for; goals for;"
    " winner score; winner games; winning score; winner s score",
    Role.OPPONENT_SCORE: "opponent score; their score; games lost; opponent s score; opponent games; gegner punkte;"
    " games against; goals against; loser score; loser games; losing score; loser s score",
    Role.PLAYER_POINTS: "player points; my points; points for; winner points; player s points",
    Role.OPPONENT_POINTS: "opponent points; their points; points against; loser points; opponent s points",
    Role.HOW: "how; ended; ending; result type; win type; type of result; notes how; kind; victory; type; status;"
    " state; statut; etat; art",
    Role.DATE: "date; datum; date played; played on; match date; spieldatum; fecha; data; timestamp; zeitstempel;"
    " horodateur; marca temporal; day; tag; jour; ended on; end; finished; completed; played; start; when; time; zeit;"
    " submitted; reported; completed at; completedat",
    Role.CHAMPION: "champion; season champion; season winner; champion of the season; meister; saisonsieger;"
    " saisonmeister; champion de la saison; campeon; campione; kampioen; championne",
    Role.DISCORD: "discord; discord id; discord name; discord user; discord username; discord tag; discord user id;"
    " discord handle; account; discord account",
    Role.IN_GAME: "in game name; ingame name; ign; in game; game name; client name; friend code; keyforge user name",
    Role.SEED: "seed; seeding; seed number",
}
_STRICT = {Role.HOW: "how", Role.DATE: "date", Role.ROUND: "round"}
"""Words that can mean nothing else: what can't be read below them is wrong, not another kind of column."""
SEASON_WORDS = "season|saison|temporada|stagione|seizoen|s"
"""What a season is called before its number, for a regular expression."""
GROUPED = {
    *("group", "groups", "gruppe", "groupe", "poule", "pool", "grupo", "gruppo", "girone", "place in the group"),
    *("division", "divisions", "place in the division"),
}
"""Headings of the groups of a season, of which nothing comes in."""
FRENCH = re.compile(r"joueur|adversaire|domicile|exterieur|vainqueur|gagnant|blancs|noirs|journee")
"""Headings of French tables, where D is a defeat (défaite), not a draw."""

_BEHIND = re.compile(r"\s[-|\N{EN DASH}\N{EM DASH}]\s|[:,;(\[]")
"""What stands between a heading and more about it."""


def plain(text: str) -> str:
    """Return the words of a heading without accents, in lower case."""
    return words(unaccented(text))


def heading_alone(text: str) -> str:
    """Return what a heading between rows begins with, such as Week 1 of “Week 1 - Jan 8” or “Week 1 (Monday)”."""
    return _BEHIND.split(text, maxsplit=1)[0].strip()


def _listed(text: str) -> list[str]:
    return [word.strip() for word in text.split(";")]


def _seats() -> Iterator[tuple[str, int]]:
    """Return the names of the two seats: 0 for the first, 1 for the second."""
    for seat, marks in enumerate((_FIRST, _SECOND)):
        for mark in _listed(marks):
            yield mark, seat
            for person in (*_listed(_PEOPLE), "p", "side", "seat", "deck"):
                yield from ((f"{person}{between}{mark}", seat) for between in ("", " "))
    for pair in (pair for pairs in SIDES for pair in pairs):
        for seat, side in enumerate(pair):
            yield side, seat
            yield from ((f"{side} {person}", seat) for person in _listed(_PEOPLE))


_SEATS = dict(_seats())
_FIRSTS = frozenset(_listed(_WORDS[Role.WINNER]))
_NAMED = dict.fromkeys((*_listed(_WORDS[Role.PLAYER]), *_FIRSTS), 0) | dict.fromkeys(
    (*_listed(_WORDS[Role.OPPONENT]), *_listed(_WORDS[Role.LOSER])), 1
)
"""Whose score a column may be by the word for a person: a player's or a winner's, an opponent's or a loser's."""
_ROLES = {word: (role, rank) for role, listed in _WORDS.items() for rank, word in enumerate(_listed(listed))}
_COUNTS = dict.fromkeys(_listed(_COUNTED), 0) | dict.fromkeys(_listed(_POINTED), 1)
_OF_SEATS = (
    (Role.PLAYER_SCORE, Role.OPPONENT_SCORE),
    (Role.PLAYER_POINTS, Role.OPPONENT_POINTS),
)


@lru_cache(maxsize=4096)
def _role_of(text: str) -> tuple[Role, int] | None:
    """Return a heading's role and how plain a word for it this is: a role's own word, a seat, or a seat's score."""
    heading = plain(text)
    heading = heading if heading in _ROLES else heading.removesuffix(" s name").removesuffix(" name")
    if heading in _ROLES:
        return _ROLES[heading]
    if heading in _SEATS:
        return None if len(heading) == 1 else ((Role.PLAYER, Role.OPPONENT)[_SEATS[heading]], 2)
    for counted, kind in _COUNTS.items():
        for rest in (heading.removeprefix(counted), heading.removesuffix(counted)):
            name = rest.strip().removeprefix("by ").removesuffix(" s")
            seat = _SEATS.get(name, _NAMED.get(name)) if rest != heading else None
            if seat is not None:
                return _OF_SEATS[kind][seat], 2
    return None


def seat_of(text: str) -> int | None:
    """Return whose seat the words of a heading name, 0 for the first; None where they name none."""
    return _SEATS.get(text, _NAMED.get(text))


def candidates(row: Sequence[Cell]) -> dict[Role, list[int]]:
    """Return the columns whose heading names a role, the plainest word first."""
    named: dict[Role, list[tuple[int, int]]] = {}
    for index, cell in enumerate(row):
        meant = _role_of(cell) if isinstance(cell, str) and 0 < len(cell) < 100 else None
        if meant is not None:
            named.setdefault(meant[0], []).append((meant[1], index))
    by_role = {role: [index for _, index in sorted(columns)] for role, columns in named.items()}
    return by_role if Role.POINTS in by_role else by_role | _games_and_score(row, by_role.get(Role.SCORE, []))


def _games_and_score(row: Sequence[Cell], scores: Sequence[int]) -> dict[Role, list[int]]:
    """Return which of several columns of scores has the games of a match, where one says so, and which its points."""
    games = [index for index in scores if plain(str(row[index])) == "games"]
    points = [index for index in scores if plain(str(row[index])) == "score"]
    return {Role.SCORE: games, Role.POINTS: points} if games and points else {}


def recognised(row: Sequence[Cell]) -> dict[Role, int]:
    """Return the roles the words of a row name; of several columns for one role, the one with the plainest word."""
    return {role: columns[0] for role, columns in candidates(row).items()}


def is_strict(role: Role, title: str) -> bool:
    """Return whether a heading can mean this role alone."""
    return _STRICT.get(role) == plain(title)


def is_winners(title: str) -> bool:
    """Return whether a column of scores is the winner's."""
    heading = plain(title)
    return any(word in _FIRSTS or word.removesuffix("s") in _FIRSTS for word in (*heading.split(), heading))


def family_of(first: str, second: str) -> Sequence[tuple[str, str]]:
    """Return the names of the seats that mean the same as two headings, none where these are no seats' names."""
    first_words, other = plain(first).split(), plain(second).split()
    return next((pairs for pairs in SIDES if any(a in first_words and b in other for a, b in pairs)), ())


def marks_of(first: str, second: str) -> tuple[str, str] | None:
    """Return what stands for two seats in short: A and B under Player A and B, H and A under Home and Away."""
    first_plain, other = plain(first), plain(second)
    if first_plain[:-1] == other[:-1] and first_plain[-1:] != other[-1:]:
        return first_plain[-1:], other[-1:]
    pairs = [pair for pair in family_of(first, second) if pair[0] in first_plain.split() and pair[1] in other.split()]
    return (pairs[0][0][0], pairs[0][1][0]) if pairs and pairs[0][0][0] != pairs[0][1][0] else None
