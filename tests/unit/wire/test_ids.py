import pytest

from salt_g.errors import WireError
from salt_g.wire.ids import check_id, is_valid_id, misread


@pytest.mark.parametrize("id", ["m1", "web-1.example.org", "a" * 253, "_x", "user@host", "dummy:one", "9"])
def test_these_may_be_ids(id):
    assert is_valid_id(id) and check_id(id) == id


@pytest.mark.parametrize(
    "id",
    ["", ".", "..", ".x", "-x", "a/b", "a\\b", "a b", "a\n", "a\0", "ä", "\u0430", "x" * 254, "*", None, 5],
)
def test_these_are_not_ids(id):
    assert not is_valid_id(id)
    with pytest.raises(WireError):
        check_id(id)


@pytest.mark.parametrize(
    "id",
    [
        "G@os:Linux",
        "N@x",
        "E@.",
        "L@a",
        "T@ssh",
        "Gx@osxa",
        "I:@a",
        "D@x",
        "A@b",
        "and",
        "or",
        "not",
        "x.",
        "a...",
    ],
)
def test_an_id_that_a_target_would_misread_is_refused(id):
    assert misread(id)


@pytest.mark.parametrize(
    "id", ["web1", "user@host", "@x", "a..b", "a-", "android", "notes", "g@x", "M1", "Web@x"]
)
def test_an_id_that_targets_read_as_such_is_accepted(id):
    assert misread(id) == ""
