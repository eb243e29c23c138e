import pytest

from salt_g.states import mdadm_raid


@pytest.fixture
def arrays(call_context):
    """Return devices, and the array data on them; `enter(test=True)` is test mode."""
    running, done = {}, []

    def make(name, *words, test_mode=False, **more):
        if test_mode:
            return "mdadm …"
        running[name] = {"device": name, "uuid": "u1"}
        done.append(words)
        return ""

    functions = {
        "raid.list": lambda: running,
        "raid.examine": lambda device, quiet: {"MD_UUID": device[-2:]} if "known" in device else {},
        "raid.create": make,
        "raid.assemble": make,
        "raid.save_config": lambda: None,
        "raid.add": lambda name, device: device != "/dev/bad",
        "raid.destroy": lambda name: bool(running.pop(name)),
        "file.access": lambda device, mode: device != "/dev/gone",
    }
    return lambda **opts: call_context(functions=functions, opts=opts), done


def test_new_devices_make_an_array(arrays):
    arrays[0]()

    result = mdadm_raid.present("/dev/md0", 1, ["/dev/a", "missing"])

    assert result["comment"] == "Raid /dev/md0 created. Missing devices: ['missing']"
    assert result["changes"]["uuid"] == "u1"
    assert arrays[1] == [(1, ["/dev/a", "missing"])]
    assert mdadm_raid.present("/dev/md0", 1, ["/dev/known.u1"])["changes"] == {}


def test_devices_that_know_an_array_are_assembled_and_new_ones_added(arrays):
    arrays[0]()

    result = mdadm_raid.present("/dev/md0", 1, ["/dev/known.u1", "/dev/b"])

    assert result["comment"] == "Raid /dev/md0 assembled. Added new device /dev/b to /dev/md0.\n"
    assert result["changes"]["added"] == ["/dev/b"]


def test_devices_of_two_arrays_are_refused(arrays):
    arrays[0]()

    result = mdadm_raid.present("/dev/md0", 1, ["/dev/known.u1", "/dev/known.u2"])

    assert result["result"] is False
    assert "multiple MD_UUIDs: ['u1', 'u2']" in result["comment"]
    assert "All devices are missing" in mdadm_raid.present("/dev/md0", 1, ["/dev/gone"])["comment"]


def test_test_mode_says_what_would_be_run(arrays):
    arrays[0](test=True)

    result = mdadm_raid.present("/dev/md0", 1, ["/dev/a"])

    assert (result["result"], result["comment"]) == (None, "Raid will be created with: mdadm …")
    assert mdadm_raid.absent("/dev/md0")["comment"] == "Raid /dev/md0 already absent"
