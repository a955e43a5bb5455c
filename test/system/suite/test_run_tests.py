"""`make test` always ends: hanging tests, dying workers and forgotten processes are named, and gone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from uav_testgen.graph.process_identity import has_ended_here
from uav_testgen.testing.commands import wait_until

RUN = Path(__file__).resolve().parents[3] / "tools" / "run_tests.py"
PLUGINS = ["-p", "xdist", "-p", "pytest_timeout", "-p", "no:cacheprovider", "-rA"]
"""And no others: each run would import all that is installed, in each of its processes."""


class Run:
    """A test file, run as `make test` does. The output ends when nobody holds it any more."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def start(self, source: str, *options: str, jobs: int = 1) -> subprocess.Popen[str]:
        (self.folder / "pytest.ini").write_text("[pytest]\ntimeout = 300\n")
        (self.folder / "test_it.py").write_text(textwrap.dedent(source))
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        return subprocess.Popen(
            [sys.executable, str(RUN), *options, "--", "-n", str(jobs), "--dist", "loadgroup", *PLUGINS],
            cwd=self.folder,
            env={**environment, "FOLDER": str(self.folder), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
        )

    def __call__(self, source: str, *options: str, jobs: int = 1) -> tuple[int, str]:
        with self.start(source, *options, jobs=jobs) as process:
            text, _ = process.communicate()
        return process.returncode, text


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path)


def is_running(pid_file: Path) -> bool:
    return not has_ended_here(int(pid_file.read_text()))


FORGOTTEN = """
    import os, pathlib, subprocess, sys

    def leave_something():
        # A daemon: whoever started it has ended, and it holds the output of the run.
        starter = "import subprocess; print(subprocess.Popen(['sleep', '1000'], start_new_session=True, stdout=2).pid)"
        pid = subprocess.check_output([sys.executable, "-c", starter], text=True)
        pathlib.Path(os.environ["FOLDER"], "pid").write_text(pid)
"""


def test_good_tests_are_good(run: Run) -> None:
    code, text = run("def test_fine(): pass")
    assert (code, "1 passed" in text) == (0, True), text


