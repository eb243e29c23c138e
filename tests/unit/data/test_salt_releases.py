"""Code names of releases."""

from salt_g.data.salt_releases import releases


def test_releases_have_their_names_in_order():
    found = releases()

    assert (found["helium"], found["neon"], found["argon"]) == ((2014, 7), (3000,), (3008,))
    assert list(found.values()) == sorted(found.values())
