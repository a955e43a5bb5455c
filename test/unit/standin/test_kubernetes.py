"""`yq … | kubectl apply` and `kubectl wait`, as Aerialist's k8s agent runs them."""

from __future__ import annotations

EXPRESSION = (
    '.metadata.name = "{name}" | .spec.template.spec.volumes[0].hostPath.path = "{volume}" | '
    '.spec.template.spec.containers[0].env |= map(select(.name == "COMMAND").value = "{command}") | '
    ".spec.completions = {runs} | .spec.parallelism = {runs}"
)
COMMAND = "timeout 1000 python3 aerialist exec --test /src/aerialist/results/test.yaml"


def apply(standin, runs, prefix="", command=COMMAND):
    words = EXPRESSION.format(name="job-1", volume=f"{prefix}{standin.work}", command=command, runs=runs)
    return standin.sh(f"yq '{words}' template.yaml | kubectl apply -f - --validate=true")


def test_one_log_for_each_run(standin, write_test, made_up) -> None:
    write_test()
    for prefix in ("", "/host_mnt"):
        made = apply(standin, 3, prefix)
        assert made.returncode == 0, made.stderr
        waited = standin.sh("kubectl wait --for=condition=complete  --timeout=1000s job.batch/job-1")
        assert waited.returncode == 0, waited.stderr
    assert len(made_up.asked) == 6
    assert len(list(standin.work.glob("*.ulg"))) == 6


def test_a_job_that_fails(standin, write_test, made_up) -> None:
    write_test()
    made_up.trouble = "no flight"
    apply(standin, 1)
    assert standin.sh("kubectl wait --for=condition=failed --timeout=1000s job.batch/job-1").returncode == 0
    assert standin.sh("kubectl wait --for=condition=complete job.batch/other").returncode == 1


def test_what_is_no_job(standin) -> None:
    assert standin.sh("echo 'a: [' | kubectl apply -f -").returncode == 1
    assert standin.sh("echo 'kind: Pod' | kubectl apply -f -").returncode == 1
    assert standin.sh("yq '.other' file.yaml").returncode == 1
    assert apply(standin, 100_000_000).returncode == 1
    assert standin.sh("kubectl drain node").returncode == 1


def test_a_whole_manifest(standin, write_test, made_up) -> None:
    write_test()
    (standin.work / "job.yaml").write_text(
        f"""metadata: {{name: own}}
spec:
  completions: 2
  template:
    spec:
      volumes: [{{name: results, hostPath: {{path: {standin.work}}}}}]
      containers: [{{name: one, env: [{{name: COMMAND, value: '{COMMAND}'}}]}}]
"""
    )
    assert standin.sh("cat job.yaml | kubectl apply -f -").returncode == 0
    assert standin.sh("kubectl wait --for=condition=complete job.batch/own").returncode == 0
    assert len(made_up.asked) == 2
