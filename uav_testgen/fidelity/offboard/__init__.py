"""Is the offboard vehicle true: logs of a live PX4, its set-points replayed, its scenes flown again."""
