"""The check of every request of the tests: it takes what Discord takes, and catches a broken one."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("jsonschema")

from tests.loopback.api_check import faults_of

Break = Callable[[dict[str, Any]], Any]
POSTING = "/api/v10/channels/2001/messages"
ANSWERING = "/api/v10/interactions/1/token/callback"


def button(number: int) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": f"Press {number}", "custom_id": f"fp:press:{number}"}


def post() -> dict[str, Any]:
    """Return a post with a text, a picture, a row of buttons and a select."""
    options = [{"label": f"Option {number}", "value": str(number)} for number in range(5)]
    select = {"type": 3, "custom_id": "pick", "options": options, "min_values": 1, "max_values": 1}
    inside = [
        {"type": 10, "content": "Ada v Bruno"},
        {"type": 9, "components": [{"type": 10, "content": "Round 1"}], "accessory": button(9)},
        {"type": 12, "items": [{"media": {"url": "attachment://standings.png"}, "description": "the standings"}]},
        {"type": 14, "divider": True, "spacing": 1},
        {"type": 1, "components": [button(1), button(2)]},
        {"type": 1, "components": [select]},
    ]
    return {
        "tts": False,
        "flags": 1 << 15,
        "components": [{"type": 17, "accent_color": 5, "spoiler": False, "components": inside, "id": 77}],
        "allowed_mentions": {"parse": [], "users": [4001], "roles": ["2100"], "replied_user": False},
        "attachments": [{"id": 0, "filename": "standings.png"}],
        "nonce": "a" * 25,
        "enforce_nonce": True,
    }


def form() -> dict[str, Any]:
    radio = {"type": 21, "custom_id": "result", "options": [{"label": f"{n}-0", "value": f"{n}"} for n in range(3)]}
    typed = {"type": 4, "custom_id": "why", "style": 2, "max_length": 300, "value": "", "required": False}
    labels = [
        {"type": 18, "label": "Result", "description": "Yours first", "component": radio},
        {"type": 18, "label": "Why", "component": typed},
    ]
    return {"type": 9, "data": {"custom_id": "form", "title": "Report", "components": labels}}


def command() -> dict[str, Any]:
    option = {"name": "match", "type": 3, "description": "Which match", "required": True}
    return {"name": "report", "type": 1, "description": "Report a result", "options": [option]}


def inside(body: dict[str, Any]) -> list[dict[str, Any]]:
    return body["components"][0]["components"]


def put(part: dict[str, Any], **values: Any) -> None:
    part.update(values)


def drop(part: dict[str, Any], key: str) -> None:
    del part[key]


BROKEN_POSTS: dict[str, Break] = {
    "an unknown field": lambda body: put(body, contents="hello"),
    "an unknown field of a button": lambda body: put(button_of(body), colour=3),
    "an unknown type": lambda body: put(inside(body)[0], type=99),
    "no flag": lambda body: put(body, flags=0),
    "content too": lambda body: put(body, content="hello"),
    "no allowed_mentions": lambda body: drop(body, "allowed_mentions"),
    "mentions parsed": lambda body: put(body["allowed_mentions"], parse=["users"]),
    "too many mentions": lambda body: put(body["allowed_mentions"], users=[str(one) for one in range(101)]),
    "one person twice": lambda body: put(body["allowed_mentions"], users=["7", "7"]),
    "a nonce too long": lambda body: put(body, nonce="a" * 26),
    "a nonce not enforced": lambda body: drop(body, "enforce_nonce"),
    "41 components": lambda body: inside(body).extend({"type": 10, "content": "x"} for _ in range(30)),
    "4,001 characters": lambda body: put(inside(body)[0], content="x" * 4001),
    "4,001 characters in two texts": lambda body: inside(body).extend(
        {"type": 10, "content": "x" * 2001} for _ in range(2)
    ),
    "an empty text": lambda body: put(inside(body)[0], content=""),
    "a custom_id twice": lambda body: put(button_of(body), custom_id="pick"),
    "an id twice": lambda body: put(inside(body)[0], id=77),
    "an id of more than 32 bits": lambda body: put(inside(body)[0], id=2**31),
    "a long custom_id": lambda body: put(button_of(body), custom_id="x" * 101),
    "no custom_id": lambda body: drop(button_of(body), "custom_id"),
    "a long label": lambda body: put(button_of(body), label="x" * 81),
    "six buttons in a row": lambda body: inside(body)[4]["components"].extend(button(one) for one in range(20, 24)),
    "an empty row": lambda body: inside(body)[4]["components"].clear(),
    "a button outside of a row": lambda body: inside(body).append(button(30)),
    "a file that isn't sent": lambda body: put(body, attachments=[]) or "no files",
    "26 options": lambda body: select_of(body)["options"].extend(
        {"label": "x", "value": f"v{number}"} for number in range(21)
    ),
    "an option twice": lambda body: put(select_of(body)["options"][0], value="1"),
    "a long option": lambda body: put(select_of(body)["options"][0], label="x" * 101),
    "two of one chosen": lambda body: [put(option, default=True) for option in select_of(body)["options"][:2]],
    "a colour that is none": lambda body: put(body["components"][0], accent_color=2**24),
    "a text for a number": lambda body: put(body, flags="32768"),
    "alt text too long": lambda body: put(inside(body)[2]["items"][0], description="x" * 1025),
}


def button_of(body: dict[str, Any]) -> dict[str, Any]:
    return inside(body)[4]["components"][0]


def select_of(body: dict[str, Any]) -> dict[str, Any]:
    return inside(body)[5]["components"][0]


def test_a_post_discord_takes_is_taken() -> None:
    assert faults_of("POST", POSTING, post(), ["standings.png"]) == []
    assert faults_of("POST", ANSWERING, form()) == []
    assert faults_of("POST", ANSWERING, {"type": 4, "data": {**answer(), "flags": 1 << 15 | 1 << 6}}) == []
    assert faults_of("PUT", "/api/v10/applications/1000/commands", [command()]) == []
    assert faults_of("PATCH", f"{POSTING}/77", answer()) == []
    assert faults_of("DELETE", f"{POSTING}/77", None) == []


def answer() -> dict[str, Any]:
    body = post()
    for key in ("nonce", "enforce_nonce", "tts", "attachments"):
        del body[key]
    del inside(body)[2]
    return body


@pytest.mark.parametrize("how", BROKEN_POSTS)
def test_a_broken_post_is_caught(how: str) -> None:
    body = copy.deepcopy(post())
    without = BROKEN_POSTS[how](body) == "no files"
    assert faults_of("POST", POSTING, body, [] if without else ["standings.png"])


def test_a_file_that_is_not_shown_is_caught() -> None:
    assert faults_of("POST", POSTING, post(), ["standings.png", "more.txt"])


BROKEN_FORMS: dict[str, Break] = {
    "a long title": lambda data: put(data, title="x" * 46),
    "six parts": lambda data: data["components"].extend(copy.deepcopy(data["components"][0]) for _ in range(4)),
    "a long label": lambda data: put(data["components"][0], label="x" * 46),
    "a long description": lambda data: put(data["components"][0], description="x" * 101),
    "one choice": lambda data: data["components"][0]["component"]["options"].__delitem__(slice(1, None)),
    "eleven choices": lambda data: data["components"][0]["component"]["options"].extend(
        {"label": "x", "value": f"v{number}"} for number in range(8)
    ),
    "two chosen": lambda data: [
        put(option, default=True) for option in data["components"][0]["component"]["options"][:2]
    ],
    "a custom_id twice": lambda data: put(data["components"][1]["component"], custom_id="result"),
    "more than it takes": lambda data: put(data["components"][1]["component"], value="x" * 301),
    "a field without its label": lambda data: put(data, components=[data["components"][1]["component"]]),
}


@pytest.mark.parametrize("how", BROKEN_FORMS)
def test_a_broken_form_is_caught(how: str) -> None:
    body = form()
    BROKEN_FORMS[how](body["data"])
    assert faults_of("POST", ANSWERING, body)


BROKEN_COMMANDS: dict[str, Break] = {
    "a capital": lambda body: put(body, name="Report"),
    "no description": lambda body: put(body, description=""),
    "a long description": lambda body: put(body["options"][0], description="x" * 101),
    "required last": lambda body: body["options"].insert(0, {"name": "score", "type": 3, "description": "Score"}),
    "an unknown field": lambda body: put(body, colour=3),
}


@pytest.mark.parametrize("how", BROKEN_COMMANDS)
def test_a_broken_command_is_caught(how: str) -> None:
    body = command()
    BROKEN_COMMANDS[how](body)
    assert faults_of("PUT", "/api/v10/applications/1000/commands", [body])


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/api/v10/channels/2001/letters", None),
        ("PUT", POSTING, None),
        ("POST", "/api/v10/channels/2001/threads", {"name": "x" * 101, "type": 11}),
        ("POST", "/api/v10/channels/2001/threads", {"name": "R1", "type": 11, "auto_archive_duration": 7}),
        ("POST", ANSWERING, {"type": 8, "data": {"choices": [{"name": "x" * 101, "value": "x"}]}}),
        ("POST", ANSWERING, {"type": 8, "data": {"choices": [{"name": f"{n}", "value": f"{n}"} for n in range(26)]}}),
        ("POST", "/api/v10/users/@me/channels", {"recipient_id": "someone"}),
    ],
)
def test_another_broken_request_is_caught(method: str, path: str, body: Any) -> None:
    assert faults_of(method, path, body)
