"""What these tests have to know of a feature, and what a subject gives to them."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.services.base.post_kinds import PostKind
from tests.services.conftest import World
from tests.services.meeting.scene import STAGES, Scene, hear_directly, until_deadline


@dataclass(frozen=True, kw_only=True)
class Feature:
    """What someone holds: the use cases that bring it about, the rows that say so, and the messages that ask.

    `open` selects what is open of it; nothing once it's over. `alone` is the stage the feature brings with it.
    """

    begin: Callable[[Scene], Awaitable[None]] | None = None
    alone: Callable[[World], Awaitable[Scene]] | None = None
    open: str
    tables: set[str]
    kinds: set[PostKind] = field(default_factory=set[PostKind])
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])

    async def set_up(self, world: World, stage: str, *, late: bool = False) -> Scene:
        """Return a scene in which someone holds this; `late` is shortly before the deadline."""
        return await self.held(await self.before(world, stage), late=late)

    async def before(self, world: World, stage: str, *, direct: bool = False) -> Scene:
        """Return the scene in which someone comes to hold this, or holds it where the feature brings the stage.

        With `direct` people want to hear of everything by direct message.
        """
        scene = await (self.alone(world) if self.alone is not None else STAGES[stage](world, **self.settings))
        if direct:
            await hear_directly(scene)
        return scene

    async def held(self, scene: Scene, *, late: bool = False, sent: bool = True) -> Scene:
        """Let someone hold this; with `sent` people have been told of it."""
        if late:
            await until_deadline(scene, hours=4)
        if self.begin is not None:
            await self.begin(scene)
        if sent:
            await scene.announce()
        return scene


@dataclass(frozen=True, kw_only=True)
class Subject:
    """The features of a subject with their rows of the table, and where its messages and buttons belong.

    `quick` is one event for each feature, which `make test` looks at; the rest is as `laws.py` has it.
    """

    features: Mapping[str, Feature]
    rows: Mapping[str, Mapping[str, str]]
    quick: Mapping[str, str]
    answers: set[str] = field(default_factory=set[str])
    shows: set[str] = field(default_factory=set[str])
    tells: set[PostKind] = field(default_factory=set[PostKind])
    deleted: set[PostKind] = field(default_factory=set[PostKind])
    presses: Mapping[PostKind, Callable[[Any], Awaitable[Any]]] = field(default_factory=dict[PostKind, Any])
