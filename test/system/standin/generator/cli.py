"""A generator as participants write them: moves one wall along the path and keeps what the drone came near to.

python3 cli.py generate CASE BUDGET
"""

import os
import random
import shutil
import sys

try:
    from aerialist.px4.aerialist_test import AerialistTest as Test
except ImportError:
    from aerialist.px4.drone_test import DroneTest as Test
from aerialist.px4.obstacle import Obstacle
from testcase import TestCase


def generate(case_study, budget):
    rng = random.Random(7)
    found, skipped = [], 0
    for number in range(budget):
        if number % 3 == 2 and found:
            obstacles = found[0][1].test.simulation.obstacles  # the same scene once more
        else:
            size = Obstacle.Size(rng.uniform(10, 18), 2.0, 20.0)
            place = Obstacle.Position(rng.uniform(-6.0, 2.0), rng.uniform(18.0, 30.0), 0, rng.uniform(0, 30))
            obstacles = [Obstacle(size, place)]
        test = TestCase(case_study, obstacles)
        try:
            test.execute()
        except Exception as error:
            print(f"skipped: {error}")
            skipped += 1
            continue
        found.append((test.distance(), test))
        print(f"distance:{found[-1][0]:.6f}")
    return found, skipped


def main():
    case_study = Test.from_yaml(sys.argv[2])
    found, skipped = generate(case_study, int(sys.argv[3]))
    folder = "generated_tests/"
    os.makedirs(folder, exist_ok=True)
    for number, (_, test) in enumerate(sorted(found, key=lambda pair: pair[0])):
        test.save_yaml(f"{folder}test_{number}.yaml")
        shutil.copy2(test.log_file, f"{folder}test_{number}.ulg")
    print(f"{len(found)} test cases generated, {skipped} skipped")


if __name__ == "__main__":
    main()
