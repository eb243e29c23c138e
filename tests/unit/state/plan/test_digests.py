import os
import stat

import pytest

from salt_g.state.plan.digests import KEY_FILE, Digests, leaves_of, machine_digests


def test_a_digest_depends_on_the_key_and_the_value_and_not_on_the_order_of_mappings(digests):
    assert digests.of({"a": 1, "b": [2]}) == digests.of({"b": [2], "a": 1})
    assert digests.of({"a": 1}) != digests.of({"a": 2})
    assert digests.of("a", "b") != digests.of("ab")
    assert digests.of(1) != digests.of("1")
    assert digests.of({1: 0}) != digests.of({"1": 0})
    assert digests.of("a") != Digests(b"o" * 32).of("a")


@pytest.mark.parametrize("value", [None, b"\xff", {"a", "b"}, (1, 2.5), object, "\udcff"])
def test_values_of_any_type_have_a_digest(digests, value):
    assert len(digests.of(value)) == 32


def test_names_in_the_heads_of_diffs_do_not_count(digests):
    one = "--- /tmp/a 01:00\n+++ /tmp/b\n@@ -1 +1 @@\n-a\n+b\n"
    other = "--- /tmp/c 02:00\n+++ /tmp/d\n@@ -1 +1 @@\n-a\n+b\n"

    assert digests.of({"diff": one}) == digests.of({"diff": other})
    assert digests.of({"diff": one}) != digests.of({"diff": one.replace("+b", "+c")})


def test_the_parts_of_changes_are_the_lines_of_diffs_and_the_values_of_the_rest(digests):
    diff = "--- \n\n+++ \n\n@@ -0,0 +1,2 @@\n\n+x\n+x\n y\n"

    assert list(leaves_of({"diff": diff, "mode": {"new": "1"}})) == [
        (("diff",), "+x"),
        (("diff",), "+x"),
        (("mode", "new"), "1"),
    ]
    assert len(set(digests.leaves({"diff": diff}))) == 2
    assert digests.leaves({}) == []


def test_a_signature_covers_everything_but_itself(digests):
    value = {"a": 1, "mac": ""}
    value["mac"] = digests.signature(value)

    assert digests.is_signed(value)
    assert not digests.is_signed({**value, "a": 2})
    assert not digests.is_signed({"a": 1})


def test_the_key_of_a_machine_is_made_once_and_private(tmp_path):
    first = machine_digests(str(tmp_path / "cache"))
    path = tmp_path / "cache" / KEY_FILE

    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert machine_digests(str(tmp_path / "cache")).of("a") == first.of("a")
    path.write_bytes(b"short")
    with pytest.raises(OSError, match="has 5 bytes, not 32; remove it"):
        machine_digests(str(tmp_path / "cache"))
