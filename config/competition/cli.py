#!/usr/bin/python3
"""The competition's command: python3 cli.py generate CASE BUDGET."""

import argparse
import logging
import os
import shutil
import sys
from datetime import datetime

from decouple import config
from generator import TestGenerator

TESTS_FOLDER = config("TESTS_FOLDER", default="./generated_tests/")
logger = logging.getLogger(__name__)


def main(words=None):
    """Generate tests and copy them with logs and plots into one folder, best first."""
    parser = argparse.ArgumentParser(description="UAV test generator")
    commands = parser.add_subparsers(dest="command", required=True)
    generate = commands.add_parser("generate", description="generate tests")
    generate.add_argument("test", help="case study (YAML)")
    generate.add_argument("budget", type=int, help="simulations allowed")
    arguments = parser.parse_args(words)
    os.makedirs("logs", exist_ok=True)
    logging.basicConfig(
        level=logging.INFO, filename="logs/generator.txt", format="%(asctime)s %(name)s %(message)s"
    )
    logging.getLogger().addHandler(logging.StreamHandler())
    tests = TestGenerator(arguments.test).generate(arguments.budget)
    folder = os.path.join(TESTS_FOLDER, datetime.now().strftime("%d-%m-%H-%M-%S"))
    os.makedirs(folder)
    for number, test in enumerate(tests):
        stem = os.path.join(folder, "test_{}".format(number))
        test.save_yaml(stem + ".yaml")
        shutil.copy2(test.log_file, stem + ".ulg")
        if test.plot_file and os.path.isfile(test.plot_file):
            shutil.copy2(test.plot_file, stem + ".png")
    print("{} test cases generated".format(len(tests)))
    print("output folder: {}/".format(folder))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Exception as error:
        logger.exception("program terminated: %s", error)
        sys.exit(1)
