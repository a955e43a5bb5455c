"""Which link of the chain is wrong: the planner's waypoint, PX4's set-point, or the motion that follows it."""
