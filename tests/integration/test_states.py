"""State runs by the real command: results, exit codes, source locations of errors, the lock."""

import os
import signal
import subprocess

import pytest
import yaml

from tests.support.waiting import until

INCLUDER = """\
include:
  - web
first:
  test.nop:
    - require:
      - test: ngnix
"""
WEB = """\
nginx:
  test.nop: []
"""


def test_a_tree_runs_in_order_and_twice(salt_g):
    salt_g.write(
        {
            "top.sls": "base:\n  '*':\n    - app\n",
            "app.sls": INCLUDER.replace("ngnix", "nginx"),
            "web.sls": WEB,
        }
    )

    first, second = salt_g("state.apply"), salt_g("state.apply")

    assert first.code == second.code == 0
    assert [ret["__id__"] for ret in first.value.values()] == ["nginx", "first"]
    assert first.value.keys() == second.value.keys()


@pytest.mark.parametrize(
    ("files", "text", "place", "nearest"),
    [
        (
            {"app.sls": INCLUDER, "web.sls": WEB},
            "Referenced state does not exist for requisite [require: (test: ngnix)] "
            "in state [first] in SLS [app]",
            "salt://app.sls:6 (base)",
            "nearest: 'nginx'",
        ),
        (
            {"app.sls": "include: [wbe]\n", "web.sls": WEB},
            "Specified SLS wbe in saltenv base is not available on the salt master "
            "or through a configured fileserver",
            "salt://app.sls:1 (base)",
            "nearest: 'web'",
        ),
        (
            {"app.sls": "include: [web]\n", "web.sls": "nginx:\n  test.nop:\n"},
            "ID 'nginx' in SLS 'web' contains a short declaration (test.nop) with a trailing colon. When not "
            "passing any arguments to a state, the colon must be omitted.",
            "salt://web.sls:2 (base)",
            "included from app",
        ),
    ],
)
def test_an_error_has_stocks_text_a_place_and_a_hint(salt_g, files, text, place, nearest):
    salt_g.write(files)

    outcome = salt_g("state.apply", "app", log_level="error")

    assert outcome.code == 1
    assert outcome.value == [text]
    assert place in outcome.err
    assert nearest in outcome.err


def test_a_circle_is_named_and_nothing_runs(salt_g):
    salt_g.write(
        {"app.sls": "a:\n  test.nop: [{require: [{test: b}]}]\nb:\n  test.nop: [{require: [{test: a}]}]\n"}
    )

    outcome = salt_g("state.apply", "app")

    assert outcome.code == 1
    assert outcome.value == [
        "Recursive requisites were found: ({'SLS': 'app', 'ID': 'b'}, 'require', {'SLS': 'app', 'ID': 'a'}), "
        "({'SLS': 'app', 'ID': 'a'}, 'require', {'SLS': 'app', 'ID': 'b'})"
    ]


def test_a_wrong_argument_ends_the_run_and_names_the_nearest(salt_g):
    salt_g.write({"app.sls": "a:\n  test.configurable_test_state:\n    - resullt: true\n"})

    outcome = salt_g("state.apply", "app", log_level="error")

    assert outcome.code == 1
    assert "'resullt' is an invalid keyword argument for 'test.configurable_test_state'" in outcome.err
    assert "nearest: 'result'" in outcome.err


@pytest.mark.parametrize(
    ("sls", "code"), [("test.nop", 0), ("test.fail_without_changes", 2), ("test: []", 1)]
)
def test_the_exit_code_can_be_passed_through(salt_g, sls, code):
    body = f"{{{sls}}}" if ":" in sls else sls
    salt_g.write({"app.sls": f"a: {body}\n"})

    assert salt_g("--retcode-passthrough", "state.apply", "app").code == code


def test_parallel_states_run_all_at_once(salt_g, tmp_path):
    # Each ends when all have begun.
    body = """
  cmd.run:
    - name: touch $STATE_ID; while [ $(ls | wc -l) -lt 8 ]; do sleep 0.05; done
    - cwd: {cwd}
    - env: [STATE_ID: p{number}]
    - timeout: 60
    - parallel: true
"""
    (tmp_path / "begun").mkdir()
    states = (f"p{number}:{body.format(cwd=tmp_path / 'begun', number=number)}" for number in range(8))
    salt_g.write({"app.sls": "".join(states)})

    outcome = salt_g("state.apply", "app")

    assert outcome.code == 0
    assert [ret["__parallel__"] for ret in outcome.value.values()] == [True] * 8


def test_a_second_run_is_refused_while_one_is_under_way_and_a_killed_one_frees_the_lock(salt_g):
    salt_g.write({"slow.sls": "s:\n  module.run:\n    - test.sleep: [60]\n", "quick.sls": "q: test.nop\n"})
    (salt_g.conf / "minion").write_text(yaml.safe_dump(salt_g.settings))
    slow = subprocess.Popen(
        [salt_g.program, "call", "-c", str(salt_g.conf), "--local", "state.apply", "slow"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    running = salt_g.root / "cache" / "proc"
    until(lambda: running.is_dir() and os.listdir(running), "the slow run has begun")

    refused = salt_g("state.apply", "quick")
    os.killpg(slow.pid, signal.SIGKILL)
    slow.wait()
    free = salt_g("state.apply", "quick")

    assert refused.code == 1
    assert refused.value[0].startswith(
        f'The function "state.apply" is running as PID {slow.pid} and was started at '
    )
    assert free.code == 0


def test_each_given_directory_of_states_is_read(salt_g, tmp_path):
    directories = []
    for name in ("one", "two"):
        directory = tmp_path / name
        directory.mkdir()
        ret = {"name": "x", "changes": {}, "result": True, "comment": name}
        code = f"def go(name):\n    return {ret!r}\n"
        (directory / f"{name}s.py").write_text(code)
        directories += ["--states-dir", str(directory)]

    outcomes = [salt_g(*directories, "state.single", f"{name}s.go", "x") for name in ("one", "two")]

    assert [state["comment"] for outcome in outcomes for state in outcome.value.values()] == ["one", "two"]
