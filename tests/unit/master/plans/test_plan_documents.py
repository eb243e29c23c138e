import pytest

from salt_g.master.plans import kept_plans, plan_documents
from salt_g.master.plans.plan_documents import (
    SILENT,
    STOCK,
    UNREADABLE,
    closed,
    given,
    readable,
    take_document,
)
from salt_g.wire.packing import pack_bus
from tests.support.plan_records import ID, JID, document, record

RETURN = {"id": "web1", "jid": JID, "return": {}}
APPLIED = [{"jid": "2", "user": "ann", "at": 0.0}]


def test_the_document_of_an_expected_return_is_kept(kept):
    kept.write(record())

    take_document(kept, RETURN, {"id": ID, "document": document("change")})
    take_document(
        kept, {**RETURN, "id": "dummy:a", "minion": "web2"}, {"id": ID, "document": document("same")}
    )
    kept.write(record())

    found = dict(kept.documents(ID))
    assert found["web1"]["minion"] == "web1"
    assert found["dummy:a"]["minion"] == "web2"


@pytest.mark.parametrize(
    ("of_plan", "load", "plan"),
    [
        ({}, {**RETURN, "jid": "another"}, {"id": ID, "document": document()}),
        ({"is_closed": True}, RETURN, {"id": ID, "document": document()}),
        ({}, RETURN, {"id": "../x", "document": document()}),
        ({}, RETURN, {"id": ID, "document": 1}),
        ({}, RETURN, {"id": ["x"], "document": document()}),
        ({}, RETURN, {"id": ID, "document": "x" * 101}),
    ],
)
def test_an_unordered_or_too_large_document_is_dropped(kept, monkeypatch, of_plan, load, plan):
    monkeypatch.setattr(plan_documents, "MAX_BYTES", 100)
    kept.write(record(**of_plan))

    take_document(kept, load, plan)

    assert kept.names(ID) == []


def test_a_closed_plan_counts_and_says_why_minions_are_not_in_it(kept):
    kept.put_document(ID, "web1", "web1", document("change", "same")).result()
    kept.put_document(ID, "web2", "web2", "broken").result()
    minions = ["web1", "web2", "stock", "bad", "away"]
    returns = {
        "stock": {"return": {"test_|-x_|-x_|-nop": {}}},
        "bad": {"return": ["No matching sls found for 'web' in env 'base'"]},
    }

    done = closed(kept, record(minions=minions), returns)

    assert done["is_closed"]
    assert (done["counts"]["minions"], done["counts"]["change"], done["counts"]["states"]) == (1, 1, 1)
    assert list(done["planned"]) == ["web1"]
    assert done["refused"] == {
        "web2": UNREADABLE,
        "stock": STOCK,
        "bad": "ran no states: No matching sls found for 'web' in env 'base'",
        "away": SILENT,
    }
    assert dict(readable(kept, ID))["web1"]["chunks"][0] == {
        "id": "x", "fun": "file.managed", "name": "/x", "verdict": "change", "shown": "+1 -1", "text": "",
        "opaque": "",
    }  # fmt: skip


def test_a_minion_gets_its_own_part_of_a_plan_that_is_applied_and_nothing_else(kept):
    kept.put_document(ID, "web1", "web1", document("change")).result()
    kept.put_document(ID, "a", "web1", document("same")).result()
    done = closed(kept, record(), {})
    load = {"plan": ID, "jid": "2"}

    kept.write(done)
    assert "plans are applied by `salt-g plan apply" in given(kept, "web1", load)["error"]
    kept.write({**done, "applied": APPLIED})
    assert given(kept, "web1", load) == {
        "call": {"fun": "state.apply", "args": ["web"], "kwargs": {"test": True}},
        "document": document("change"),
    }
    assert given(kept, "web1", {**load, "resource": "dummy:a"})["document"] == document("same")
    assert "no part" in given(kept, "web2", load)["error"]
    assert "no part" in given(kept, "web2", {**load, "resource": "dummy:a"})["error"]
    assert "keeps no such plan" in given(kept, "web1", {**load, "plan": "../x"})["error"]
    kept.put_document(ID, "web1", "web1", document("change", "change")).result()
    assert "no part" in given(kept, "web1", load)["error"]


@pytest.mark.parametrize(
    "hostile",
    [
        "[" * 100_000,
        '{"made": 1' + "0" * 400 + ', "version": "", "chunks": []}',
        '{"made": NaN}',
        "[]",
        "\\ud800",
    ],
)
def test_a_lying_minion_keeps_nobody_from_closing_and_showing_a_plan(kept, hostile):
    kept.put_document(ID, "evil", "evil", hostile).result()
    kept.put_document(ID, "web1", "web1", document("change")).result()

    made = closed(kept, record(minions=["evil", "web1"]), {})

    assert made["refused"] == {"evil": UNREADABLE}
    assert list(made["planned"]) == ["web1"]
    assert [name for name, shown in readable(kept, ID) if shown] == ["web1"]


def test_texts_of_a_document_can_be_sent_to_clients(kept):
    text = document("change").replace("+1 -1", "\\ud800")
    kept.put_document(ID, "evil", "evil", text).result()

    assert pack_bus(dict(readable(kept, ID)))


def test_the_shown_part_of_a_plan_is_bounded_in_size(kept, monkeypatch):
    for name in ("web1", "web2"):
        kept.put_document(ID, name, name, document("change")).result()
    monkeypatch.setattr(plan_documents, "MAX_BYTES", len(document("change")) + 1)

    assert [bool(shown) for _, shown in readable(kept, ID)] == [True, False]


def test_a_document_above_what_its_plan_may_hold_is_dropped(kept, monkeypatch):
    monkeypatch.setattr(kept_plans, "MAX_HELD", len(document()) + 1)
    kept.write(record())

    for name in ("web1", "web2"):
        take_document(kept, {**RETURN, "id": name}, {"id": ID, "document": document()})
    kept.write(record())

    assert kept.names(ID) == ["web1"]
