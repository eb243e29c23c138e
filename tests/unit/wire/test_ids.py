import pytest

from salt_g.errors import WireError
from salt_g.wire.ids import check_id, is_valid_id


@pytest.mark.parametrize("id", ["m1", "web-1.example.org", "a" * 253, "_x", "user@host", "dummy:one", "9"])
def test_these_may_be_ids(id):
    assert is_valid_id(id) and check_id(id) == id


@pytest.mark.parametrize(
    "id",
    ["", ".", "..", ".x", "-x", "a/b", "a\\b", "a b", "a\n", "a\0", "ä", "\u0430", "x" * 254, "*", None, 5],
)
def test_these_are_no_ids(id):
    assert not is_valid_id(id)
    with pytest.raises(WireError):
        check_id(id)
