"""Scripts that run on a host before its first call."""

import pytest

from salt_g.cli.ssh.pre_flight import PreFlight, of_entry


@pytest.mark.parametrize(
    ("given", "args"), [(None, ""), ("a 'b c'", "a 'b c'"), (["a", "b; c", 3], "a 'b; c' 3")]
)
def test_arguments_are_words_of_a_shell(given, args):
    entry = {"host": "h", "ssh_pre_flight": "/flight", "ssh_pre_flight_args": given}

    assert of_entry(entry, is_forced=True) == PreFlight("/flight", args, True)


def test_an_entry_without_a_script_has_none():
    assert of_entry({"host": "h", "ssh_pre_flight_args": "x"}, is_forced=False) is None


def test_a_forced_script_never_counts_as_run():
    assert not PreFlight("/flight", "", True).has_run()
