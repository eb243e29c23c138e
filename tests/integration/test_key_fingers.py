"""`key.finger` on a machine, whose text is compared with what the master shows."""

from salt_g.wire.pem import fingerprint

PEM = "-----BEGIN PUBLIC KEY-----\nAAAA\nBBBB\n-----END PUBLIC KEY-----"


def test_fingers_are_those_that_the_master_shows(salt_g):
    pki = salt_g.root / "pki"
    pki.mkdir()
    (pki / "minion.pub").write_text(PEM)

    assert salt_g("key.finger").value == fingerprint(PEM)
    assert salt_g("key.finger", "hash_type=md5").value == fingerprint(PEM, "md5")


def test_there_is_no_finger_of_a_master_that_was_never_met(salt_g):
    assert salt_g("key.finger_master").value == ""
