"""The command line: `exec` simulates a test, `plot` draws one. Python 3.8."""

import argparse
import logging
import sys

from .px4.aerialist_test import (
    AerialistTest,
    AerialistTestResult,
    AgentConfig,
    AssertionConfig,
    MissionConfig,
    RobotConfig,
    SimulationConfig,
)
from .px4.docker_agent import DockerAgent
from .px4.k8s_agent import K8sAgent
from .px4.local_agent import LocalAgent
from .px4.plot import Plot

logger = logging.getLogger(__name__)
_AGENTS = {AgentConfig.LOCAL: LocalAgent, AgentConfig.DOCKER: DockerAgent, AgentConfig.K8S: K8sAgent}


def execute_test(test):
    """Simulate a test with the agent it names."""
    return _AGENTS[test.agent.engine](test).run()


def run_experiment(args):
    """`exec`."""
    if args.test is not None:
        test = AerialistTest.from_yaml(args.test)
    else:
        test = AerialistTest(
            RobotConfig(args.robot or "sitl", params_file=args.params, mission_file=args.mission),
            SimulationConfig(
                args.simulator or "gazebo",
                speed=args.speed,
                headless=args.headless,
                obstacles=args.obstacle + args.obstacle2 + args.obstacle3 + args.obstacle4,
                home_position=args.home,
            ),
            MissionConfig(commands_file=args.commands, speed=args.speed),
            AssertionConfig(log_file=args.log),
        )
    if test.agent is None:
        test.agent = AgentConfig(args.agent, args.n, args.path, args.id)
    results = execute_test(test)
    sys.stdout.write("LOG:{}\n".format(results[0].log_file))
    Plot.plot_test(test, results)


def plot_test(args):
    """`plot`."""
    test = AerialistTest.from_yaml(args.test) if args.test is not None else AerialistTest()
    single = args.log.endswith(".ulg")
    Plot.plot_test(
        test, [AerialistTestResult(args.log)] if single else AerialistTestResult.load_folder(args.log)
    )


def arg_parse(words=None):
    """The options."""
    parser = argparse.ArgumentParser(description="UAV test bench (answered by uav-testgen as-aerialist)")
    commands = parser.add_subparsers(required=True, dest="command")
    execute = commands.add_parser("exec", description="simulate a test")
    for name in ("--test", "--mission", "--params", "--simulator", "--commands", "--log", "--path", "--id"):
        execute.add_argument(name)
    execute.add_argument("--robot", "--drone", dest="robot")
    execute.add_argument("--agent", default="local", choices=sorted(_AGENTS))
    execute.add_argument("-n", type=int, default=1)
    execute.add_argument("--headless", action="store_true")
    execute.add_argument("--speed", type=float, default=1)
    execute.add_argument("--home", nargs=3, type=float)
    for name in ("--obstacle", "--obstacle2", "--obstacle3", "--obstacle4"):
        execute.add_argument(name, nargs=7, type=float, default=[])
    execute.set_defaults(func=run_experiment)
    plot = commands.add_parser("plot", description="plot a simulated test")
    plot.add_argument("--test")
    plot.add_argument("--log", "--logs", required=True)
    plot.set_defaults(func=plot_test)
    return parser.parse_args(words)


def main():
    """Run one command; exit code 1 if it fails."""
    logging.basicConfig(level=logging.INFO)
    args = arg_parse()
    try:
        args.func(args)
    except Exception as error:
        logger.exception("program terminated: %s", error)
        sys.exit(1)
