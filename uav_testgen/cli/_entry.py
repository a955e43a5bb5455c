"""What the shell starts: signals are answered before anything else is imported."""

from __future__ import annotations

from uav_testgen.cli._hasty import answer_around_the_command


def main() -> int:
    """Run one sub-command; what the exit code means is in `uav_testgen.core.exit_codes`."""
    answer_around_the_command()
    from uav_testgen.cli import main as command

    return command.main()
