"""`auto`, which accepts every login."""

from salt_g.auth.auto import Checker


def test_every_password_is_right_and_the_settings_decide_what_is_allowed():
    checker = Checker({}, {})

    assert checker.is_right("ann", "anything") is True
    assert checker.groups("ann") == []
    assert checker.permissions("ann", "anything") is None
