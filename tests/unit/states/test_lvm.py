import pytest

from salt_g.errors import InvocationError
from salt_g.states import lvm
from salt_g.states.lvm.logical import megabytes


@pytest.fixture
def volumes(call_context):
    """Return a machine with a volume /dev/vg0/a of 8 MB; `enter(test=True)` is test mode."""
    there = {"/dev/vg0/a": {"Logical Volume Size": "16384", "Current Logical Extents Associated": "2"}}
    physical = {"/dev/sdb1": "vg0", "/dev/sdc": "", "/dev/sdd": "other"}

    def lvresize(lvpath, size=None, extents=None, **how):
        there[lvpath]["Logical Volume Size"] = str(int(megabytes(size or f"{extents * 4}M") * 2048))
        return {"Output from lvresize": "done"}

    def lvcreate(name, vgname, size=None, **how):
        if size == "9G":
            return {"Output from lvcreate": "not enough space"}
        there[f"/dev/{vgname}/{name}"] = {"Logical Volume Size": "2048"}
        return {"Output from lvcreate": "made"}

    functions = {
        "lvm.lvdisplay": lambda path, quiet=False: {path: there[path]} if path in there else {},
        "lvm.lvcreate": lvcreate,
        "lvm.lvresize": lvresize,
        "lvm.lvremove": lambda name, vgname: there.pop(f"/dev/{vgname}/{name}") and "removed",
        "lvm.vgdisplay": lambda name, quiet=False: {name: {}} if name == "vg0" else {},
        "lvm.vgextend": lambda name, device: physical.update({device: name}),
        "lvm.pvdisplay": lambda device, real=False, quiet=False: (
            {device: {"Volume Group Name": physical[device]}} if device in physical else {}
        ),
    }
    return lambda **opts: call_context(functions=functions, opts=opts)


@pytest.mark.parametrize(
    ("size", "expected"),
    [("10", 10), (10, 10), ("10M", 10), ("1g", 1024), ("1GB", 1024), ("2048s", 1), ("1T", 1024**2)],
)
def test_sizes_are_read_in_megabytes(size, expected):
    assert megabytes(size) == expected


def test_a_size_that_makes_no_sense_is_refused():
    with pytest.raises(InvocationError, match="Size x is invalid"):
        megabytes("x")
    with pytest.raises(InvocationError, match="Unit w is invalid"):
        megabytes("3w")


def test_a_volume_is_made_and_is_there_the_second_time(volumes):
    volumes()

    assert lvm.lv_present("b", "vg0", size="1M")["changes"] == {"created": {"Output from lvcreate": "made"}}
    assert lvm.lv_present("b", "vg0")["comment"] == "Logical Volume b already present"


def test_why_a_volume_is_not_made_is_reported(volumes):
    volumes()

    result = lvm.lv_present("b", "vg0", size="9G")

    assert result["result"] is False
    assert result["comment"] == "Failed to create Logical Volume b. Error: not enough space"


def test_a_volume_grows_and_shrinks_only_by_force(volumes):
    volumes()

    assert lvm.lv_present("a", "vg0", size="8M")["changes"] == {}
    assert lvm.lv_present("a", "vg0", size="12M")["comment"] == "Resized Logical Volume a"
    result = lvm.lv_present("a", "vg0", size="4M")
    assert result["comment"] == "To reduce a Logical Volume option 'force' must be True."
    assert lvm.lv_present("a", "vg0", size="4M", force=True)["result"] is True


def test_a_share_of_free_space_says_nothing_about_a_volume_that_is_there(volumes):
    volumes()

    result = lvm.lv_present("a", "vg0", extents="100%FREE")

    assert result["comment"] == "Logical Volume a already present, 100%FREE won't be resized."


def test_a_group_gets_the_devices_that_it_lacks(volumes):
    volumes()

    result = lvm.vg_present("vg0", "/dev/sdb1,/dev/sdc,/dev/sdd,/dev/sde")

    assert result["changes"] == {"/dev/sdc": "added to vg0"}
    assert result["result"] is False
    assert result["comment"].splitlines()[1:] == [
        "/dev/sdb1 is part of Volume Group",
        "/dev/sdd is part of other",
        "pv /dev/sde is not present",
    ]


def test_test_mode_changes_nothing(volumes):
    volumes(test=True)

    assert lvm.lv_absent("a", "vg0")["comment"] == "Logical Volume a is set to be removed"
    assert lvm.lv_present("a", "vg0", size="12M")["comment"] == "Logical Volume a is set to be resized"
    result = [lvm.vg_present("vg0", ["/dev/sdc"]) for _ in range(2)]
    assert [(each["result"], each["changes"]) for each in result] == [(None, {}), (None, {})]
