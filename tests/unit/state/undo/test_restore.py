"""Restoring of files, path by path."""

import os

import pytest

from salt_g import safe_files
from salt_g.process import disk
from salt_g.state.undo.restore import CUT, EDITED, NOT_EMPTY, RestorePlan, plan_of, revert, summary
from tests.support.recorded_jobs import jid


@pytest.fixture
def back(history):
    """Revert the job; return (restored paths, {path: reason for leaving it})."""

    def run(*, force=False):
        recorded = history.read(jid(1))
        plan = plan_of(recorded, force=force)
        left = {**plan.left, **revert(history, recorded, plan)}
        return [path for path in plan.paths if path not in left], left

    return run


def test_a_file_comes_back_with_content_mode_and_time(recorded, back, top):
    path = top / "f"
    path.write_text("one")
    path.chmod(0o640)
    os.utime(path, (5, 5))
    with recorded():
        disk.write_whole(str(path), "two", mode=0o600)

    assert back() == ([str(path)], {})
    assert (path.read_text(), path.stat().st_mode & 0o777, path.stat().st_mtime) == ("one", 0o640, 5)
    assert back() == ([], {})


def test_a_file_written_in_place_keeps_its_other_name(recorded, back, top):
    (top / "f").write_text("one")
    os.link(top / "f", top / "g")
    with recorded(), open(top / "f", "w", opener=safe_files.opener) as file:
        file.write("two")

    back()

    assert (top / "g").read_text() == "one"


def test_a_file_that_became_a_hard_link_of_the_same_content_leaves_the_other_name_alone(recorded, back, top):
    for name, mode in (("f", 0o755), ("other", 0o644)):
        (top / name).write_text("same")
        (top / name).chmod(mode)
    with recorded():
        safe_files.remove_file(str(top / "f"))
        safe_files.link(str(top / "other"), str(top / "f"))

    assert back() == ([str(top / "f")], {})

    assert [(top / name).stat().st_mode & 0o777 for name in ("f", "other")] == [0o755, 0o644]
    assert (top / "f").read_text() == "same"


def test_a_file_that_became_a_directory_and_the_reverse_come_back(recorded, back, top):
    (top / "f").write_text("one")
    (top / "d").mkdir()
    (top / "d" / "a").write_text("a")
    with recorded():
        safe_files.remove_file(str(top / "f"))
        safe_files.make_directory(str(top / "f"))
        safe_files.remove_tree(str(top / "d"))
        disk.write_whole(str(top / "d"), "x")

    assert back()[1] == {}
    assert (top / "f").read_text() == "one"
    assert (top / "d" / "a").read_text() == "a"


def test_a_file_edited_since_is_left_unless_forced(recorded, back, top):
    path = top / "f"
    path.write_text("one")
    with recorded():
        disk.rewrite(str(path), b"two")
    path.write_text("mine")

    assert back() == ([], {str(path): EDITED})
    assert path.read_text() == "mine"
    assert back(force=True) == ([str(path)], {})
    assert path.read_text() == "one"


def test_a_directory_with_files_of_others_is_left(recorded, back, top):
    with recorded():
        safe_files.make_directory(str(top / "d"))
    (top / "d" / "theirs").write_text("x")

    assert back() == ([], {str(top / "d"): NOT_EMPTY})


def test_remains_of_a_killed_run_are_left_unless_forced(history, recorded, back, top):
    (top / "f").write_text("one")
    with recorded() as chunk:
        chunk.end = lambda ret: None  # killed
        disk.rewrite(str(top / "f"), b"half")

    assert back() == ([], {str(top / "f"): CUT})
    assert back(force=True)[0] == [str(top / "f")]
    assert (top / "f").read_text() == "one"


def test_a_content_that_was_not_kept_is_left(recorded, back, top):
    (top / "f").write_text("one")
    with recorded(no_log=True):
        disk.rewrite(str(top / "f"), b"two")
        disk.write_whole(str(top / "n"), "new")

    restored, left = back()

    assert restored == [str(top / "n")]
    assert left == {str(top / "f"): "its old content is not kept (no_log)"}


def test_the_sentence_names_what_is_left_and_what_cannot_come_back():
    plan = RestorePlan(
        ["/a", "/b"], {}, {}, [{"fun": "pkg.installed", "id": "x", "changes": "nginx 1.22→1.24"}]
    )

    text = summary(plan, 2, {"/etc/motd": EDITED}, ["cron"], {"nginx": "reload"}, test=False)

    assert text == (
        "2 paths back, 1 service back, nginx reloaded, 1 left: /etc/motd (edited since),"
        " not reversible: pkg.installed nginx 1.22→1.24"
    )
    assert summary(plan, 1, {}, [], {}, test=True).startswith("1 path would go back, not")


def test_changes_by_a_second_name_of_a_file_are_undone_by_its_first(recorded, back, top):
    (top / "f").write_text("one")
    (top / "f").chmod(0o640)
    with recorded() as chunk:
        safe_files.link(str(top / "f"), str(top / "g"))
        chunk.end(None)
        # As the next chunk of the run.
        safe_files.change_mode(str(top / "g"), 0o600)

    assert back() == ([str(top / "f"), str(top / "g")], {})
    assert (top / "f").stat().st_mode & 0o777 == 0o640
    assert os.listdir(top) == ["f"]


def test_a_temporary_file_that_a_killed_run_has_left_is_removed(recorded, back, top):
    (top / "f").write_text("one")
    with recorded(), safe_files.located(str(top / "f")) as place:
        # The run is killed before the file gets its name.
        descriptor, name = safe_files.temporary_file(place)
        os.close(descriptor)

    assert back() == ([str(top / name)], {})
    assert os.listdir(top) == ["f"]


def test_files_behind_a_new_link_are_left_alone(recorded, back, top):
    """A directory was replaced by a link to another one with entries of the same names."""
    (top / "d").mkdir()
    (top / "d" / "f").symlink_to("nowhere")
    (top / "other").mkdir()
    (top / "other" / "f").write_text("kept")
    with recorded():
        safe_files.remove_tree(str(top / "d"))
        safe_files.symlink("other", str(top / "d"))

    assert back() == ([str(top / "d"), str(top / "d" / "f")], {})
    assert (top / "other" / "f").read_text() == "kept"
    assert os.readlink(top / "d" / "f") == "nowhere"
