"""Attributes of kernel objects, in a directory in place of /sys."""

import pytest

from salt_g.modules import sysfs
from salt_g.states import sysfs as state


@pytest.fixture
def root(tmp_path, monkeypatch, call_context):
    monkeypatch.setattr(sysfs, "ROOT", str(tmp_path))
    (tmp_path / "block" / "queue").mkdir(parents=True)
    (tmp_path / "block" / "size").write_text("42\n")
    (tmp_path / "block" / "load").write_text("0.5\n")
    (tmp_path / "block" / "queue" / "scheduler").write_text("none [deadline] bfq\n")
    (tmp_path / "block" / "state").write_text("\n")
    (tmp_path / "block" / "state").chmod(0o400)
    call_context(functions={"sysfs.read": sysfs.read, "sysfs.write": sysfs.write})
    return tmp_path


def test_a_directory_is_read_as_a_tree_of_what_has_a_value(root):
    tree = sysfs.read("block")

    assert tree == {"size": 42, "load": 0.5, "queue": {"scheduler": "none [deadline] bfq"}}


def test_several_keys_are_read_below_one_place(root):
    assert sysfs.read(["size", "nosuch"], root="block") == {"size": 42}


def test_attributes_are_reported_by_what_may_be_done_with_them(root):
    known = sysfs.interfaces("block")

    assert known["r"] == ["state"]
    assert sorted(known["rw"]) == ["load", "queue/scheduler", "size"]
    assert sysfs.interfaces("nosuch") is False


def test_a_missing_entry_is_false(root):
    assert sysfs.read("nosuch") is False
    assert sysfs.write("nosuch", 1) is False
    assert sysfs.target("nosuch") is False
    assert sysfs.attr("nosuch") is False
    assert sysfs.target("block/size", full=False) == "size"


def test_the_chosen_value_of_several_counts(root, call_context):
    kept = state.present("block/queue/scheduler", "deadline")
    changed = state.present("block/size", 43)

    assert kept["comment"] == "SysFS attribute block/queue/scheduler is already set."
    assert changed["changes"] == {"block/size": 43}
    assert (root / "block" / "size").read_text() == "43\n"


@pytest.mark.parametrize(
    ("name", "comment"),
    [
        ("nosuch", "SysFS attribute nosuch doesn't exist."),
        ("block", "block is not a SysFS attribute."),
    ],
)
def test_a_name_that_is_not_an_attribute_fails(root, name, comment):
    result = state.present(name, 1)

    assert (result["result"], result["comment"]) == (False, comment)
