"""Several planners on the same scenes."""
