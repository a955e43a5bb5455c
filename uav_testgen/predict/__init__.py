"""One prediction for every door: runs drawn, flown, corrected and counted in one place."""

from uav_testgen.core.callable_room import callable_as

callable_as(__name__, "uav_testgen.api:predict")
