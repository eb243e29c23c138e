import pytest

from salt_g.errors import ClientError
from salt_g.master.plans import kept_plans
from salt_g.master.plans.kept_plans import BANK, KeptPlans
from salt_g.wire.rsa import PrivateKey
from tests.support.plan_records import ID, document, record


def test_a_plan_is_read_back_found_by_name_and_dropped(kept):
    kept.write(record())
    kept.put_document(ID, "web1", "web1", document("change")).result()

    assert kept.read(ID) == record()
    assert [one["id"] for one in kept.find("web.plan")] == [ID]
    assert kept.find("other") == []
    assert list(kept.documents(ID)) == [("web1", {"minion": "web1", "document": document("change")})]
    kept.drop(ID)
    assert kept.ids() == []
    assert kept.names(ID) == []


def test_a_large_document_is_kept_as_well(kept):
    kept.put_document(ID, "web1", "web1", "x" * 1_000_000).result()

    assert len(kept.document(ID, "web1")["document"]) == 1_000_000


def test_of_two_plans_of_a_name_the_newer_is_meant(kept):
    kept.write(record())
    kept.write(record(id="aaaaaa", made=2000.0))

    assert [one["id"] for one in kept.find("web.plan")] == ["aaaaaa", ID]
    assert [one["id"] for one in kept.all()] == [ID, "aaaaaa"]


def test_a_writer_to_the_store_cannot_change_a_plan(kept, banks):
    kept.write(record())
    sealed = banks.fetch_packed(BANK, ID)
    assert b"ann" not in sealed

    banks.store_packed(BANK, "aaaaaa", sealed).result()
    assert kept.read("aaaaaa") is None
    banks.store_packed(BANK, ID, sealed[:-1] + bytes([sealed[-1] ^ 1])).result()
    assert kept.read(ID) is None
    assert KeptPlans(banks, PrivateKey.generate()).read("aaaaaa") is None


def test_a_plan_ends_and_makes_room(kept, clock, monkeypatch):
    monkeypatch.setattr(kept_plans, "MAX_PLANS", 1)
    kept.write(record())
    kept.put_document(ID, "web1", "web1", document("change")).result()
    with pytest.raises(ClientError, match="1 plans are kept, the maximum"):
        kept.make_room()

    clock.now += 25 * 3600
    assert kept.read(ID) is None
    kept.make_room()
    assert (kept.ids(), kept.names(ID)) == ([], [])


def test_one_limited_user_leaves_room_for_others(kept, monkeypatch):
    monkeypatch.setattr(kept_plans, "MAX_OF_USER", 1)
    kept.write(record())

    with pytest.raises(ClientError, match="1 plans of ann are kept, the maximum"):
        kept.make_room("ann")
    kept.make_room("bob")
    kept.make_room()


def test_documents_of_one_plan_are_taken_up_to_a_size(kept, monkeypatch):
    monkeypatch.setattr(kept_plans, "MAX_HELD", 100)

    assert kept.has_room(ID, "web1", 60)
    assert not kept.has_room(ID, "web2", 60)
    assert kept.has_room(ID, "web1", 80)
    assert kept.has_room("other", "web2", 60)


def test_a_change_of_another_master_is_not_overwritten(kept, banks, master_key, clock):
    kept.write(record())
    other = KeptPlans(banks, master_key, clock=clock)
    assert other.read(ID) == record()
    kept.write(record(approvals=[{"user": "eve", "at": 1.0}]))

    with pytest.raises(ClientError, match=f"plan {ID} was changed by another master"):
        other.write(record(is_closed=True))
    assert other.read(ID)["approvals"] == [{"user": "eve", "at": 1.0}]
    other.write(record(is_closed=True))
    assert kept.read(ID) == record(is_closed=True)
