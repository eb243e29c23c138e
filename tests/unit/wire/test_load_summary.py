"""One-line summary of a load, without potential secrets."""

from salt_g.wire.load_summary import LONGEST, LoadSummary


def test_a_summary_names_the_command_and_its_subject():
    load = {"cmd": "_serve_file", "path": "web/init.sls", "saltenv": "base", "loc": 0, "id": "web1"}

    assert str(LoadSummary(load)) == "_serve_file path=web/init.sls saltenv=base loc=0"


def test_arguments_returns_and_logins_are_not_shown():
    load = {"cmd": "publish", "fun": "mysql.user_create", "arg": ["s3cret"], "kwargs": {"password": "s3cret"}}

    assert "s3cret" not in str(LoadSummary({**load, "return": "s3cret", "pillar_override": {"a": "s3cret"}}))


def test_a_peer_cannot_make_a_summary_long():
    load = {"cmd": "x" * 10_000, "tgt": [f"m{number}" for number in range(10_000)], "path": {"a": "b"}}

    assert len(str(LoadSummary(load))) < 3 * LONGEST


def test_a_load_is_not_formatted_before_it_is_logged():
    class Loud(dict):
        def get(self, *_):
            raise AssertionError("formatted")

    LoadSummary(Loud(cmd="publish"))
