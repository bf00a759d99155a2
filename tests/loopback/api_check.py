"""Checks every request of the tests by Discord's description of its API and by the rules that one lacks."""

import importlib.util
import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from simcord.http import router

INSTALLED = importlib.util.find_spec("jsonschema") is not None
"""Without it nothing is checked, and the tests of the check are skipped."""
if INSTALLED:
    from tests.loopback import api_rules, api_schema

_faults: list[str] = []
_fine: set[tuple[str, str | None, str]] = set()
"""Requests that tell all commands and were found without a fault."""


def note(method: str, path: str, body: Any, files: Sequence[str] = ()) -> None:
    """Check a request; the test that sent it fails at its end."""
    if INSTALLED and "/permissions/" not in path:  # tests close channels this way; the bot never does
        _faults.extend(faults_of(method, path, body, files))


def faults_of(method: str, path: str, body: Any, files: Sequence[str] = ()) -> list[str]:
    """Return what Discord would refuse about a request."""
    template = api_schema.template_of(path)
    text = json.dumps(body) if path.endswith("/commands") else None  # each bot of a test says the same hundred again
    if text is not None and (method, template, text) in _fine:
        return []
    found = api_schema.faults(method, path, body)
    if not found:
        found = [f"{method} {template}: {fault}" for fault in api_rules.faults(method, template or "", body, files)]
    if text is not None and not found:
        _fine.add((method, template, text))
    return found


@pytest.fixture(autouse=True)
def discord_would_take_every_request(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail a test after which a request stands that Discord would refuse."""
    known = router.dispatch

    def checked(backend: Any, method: str, path: str, **more: Any) -> Any:
        note(method, path, more.get("json"), [_name_of(file) for file in more.get("files") or ()])
        return known(backend, method, path, **more)

    monkeypatch.setattr(router, "dispatch", checked)
    _faults.clear()
    yield
    found = sorted(set(_faults))
    _faults.clear()
    assert not found, "Discord would refuse:\n" + "\n".join(found)


def _name_of(file: Any) -> str:
    return str(getattr(file, "filename", file))
