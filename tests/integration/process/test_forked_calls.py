"""Forked local calls behave like calls started from the command line."""

import os
import subprocess

import pytest

#: The process that has started the call, seen from a command of the call.
STARTED_BY = "cmd.run", "ps -o ppid= -p $PPID"


def test_a_call_is_forked_and_gives_its_output_and_exit_code(salt_g):
    assert int(salt_g(*STARTED_BY).value) != os.getpid()

    called = salt_g("cmd.run", "echo zwölf; exit 3", as_json=False)
    assert (called.code, "zwölf" in called.out) == (1, True)
    assert salt_g("nosuch.function").err == "'nosuch.function' is not available.\n"


def test_it_has_its_own_input_environment_and_directory(salt_g):
    assert salt_g("--args-stdin", stdin="test.echo\nfrom stdin\n").value == "from stdin"
    assert salt_g("environ.get", "OF_THE_TEST", env={"OF_THE_TEST": "1"}).value == "1"
    assert salt_g("cmd.run", f"readlink /proc/{'$PPID'}/cwd").value == str(salt_g.root)


def test_users_plugins_are_read_by_each_call(salt_g):
    _write_module(salt_g, "return 1")
    assert salt_g("look.at").value == 1

    _write_module(salt_g, "return 22")
    assert salt_g("look.at").value == 22


def _write_module(salt_g, body):
    text = f"import sys\nbefore = set(sys.modules)\n\ndef at():\n    {body}\n"
    salt_g.write({"_modules/look.py": text})
    salt_g("saltutil.sync_modules")


def test_a_call_that_takes_too_long_is_killed(salt_g):
    marker = salt_g.root / "pid"

    with pytest.raises(subprocess.TimeoutExpired):
        salt_g("cmd.run", f"echo $PPID > {marker}; exec tail -f {marker}", timeout=5)

    assert not os.path.exists(f"/proc/{marker.read_text().strip()}")


@pytest.mark.own_start
def test_a_call_whose_start_matters_is_started(salt_g):
    assert int(salt_g(*STARTED_BY).value) == os.getpid()


def test_a_call_with_another_environment_at_startup_is_started(salt_g):
    assert int(salt_g(*STARTED_BY, env={"PYTHONHASHSEED": "7"}).value) == os.getpid()
