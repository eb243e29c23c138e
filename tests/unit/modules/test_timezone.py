import os

import pytest

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules import _systemd, timezone
from salt_g.states import timezone as state


@pytest.fixture
def machine(call_context, tmp_path, monkeypatch):
    """Return a Debian without systemd, with its files below a directory."""
    zones = tmp_path / "zoneinfo"
    (zones / "Europe").mkdir(parents=True)
    (zones / "UTC").write_bytes(b"utc")
    (zones / "Europe" / "Berlin").write_bytes(b"berlin")
    (tmp_path / "localtime").symlink_to(zones / "UTC")
    for name, path in (
        ("ZONES", zones),
        ("LOCALTIME", tmp_path / "localtime"),
        ("NAME_FILE", tmp_path / "name"),
    ):
        monkeypatch.setattr(timezone, name, str(path))
    (tmp_path / "adjtime").write_text("0.0 0 0.0\n0\nUTC\n")
    monkeypatch.setattr(timezone, "_ADJTIME", str(tmp_path / "adjtime"))
    monkeypatch.setattr(timezone, "_RCS", str(tmp_path / "nothing"))
    monkeypatch.setattr(_systemd, "BOOTED_MARK", str(tmp_path / "nothing"))
    names = ("get_zone", "set_zone", "zone_compare", "get_hwclock")
    functions = {f"timezone.{name}": getattr(timezone, name) for name in names}

    def enter(**opts):
        call_context(functions=functions, grains={"os_family": "Debian"}, opts=opts)
        return tmp_path

    return enter


def test_without_a_name_file_the_zone_comes_from_the_link(machine):
    machine()

    assert timezone.get_zone() == "UTC"


def test_setting_a_zone_writes_its_name_and_the_link(machine):
    directory = machine()

    result = state.system("Europe/Berlin")

    assert result["changes"] == {"timezone": "Europe/Berlin"}
    assert os.readlink(directory / "localtime").endswith("Europe/Berlin")
    assert (directory / "name").read_text() == "Europe/Berlin\n"
    assert state.system("Europe/Berlin")["comment"] == (
        "Timezone Europe/Berlin already set, UTC already set to Europe/Berlin"
    )


def test_test_mode_sets_nothing(machine):
    machine(test=True)

    result = state.system("Europe/Berlin")

    assert (result["result"], result["comment"]) == (None, "Timezone Europe/Berlin needs to be set")
    assert timezone.get_zone() == "UTC"


def test_an_unknown_zone_is_an_error(machine):
    machine()

    with pytest.raises(CommandExecutionError, match="Zone does not exist"):
        timezone.set_zone("Mars/Olympus")
    with pytest.raises(InvocationError):
        timezone.set_hwclock("moon")
