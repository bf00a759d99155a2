"""Finds what people read as raw ids and marks: an escaped mention, time or backtick that nobody typed."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

_ESCAPED = re.compile(r"\\<(?:[@#]|t:)[^>\n]{0,40}>?")
_BACKTICK = "\ue000"
"""Stands for a backtick that people read."""
_OF_THE_BOT = frozenset({"message", "messages"})
"""Parts of an interaction that hold what the bot wrote itself."""
_shown: list[str] = []
_typed: list[str] = []


def sent(body: Any) -> None:
    """Note the texts of a request of the bot; the test fails at its end where they show marks nobody typed."""
    _shown.extend(text for text in _texts(body) if "\\<" in text or "\\`" in text)


def typed(said: Any) -> None:
    """Note what people typed, and the names they have: it is shown as it is."""
    _typed.extend(filter(_has_marks, map(bare, _texts(said))))


def of_ours(texts: list[str], by_people: list[str]) -> list[str]:
    """Return the texts that show a mark which no person typed, after that mark."""
    said = "\n".join(by_people)
    wrong = [f"{mark} in: {text}" for text in texts for mark in map(bare, _ESCAPED.findall(text)) if mark not in said]
    return wrong + [f"` in: {text}" for text in texts if _shows_backtick(text, said.replace("`", _BACKTICK))]


def _shows_backtick(text: str, said: str) -> bool:
    """Whether people read a backtick that isn't what someone typed, by what stands before or after it."""
    text = bare(text.replace("\\`", _BACKTICK))
    around = [(text[max(at - 2, 0) : at + 1], text[at : at + 3]) for at, char in enumerate(text) if char == _BACKTICK]
    return any(before not in said and after not in said for before, after in around)


def _has_marks(text: str) -> bool:
    return "<" in text or "`" in text


def bare(text: str) -> str:
    """Return a text as it was before it was escaped, on one line, as quoted words are."""
    return " ".join(text.replace("\\", "").replace("\u200b", "").split())


def _texts(said: Any) -> Iterator[str]:
    match said:
        case str():
            yield said
        case dict():
            for key, inside in said.items():
                if key not in _OF_THE_BOT:
                    yield from _texts(inside)
        case list() | tuple():
            for inside in said:
                yield from _texts(inside)
        case _:
            return


@pytest.fixture(autouse=True)
def no_marks_of_ours_are_shown() -> Iterator[None]:
    """Fail a test after which people read a raw id or a backtick that none of them typed."""
    _shown.clear()
    _typed.clear()
    yield
    wrong = of_ours(_shown, _typed)
    _shown.clear()
    _typed.clear()
    assert not wrong, "people read:\n" + "\n".join(sorted(set(wrong)))


@pytest.fixture(autouse=True)
def watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Note what goes to and fro between simcord's people and the bot."""
    import simcord.interactions
    from simcord.http import router

    answer, build = router.dispatch, simcord.interactions.base_payload

    def dispatch(backend: Any, method: str, path: str, **more: Any) -> Any:
        sent(more.get("json"))
        return answer(backend, method, path, **more)

    def base_payload(*given: Any, **named: Any) -> Any:
        record, payload = build(*given, **named)
        typed(payload)
        return record, payload

    monkeypatch.setattr(router, "dispatch", dispatch)
    monkeypatch.setattr(simcord.interactions, "base_payload", base_payload)
