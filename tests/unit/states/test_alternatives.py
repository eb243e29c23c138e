"""`alternatives` states with the real update-alternatives; the name is removed at the end."""

import os
import shutil
import subprocess

import pytest

from salt_g.modules import alternatives, cmd
from salt_g.states import alternatives as state

pytestmark = [
    pytest.mark.skipif(os.geteuid() != 0, reason="only root may change alternatives"),
    pytest.mark.skipif(shutil.which("update-alternatives") is None, reason="no update-alternatives here"),
]

NAME = "sgtestalternative"


@pytest.fixture
def enter(tmp_path, call_context):
    names = ("display", "show_link", "show_current", "check_exists", "check_installed", "install", "remove")
    functions = {f"alternatives.{name}": getattr(alternatives, name) for name in (*names, "auto")}
    functions |= {"alternatives.set": alternatives.set_, "cmd.run_all": cmd.run_all}
    for name in ("low", "high"):
        (tmp_path / name).write_text("")

    def enter(test=False):
        call_context(functions=functions, opts={"test": test}, grains={"os_family": "Debian"})
        return tmp_path

    yield enter
    command = ["update-alternatives", "--remove-all", NAME]
    subprocess.run(command, capture_output=True, check=False)


def _install(place, name, priority):
    return state.install(NAME, link=str(place / "link"), path=str(place / name), priority=priority)


def test_programs_are_registered_chosen_and_removed(enter):
    place = enter()
    low, high = str(place / "low"), str(place / "high")

    assert (
        _install(place, "high", 50)["comment"]
        == f"Alternative for {NAME} set to path {high} with priority 50"
    )
    assert _install(place, "low", 10)["comment"].endswith(
        "registered with priority 10 and not set to default"
    )
    assert _install(place, "low", 10)["comment"] == f"Alternative {low} for {NAME} is already registered"
    assert alternatives.show_link(NAME) == str(place / "link")

    assert state.set_(NAME, low)["changes"] == {"path": low}
    assert state.set_(NAME, low)["comment"] == f"Alternative for {NAME} already set to {low}"
    assert state.set_(NAME, "/nowhere")["result"] is False

    assert "result" in state.auto(NAME)["changes"]
    assert state.auto(NAME)["comment"] == f"{NAME} already in auto mode"
    assert alternatives.check_installed(NAME, high)

    assert state.remove(NAME, high)["changes"] == {"path": low}
    assert state.remove(NAME, high)["comment"] == f"Alternative for {NAME} is set to it's default path {low}"
    assert state.remove(NAME, low)["comment"] == f"Alternative for {NAME} removed"
    assert state.remove(NAME, low)["comment"] == f"Alternative for {NAME} doesn't exist"


def test_test_mode_changes_nothing(enter):
    place = enter(test=True)

    made = _install(place, "high", 50)

    assert made["result"] is None
    assert alternatives.show_current(NAME) is False
