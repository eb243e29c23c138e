"""The API's copy of the overview."""

from salt_g.http_api.known.fleet_table import FleetTable


def row(id, verdict=""):
    return {"id": id, "last_run": {"verdict": verdict} if verdict else None}


def test_the_copy_is_renewed_by_what_has_changed_once_a_second():
    now, requests = [0.0], []
    answers = [
        {"boot": "b", "number": 1, "is_whole": True, "rows": [row("m2"), row("m1", "ok")], "gone": []},
        {"boot": "b", "number": 2, "is_whole": False, "rows": [row("m2", "failed")], "gone": ["m1"]},
    ]

    def ask(load):
        requests.append(load)
        return answers[len(requests) - 1]

    table = FleetTable(ask, clock=lambda: now[0])
    first = table.rows()
    assert [(one["id"], one["status"]) for one in first.values()] == [("m1", "ok"), ("m2", "none")]
    assert table.rows() is first

    now[0] = 1.0
    assert [(one["id"], one["status"]) for one in table.rows().values()] == [("m2", "failed")]
    assert list(first) == ["m1", "m2"]
    assert requests == [{"cmd": "overview"}, {"cmd": "overview", "boot": "b", "number": 1}]
