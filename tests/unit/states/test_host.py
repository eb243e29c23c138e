"""`host` states with the real `hosts` module and a hosts file of the test."""

import pytest

from salt_g.modules import hosts
from salt_g.states import host as state


@pytest.fixture
def enter(tmp_path, call_context):
    path = tmp_path / "hosts"
    path.write_text("# top\n127.0.0.1 localhost\n192.0.2.9 old.example\n192.0.2.5 five cinq # fifth\n")
    path.chmod(0o640)
    functions = {f"hosts.{name}": getattr(hosts, name) for name in dir(hosts) if not name.startswith("_")}
    functions["config.option"] = lambda key: str(path)

    def enter(test=False):
        call_context(functions=functions, opts={"test": test})
        return path

    enter()
    return enter


def test_a_name_is_added_once(enter):
    first = state.present("one", ["192.0.2.1"], comment="new")
    second = state.present("one", "192.0.2.1", comment="new")

    assert first["comment"] == "Added host one (192.0.2.1)\nSet comment for host 192.0.2.1 (new)"
    assert first["changes"] == {"added": {"192.0.2.1": ["one"]}, "comment_added": {"192.0.2.1": ["new"]}}
    assert (second["result"], second["changes"]) == (True, {})
    assert enter().read_text().endswith("192.0.2.1\t\tone\t\t# new\n")


def test_other_addresses_are_warned_of_or_cleaned(enter):
    warned = state.present("five", "192.0.2.1")
    cleaned = state.present("five", "192.0.2.1", clean=True)

    assert warned["warnings"][0].startswith("Host five present for IP address 192.0.2.5.")
    assert cleaned["changes"] == {"removed": {"192.0.2.5": ["five"]}}
    assert "192.0.2.5\t\tcinq\t\t# fifth\n" in enter().read_text()


def test_names_go_with_their_line(enter):
    made = state.absent("old.example", "192.0.2.9")

    assert made["changes"] == {"host": "old.example"}
    assert (
        state.absent("old.example", "192.0.2.9")["comment"] == "Host old.example (192.0.2.9) already absent"
    )
    assert "192.0.2.9" not in enter().read_text()


def test_only_sets_all_names(enter):
    made = state.only("192.0.2.5", ["five"])

    assert made["changes"] == {"192.0.2.5": {"old": "five cinq", "new": "five"}}
    assert state.only("192.0.2.5", "five")["comment"] == 'IP address 192.0.2.5 already set to "five"'


def test_test_mode_leaves_the_file(enter):
    path = enter(test=True)
    before = path.read_text()

    results = [
        state.present("x", "192.0.2.7"),
        state.absent("five", "192.0.2.5"),
        state.only("192.0.2.5", []),
    ]

    assert [made["result"] for made in results] == [None, None, None]
    assert path.read_text() == before


def test_the_mode_of_the_file_stays(enter):
    state.present("one", "192.0.2.1")

    assert enter().stat().st_mode & 0o777 == 0o640


def test_questions_are_answered(enter):
    assert hosts.get_ip("cinq") == "192.0.2.5"
    assert hosts.get_ip("nothing") == ""
    assert hosts.get_alias("192.0.2.5") == ["five", "cinq"]
    assert hosts.has_pair("192.0.2.5", ["five", "cinq"]) and not hosts.has_pair("192.0.2.8", "five")
    assert hosts.set_comment("192.0.2.8", "x") is False
    assert hosts.list_hosts()["comment-0"] == ["# top"]
