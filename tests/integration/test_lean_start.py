"""A command imports what it needs and nothing else."""

import json
import os
import subprocess
import sys

import pytest

#: Libraries that cost tens of milliseconds and that no small command needs.
HEAVY = {"asyncio", "dataclasses", "gevent", "http.client", "jinja2", "psutil", "ruamel.yaml", "ssl", "zmq"}


#: Runs the command as its script does, then tells which modules are loaded.
_TELL = """
import sys
from salt_g.cli import dispatch
dispatch.run(["salt-g", *sys.argv[1:]])
print("\\n".join(sys.modules), file=sys.stderr)
"""


def _imported(salt_g, *words):
    """Return the modules that a call imports; JSON config, as programs write it, needs no YAML."""
    (salt_g.conf / "minion").write_text(json.dumps(salt_g.settings))
    finished = subprocess.run(
        [sys.executable, "-c", _TELL, "call", "-c", salt_g.conf, "--local", *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=salt_g.root,
        env={**os.environ, "TERM": "dumb"},
    )
    return finished.stderr.split()


@pytest.mark.parametrize(
    ("words", "most"),
    [(["test.ping"], 190), (["cmd.run", "echo hi"], 245), (["grains.items"], 245)],
)
def test_a_small_command_imports_few_modules_and_no_heavy_library(salt_g, words, most):
    imported = _imported(salt_g, *words)

    # The grain `zmqversion` asks the library itself; old pyzmq does not let it and has to be imported.
    needed = {"zmq"} if words == ["grains.items"] else set()
    assert not (HEAVY - needed) & set(imported)
    assert len(imported) <= most or needed & set(imported)


def test_one_function_imports_one_plugin(salt_g):
    imported = _imported(salt_g, "hashutil.digest", "text")

    plugins = {
        name.split(".")[2] for name in imported if name.startswith(("salt_g.modules.", "salt_g.states."))
    }
    assert {name for name in plugins if not name.startswith("_")} == {"hashutil"}


def test_a_state_without_templates_imports_no_jinja(salt_g):
    salt_g.write({"plain.sls": "a:\n  test.nop: []\n"})

    imported = _imported(salt_g, "state.apply", "plain")

    assert "jinja2" not in imported
    assert "gevent" not in imported
