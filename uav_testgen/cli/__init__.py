"""The `uav-testgen` command: argument parsing and printing, nothing else."""
