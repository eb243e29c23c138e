"""Grouping of a plan's changes by content."""

from salt_g.report.plan_groups import groups_of, idle


def chunk(name, verdict="change", text="-a\n+b", fun="file.managed"):
    return {
        **{"id": name, "fun": fun, "name": name, "verdict": verdict, "shown": "+1 -1"},
        **{"text": text, "opaque": ""},
    }


def shown(documents):
    return [(one["name"], one["verdict"], one["minions"]) for one in groups_of(documents)]


def test_equal_changes_are_one_with_all_their_minions():
    documents = [
        ("web1", {"chunks": [chunk("/a"), chunk("/b"), chunk("/same", "same")]}),
        ("web2", {"chunks": [chunk("/a"), chunk("/b", text="-a\n+B")]}),
        ("web3", {"chunks": [chunk("/a", "same")]}),
    ]

    assert shown(documents) == [
        ("/a", "change", ["web1", "web2"]),
        ("/b", "change", ["web1"]),
        ("/b", "change", ["web2"]),
    ]
    assert idle(documents) == ["web3"]


def test_failures_and_unreadable_documents_come_first():
    documents = [
        ("web1", {"chunks": [chunk("/a"), chunk("/z", "fails")]}),
        ("web2", {"chunks": [chunk("/a")]}),
        ("web3", None),
    ]

    assert shown(documents) == [
        ("", "unreadable", ["web3"]),
        ("/z", "fails", ["web1"]),
        ("/a", "change", ["web1", "web2"]),
    ]
    assert idle(documents) == []


def test_a_minion_is_named_once_for_two_equal_changes():
    assert shown([("web1", {"chunks": [chunk("/a"), chunk("/a")]})]) == [("/a", "change", ["web1"])]
