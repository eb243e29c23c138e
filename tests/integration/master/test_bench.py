"""The benchmarks of `bench` against a running master: their measurements, and their use of the protocol."""

import json
import pathlib
import subprocess
import sys

import pytest

BENCH = pathlib.Path(__file__).parents[3] / "bench"


def run(program, *words):
    return subprocess.run(
        [sys.executable, BENCH / program, *map(str, words)], capture_output=True, text=True, timeout=300
    )


@pytest.fixture
def master(start_master):
    master = start_master(auto_accept=True)
    (master.root / "states" / "a.txt").write_text("hello\n")
    return master


@pytest.fixture
def root_key(master):
    path = next(master.cachedir.glob(".*_key"))
    user = path.name.removeprefix(".").removesuffix("_key")
    return ("--ret-port", master.ret_port, "--root-key", path, "--user", user)


def test_a_client_that_shares_no_code_takes_every_step_of_the_protocol(master, root_key, tmp_path):
    tried = run(
        "saltwire.py", "selftest", *root_key, "--sock-dir", master.sock_dir, "--pki-dir", tmp_path / "pki",
        "--require-pub-sig", "--timeout", 60, "--cleanup",
    )  # fmt: skip

    assert tried.returncode == 0, tried.stdout + tried.stderr
    assert "SKIP" not in tried.stdout


def test_each_minion_of_a_swarm_returns_each_job(master, root_key, tmp_path):
    ran = run("swarm.py", "-n", 5, "--jobs", 2, *root_key, "--master-pid", master.pid, "--pki-dir", tmp_path)

    assert ran.returncode == 0, ran.stdout + ran.stderr
    figures = json.loads(ran.stdout)
    assert (figures["auth"]["ok"], figures["jobs"]["returns_acked"], figures["errors"]) == (5, 10, {})


def test_each_minion_of_a_storm_gets_all_that_a_highstate_needs(master, tmp_path):
    ran = run(
        "storm.py", "-n", 3, "--ret-port", master.ret_port, "--master-pid", master.pid, "--files", 2,
        "--pillar-sls", 4, "--pillar-dir", master.root / "pillar", "--files-dir", master.root / "states",
        "--pki-dir", tmp_path,
    )  # fmt: skip

    assert ran.returncode == 0, ran.stderr
    figures = json.loads(ran.stdout)
    assert (figures["done"], figures["errors"]) == (3, [])


@pytest.mark.parametrize("program", ["bench.py", "resources_bench.py"])
def test_a_benchmark_prints_its_usage(program):
    assert "usage" in run(program, "--help").stdout
