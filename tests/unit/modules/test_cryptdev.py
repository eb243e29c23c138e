"""Lines of a real crypttab; cryptsetup and dmsetup are recorded."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import cryptdev
from salt_g.states import cryptdev as state

LINES = """\
# <target name> <source device> <key file> <options>
swap /dev/sdx4 /dev/urandom swap,size=256
data UUID=1234 none
"""


@pytest.fixture
def machine(call_context, tmp_path):
    """Return a machine: `file` is crypttab, `opened` are names of open devices, `ran` are the commands."""

    class Machine:
        file = tmp_path / "crypttab"
        opened = {"my-data"}
        ran = []

    Machine.opened, Machine.ran = {"my-data"}, []
    Machine.file.write_text(LINES)

    def run_all(words, **options):
        Machine.ran.append(words)
        listed = "".join(f"{name}\t(253:{count})\n" for count, name in enumerate(sorted(Machine.opened)))
        if words[:2] == ["cryptsetup", "open"]:
            Machine.opened.add(words[-1])
        if words[:2] == ["cryptsetup", "close"]:
            Machine.opened.discard(words[-1])
        is_broken = "/dev/broken" in words
        return {"stdout": listed if words[0] == "dmsetup" else "", "stderr": "", "retcode": int(is_broken)}

    functions = {"cmd.which": lambda program: program, "cmd.run_all": run_all}
    functions.update(
        {
            f"cryptdev.{name}": getattr(cryptdev, name)
            for name in ("active", "crypttab", "set_crypttab", "rm_crypttab", "close")
        }
    )
    functions["cryptdev.open"] = cryptdev.open_
    Machine.enter = lambda **opts: call_context(functions=functions, opts=opts)
    Machine.enter()
    return Machine


def test_lines_are_read(machine):
    assert cryptdev.crypttab(str(machine.file)) == {
        "swap": {"device": "/dev/sdx4", "password": "/dev/urandom", "options": ["swap", "size=256"]},
        "data": {"device": "UUID=1234", "password": "none", "options": [""]},
    }
    assert cryptdev.crypttab("/nosuch") == {}


def test_a_line_is_new_changed_or_there_already(machine):
    config = str(machine.file)

    assert cryptdev.set_crypttab("data", "UUID=1234", config=config) == "present"
    assert machine.file.read_text() == LINES
    assert cryptdev.set_crypttab("data", "UUID=5678", options=["luks"], config=config, test=True) == "change"
    assert machine.file.read_text() == LINES
    assert cryptdev.set_crypttab("data", "UUID=5678", options=["luks"], config=config) == "change"
    assert cryptdev.set_crypttab("new", "/dev/sdz", "/key", config=config) == "new"
    lines = machine.file.read_text().splitlines()
    assert lines[:2] == LINES.splitlines()[:2]
    assert [line.split() for line in lines[2:]] == [
        ["data", "UUID=5678", "none", "luks"],
        ["new", "/dev/sdz", "/key"],
    ]


def test_a_line_is_added_below_one_that_does_not_end(machine):
    machine.file.write_text("data UUID=1234 none")

    cryptdev.set_crypttab("new", "/dev/sdz", config=str(machine.file))

    assert list(cryptdev.crypttab(str(machine.file))) == ["data", "new"]


def test_two_devices_of_one_name_are_distinguished_by_more_than_it(machine):
    config = str(machine.file)

    result = cryptdev.set_crypttab("data", "UUID=9", config=config, match_on=["name", "device"])

    assert result == "new"
    assert list(cryptdev.crypttab(config)) == ["swap", "data", "data_"]


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"match_on": "size"}, "Unrecognized keys in match_on: .'size'.; known are: name, device"),
        ({"match_on": 1}, "match_on must be a string or list of strings"),
        ({"options": 1}, "options must be a string or list of strings"),
        ({"config": "/nosuch"}, 'Bad config file "/nosuch"'),
    ],
)
def test_contradictory_arguments_are_refused(machine, wanted, message):
    with pytest.raises(CommandExecutionError, match=message):
        cryptdev.set_crypttab("data", "UUID=1", **{"config": str(machine.file), **wanted})


def test_a_line_is_removed_once(machine):
    assert cryptdev.rm_crypttab("swap", str(machine.file)) == "change"
    assert cryptdev.rm_crypttab("swap", str(machine.file)) == "absent"
    assert machine.file.read_text() == LINES.replace("swap /dev/sdx4 /dev/urandom swap,size=256\n", "")


def test_open_devices_are_listed_opened_and_closed(machine):
    assert cryptdev.active() == {"my-data": {"devname": "my-data", "major": "253", "minor": "0"}}
    assert cryptdev.open_("backup", "/dev/sdb1", "/key") is True
    assert cryptdev.open_("backup", "/dev/broken", "/key") is False
    assert cryptdev.close("backup") is True
    assert ["cryptsetup", "open", "--key-file", "/key", "/dev/sdb1", "backup"] in machine.ran
    with pytest.raises(CommandExecutionError, match="keyfile must not be none"):
        cryptdev.open_("backup", "/dev/sdb1", "none")


def test_a_device_is_opened_now_and_at_boot_once(machine):
    wanted = {"keyfile": "/key", "opts": ["luks"], "config": str(machine.file), "immediate": True}

    machine.enter(test=True)
    preview = state.mapped("backup", "/dev/sdb1", **wanted)
    untouched = machine.file.read_text() == LINES and "backup" not in machine.opened
    machine.enter()
    done = state.mapped("backup", "/dev/sdb1", **wanted)
    again = state.mapped("backup", "/dev/sdb1", **wanted)

    assert (preview["result"], untouched) == (None, True)
    assert preview["comment"] == (
        f"Device would be mapped immediately\nEntry would be added in {machine.file}"
    )
    assert done["result"] is True
    assert done["changes"] == {
        "cryptsetup": "Device mapped using cryptsetup",
        "crypttab": f"Entry added in {machine.file}",
    }
    assert (again["result"], again["changes"]) == (True, {})


def test_a_device_is_closed_now_and_at_boot_once(machine):
    machine.opened = {"swap"}
    wanted = {"config": str(machine.file), "immediate": True}

    machine.enter(test=True)
    preview = state.unmapped("swap", **wanted)
    machine.enter()
    done = state.unmapped("swap", **wanted)
    again = state.unmapped("swap", **wanted)

    assert preview["result"] is None
    assert done["changes"] == {
        "cryptsetup": "Device unmapped using cryptsetup",
        "crypttab": f"Entry removed from {machine.file}",
    }
    assert (again["result"], again["changes"]) == (True, {})


@pytest.mark.parametrize(
    ("wanted", "comment"),
    [
        ({"persist": False}, "Either persist or immediate must be set"),
        ({"immediate": True}, "Device cannot be mapped immediately without a keyfile"),
        ({"config": "/nosuch"}, 'Bad config file "/nosuch"'),
    ],
)
def test_a_state_that_cannot_be_reached_fails_with_the_reason(machine, wanted, comment):
    result = state.mapped("backup", "/dev/sdb1", **wanted)

    assert result["result"] is False
    assert result["comment"].startswith(comment)


def test_a_device_that_does_not_open_fails_the_state(machine):
    result = state.mapped("backup", "/dev/broken", keyfile="/key", persist=False, immediate=True)

    assert (result["result"], result["comment"]) == (False, "Device failed to map using cryptsetup")
