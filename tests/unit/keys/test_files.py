"""Keys as a master reads them."""

import pytest

from salt_g.keys.admission import ACCEPTED, DENIED, PENDING, REJECTED
from salt_g.keys.files import KeyFiles


@pytest.fixture
def put(tmp_path):
    """Return a function that writes key files of an id in the given states."""

    def write(id, *states):
        for state in states:
            (tmp_path / state).mkdir(exist_ok=True)
            (tmp_path / state / id).write_text(f"key of {id}, {state}\n")

    return write


@pytest.fixture
def files(tmp_path):
    return KeyFiles(str(tmp_path))


def test_without_directories_there_are_no_keys(files):
    assert (files.accepted(), files.known(), files.find("m1")) == (frozenset(), frozenset(), None)


def test_accepted_ids_are_some_of_the_known_ones(files, put):
    put("m1", ACCEPTED)
    put("m2", PENDING)
    put("m3", DENIED)

    assert files.accepted() == {"m1"}
    assert files.known() == {"m1", "m2", "m3"}
    assert files.accepted_key("m1") == f"key of m1, {ACCEPTED}"
    assert files.accepted_key("m2") is None


def test_of_several_keys_the_one_with_fewest_rights_decides(files, put):
    put("m1", ACCEPTED, PENDING, REJECTED)
    put("m2", ACCEPTED, PENDING)
    put("m3", ACCEPTED, DENIED)

    assert [files.find(id).state for id in ("m1", "m2", "m3")] == [REJECTED, PENDING, ACCEPTED]
