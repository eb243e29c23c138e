"""Scripts of commands on hosts, run here."""

import subprocess
import types

import pytest

from salt_g.resources.ssh import _commands
from salt_g.resources.ssh._commands import Options

VALUE = "Planted '$x\\n\nvalue"


@pytest.fixture(autouse=True)
def host(monkeypatch):
    found = types.SimpleNamespace(tty=False)
    monkeypatch.setattr(_commands._remote, "host", lambda: found)
    return found


@pytest.mark.parametrize("clean_env", [False, True])
def test_variables_come_by_standard_input_and_not_by_a_command_line(clean_env):
    options = Options(env={"A": VALUE}, clean_env=clean_env)
    script = _commands._script(["sh", "-c", 'printf %s "$A"; cat'], options)

    ran = subprocess.run(
        ["/bin/sh", "-c", script], input=_commands._given_variables(options) + b" in", capture_output=True
    )

    assert "Planted" not in script
    assert ran.stdout.decode() == f"{VALUE} in"


def test_at_a_terminal_they_are_in_the_script(host):
    host.tty = True
    options = Options(env={"A": "Planted"})

    assert _commands._given_variables(options) == b""
    assert "export A=Planted" in _commands._script(["true"], options)
