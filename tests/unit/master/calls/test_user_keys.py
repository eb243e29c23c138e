"""Secrets of local users, and addresses of this host."""

import os
import pwd

from salt_g.master.calls.clear_command_sources import ClearCommandSources
from salt_g.master.calls.user_keys import UserKeys

ME = pwd.getpwuid(os.getuid()).pw_name


def test_a_key_is_made_once_and_known_again(tmp_path):
    first = UserKeys(str(tmp_path), ME)
    first.make()
    key = (tmp_path / f".{ME}_key").read_text()

    again = UserKeys(str(tmp_path), ME)
    again.make()

    assert len(key) == 76
    assert first.user_of(key) == again.user_of(key) == ME
    assert (tmp_path / f".{ME}_key").stat().st_mode & 0o777 == 0o600


def test_no_user_is_identified_by_anything_else(tmp_path):
    keys = UserKeys(str(tmp_path), ME)
    keys.make()

    assert [keys.user_of(key) for key in ("", None, 5, "x" * 76, b"\xff", "ä")] == [None] * 6


def test_own_addresses_are_those_that_a_socket_can_be_bound_to():
    own = ClearCommandSources()

    assert "127.0.0.1" in own
    assert "::ffff:127.0.0.1" in own
    assert "::1" in own
    assert "192.0.2.1" not in own
    assert "0.0.0.0" not in own
    assert "" not in own
    assert "example.org" not in own
