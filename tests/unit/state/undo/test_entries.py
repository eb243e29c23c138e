import hashlib
import os

from salt_g.state.undo.entries import entry_at, entry_of, is_same


def test_entries_have_kind_owner_mode_and_content(tmp_path):
    (tmp_path / "f").write_bytes(b"content")
    (tmp_path / "f").chmod(0o640)
    (tmp_path / "l").symlink_to("nowhere")
    (tmp_path / "d").mkdir(mode=0o750)
    os.mkfifo(tmp_path / "p")
    parts = []

    entry = entry_at(str(tmp_path / "f"), take=parts.append)

    assert (entry["kind"], entry["mode"], entry["size"], entry["uid"]) == ("file", 0o640, 7, os.getuid())
    assert entry["sha256"] == hashlib.sha256(b"content").hexdigest()
    assert parts == [b"content"]
    assert entry_at(str(tmp_path / "l"))["target"] == "nowhere"
    assert entry_at(str(tmp_path / "d"))["kind"] == "directory"
    assert entry_at(str(tmp_path / "p"))["kind"] == "other"
    (tmp_path / "loop").symlink_to("loop")
    assert entry_at(str(tmp_path / "loop" / "below")) == {"kind": "missing"}
    assert entry_at(str(tmp_path / "f" / "below")) == entry_at(str(tmp_path / "none")) == {"kind": "missing"}


def test_entries_are_the_same_by_content_owner_and_mode_and_not_by_time(tmp_path):
    path = tmp_path / "f"
    path.write_text("one")
    before = entry_at(str(path))

    os.utime(path, (1, 1))
    assert is_same(entry_at(str(path)), before)
    path.chmod(0o600 if before["mode"] != 0o600 else 0o640)
    assert not is_same(entry_at(str(path)), before)


def test_a_path_whose_directory_became_a_link_is_missing(tmp_path):
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "f").write_text("x")
    (tmp_path / "link").symlink_to("d")

    assert entry_of(str(tmp_path / "d" / "f"))["kind"] == "file"
    for path in ("link/f", "d/none", "none/f", "d/f/f"):
        assert entry_of(str(tmp_path / path)) == {"kind": "missing"}
