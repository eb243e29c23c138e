"""Core files and the unit tests of their names: `salt_g/<room>/x.py`, `tests/unit/<room>/test_x.py`."""

import pathlib

ROOT = pathlib.Path(__file__).parents[2]
ROOMS = (
    *("auth", "cache", "client", "config", "data", "event", "files", "formats", "keys", "loader", "master"),
    *("match", "minion", "net", "pillar", "process", "regex", "render", "safe_files", "schedule", "state"),
    *("transport", "wire"),
)
#: Files without a test of their name. The list may only shrink: write the test, and remove the line.
WITHOUT = frozenset(
    (
        "cache/futures.py",
        "config/declared/connection.py",
        "config/declared/events.py",
        "config/declared/files.py",
        "config/declared/fleet.py",
        "config/declared/identity.py",
        "config/declared/jobs.py",
        "config/declared/logging.py",
        "config/declared/output.py",
        "config/declared/pillar.py",
        "config/declared/plugins.py",
        "config/declared/priority.py",
        "config/declared/repositories.py",
        "config/declared/security.py",
        "config/declared/ssh.py",
        "config/declared/states.py",
        "files/backend.py",
        "master/background/automation.py",
        "master/calls/call_context.py",
        "master/calls/call_services.py",
        "master/composition/admission.py",
        "master/composition/background.py",
        "master/composition/calls.py",
        "master/composition/master_parts.py",
        "master/composition/network.py",
        "master/composition/publishing.py",
        "master/composition/returns.py",
        "master/composition/served_data.py",
        "master/composition/servers.py",
        "master/composition/targeting.py",
        "master/daemon.py",
        "match/minion_view.py",
        "minion/background/automation.py",
        "minion/background/minion_metrics.py",
        "minion/bus.py",
        "minion/composition.py",
        "minion/connection/master_connection.py",
        "minion/daemon.py",
        "minion/masterless_call_data.py",
        "minion/minion_context.py",
        "pillar/sources/postgres.py",
        "transport/protocols.py",
    )
)


def namesake(path):
    """Return the unit test of a file below salt_g; that of `_rows.py` is `test_rows.py`."""
    return path.with_name(f"test_{path.stem.lstrip('_')}.py")


def missing():
    """Return the core files without a namesake, relative to salt_g."""
    files = (
        path.relative_to(ROOT / "salt_g") for room in ROOMS for path in (ROOT / "salt_g" / room).rglob("*.py")
    )
    tested = ROOT / "tests" / "unit"
    return {
        str(path)
        for path in files
        if not path.name.startswith("__") and not (tested / namesake(path)).exists()
    }


def test_each_core_file_has_a_unit_test_of_its_name():
    assert missing() - WITHOUT == set(), "write a test of this name"


def test_the_list_of_files_without_one_shrinks():
    assert WITHOUT - missing() == set(), "these have a test now, or are gone: remove their lines"
