"""Core files and the unit tests of their names: `salt_g/<room>/x.py`, `tests/unit/<room>/test_x.py`."""

import pathlib

ROOT = pathlib.Path(__file__).parents[2]
ROOMS = (
    *("auth", "cache", "client", "cluster", "config", "data", "doctor", "event", "files", "formats", "git"),
    *("http_api", "install", "keys", "language_server", "lint", "loader", "master", "match", "minion", "net"),
    *("pillar", "process", "quickstart", "regex", "render", "report", "resource_model", "safe_files"),
    *("schedule", "state", "telemetry", "transport", "wire", "x509"),
)
#: Reasons for files without a test of their name.
COMPOSED = "one group of parts; test_master_parts.py makes all of them together"
DAEMON = "a whole daemon; tests/integration runs it as a process"
DECLARED = "one row for each setting; config/test_registry.py checks the rows of all topics"
PROTOCOLS = "protocols without code; the tests of each implementation call them"
SERVER = "needs a PostgreSQL server; tests/integration/test_pillar_postgres.py and cache/postgres have one"
DOCTOR = "checks of daemons and their host; tests/integration/test_doctor.py makes each finding"
VALUES = "values without code; the tests of plan and apply make and carry out each"
CLUSTER = "masters on one PostgreSQL server; tests/integration/cache/postgres/test_cluster.py runs them"
#: Files without a test of their name, and why. The list may only shrink: write the test, and remove the line.
WITHOUT = {
    "cache/database.py": PROTOCOLS,
    "cache/futures.py": PROTOCOLS,
    "cache/operation.py": PROTOCOLS,
    "cache/postgres/connection.py": SERVER,
    "cache/postgres/schema.py": SERVER,
    "cache/postgres/store.py": SERVER,
    "cluster/log.py": CLUSTER,
    "cluster/offline.py": CLUSTER,
    "cluster/shared_invitations.py": CLUSTER,
    "cluster/shared_keys.py": CLUSTER,
    "cluster/shared_tokens.py": CLUSTER,
    "doctor/host.py": DOCTOR,
    "doctor/master.py": DOCTOR,
    "doctor/minion.py": DOCTOR,
    "install/steps.py": VALUES,
    "master/cluster/cluster.py": CLUSTER,
    "config/declared/api.py": DECLARED,
    "config/declared/connection.py": DECLARED,
    "config/declared/events.py": DECLARED,
    "config/declared/files.py": DECLARED,
    "config/declared/fleet.py": DECLARED,
    "config/declared/identity.py": DECLARED,
    "config/declared/jobs.py": DECLARED,
    "config/declared/logging.py": DECLARED,
    "config/declared/output.py": DECLARED,
    "config/declared/pillar.py": DECLARED,
    "config/declared/plugins.py": DECLARED,
    "config/declared/priority.py": DECLARED,
    "config/declared/repositories.py": DECLARED,
    "config/declared/security.py": DECLARED,
    "config/declared/ssh.py": DECLARED,
    "config/declared/states.py": DECLARED,
    "files/backend.py": PROTOCOLS,
    "files/protocols.py": PROTOCOLS,
    "http_api/daemon.py": DAEMON,
    "master/composition/admission.py": COMPOSED,
    "master/composition/background.py": COMPOSED,
    "master/composition/calls.py": COMPOSED,
    "master/composition/cluster.py": CLUSTER,
    "master/composition/mailbox.py": COMPOSED,
    "master/composition/network.py": COMPOSED,
    "master/composition/permissions.py": COMPOSED,
    "master/composition/publishing.py": COMPOSED,
    "master/composition/rollouts.py": COMPOSED,
    "master/composition/returns.py": COMPOSED,
    "master/composition/served_data.py": COMPOSED,
    "master/composition/servers.py": COMPOSED,
    "master/composition/targeting.py": COMPOSED,
    "master/composition/views.py": COMPOSED,
    "master/daemon.py": DAEMON,
    "minion/daemon.py": DAEMON,
    "pillar/sources/postgres.py": SERVER,
    "quickstart/daemon.py": DAEMON,
    "transport/protocols.py": PROTOCOLS,
}


def namesake(path):
    """Return the unit test of a file below salt_g; for `_rows.py` it is `test_rows.py`.

    The tests of top-level files are in a folder, because the tests of house rules lie beside it.
    """
    test = path.with_name(f"test_{path.stem.lstrip('_')}.py")
    return test if len(path.parts) > 1 else "core" / test


def missing():
    """Return the core files without a namesake, relative to salt_g."""
    top = ROOT / "salt_g"
    rooms = (path for room in ROOMS for path in (top / room).rglob("*.py"))
    files = (path.relative_to(top) for path in (*top.glob("*.py"), *rooms))
    tested = ROOT / "tests" / "unit"
    return {
        str(path)
        for path in files
        if not path.name.startswith("__") and not (tested / namesake(path)).exists()
    }


def test_each_core_file_has_a_unit_test_of_its_name():
    assert missing() - WITHOUT.keys() == set(), "write a test of this name"


def test_the_list_of_files_without_one_shrinks():
    assert WITHOUT.keys() - missing() == set(), "these have a test now, or are gone: remove their lines"
