"""Listens to `tf` and `tf_static` from the moment transforms are needed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Final

from uav_testgen.core.errors import PlannerInputError
from uav_testgen.ros import topics
from uav_testgen.ros.frames_tf import tf_message
from uav_testgen.ros.graph_node import GraphNode
from uav_testgen.ros.matching import stamp_ns
from uav_testgen.ros.qos import LATCHED_READER, LOCK_STEP
from uav_testgen.ros.tf_tree import Placed, TransformTree

_WAITING: Final = 8
"""Messages that wait for their transform; it may come a moment after them."""
Use = Callable[[Placed], None]


class TfListener:
    """A transform tree that fills itself; whoever asks too early is answered when the transform has come."""

    def __init__(self, node: GraphNode) -> None:
        self.tree = TransformTree()
        self._node = node
        self._waiting: deque[tuple[str, str, int, Use]] = deque(maxlen=_WAITING)
        self._listening = False

    def when_known(self, target: str, source: str, stamp: int, use: Use) -> None:
        """Call `use` with the source frame in the target frame, at once or when it is known."""
        self._listen()
        try:
            placed = self.tree.lookup(target, source, stamp)
        except PlannerInputError as error:
            self._waiting.append((target, source, stamp, use))
            if len(self._waiting) == _WAITING:  # it does not come: say so
                raise PlannerInputError(f"frame '{source}': {error}") from None
            return
        use(placed)

    def forget(self) -> None:
        """Nobody waits any more: a new flight."""
        self._waiting.clear()

    def _listen(self) -> None:
        """Only now: the vehicle sends transforms when somebody wants them, and most planners do not."""
        if self._listening:
            return
        kind = tf_message()
        if kind is None:
            raise PlannerInputError("clouds in other frames than map need the package tf2_msgs")
        self._listening = True
        for topic, qos, static in (
            (topics.TF_STATIC, LATCHED_READER, True),
            (topics.TF, LOCK_STEP, False),
        ):
            take = self._node.guarded(topic, self._taker(static))
            self._node.create_subscription(kind, topic, take, qos)

    def _taker(self, static: bool) -> Callable[[Any], None]:
        def take(message: Any) -> None:
            insert_all(self.tree, message, static=static)
            waiting, self._waiting = self._waiting, deque(maxlen=_WAITING)
            for target, source, stamp, use in waiting:
                try:
                    placed = self.tree.lookup(target, source, stamp)
                except PlannerInputError:
                    self._waiting.append((target, source, stamp, use))
                else:
                    use(placed)

        return take


def insert_all(tree: TransformTree, message: Any, *, static: bool) -> None:
    """Take in a message of `tf` or `tf_static`."""
    for one in message.transforms:
        moved, turned = one.transform.translation, one.transform.rotation
        tree.insert(
            one.header.frame_id.lstrip("/"),
            one.child_frame_id.lstrip("/"),
            stamp_ns(one),
            (moved.x, moved.y, moved.z),
            (turned.w, turned.x, turned.y, turned.z),
            static=static,
        )
