"""The commands of CONTRIBUTING.md, the hooks, the dev container and tox: the same checks in each.

A hook calls the programs of the environment that is active, so what it calls must be what "Set up" installs.
"""

import json
import pathlib
import re
import shlex

import yaml

ROOT = pathlib.Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text()
HOOKS = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())


def entries():
    """Return {id: command} of the hooks."""
    return {hook["id"]: hook["entry"] for repo in HOOKS["repos"] for hook in repo["hooks"]}


def tox_section(name):
    return re.search(rf"(?ms)^\[{re.escape(name)}\]\n(.*?)(?=^\[|\Z)", (ROOT / "tox.ini").read_text())[1]


def tox_commands(name):
    """Return the commands of an environment, with paths relative to the repository."""
    text = re.search(r"(?m)^commands =((?:.*\n)(?:    .*\n)*)", tox_section(name))[1]
    return [line.strip().replace("{tox_root}/", "") for line in text.splitlines() if line.strip()]


def container():
    text = (ROOT / ".devcontainer" / "devcontainer.json").read_text()
    return json.loads(re.sub(r"(?m)^ *//.*$", "", text))


def installed(command):
    """Return (the packages of a pip command line without their extras, the extras)."""
    words = shlex.split(re.search(r"pip install ([^&\n]*)", command)[1])
    names = {word for word in words if not word.startswith("-")}
    own = next(name for name in names if name.startswith(".["))
    return names - {own}, set(own[2:-1].split(","))


def set_up():
    return re.search(r"(?s)## Set up\n.*?```sh\n(.*?)```", PAGE)[1]


def test_the_hooks_of_ruff_are_the_commands_of_lint_that_also_repair():
    lint = [command.removesuffix(" --check") for command in tox_commands("testenv:lint")]

    assert lint == ["ruff check", "ruff format"]
    assert [
        entry.replace(" --fix", "").removesuffix(" --force-exclude") for entry in list(entries().values())[:2]
    ] == lint


def test_the_hook_of_mypy_the_page_and_tox_have_one_command():
    (command,) = tox_commands("testenv:types")

    assert entries()["mypy"] == command
    assert f"`{command}`" in PAGE


def test_the_tests_that_a_hook_runs_exist():
    files = [word for word in entries()["pages"].split() if word.startswith("tests/")]

    assert files
    assert [file for file in files if not (ROOT / file).is_file()] == []


def test_pre_commit_installs_a_hook_for_each_stage_that_is_used():
    stages = {stage for repo in HOOKS["repos"] for hook in repo["hooks"] for stage in hook.get("stages", [])}

    assert stages | set(HOOKS["default_stages"]) == set(HOOKS["default_install_hook_types"])


def test_the_environment_of_set_up_has_all_used_programs():
    packages, extras = installed(set_up())
    types = re.search(r"(?m)^deps =\n((?:    .*\n)+)", tox_section("testenv:types"))[1].split()
    used = {shlex.split(command)[0] for command in entries().values()}

    assert (used - {"pytest"}) | {"tox", "pre-commit"} <= packages
    # What tests need beside these comes with the extra `test`.
    assert {re.split("[>=]", name)[0] for name in types} - {"pytest", "hypothesis"} <= packages
    assert "test" in extras


def test_the_page_and_the_container_set_up_the_same():
    command = container()["postCreateCommand"]

    assert installed(command) == installed(set_up())
    assert ".venv/bin/pre-commit install" in command
    assert ".venv/bin/pre-commit install" in set_up()


def test_hooks_find_the_programs_in_the_container():
    assert container()["remoteEnv"]["PATH"].startswith("${containerWorkspaceFolder}/.venv/bin:")
