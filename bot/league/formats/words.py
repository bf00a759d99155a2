"""Season rules in plain words: the sentences that are the same in every format."""

from bot.league.settings import SeasonSettings

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def counted(number: int, thing: str) -> str:
    """Return a number of things in words: `four rounds`."""
    word = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    return f"{word} {thing}" if number == 1 else f"{word} {thing}s"


def best_of(games: int) -> str:
    """Return how a match is played: `a single game`, `best of three games`."""
    return "a single game" if games == 1 else f"best of {counted(games, 'game')}"


def match_rule(settings: SeasonSettings, *, finals: bool = True) -> str:
    """Return how many games a match has, stage by stage; `finals` is False where no bracket follows."""
    stages = [("a match", settings.best_of)]
    if finals:
        stages += [("a match of the finals", settings.finals_best_of), ("the final", settings.final_best_of)]
    said: list[str] = []
    for (what, games), before in zip(stages, (None, *(games for _, games in stages)), strict=False):
        if games != before:
            said.append(f"{what} is {best_of(games)}")
    return f"{', '.join(said)}.".capitalize()


def bracket_match_rule(settings: SeasonSettings) -> str:
    """Return how many games a match has where all rounds are a bracket."""
    said = f"A match is {best_of(settings.finals_best_of)}"
    if settings.final_best_of == settings.finals_best_of:
        return f"{said}."
    return f"{said}, the final is {best_of(settings.final_best_of)}."


def games_in_short(settings: SeasonSettings, *, finals: bool = True) -> str:
    """Return how many games a match has, in few words: `best of 3, final best of 5`."""
    first, later, last = settings.best_of, settings.finals_best_of, settings.final_best_of
    said = ["single games (best of 1)" if first == 1 else f"best of {first}"]
    if finals and later != first:
        said.append(f"finals best of {later}")
    if finals and last != later:
        said.append(f"final best of {last}")
    return ", ".join(said)


def cut_in_short(cut: int, entrants: int | None) -> str:
    """Return who goes on, in few words; never more than there are."""
    if cut == 0:
        return "none; the first of the standings wins"
    return f"the best {min(cut, entrants or cut)} play single elimination"


def common_rules(settings: SeasonSettings, *, comes_back: bool = True, enters_late: bool = True) -> tuple[str, ...]:
    """Return what every format says about drops, returns, late entries, absence and the draw.

    `comes_back` and `enters_late` are False where a format has neither, whatever the settings say.
    """
    return (
        "Who drops is not paired any more. A match that is still open then is a loss for who leaves and a win for the "
        "opponent; in the bracket the opponent goes on. A confirmed result stands.",
        _rejoin_rule(settings.rejoin if comes_back else "never"),
        _late_entry_rule(settings.late_entry if enters_late else 1),
        "Who is disqualified is out at once and cannot come back.",
        _no_show_rule(settings),
        _draw_rule(settings),
    )


def replace_rule(settings: SeasonSettings) -> str:
    """Return what happens when somebody who qualified leaves before the finals."""
    if settings.replace:
        return (
            "Who qualified and leaves before the first result of the finals is replaced: all below move up one place, "
            "and the first one out enters last."
        )
    return "Nobody who qualified and leaves before the finals is replaced: the opponent has a bye."


def _rejoin_rule(rejoin: str) -> str:
    if rejoin == "never":
        return "Who dropped cannot come back this season."
    asked = " if an organiser agrees" if rejoin == "ask" else ""
    return (
        f"Who dropped may come back{asked}, in the same stage and not after a disqualification; "
        "each round missed counts as a loss."
    )


def _late_entry_rule(last: int) -> str:
    if last == 1:
        return "Nobody can enter after the first round is paired."
    return f"Until round {last} is paired new players may still enter; each round missed counts as a loss."


def _no_show_rule(settings: SeasonSettings) -> str:
    also = " and is dropped from the season" if settings.no_show == "drop" else ""
    return f"Who does not appear loses the match{also}; a moderator decides that. Conceding is a loss at any time."


def _draw_rule(settings: SeasonSettings) -> str:
    text = "SEASON/ROUND/PURPOSE/NAME" if settings.salt is None else f"SEASON/ROUND/PURPOSE/{settings.salt}/NAME"
    return (
        f"Nothing is left to chance: every draw is the SHA-256 of the text {text}, the smallest hexadecimal number "
        "first, and anybody can compute it."
    )
