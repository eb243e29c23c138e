"""The records on disk."""

import os

from salt_g.process import disk
from salt_g.safe_files.recording import before_service
from salt_g.state.undo.history import MAX_JOBS, UndoHistory, strongest
from salt_g.state.undo.scope import Scope
from tests.support.recorded_jobs import jid


def test_a_run_is_read_as_it_was_recorded(history, recorded, top):
    (top / "f").write_text("one")
    with recorded(changes={"diff": ""}):
        disk.rewrite(str(top / "f"), b"two")

    found = history.read(jid(1))

    path = str(top / "f")
    assert found.fun == "state.apply"
    assert history.content(found.jid, found.before[path]) == b"one"
    assert found.after[path]["size"] == 3
    assert history.read(jid(2)) is None


def test_a_line_that_was_cut_and_a_damaged_content_are_noticed(tmp_path, history, recorded, top):
    (top / "f").write_bytes(b"x" * 9000)
    with recorded():
        disk.rewrite(str(top / "f"), b"two")
    folder = tmp_path / "cache" / "undo" / jid(1)
    with open(folder / "journal", "a") as file:
        file.write('{"before": "/x", "ent')
    (content,) = (folder / "content").iterdir()
    content.write_bytes(b"y")

    found = history.read(jid(1))

    assert list(found.before) == [str(top / "f")]
    assert history.content(found.jid, found.before[str(top / "f")]) is None


def test_the_last_job_is_the_newest_that_is_not_undone(history, recorded, top):
    for number in (1, 2):
        with recorded(number):
            disk.write_whole(str(top / "f"), str(number))

    assert history.last() == jid(2)
    history.mark_undone(jid(2), jid(3))
    assert history.last() == jid(1)


def test_the_strongest_restart_of_each_service_and_due_restarts_are_read(tmp_path, history, recorded):
    with recorded(state="service") as chunk:
        for name, how in (("a", "reload"), ("a", "restart"), ("a", "reload"), ("b", "reload")):
            chunk.restart(name, how)
    with open(tmp_path / "cache" / "undo" / jid(1) / "journal", "a") as file:
        file.write('{"cut')
    history.mark_due(jid(1), {"a": "restart"})

    found = history.read(jid(1))

    assert found.restarts == {"a": "restart", "b": "reload"}
    assert found.due == {"a": "restart"}
    assert strongest("force_reload", "", "reload") == "force_reload"


def test_the_oldest_go_beyond_the_number_and_beyond_the_bytes(tmp_path, history, recorded, top):
    for number in range(MAX_JOBS + 2):
        with recorded(number):
            disk.write_whole(str(top / "f"), f"{number:09000}")

    history.prune()
    assert history.jids()[0] == jid(2)
    UndoHistory(str(tmp_path / "cache"), 40_000).prune()
    assert 1 < len(history.jids()) < 6
    UndoHistory(str(tmp_path / "cache"), 0).prune()
    assert history.jids() == [jid(MAX_JOBS + 1)]


def test_runs_on_a_resource_are_kept_apart_and_without_paths(tmp_path):
    (tmp_path / "f").write_text("one")
    resource = {"type": "dummy", "id": "../d"}
    history = UndoHistory(str(tmp_path / "cache"), 1 << 20, resource=resource, scope=Scope(("/",)))
    journal = history.journal(jid(1), "state.apply")
    chunk = journal.chunk({"state": "service", "fun": "running", "__id__": "x", "name": "x"})
    with chunk.recording:
        disk.write_whole(str(tmp_path / "f"), "two")
        before_service("x", is_running=False)
    chunk.end(None)
    journal.close()

    assert os.listdir(tmp_path / "cache" / "undo-resources") == ["dummy%3A..%2Fd"]
    recorded = history.read(jid(1))
    assert recorded.before == {} and recorded.temporary == set()
    assert recorded.services == {"x": {"running": False, "enabled": None}}
    assert UndoHistory(str(tmp_path / "cache"), 1 << 20).jids() == []
