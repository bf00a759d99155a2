"""Faults put on purpose into a copy of the project, to see whether its tests find them."""

import contextlib
import tempfile
from collections.abc import Generator, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class Fault(NamedTuple):
    """A fault: the file, what stands there once, what is put in its place, and what that does."""

    file: str
    old: str
    new: str
    what: str

    @property
    def can_be_put_in(self) -> bool:
        """Whether what it replaces stands in its file exactly once."""
        return self.new != self.old and (ROOT / self.file).read_text(encoding="utf-8").count(self.old) == 1


@contextlib.contextmanager
def planted(fault: Fault) -> Generator[Path]:
    """Give a copy of the project with a fault: what is beside that file and the folders above it are links to ours."""
    assert fault.can_be_put_in, fault
    file = Path(fault.file)
    with tempfile.TemporaryDirectory(prefix="fairpair-fault-") as name:
        copy = Path(name)
        for folder in reversed(file.parents):
            (copy / folder).mkdir(exist_ok=True)
            for ours in (ROOT / folder).iterdir():
                its = ours.relative_to(ROOT)
                if its not in (file, *file.parents) and ours.name != "__pycache__":  # where ours is compiled
                    (copy / its).symlink_to(ours)
        text = (ROOT / file).read_text(encoding="utf-8")
        (copy / file).write_text(text.replace(fault.old, fault.new), encoding="utf-8")
        yield copy


def tell(faults: Mapping[str, Fault], wanted: Sequence[str], answers: Iterable[str | None]) -> int:
    """Print what came of each fault, None being that it wasn't found, and how many were; 1 where one wasn't."""
    missed = 0
    for name, answer in zip(wanted, answers, strict=True):
        missed += answer is None
        print(f"{name}: {faults[name].what} ({faults[name].file}): {answer or 'NOT FOUND'}", flush=True)
    print(f"{len(wanted) - missed} of {len(wanted)} found")
    return min(missed, 1)
