"""Many tests: the loop of asking, flying, judging and keeping, with resume."""

from uav_testgen.core.callable_room import callable_as

callable_as(__name__, "uav_testgen.api:campaign")