@pytest.mark.parametrize("told_to_keep_none", [True, False])
def test_programs_of_tests_find_bytecode_wherever_python_keeps_none(
    told_to_keep_none: bool, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else each of hundreds of programs compiles all its modules anew. What tests wrote themselves goes."""
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1" if told_to_keep_none else "")
    source = """
    import importlib.util, os, pathlib, subprocess, sys

    def test_start():
        said = "import sys, yaml; print(sys.dont_write_bytecode, sys.pycache_prefix, yaml.__cached__)"
        words = subprocess.check_output([sys.executable, "-c", said], text=True).split()
        own = importlib.util.cache_from_source(os.environ["FOLDER"] + "/mine.py")
        pathlib.Path(os.environ["FOLDER"], "mine.py").write_text("")
        subprocess.run([sys.executable, "-c", "import mine"], cwd=os.environ["FOLDER"], check=True)
        assert pathlib.Path(own).exists()
        pathlib.Path(os.environ["FOLDER"], "found").write_text("\\n".join([*words, own]))
    """
    code, text = run(source)
    assert code == 0, text
    writes_none, prefix, library, own = (tmp_path / "found").read_text().splitlines()
    assert writes_none == "False" and Path(library).is_file()
    assert (prefix == str(Path(sys.prefix) / "bytecode")) == told_to_keep_none
    assert Path(own).exists() == (not told_to_keep_none)  # there it lies beside the source


def test_the_total_limit_ends_the_run(run: Run) -> None:
    code, text = run("import time\ndef test_endless(): time.sleep(1000)\n", "--limit-s", "1")
    assert code == 1 and "not finished after 1 s; running:" in text


def test_the_end_of_a_run_names_the_test_and_leaves_nothing(run: Run, tmp_path: Path) -> None:
    source = (
        FORGOTTEN
        + """
    import time

    def test_endless():
        leave_something()
        time.sleep(1000)
    """
    )
    with run.start(source) as process:
        while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        text, _ = process.communicate()
    assert process.returncode == 1
    assert "told to stop; running:" in text and "test_it.py::test_endless (worker gw0" in text
    assert not is_running(tmp_path / "pid")


@pytest.mark.parametrize("which", ["outside", "inside"])
def test_a_killed_runner_leaves_nothing(which: str, run: Run, tmp_path: Path) -> None:
    """kill -9: nothing can be said or cleaned up any more by whoever it hits."""
    source = (
        FORGOTTEN
        + """
    import time

    def test_endless():
        leave_something()
        pathlib.Path(os.environ["FOLDER"], "worker").write_text(str(os.getpid()))
        time.sleep(1000)
    """
    )
    with run.start(source) as process:
        while not (tmp_path / "worker").exists() or not (tmp_path / "worker").read_text():
            time.sleep(0.1)
        inside = int(Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()[0])
        os.kill(process.pid if which == "outside" else inside, signal.SIGKILL)
        process.communicate()  # ends when nobody holds the output any more
    assert process.returncode == (-signal.SIGKILL if which == "outside" else 1)
    assert not is_running(tmp_path / "pid") and not is_running(tmp_path / "worker")


def test_a_crowd_uses_up_the_processors_and_leaves_with_the_tests(run: Run, tmp_path: Path) -> None:
    code, text = run(
        """
    import os, pathlib, time

    def test_crowded(request):
        runner = os.getppid()
        while int(pathlib.Path(f"/proc/{runner}/stat").read_text().rpartition(")")[2].split()[1]) > 1:
            words = pathlib.Path(f"/proc/{runner}/cmdline").read_bytes()
            if b"--inside" in words:
                break
            runner = int(pathlib.Path(f"/proc/{runner}/stat").read_text().rpartition(")")[2].split()[1])
        children = pathlib.Path(f"/proc/{runner}/task/{runner}/children").read_text().split()
        burners = [one for one in children if b"range(10_000)" in pathlib.Path(f"/proc/{one}/cmdline").read_bytes()]
        assert len(burners) == 3
        assert request.node.get_closest_marker("timeout").args == (600.0,)
        pathlib.Path(os.environ["FOLDER"], "burners").write_text(" ".join(burners))
    """,
        "--crowd", "3", "--patience", "2",
    )  # fmt: skip
    assert code == 0, text
    assert "3 programs use up the processors meanwhile" in text and "load at the end" in text
    assert "left this running" not in text
    assert all(has_ended_here(int(pid)) for pid in (tmp_path / "burners").read_text().split())


def test_a_killed_runner_takes_the_crowd_along(run: Run, tmp_path: Path) -> None:
    source = """
    import os, pathlib, time

    def test_endless():
        pathlib.Path(os.environ["FOLDER"], "running").touch()
        time.sleep(1000)
    """
    with run.start(source, "--crowd", "2") as process:
        wait_until((tmp_path / "running").exists, "the test")
        found = [
            int(pid) for pid in os.listdir("/proc") if pid.isdigit() and _burns_for(int(pid), process.pid)
        ]
        assert len(found) == 2
        process.kill()
        process.communicate()
    wait_until(lambda: all(map(has_ended_here, found)), "the end of the crowd")


def _burns_for(pid: int, runner: int) -> bool:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes()
        parent = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        above = int(Path(f"/proc/{parent}/stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, ValueError):
        return False
    return b"range(10_000)" in words and above == runner


def test_a_forgotten_process_is_named_ended_and_fails_the_run(run: Run, tmp_path: Path) -> None:
    code, text = run(FORGOTTEN + "\n    def test_forgets(): leave_something()\n", "--leave-s", "1")
    assert code == 1 and "1 passed" in text
    assert "left this running: sleep 1000" in text
    assert not is_running(tmp_path / "pid")


def test_a_test_that_cannot_be_interrupted_fails_and_the_run_goes_on(run: Run) -> None:
    source = """
    import signal, time
    import pytest

    @pytest.mark.timeout(1)
    def test_deaf():
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
        time.sleep(1000)

    def test_next(): pass
    """
    code, text = run(source, "--grace-s", "2")
    assert code == 1
    assert "test_it.py::test_deaf has been hanging" in text
    assert "PASSED test_it.py::test_next" in text and "FAILED test_it.py::test_deaf" in text


def test_what_tests_share_is_made_once(run: Run, tmp_path: Path) -> None:
    """Two workers, one module: the tests that share its fixture run on one of them, the others anywhere."""
    source = """
    import os
    import pytest

    @pytest.fixture(scope="module")
    def costly():
        with open(os.environ["FOLDER"] + "/made", "a") as file:
            file.write("x")

    @pytest.fixture
    def through(costly): pass

    @pytest.mark.parametrize("number", range(8))
    def test_uses(number, costly): pass

    @pytest.mark.parametrize("number", range(8))
    def test_uses_it_through_another(number, through): pass

    @pytest.mark.parametrize("number", range(8))
    def test_alone(number): pass
    """
    code, text = run(source, jobs=2)
    assert code == 0 and "24 passed" in text, text
    assert (tmp_path / "made").read_text() == "x"


def test_nothing_repeats_a_test_that_fails(pytestconfig: pytest.Config) -> None:
    """Colcon brings plugins that do when they are asked to, by a marker, a variable or a configuration file."""
    assert not pytestconfig.pluginmanager.has_plugin("rerunfailures")
    assert not pytestconfig.pluginmanager.has_plugin("repeat")


def test_a_group_stays_on_one_worker(run: Run, tmp_path: Path) -> None:
    source = """
    import os
    import pytest

    def note(name):
        with open(os.environ["FOLDER"] + "/" + name, "a") as file:
            print(os.environ["PYTEST_XDIST_WORKER"], file=file)

    @pytest.mark.xdist_group("together")
    @pytest.mark.parametrize("number", range(8))
    def test_together(number): note("together")

    @pytest.mark.parametrize("number", range(8))
    def test_apart(number): note("apart")
    """
    code, text = run(source, jobs=2)
    assert code == 0 and "16 passed" in text, text
    assert len(set((tmp_path / "together").read_text().split())) == 1


def test_what_may_take_longest_is_begun_first(run: Run, tmp_path: Path) -> None:
    """Begun last, it would keep one worker busy while the others have nothing left to do."""
    source = """
    import os
    import pytest

    @pytest.fixture(autouse=True)
    def noted(request):
        with open(os.environ["FOLDER"] + "/order", "a") as file:
            print(request.node.name, file=file)

    @pytest.mark.timeout(20)
    @pytest.mark.parametrize("number", range(5))
    def test_quick(number): pass

    @pytest.mark.timeout(50)
    @pytest.mark.parametrize("number", range(2))
    @pytest.mark.xdist_group("together")
    def test_two(number): pass

    @pytest.mark.timeout(70)
    def test_long(): pass
    """
    code, text = run(source, jobs=1)
    assert code == 0 and "8 passed" in text, text
    order = [name.partition("[")[0] for name in (tmp_path / "order").read_text().split()]
    assert order == ["test_two"] * 2 + ["test_long"] + ["test_quick"] * 5


DEADLY = """
    import os, signal
    import pytest

    def die():
        with open(os.environ["FOLDER"] + "/deaths", "a") as file:
            file.write("x")
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize(
    ("jobs", "tests"),
    [
        (1, "def test_deadly(): die()\ndef test_2(): pass\n"),
        (1, "def test_1(): pass\ndef test_deadly(): die()\n"),
        (2, "def test_1(): pass\ndef test_deadly(): die()\n"),
        (
            1,
            "pytestmark = pytest.mark.xdist_group('one')\n"
            "def test_1(): pass\ndef test_deadly(): die()\ndef test_2(): pass\ndef test_3(): pass\n",
        ),
    ],
)
def test_a_test_that_kills_its_worker_fails_once_and_the_others_are_run(
    run: Run, tmp_path: Path, jobs: int, tests: str
) -> None:
    code, text = run(textwrap.dedent(DEADLY) + tests, jobs=jobs)
    assert code == 1
    assert (tmp_path / "deaths").read_text() == "x"
    assert "crashed while running 'test_it.py::test_deadly" in text
    assert f"1 failed, {tests.count(': pass')} passed" in text
