"""A channel: one game as its watchers follow it, with the events that they still need."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from math import inf
from typing import Any, Literal, NamedTuple

import msgspec
from granian.rsgi import ProtocolClosed, ProtocolError

from events.clocks import DEFAULT_PATIENCE, Patience
from events.entries import Carved, GameSettled, SeatHandedOver, SeatLeft, SeatTokenRenewed
from events.game import Game, unfold
from events.show import visible_event
from events.store import Head
from games.kernel import Registry, Ruleset, Viewer
from replays.frames import Perspective, frame
from services.bodies.log import LiveFrameBody
from services.core.public_status import NOTHING_MORE, Include, included, own_status, public_status
from services.http.streams import REWOUND, Moment, Watch

RENEWING = (SeatTokenRenewed, SeatLeft, SeatHandedOver)
"""Entries after which earlier tokens of their seat are dead."""
CACHED_EVENTS = 512
"""Events that a channel keeps ready to be sent."""
STREAM_BYTES = 1 << 20
"""What one stream carries at most. The server takes what it is given and does not tell whether the client reads, so
a client's receipt is that it comes back for more: one that does not read cannot make us keep more than this."""

Send = Callable[[bytes], Awaitable[None]]
StreamOutcome = Literal["complete", "token", "rewound", "interrupted"]
"""Why a stream has ended: nothing more can come, the viewer is not let in any more, entries were lost, or by a failure
or the end of the process; the client may come back after the last two."""


class Rendering(NamedTuple):
    """For whom and in which form a stream is made: watchers of the same rendering share what is made for them."""

    viewer: Viewer
    everything: bool = False
    """Once the game is settled, all lies open."""
    frames: bool = False
    include: Include = NOTHING_MORE
    """What each frame holds beside: what the viewer may do, and that in words."""
    lines: bool = False
    """JSON, one value a line, in place of server-sent events."""


class Event(NamedTuple):
    """An entry as one rendering shows it, ready to be sent, and what it means for streams."""

    seq: int
    data: bytes
    settles: bool
    renewed: tuple[int, int] | None
    """The seat whose token was renewed, and the generation from which on tokens hold."""


class Due(NamedTuple):
    """What is to be sent to a watcher now, up to which entry, and why its stream ends there, if it does."""

    data: bytes
    last: int
    ends: StreamOutcome | None = None


class Watcher:
    """One stream, as far as it has been sent."""

    def __init__(self, watch: Watch, send: Send, *, lines: bool = False) -> None:
        self.viewer = watch.viewer
        self.generation = watch.generation
        self.guest = watch.guest
        self.cursor = watch.after
        self.rendering = Rendering(watch.viewer, lines=lines)
        self.game: Game | None = None
        """The game as of the cursor, until the channel has it."""
        self.missed: Sequence[Moment] = ()
        if watch.frames:
            self.rendering = self.rendering._replace(frames=True, include=watch.frames.include)
            self.game, self.missed = watch.frames.game, watch.frames.missed
        self.ended: asyncio.Future[StreamOutcome] = asyncio.get_running_loop().create_future()
        self.live = False
        """Has it caught up? Then it is sent what comes, as it comes."""
        self.latest = time.monotonic()
        self._send = send
        self._room = inf if lines else STREAM_BYTES  # lines go to who knows what its client has read

    def open_up(self) -> None:
        """The game is settled: everything lies open. Who sees no actions sees the same as everyone."""
        viewer = self.viewer if self.rendering.include.actions else None
        self.rendering = self.rendering._replace(viewer=viewer, everything=True)

    def due(self, events: Iterable[Event]) -> Due:
        """What these events mean for this stream."""
        data: list[bytes] = []
        last = self.cursor
        for event in events:
            if event.seq <= self.cursor:
                continue
            if self._loses_its_token(event) or (event.settles and self.guest):
                return Due(b"".join(data), last, "token")
            data.append(event.data)
            last = event.seq
            if event.settles:
                return Due(b"".join(data), last, "complete")
        return Due(b"".join(data), last)

    def rewound(self) -> Due:
        """The log has lost entries."""
        return Due(b"" if self.rendering.lines else REWOUND, 0, "rewound")

    def _loses_its_token(self, event: Event) -> bool:
        if event.renewed is None or self.generation is None:
            return False
        seat, generation = event.renewed
        return seat == self.viewer and generation > self.generation

    async def take(self, due: Due) -> None:
        """Send what is due. That a client has gone is no error: its stream has ended."""
        self.cursor = due.last
        self.latest = time.monotonic()
        self._room -= len(due.data)
        try:
            await self._send(due.data)
        except (ProtocolClosed, ProtocolError):
            self.end()
        if due.ends or self._room <= 0:
            self.end(due.ends or "interrupted")

    def end(self, why: StreamOutcome = "interrupted") -> None:
        """Nothing more is sent. The server closes a connection when nobody can send on it, so let go of that too."""
        self.live = False
        self._send = nowhere
        if not self.ended.done():
            self.ended.set_result(why)


