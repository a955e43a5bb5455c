"""Between the graph and a planner of somebody else: a planner profile as messages, clocks and a process."""
