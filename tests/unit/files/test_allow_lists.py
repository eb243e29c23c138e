"""White and black lists: the black one wins, an empty white one has everything."""

import pytest

from salt_g.files.allow_lists import is_exposed


@pytest.mark.parametrize(
    ("whitelist", "blacklist", "exposed"),
    [
        ([], [], True),
        ("", "", True),
        (["dev"], [], True),
        (["d*"], [], True),
        (["de.|x+"], [], True),
        ("base,dev", "", True),
        ("base, dev", "", True),
        (["base"], [], False),
        (["de"], [], False),
        (["ev"], [], False),
        ([], ["dev"], False),
        ([], "base, dev", False),
        (["dev"], ["d?v"], False),
        ([], ["DEV", "de", "(", ""], True),
        ([404], [], False),
    ],
)
def test_a_name_is_exposed_if_it_is_listed_and_not_hidden(whitelist, blacklist, exposed):
    assert is_exposed("dev", whitelist, blacklist) is exposed


def test_entries_that_yaml_reads_as_numbers_are_names():
    assert is_exposed("2024", [2024], [])
    assert not is_exposed("2024", [], [2024])
