"""What players are told about the finals, 10,000 times, while seasons are played by chance: nothing is taken back."""

from itertools import count

from tests.league.summaries.verdicts import looks

LOOKS = 10_000
FIRST = 1_000
"""The first seed; those before it are the tests'."""


def soak() -> bool:
    """Look so many times, and print each verdict that was taken back; return whether there was none."""
    made = wrong = 0
    for seed in count(FIRST):
        for look in looks(seed):
            made += 1
            if names := look.taken_back():
                wrong += 1
                print(f"seed {seed}: {look.season.format}, round {len(look.season.rounds)}: {', '.join(names)}")
        if made >= LOOKS:
            break
    print(f"{made} looks at who is in and who is out: {wrong} with a verdict taken back")
    return not wrong
