"""Job ids as moments in UTC."""

from salt_g.data import jid


def test_a_jid_is_the_moment_to_the_microsecond():
    assert jid.make(1_767_225_600_123_456_789) == "20260101000000123456"


def test_a_jid_says_when_it_was_started():
    assert jid.started_at("20260102030405678901") == "2026, Jan 02 03:04:05.678901"


def test_only_twenty_digits_are_a_jid():
    assert jid.is_jid(jid.make())
    assert not jid.is_jid("2026")
    assert not jid.is_jid("x" * 20)


def test_the_suffix_of_a_job_is_no_part_of_a_tag_or_path():
    whole = jid.make()

    assert jid.is_job(whole)
    assert jid.is_job(f"{whole}_4711")
    for suffix in ("/ret/m1", "/../x", "\n", "\0", "_" * 44, ".x", "_é"):
        assert not jid.is_job(whole + suffix)
