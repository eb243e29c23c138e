"""`salt-g store migrate`: from the file to a server and back, with everything, once."""

import json

import pytest
from support.commands import outcome_of
from support.daemons import PROGRAM

from salt_g.cache.banks import Banks
from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.jobs import Jobs
from salt_g.cache.resources import ResourceTable, Row
from salt_g.cache.store_choice import store_at
from salt_g.cache.transfer import TABLES, content

JID = "20260102030405678901"


@pytest.fixture
def migrate(tmp_path):
    """Run `salt-g store migrate` for the master below `tmp_path`."""
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "master").write_text(f"root_dir: {tmp_path}\ncachedir: {tmp_path}/cache\n")

    def run(*words):
        return outcome_of([PROGRAM, "store", "migrate", "-c", str(tmp_path / "etc"), *words])

    return run


def fill(store):
    jobs, banks = Jobs(store), Banks(store)
    for number in range(50):
        jid = str(int(JID) + number)
        jobs.save_load(jid, {"fun": "test.echo", "arg": ["\u00e9", number]}, ["m1", "m2"])
        jobs.save_return({"jid": jid, "id": "m1", "return": "x" * number * 1000, "retcode": 0})
    jobs.save_end(JID, 1767322000.25)
    banks.store("grains", "m1", {"os": "Debian", "bytes": b"\xff"})
    banks.store("minions/m1", "data", {}, expires=3600.0)
    for written in ResourceTable(store).put([Row("dummy:a", "m1", ("m2",), True, 1767322000.5)]):
        written.result()


@pytest.fixture
def embedded(tmp_path):
    store = EmbeddedStore(str(tmp_path / "cache"))
    with store:
        fill(store)
    return store


def contents(store):
    with store:
        return {table.name: content(store, table) for table in TABLES}


def test_there_and_back_everything_is_the_same(migrate, embedded, tmp_path, postgres_url):
    before = contents(EmbeddedStore(str(tmp_path / "cache")))

    there = migrate("--to", postgres_url)
    on_server = contents(store_at(postgres_url))
    (tmp_path / "cache" / "store.sqlite").unlink()
    back = migrate("--from", postgres_url, "--to", "embedded")

    assert (there.code, back.code) == (0, 0), there.err + back.err
    assert "returns           50 rows" in there.out
    assert "write `store: URL` into the master's file" in there.out
    assert on_server == before
    assert contents(EmbeddedStore(str(tmp_path / "cache"))) == before
    with store_at(postgres_url) as store, EmbeddedStore(str(tmp_path / "cache")) as file:
        assert Jobs(store).held_bytes() == Jobs(file).held_bytes() > 1_000_000
        assert Jobs(store).get_end(JID) == 1767322000.25


def test_an_interrupted_transfer_goes_on(migrate, embedded, postgres_url):
    from salt_g.cache import transfer

    with embedded, store_at(postgres_url) as target:
        transfer.prepare(embedded, target)
        transfer.copy(embedded, target, TABLES[0])

    finished = migrate("--to", postgres_url, "--out=json")

    assert finished.code == 0
    assert json.loads(finished.out)["returns"]["rows"] == 50


def test_a_target_with_data_of_its_own_is_left_alone(migrate, embedded, postgres_url):
    with store_at(postgres_url) as store:
        Banks(store).store("grains", "other", 1).result()

    refused = migrate("--to", postgres_url)
    replaced = migrate("--to", postgres_url, "--replace")

    assert refused.code == 1
    assert (
        "has data of its own (entries); choose an empty one, or remove its data with --replace" in refused.err
    )
    assert replaced.code == 0
    with store_at(postgres_url) as store:
        assert Banks(store).list("grains") == ["m1"]


@pytest.mark.parametrize(
    ("to", "said"),
    [
        ("mysql://root@db/salt", "mysql://root@db/salt is no URL of a PostgreSQL server"),
        ("postgresql://u:secret@127.0.0.1:1/salt", "postgresql://u@127.0.0.1:1/salt: cannot be reached"),
        ("embedded", "is source and target"),
    ],
)
def test_a_target_that_cannot_be_one_is_named(migrate, embedded, to, said):
    refused = migrate("--to", to)

    assert refused.code in (1, 64)
    assert said in refused.err
    assert "secret" not in refused.err


def test_without_a_store_there_is_nothing_to_move(migrate, postgres_url):
    refused = migrate("--to", postgres_url)

    assert refused.code == 1
    assert "no master has run there" in refused.err


def test_a_running_master_is_stopped_first(start_master, postgres_url):
    master = start_master()

    refused = outcome_of([PROGRAM, "store", "migrate", "-c", str(master.config_dir), "--to", postgres_url])

    assert refused.code == 1
    assert "the master is running; stop it first" in refused.err
