"""One shared password for all users."""

from salt_g.auth.sharedsecret import Checker


def test_the_secret_of_the_settings_is_the_password():
    checker = Checker({"sharedsecret": "gehe\u00efm"}, {})

    assert checker.is_right("fred", "gehe\u00efm") is True
    assert checker.is_right("fred", "geheim") is False
    assert checker.is_right("fred", "") is False


def test_an_empty_secret_admits_no_user():
    for opts in ({}, {"sharedsecret": ""}, {"sharedsecret": None}):
        assert Checker(opts, {}).is_right("fred", "") is False


def test_passwords_of_any_bytes_are_compared():
    assert Checker({"sharedsecret": "a\udcff"}, {}).is_right("fred", "a\udcff") is True


def test_settings_decide_about_groups_and_permissions():
    checker = Checker({"sharedsecret": "x"}, {})

    assert (checker.groups("fred"), checker.permissions("fred", "x")) == ([], None)
