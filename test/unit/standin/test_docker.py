"""The `docker` stand-in, called through a shell as Aerialist's docker agent calls the real one."""

from __future__ import annotations

import pytest

INSIDE = "/src/aerialist/results/"


def start(standin, options="--rm -e SIMULATION_TIMEOUT=300"):
    made = standin.sh(f"docker run {options} -td skhatiri/aerialist:2.0")
    assert made.returncode == 0, made.stderr
    identity = made.stdout.strip()
    assert len(identity) == 64
    assert set(identity) <= set("0123456789abcdef")
    return identity


def test_newer_agents(standin, write_test, made_up, scenario) -> None:
    test = write_test()
    plan = next(standin.work.glob("*.plan"))
    identity = start(standin)
    for file in (plan, test):
        copied = standin.sh(f"docker cp '{file}' {identity}:'{INSIDE}'")
        assert copied.returncode == 0, copied.stderr
    ran = standin.sh(
        f"docker exec -it {identity} timeout 1000 python3 aerialist exec --test {INSIDE}test.yaml"
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    log = ran.stdout.split("LOG:")[1].split()[0]
    assert standin.sh(f"docker cp {identity}:'{log}' 'results/logs/one/flight.ulg'").returncode == 0
    assert (standin.work / "results/logs/one/flight.ulg").read_bytes() == b"log 1"
    ended = standin.sh(f"docker kill {identity}")
    assert ended.stdout.strip() == identity
    (asked,) = made_up.asked
    assert asked.scenario.id == scenario.id
    assert asked.timeout_s == 300.0
    assert asked.parameters["NAV_ACC_RAD"] == 0.5


def test_older_agents_name_everything_in_options(standin, write_test, made_up) -> None:
    write_test()
    plan = next(standin.work.glob("*.plan"))
    identity = start(standin, "")
    standin.sh(f"docker cp '{plan}' {identity}:'/io/'")
    ran = standin.sh(
        f"docker exec -it {identity} timeout 1000 python3 aerialist exec --drone 14541 --mission '/io/{plan.name}' "
        "--simulator ros --speed 1 --headless --obstacle 12 2 20 -3 25 0 0 --obstacle2 5 5 15 10 20 0 45 "
    )
    assert "LOG:" in ran.stdout, ran.stdout
    assert ran.stdout.isascii()
    assert len(made_up.asked[0].scenario.obstacles) == 2
    assert made_up.asked[0].timeout_s is None


def test_mounted_folder(standin, write_test, made_up) -> None:
    write_test()
    identity = start(standin, f'-v "{standin.work}:{INSIDE}:rw"')
    ran = standin.sh(
        f"docker exec -it {identity} timeout 1000 python3 aerialist exec --test {INSIDE}test.yaml"
    )
    log = ran.stdout.split("LOG:")[1].split()[0]
    assert log.startswith(INSIDE)
    assert (standin.work / log.removeprefix(INSIDE)).read_bytes() == b"log 1"


def test_run_with_a_command(standin, write_test) -> None:
    """Some programs start one container for each test."""
    write_test()
    ran = standin.sh(
        f"docker run -it --rm --name one -v {standin.work}:/src/aerialist/samples "
        f"-v {standin.work}:/src/aerialist/results "
        "skhatiri/aerialist:latest python3 aerialist exec --test samples/test.yaml --simulator ros --headless"
    )
    assert ran.returncode == 0, ran.stdout
    assert (standin.work / "000001.ulg").is_file()
    assert standin.sh("docker rm -f one").returncode == 0


def test_python_in_the_container_sees_aerialist(standin) -> None:
    code = (
        "from aerialist.px4.obstacle import Obstacle; open('/src/aerialist/out.txt', 'w').write(Obstacle.BOX)"
    )
    ran = standin.sh(f'docker run --rm -v {standin.work}:/src/aerialist aerialist python3 -c "{code}"')
    assert ran.returncode == 0, ran.stderr
    assert (standin.work / "out.txt").read_text() == "box"


def test_shell_and_file_commands(standin) -> None:
    identity = start(standin)
    made = standin.sh(
        f"docker exec {identity} bash -c 'mkdir -p /src/aerialist/results/x && ls /src/aerialist/results'"
    )
    assert made.stdout.split() == ["x"]
    assert standin.sh(f"docker exec {identity} nmap localhost").returncode == 127


def test_trouble_leaves_no_log(standin, write_test, made_up) -> None:
    write_test()
    identity = start(standin, f"-v {standin.work}:/src/aerialist/results")
    command = f"docker exec -it {identity} timeout 1000 python3 aerialist exec --test {INSIDE}test.yaml"
    made_up.trouble = "the flight starts inside an obstacle"
    ran = standin.sh(command)
    assert ran.returncode == 1
    assert "LOG:" not in ran.stdout
    assert "inside an obstacle" in ran.stdout
    made_up.trouble = "refused"
    assert "budget" in standin.sh(command).stdout
    made_up.trouble = ""
    (standin.work / "test.yaml").write_text("simulation: {obstacles: 5}\n")
    broken = standin.sh(command)
    assert (broken.returncode, "LOG:" in broken.stdout) == (1, False)
    assert not any(line.startswith("Traceback") for line in broken.stdout.splitlines())


@pytest.mark.parametrize("unfinished", [True, False])
def test_time_limit_of_the_command(standin, write_test, made_up, unfinished) -> None:
    """Ended by `timeout`, Aerialist cannot say LOG: any more; PX4 has said where it logs."""
    write_test()
    made_up.unfinished = unfinished
    made_up.duration_s = 100.0 if unfinished else 2000.0
    identity = start(standin, f"-v {standin.work}:/src/aerialist/results")
    ran = standin.sh(
        f"docker exec -it {identity} timeout 1000 python3 aerialist exec --test {INSIDE}test.yaml"
    )
    assert ran.returncode == 124
    assert "LOG:" not in ran.stdout
    assert "logging started: " in ran.stdout


def test_containers_end(standin) -> None:
    identity = start(standin, "--name first")
    assert standin.sh("docker run --name first -td image").returncode == 125
    assert standin.sh("docker ps -q").stdout.split() == [identity[:12]]
    assert standin.sh("docker inspect -f '{{.State.Running}}' first").stdout.strip() == "true"
    assert standin.sh(f"docker stop {identity[:12]}").returncode == 0
    assert standin.sh("docker ps -q").stdout == ""
    assert standin.sh(f"docker exec {identity} true").returncode == 1
    assert standin.sh("docker kill nobody").returncode == 1
    assert standin.sh("docker --version").returncode == 0
    assert "knows run" in standin.sh("docker swarm init").stderr


def test_paths_stay_in_the_container(standin, tmp_path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    identity = start(standin)
    shown = standin.sh(f"docker exec {identity} cat /../../../../..{secret}")
    assert "secret" not in shown.stdout
    copied = standin.sh(f"docker cp {identity}:/../../../../..{secret} stolen.txt")
    assert copied.returncode == 1
    assert not (standin.work / "stolen.txt").exists()


def test_without_a_server_the_program_is_told(standin) -> None:
    lost = standin.sh("docker ps", UAV_TESTGEN_SOCKET="/nowhere/socket")
    assert lost.returncode == 1
    assert "as-aerialist" in lost.stderr
