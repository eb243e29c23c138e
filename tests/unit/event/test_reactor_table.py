"""Reactor files by tag."""

from salt_g.event.reactor_table import ReactorTable

CONFIG = [
    {"salt/minion/*/start": ["/srv/reactor/start.sls", "salt://reactor/two.sls"]},
    {"salt/*": "/srv/reactor/all.sls"},
    {"my/event": []},
]


def test_all_rows_that_match_give_their_files_in_order():
    reactions = ReactorTable(CONFIG)

    assert reactions.matching("salt/minion/m1/start") == [
        "/srv/reactor/start.sls",
        "salt://reactor/two.sls",
        "/srv/reactor/all.sls",
    ]
    assert reactions.matching("salt/auth") == ["/srv/reactor/all.sls"]
    assert reactions.matching("my/event") == []
    assert reactions.problems == []


def test_rows_of_another_form_are_left_out_and_named():
    reactions = ReactorTable(
        ["text", {"a": "x", "b": "y"}, {}, {"t": 7}, {3: "x"}, {"t": ["x", 1]}, {"ok": "x"}]
    )

    assert reactions.entries() == [{"ok": "x"}]
    assert len(reactions.problems) == 6
    assert "expected an SLS file or a list of them" in reactions.problems[3]


def test_rows_are_added_once_and_deleted():
    reactions = ReactorTable(CONFIG)

    assert reactions.add("my/other", "x.sls") == {"status": True, "comment": "Reactor added."}
    assert reactions.add("my/other", "y.sls") == {"status": False, "comment": "Reactor already exists."}
    assert reactions.matching("my/other") == ["x.sls"]
    assert reactions.delete("my/other") == {"status": True, "comment": "Reactor deleted."}
    assert reactions.delete("my/other") == {"status": False, "comment": "Reactor does not exists."}
    assert reactions.entries() == CONFIG


def test_a_row_that_cannot_be_used_is_not_added():
    added = ReactorTable([]).add("t", [1])

    assert added["status"] is False
    assert "expected an SLS file" in added["comment"]
