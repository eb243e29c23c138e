import hashlib

import pytest

from salt_g.modules.postgres import _passwords

#: The example of RFC 7677: the user `user` with the password `pencil`.
SCRAM = (
    "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:"
    "wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU="
)


def test_a_verifier_computed_by_rfc_7677_is_recognised():
    assert _passwords.matches("user", "pencil", SCRAM, "scram-sha-256")
    assert not _passwords.matches("user", "pencils", SCRAM, "scram-sha-256")
    assert not _passwords.matches("user", "pencil", SCRAM, "md5")


def test_md5_is_of_the_password_and_the_role():
    stored = _passwords.encrypted("salt", "secret", "md5")

    assert stored == "md5" + hashlib.md5(b"secretsalt").hexdigest()
    assert _passwords.matches("salt", "secret", stored, True)
    assert not _passwords.matches("pepper", "secret", stored, "md5")


def test_scram_has_a_salt_of_its_own_each_time():
    one, other = (_passwords.encrypted("r", "secret", "scram-sha-256") for _ in range(2))

    assert one != other
    assert _passwords.matches("r", "secret", one, "scram-sha-256")
    assert _passwords.matches("r", "secret", other, "scram-sha-256")


def test_an_encrypted_password_stays_as_it_is():
    assert _passwords.encrypted("r", SCRAM, "scram-sha-256") == SCRAM
    assert _passwords.matches("r", SCRAM, SCRAM, "scram-sha-256")
    assert _passwords.encrypted("r", "plain", False) == "plain"


def test_the_servers_own_choice_is_recognised_in_every_form():
    assert _passwords.matches("user", "pencil", SCRAM, False)
    assert _passwords.matches("r", "secret", _passwords.encrypted("r", "secret", "md5"), False)
    assert not _passwords.matches("r", "secret", "", False)


def test_an_unknown_method_is_refused():
    with pytest.raises(ValueError, match="Unknown password algorithm: rot13"):
        _passwords.encrypted("r", "secret", "rot13")


@pytest.mark.parametrize(
    ("password", "prepared"),
    [
        ("I\u00adX", "IX"),
        ("\u00aa", "a"),
        ("\u2168", "IX"),
        ("a\u00a0b", "a b"),
        # Prohibited, and of two directions: taken as they are, as the server does.
        ("\u0007", "\u0007"),
        ("\u0627\u0031", "\u0627\u0031"),
    ],
)
def test_passwords_are_prepared_as_in_rfc_4013(password, prepared):
    assert _passwords._prepared(password) == prepared
