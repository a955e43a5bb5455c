"""Turning the crank: one thread, own signal handling, a clean end.

rclpy's EventsExecutor handles a callback in a fraction of the time of the wait-set executor, which builds
its wait set anew for every message: in a composed graph that decides how many times real time is reached.
But in the releases up to 2026 it crashes the interpreter when a task raises while exactly one node is
registered (https://github.com/ros2/rclpy/issues/1641), and may do so when subscriptions are destroyed while
it spins (issue 1644). So it serves composed graphs, which have several nodes and keep their subscriptions;
everything else, and an older rclpy that lacks it, has the wait-set executor.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import rclpy
from rclpy.executors import Executor, SingleThreadedExecutor
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from rclpy.subscription import Subscription

from uav_testgen.core.errors import UavTestgenError
from uav_testgen.core.plain_text import one_line
from uav_testgen.graph.environment import DEFAULT_PROFILE, PARENT_VARIABLE, settings_over
from uav_testgen.ros.params import refuse_unknown

_log = logging.getLogger(__name__)

WAKE_UP_S = 0.2
"""Longest sleep between two looks at the stop request."""


def make_executor(nodes: int, context: rclpy.Context | None = None) -> Executor:
    """The quickest single-threaded executor that is safe for this number of nodes."""
    if nodes > 1:
        with contextlib.suppress(ImportError):
            from rclpy.experimental.events_executor import EventsExecutor

            return EventsExecutor(context=context)
    return SingleThreadedExecutor(context=context)


def spin_until(executor: Executor, finished: Callable[[], bool], timeout_s: float) -> bool:
    """Handle events until `finished()` holds; False when the time is over first."""
    deadline = time.monotonic() + timeout_s
    while not finished():
        left_s = deadline - time.monotonic()
        if left_s <= 0.0:
            return False
        executor.spin_once(timeout_sec=min(WAKE_UP_S, left_s))
    return True


def waiting(subscription: Subscription) -> Iterator[Any]:
    """Messages that have come and were not handed over yet."""
    with subscription.handle:
        taken = subscription.handle.take_message
        while (found := taken(subscription.msg_type, subscription.raw)) is not None:
            yield found[0]


class StopRequest:
    """SIGINT and SIGTERM while it is entered. During `interruptible` they break off at once."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self.asked = False
        self._at_once = False

    def __enter__(self) -> StopRequest:
        numbers = (signal.SIGINT, signal.SIGTERM)
        self._former = {number: signal.signal(number, self._ask) for number in numbers}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._former.items():
            signal.signal(number, handler)

    @contextlib.contextmanager
    def interruptible(self) -> Iterator[None]:
        """Work that may take long and leaves nothing half-done: making nodes, compiling."""
        self._at_once = True
        try:
            yield
        finally:
            self._at_once = False

    def _ask(self, _number: int, _frame: Any) -> None:
        self.asked = True
        if self._at_once:
            raise KeyboardInterrupt
        self._executor.wake()


def run_nodes(
    makers: Sequence[Callable[[], Node]],
    arguments: Sequence[str] | None = None,
    profile: str = DEFAULT_PROFILE,
) -> int:
    """Process of one node, or of several composed: make, spin until told to stop, take apart.

    A wrong parameter ends it with one line and exit code 2, as everywhere else.
    """
    # A node started by hand gets the same discovery range and transport as one started by the graph.
    os.environ.update(settings_over(os.environ, profile))
    logging.basicConfig(level=logging.INFO, format="[%(levelname)s] %(name)s: %(message)s")
    rclpy.init(args=arguments, signal_handler_options=SignalHandlerOptions.NO)
    nodes: list[Node] = []
    executor = make_executor(len(makers))
    stop = StopRequest(executor)
    try:
        parent = os.environ.get(PARENT_VARIABLE, "")
        with stop:
            if parent:  # also while kernels are compiled, which takes minutes on a busy machine
                threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
            with stop.interruptible():
                for make in makers:
                    nodes.append(make())
                    refuse_unknown(nodes[-1])
                    executor.add_node(nodes[-1])
            while (
                not stop.asked
                and not _orphaned(parent)
                and not any(getattr(node, "finished", False) for node in nodes)
            ):
                executor.spin_once(timeout_sec=WAKE_UP_S)
        return max((getattr(node, "exit_code", 0) for node in nodes), default=0)
    except KeyboardInterrupt:
        return 0
    except UavTestgenError as error:
        sys.stderr.write(f"{one_line(str(error))}\n")
        return error.exit_code
    except Exception:
        if stop.asked:  # a compiler that is interrupted may turn the interruption into another error
            return 0
        raise
    finally:
        take_down(executor, nodes)
        rclpy.try_shutdown()


def _end_with(parent: str) -> None:
    while not _orphaned(parent):
        time.sleep(WAKE_UP_S)
    os.kill(os.getpid(), signal.SIGTERM)


def _orphaned(parent: str) -> bool:
    """The process that started us as part of a graph is gone; without it nobody would ever end us."""
    return bool(parent) and os.getppid() != int(parent)


def take_down(executor: Executor, nodes: Sequence[Node]) -> None:
    """Destroy nodes in reverse order; trouble with one does not keep the others alive."""
    for node in reversed(nodes):
        try:
            executor.remove_node(node)
            node.destroy_node()
        except Exception as error:
            _log.warning("%s did not end cleanly: %s", node.get_name(), error)
    executor.shutdown()
