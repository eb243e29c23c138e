"""The record of one run."""

import json
import stat

import pytest

from salt_g import safe_files
from salt_g.process import disk, secret_hiding
from salt_g.state.undo.journal import INLINE, RUN_AGAIN

JID = "20260000000000000001"


@pytest.fixture
def lines(tmp_path):
    """Return the lines of the only journal, [] without one."""

    def read():
        path = tmp_path / "cache" / "undo" / JID / "journal"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    return read


def test_a_run_without_changes_leaves_no_file(tmp_path, recorded, top):
    with recorded(), safe_files.located(str(top)):
        pass

    assert not (tmp_path / "cache" / "undo").exists()


def test_the_first_state_is_on_disk_before_the_change_and_the_last_after_it(recorded, top, lines):
    (top / "f").write_text("one")

    with recorded():
        with disk.replacing(str(top / "f")) as file:
            file.write(b"two")
            assert [next(iter(line)) for line in lines()] == ["begin", "temporary"]
        disk.rewrite(str(top / "f"), b"three")

    begin, _, before, _, after = lines()
    assert begin["begin"]["fun"] == "state.apply"
    assert before["before"] == after["after"] == str(top / "f")
    assert (before["entry"]["size"], after["entry"]["size"]) == (3, 5)


def test_journal_and_contents_are_for_the_owner_alone(tmp_path, recorded, top):
    (top / "f").write_bytes(b"x" * (INLINE + 1))

    with recorded():
        disk.rewrite(str(top / "f"), b"two")

    made = sorted((tmp_path / "cache" / "undo").rglob("*"))
    assert len(made) == 4
    assert {stat.S_IMODE(path.stat().st_mode) for path in made} == {0o600, 0o700}


def test_files_of_the_cache_directory_are_not_recorded(tmp_path, recorded, lines):
    with recorded():
        disk.write_whole(str(tmp_path / "cache" / "own"), "x")

    assert lines() == []


@pytest.mark.parametrize(
    ("low", "content", "why"),
    [
        ({"no_log": True}, b"x", "no_log"),
        ({}, b"Top-secret-1", "secret"),
        ({}, b"y" * (2 << 20), "undo_bytes"),
    ],
)
def test_content_that_must_not_be_kept_is_named(recorded, top, lines, low, content, why):
    (top / "f").write_bytes(content)

    with secret_hiding.forgotten():
        secret_hiding.add({"Top-secret-1": "db"})
        with recorded(**low):
            disk.rewrite(str(top / "f"), b"two")

    line = next(line for line in lines() if "before" in line)
    assert line["not_kept"] == why
    assert "content" not in line


def test_changes_of_other_kinds_are_named_with_their_versions(recorded, lines):
    with recorded(state="pkg", fun="installed", changes={"nginx": {"old": "1.22", "new": "1.24"}}):
        pass

    assert lines()[-1] == {"other": {"fun": "pkg.installed", "id": "x", "changes": "nginx 1.22→1.24"}}


COMMAND = {"state": "cmd", "fun": "run", "changes": {"pid": 1}}


@pytest.mark.parametrize(
    ("low", "shown"),
    [
        ({"name": "make all"}, {"changes": "make all"}),
        ({"name": "reload", "onchanges": [{"file": "f"}]}, {"changes": "reload", "reason": RUN_AGAIN}),
        ({"name": "reload", "fun": "mod_watch"}, {"changes": "reload", "reason": RUN_AGAIN}),
        ({"name": "x --password=Top"}, {"changes": "x --password=REDACTED"}),
        ({"name": "x", "output_loglevel": "quiet"}, {"changes": ""}),
        ({"name": "x", "no_log": True}, {"changes": ""}),
    ],
)
def test_commands_are_named_and_those_that_reacted_to_a_change(recorded, lines, low, shown):
    with recorded(**{**COMMAND, **low}):
        pass

    other = lines()[-1]["other"]
    assert {key: value for key, value in other.items() if key not in ("fun", "id")} == shown


def test_changes_of_tests_and_of_recorded_files_are_not(recorded, top, lines):
    with recorded(state="test", fun="configurable_test_state", changes={"a": 1}):
        pass
    with recorded(changes={"diff": "x"}):
        disk.write_whole(str(top / "f"), "x")

    assert not [line for line in lines() if "other" in line]


def test_a_service_is_recorded_once_for_each_of_its_states(recorded, lines):
    with recorded(state="service") as chunk:
        chunk.service("cron", is_running=False, is_enabled=None)
        chunk.service("cron", is_running=True, is_enabled=False)

    assert [line for line in lines() if "service" in line][-1] == {
        "service": "cron",
        "running": False,
        "enabled": False,
    }


def test_masks_are_recorded_where_they_change(recorded, lines):
    with recorded(state="service", fun="masked", changes={"masked": {"old": False, "new": True}}) as chunk:
        chunk.service("cron", is_masked=False, is_running=None)

    *_, line = lines()
    assert line == {"service": "cron", "running": None, "enabled": None, "masked": False}


@pytest.mark.parametrize(("key", "is_reversible"), [({}, True), ({"key_url": "salt://k"}, False)])
def test_a_repository_is_its_file_but_for_keys_that_programs_keep(recorded, top, lines, key, is_reversible):
    with recorded(state="pkgrepo", changes={"repo": "x"}, **key):
        disk.write_whole(str(top / "x.list"), "deb http://x/ y main\n")

    assert ("other" not in lines()[-1]) is is_reversible
