"""Imports of commands: what they need and nothing else."""

import json
import os
import subprocess
import sys

import pytest

#: Libraries that cost tens of milliseconds and that no small command needs.
HEAVY = {"asyncio", "dataclasses", "gevent", "http.client", "jinja2", "psutil", "ruamel.yaml", "ssl", "zmq"}
#: What clients of a master on this machine need even less, and the one that is used most.
HEAVY_FOR_CLIENTS = (HEAVY | {"Crypto", "subprocess"}) - {"dataclasses"}
HEAVY_FOR_JOBS = HEAVY | {"Crypto", "inspect", "logging", "shutil", "subprocess", "threading"}

#: Modules of an interpreter that has begun, without those that `.pth` files of its environment import: the
#: finder of an editable installation brings thirty.
_BEGUN = subprocess.run(
    [sys.executable, "-S", "-E", "-c", "import site, sys; print(*sys.modules)"],
    capture_output=True,
    text=True,
    check=True,
).stdout.split()
#: Runs the command as its script does, then prints the loaded modules.
_LISTS_MODULES = f"""
import sys
for name in set(sys.modules) - set({_BEGUN!r}):
    del sys.modules[name]
from salt_g.cli import dispatch
dispatch.run(["salt-g", *sys.argv[1:]])
print("\\n".join(sys.modules), file=sys.stderr)
"""


def _imported(salt_g, *words):
    """Return the modules that a call imports; JSON config, as written by programs, needs no YAML."""
    (salt_g.conf / "minion").write_text(json.dumps(salt_g.settings))
    return _modules("call", "-c", salt_g.conf, "--local", *words, cwd=salt_g.root)


def _modules(*words, cwd=None):
    """Return the modules that a command imports, except our packages, which hold nothing themselves."""
    finished = subprocess.run(
        [sys.executable, "-c", _LISTS_MODULES, *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=cwd,
        env={**os.environ, "TERM": "dumb"},
    )
    names = finished.stderr.split()
    return [
        name
        for name in names
        if not (name.startswith("salt_g") and any(other.startswith(f"{name}.") for other in names))
    ]


@pytest.fixture(scope="module")
def lean_fleet(shared_daemons):
    """Return a master with the minion a."""
    master = shared_daemons.start_master()
    shared_daemons.start_minion(master, "a")
    return master


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


def test_compiling_states_imports_nothing_that_runs_them(salt_g):
    salt_g.write({"plain.sls": "a:\n  test.nop: []\n"})

    imported = _imported(salt_g, "state.show_low_sls", "plain")

    assert "salt_g.state.compile.compiler" in imported
    assert not {"salt_g.state.run.state_run", "salt_g.state.run.state_call", "jinja2"} & set(imported)


def test_a_run_imports_nothing_of_secrets_undo_and_failures(salt_g):
    salt_g.write({"plain.sls": "a:\n  test.nop: []\n"})

    imported = _imported(salt_g, "state.apply", "plain")

    assert not {
        "salt_g.pillar.secret_paths",
        "salt_g.process.known_secrets",
        "salt_g.process.redaction",
        "salt_g.regex.bounded",
        "salt_g.services.protocols",
        "salt_g.state.undo.journal",
    } & set(imported)


def test_managed_files_need_no_dataclasses(salt_g):
    path = salt_g.root / "made"
    salt_g.write({"plain.sls": f"{path}:\n  file.managed:\n    - contents: x\n"})

    imported = _imported(salt_g, "state.apply", "plain")

    assert path.read_text() == "x\n"
    assert not {"dataclasses", "inspect"} & set(imported)


@pytest.mark.parametrize(
    ("words", "most"),
    [
        (["-c", "{conf}", "*", "test.ping"], 180),
        (["-c", "{conf}", "*", "test.ping", "--async"], 180),
        (["-c", "{conf}", "*", "--preview-target", "--out=json"], 180),
        (["key", "-c", "{conf}", "-L"], 212),
        (["key", "-c", "{conf}", "-y", "-a", "nobody"], 212),
        (["run", "-c", "{conf}", "test.arg"], 190),
        (["event", "-c", "{conf}", "--timeout=0.01"], 180),
    ],
    ids=lambda words: (
        " ".join(words[2:] if words[0] == "-c" else words[:1] + words[3:]) if isinstance(words, list) else ""
    ),
)
def test_a_client_of_the_master_imports_neither_hub_nor_sockets_nor_cryptography(lean_fleet, words, most):
    imported = _modules(*(word.format(conf=lean_fleet.config_dir) for word in words))

    unwanted = HEAVY_FOR_CLIENTS if words[0] in ("key", "run") else HEAVY_FOR_JOBS
    assert not unwanted & set(imported)
    assert len(imported) <= most, f"{len(imported)}: {imported}"


@pytest.mark.parametrize("daemon", ["master", "minion"])
def test_a_daemon_at_rest_has_imported_neither_yaml_nor_tls(daemon):
    """Settings of the usual form are read without the YAML library; it and TLS take two megabytes each."""
    code = (
        f"import sys; from salt_g.cli.daemon import daemon_plugins; from salt_g.{daemon} import daemon; "
        "print(*sys.modules)"
    )

    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert not {"ruamel.yaml", "ssl"} & set(finished.stdout.split())