async def nowhere(_: bytes) -> None:
    """Where the stream of a watcher leads that has ended."""


class Channel:
    """A game that is watched: where its log ends, as far as this process knows, and who follows it."""

    def __init__(self, game: str, rulesets: Registry, patience: Patience = DEFAULT_PATIENCE) -> None:
        self.game = game
        self.rulesets = rulesets
        self.patience = patience
        self.state: Game | None = None
        """The game as of the head, as long as someone watches its frames."""
        self.head: Head | None = None
        self.settled = False
        self.ruleset: Ruleset[Any, Any] | None = None
        self.users = 0
        self.watchers: set[Watcher] = set()
        self.waits: dict[asyncio.Future[None], int] = {}
        """Who waits for a version beyond a number."""
        self._shelf: dict[tuple[int, Rendering], Event] = {}

    @property
    def version(self) -> int:
        return self.head.seq if self.head else 0

    def moved_to(self, latest: Carved) -> None:
        """The log ends here now."""
        self.head = Head(latest.seq, latest.hash)
        self.settled = isinstance(latest.data, GameSettled)
        for wait, version in self.waits.items():
            if latest.seq > version and not wait.done():
                wait.set_result(None)

    def tell(self, news: Sequence[Carved]) -> list[tuple[Watcher, Due]]:
        """Entries were added to the log: what is due to everyone who has caught up with what was before.

        Watchers of the same rendering that are equally far share it.
        """
        self.moved_to(news[-1])
        deliveries: list[tuple[Watcher, Due]] = []
        due_by_kind: dict[tuple[Rendering, int | None, int, bool], Due] = {}
        moments = self._unfold(news)
        for watcher in self.watchers:
            if watcher.live:
                key = (watcher.rendering, watcher.generation, watcher.cursor, watcher.guest)
                if key not in due_by_kind:
                    due_by_kind[key] = watcher.due(self.events(moments, watcher.rendering))
                deliveries.append((watcher, due_by_kind[key]))
        return deliveries

    def _unfold(self, news: Sequence[Carved]) -> list[Moment]:
        """The moments of these entries: with the game after each, if anyone watches frames."""
        if self.state and any(watcher.rendering.frames for watcher in self.watchers):
            moments = list(unfold(news, self.rulesets, self.state))
            self.state = moments[-1][1]
            return [*moments]
        self.state = None
        return [(carved, None) for carved in news]

    def events(self, moments: Iterable[Moment], rendering: Rendering) -> list[Event]:
        """These moments in a rendering; each is made once for all who watch the same."""
        return [
            self._shelf.get((carved.seq, rendering)) or self._render(carved, game, rendering)
            for carved, game in moments
        ]

    def at_hand(self, after: int, rendering: Rendering) -> list[Event]:
        """The events after a number that are on the shelf, up to the first that is not."""
        events = []
        while event := self._shelf.get((after + 1, rendering)):
            events.append(event)
            after += 1
        return events

    def _render(self, carved: Carved, game: Game | None, rendering: Rendering) -> Event:
        assert self.ruleset, "a stream learns the rules of its game first"
        data = carved.data
        settles = isinstance(data, GameSettled)
        opened = rendering.everything or settles
        if rendering.frames:
            assert game, "a frame is made of the game after its entry"
            shown: Any = self._frame(carved, game, rendering, opened)
        else:
            shown = visible_event(carved, rendering.viewer, self.ruleset, settled=opened)
        renewed = (data.seat, data.generation) if isinstance(data, RENEWING) else None
        content = msgspec.json.encode(shown)
        line = content + b"\n" if rendering.lines else b"id: %d\ndata: %b\n\n" % (carved.seq, content)
        event = self._shelf[carved.seq, rendering] = Event(carved.seq, line, settles, renewed)
        if len(self._shelf) > CACHED_EVENTS:
            del self._shelf[next(iter(self._shelf))]
        return event

    def _frame(self, carved: Carved, game: Game, rendering: Rendering, opened: bool) -> LiveFrameBody:
        """All that a client needs after an entry, so that it asks for nothing else."""
        viewer, rulesets = rendering.viewer, self.rulesets
        shown = frame(carved, game, Perspective(viewer, everything=opened), rulesets)
        return LiveFrameBody(
            version=shown.version,
            event=shown.event,
            view=shown.view,
            **included(game, viewer, rulesets, rendering.include),
            **public_status(game, self.patience),
            **own_status(game, viewer, rulesets),
        )

    def end(self) -> None:
        """Every stream ends and every wait is over."""
        for watcher in self.watchers:
            watcher.end()
        self.end_waits()

    def end_waits(self) -> None:
        """Every wait is over."""
        for wait in self.waits:
            if not wait.done():
                wait.set_result(None)
