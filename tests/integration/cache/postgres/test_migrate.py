"""`salt-g store migrate`: from the file to a server and back, completely and only once."""

import contextlib
import json
import socketserver
import struct

import psycopg
import pytest

from salt_g.cache.banks import Banks
from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.jobs import Jobs
from salt_g.cache.resources import ResourceRow, ResourceTable
from salt_g.cache.store_choice import store_at
from salt_g.cache.transfer import TABLES, content
from tests.support.commands import PROGRAM, outcome_of
from tests.support.servers import serving

JID = "20260102030405678901"
#: Codes of the requests of a client before its greeting.
REQUEST_SSL, REQUEST_GSS = struct.pack("!i", 80877103), struct.pack("!i", 80877104)


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
    for written in ResourceTable(store).put([ResourceRow("dummy:a", "m1", ("m2",), True, 1767322000.5)]):
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
    assert "returns             50 rows" in there.out
    assert "write `store: URL` into the master's config file" in there.out
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
    assert "has other data (entries); choose an empty one, or remove its data with --replace" in refused.err
    assert replaced.code == 0
    with store_at(postgres_url) as store:
        assert Banks(store).list("grains") == ["m1"]


@pytest.mark.parametrize(
    ("to", "message"),
    [
        ("mysql://root@db/salt", "mysql://root@db/salt is not a URL of a PostgreSQL server"),
        ("postgresql://u:secret@127.0.0.1:1/salt", "postgresql://u@127.0.0.1:1/salt: cannot be reached"),
        ("postgresql://u:sec@ret@db/salt", "--to: postgresql://... is not a URL of a PostgreSQL server; "),
        ("embeded", "--to: embeded is not a URL of a PostgreSQL server"),
        ("embeded", "or `embedded` for the file in cachedir"),
        ("embedded", "is both source and target"),
    ],
)
def test_a_target_that_cannot_be_one_is_named(migrate, embedded, to, message):
    refused = migrate("--to", to)

    assert refused.code in (1, 64)
    assert message in refused.err
    assert "secret" not in refused.err
    assert "ret@" not in refused.err


def test_without_a_store_there_is_nothing_to_move(migrate, postgres_url):
    refused = migrate("--to", postgres_url)

    assert refused.code == 1
    assert "no master has run there" in refused.err


def test_a_running_master_is_stopped_first(start_master, postgres_url):
    master = start_master()

    refused = outcome_of([PROGRAM, "store", "migrate", "-c", str(master.config_dir), "--to", postgres_url])

    assert refused.code == 1
    assert "the master is running; stop it first" in refused.err


def test_the_data_of_a_killed_master_is_moved(start_master, postgres_url):
    master = start_master()
    master.kill()

    moved = outcome_of([PROGRAM, "store", "migrate", "-c", str(master.config_dir), "--to", postgres_url])

    assert moved.code == 0, moved.err


def test_masters_elsewhere_are_stopped_first(migrate, embedded, postgres_url):
    with store_at(postgres_url, member="b"):
        refused = migrate("--to", postgres_url)

    assert refused.code == 1
    assert "is in use by a program on 127.0.0.1" in refused.err
    assert "; stop all masters that use it, so that nothing is missed" in refused.err
    assert "cluster: true" not in refused.err


@contextlib.contextmanager
def old_server(release):
    """Yield the URL of a fake server that greets clients as a given PostgreSQL release does."""

    def message(kind, body):
        return kind + struct.pack("!i", len(body) + 4) + body

    greeting = message(b"R", struct.pack("!i", 0))
    for name, value in {"server_version": release, "client_encoding": "UTF8"}.items():
        greeting += message(b"S", f"{name}\0{value}\0".encode())

    class Greeter(socketserver.BaseRequestHandler):
        def handle(self):
            while size := self.request.recv(4):
                words = self.request.recv(struct.unpack("!i", size)[0] - 4)
                if words[:4] in (REQUEST_SSL, REQUEST_GSS):
                    self.request.sendall(b"N")
                    continue
                self.request.sendall(greeting + message(b"K", bytes(8)) + message(b"Z", b"I"))
                self.request.recv(1)
                return

    with serving(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Greeter)) as server:
        yield f"postgresql://salt@127.0.0.1:{server.server_address[1]}/salt"


def message_of(refused):
    """Return the one-line message of a refused migration."""
    assert refused.code != 0
    [line] = refused.err.splitlines()
    return line


def test_an_unusable_target_is_reported_in_one_sentence(embedded, migrate, postgres_url):
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute("DROP ROLE IF EXISTS weak")
        server.execute("CREATE ROLE weak LOGIN")
    weak = postgres_url.replace("salt@", "weak@")

    assert "Connection refused" in message_of(migrate("--to", "postgresql://salt@127.0.0.1:1/salt"))
    assert 'database "none" does not exist' in message_of(
        migrate("--to", postgres_url[: -len("postgres")] + "none")
    )
    assert "the user of the URL must own the database" in message_of(migrate("--to", weak))
    assert 'invalid URI query parameter: "foo"' in message_of(migrate("--to", postgres_url + "?foo=1"))


def test_a_server_that_is_too_old_is_named_with_its_release(embedded, migrate):
    with old_server("12.4") as url:
        assert "is too old: PostgreSQL 12.4; salt-g needs 14 or newer" in message_of(migrate("--to", url))


def test_a_damaged_file_is_neither_copied_nor_set_aside(embedded, migrate, postgres_url, tmp_path):
    file = tmp_path / "cache" / "store.sqlite"
    file.write_bytes(b"no database" * 1000)

    assert "is damaged" in message_of(migrate("--to", postgres_url))
    assert file.read_bytes() == b"no database" * 1000
