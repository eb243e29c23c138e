"""`archive.extracted` with the real `archive` module."""

import hashlib
import os
import pathlib
import tarfile
import zipfile

import pytest

from salt_g.modules import archive, cmd
from salt_g.states import archive as state


@pytest.fixture
def enter(tmp_path, call_context):
    """Return a function that enters a call and returns a folder with one.tgz and flat.tar.

    one.tgz has a folder, flat.tar has files.
    """
    (tmp_path / "w" / "top").mkdir(parents=True)
    for name in ("a", "b"):
        (tmp_path / "w" / "top" / name).write_text(name)
    with tarfile.open(tmp_path / "one.tgz", "w:gz") as made:
        made.add(tmp_path / "w" / "top", "top")
    with tarfile.open(tmp_path / "flat.tar", "w") as made:
        made.add(tmp_path / "w" / "top" / "a", "a")
    functions = {f"archive.{name.rstrip('_')}": getattr(archive, name) for name in archive.__all__}
    functions |= {
        "cmd.run_all": cmd.run_all,
        "cp.cache_file": lambda path, saltenv, **options: path,
        "file.source_list": lambda source, source_hash, saltenv: (source, source_hash),
        "file.get_source_sum": lambda source_hash, **options: {"hsum": source_hash, "hash_type": "sha256"},
        "file.check_hash": lambda path, wanted: _digest(path) == wanted,
    }
    states = {"file.directory": _made}

    def enter(test=False):
        opts = {"test": test, "cachedir": str(tmp_path / "cache"), "hash_type": "sha256"}
        call_context(functions=functions, states=states, opts=opts)
        return tmp_path

    return enter


def _made(path, **options):
    os.makedirs(path, exist_ok=True)
    return {"name": path, "result": True, "changes": {}, "comment": ""}


def _digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def test_an_archive_is_unpacked_once(enter):
    place = enter()

    first = state.extracted(str(place / "out"), str(place / "one.tgz"))
    second = state.extracted(str(place / "out"), str(place / "one.tgz"))

    assert first["changes"] == {
        "directories_created": [f"{place}/out/"],
        "extracted_files": ["top", "top/a", "top/b"],
    }
    assert first["comment"].endswith(
        "extracted to " + f"{place}/out/, due to absence of one or more files/dirs"
    )
    assert (second["changes"], second["comment"]) == ({}, "All files in archive are already present")


def test_a_missing_file_is_put_back(enter):
    place = enter()
    state.extracted(str(place / "out"), str(place / "one.tgz"))
    (place / "out" / "top" / "a").unlink()

    made = state.extracted(str(place / "out"), str(place / "one.tgz"))

    assert made["result"] is True and (place / "out" / "top" / "a").exists()


def test_loose_files_are_refused_unless_allowed(enter):
    place = enter()

    refused = state.extracted(str(place / "out"), str(place / "flat.tar"))
    allowed = state.extracted(str(place / "out"), str(place / "flat.tar"), enforce_toplevel=False)

    assert refused["comment"].startswith("Archive does not have a single top-level directory.")
    assert allowed["changes"]["extracted_files"] == ["a"]


def test_test_mode_unpacks_nothing(enter):
    place = enter(test=True)

    made = state.extracted(str(place / "out"), str(place / "one.tgz"))

    assert made["result"] is None
    assert made["comment"].startswith(f"Archive {place}/one.tgz would be extracted to {place}/out/")
    assert not (place / "out").exists()


def test_something_of_another_type_is_replaced_by_force(enter):
    place = enter()
    (place / "out" / "top" / "a").mkdir(parents=True)

    refused = state.extracted(str(place / "out"), str(place / "one.tgz"))
    forced = state.extracted(str(place / "out"), str(place / "one.tgz"), force=True)

    assert "set 'force' to True" in refused["comment"]
    assert forced["changes"]["removed"] == [f"{place}/out/top/a"]
    assert (place / "out" / "top" / "a").is_file()


def test_clean_takes_old_files_away(enter):
    place = enter()
    (place / "out" / "top").mkdir(parents=True)
    (place / "out" / "top" / "old").write_text("")

    made = state.extracted(str(place / "out"), str(place / "one.tgz"), clean=True)

    assert made["changes"]["removed"] == [f"{place}/out/top/"]
    assert not (place / "out" / "top" / "old").exists()


def test_options_go_to_the_program_tar(enter):
    place = enter()

    made = state.extracted(
        str(place / "out"), str(place / "one.tgz"), options="--strip-components=1", enforce_toplevel=False
    )

    assert made["changes"]["extracted_files"] == ["top/a", "top/b"]
    assert (place / "out" / "a").exists()


def test_a_wrong_hash_is_refused(enter):
    place = enter()

    made = state.extracted(str(place / "out"), str(place / "one.tgz"), source_hash="0" * 64)

    assert made["comment"] == f"{place}/one.tgz does not match the desired source_hash {'0' * 64}"
    assert not (place / "out").exists()


def test_another_archive_is_unpacked_again_with_source_hash_update(enter):
    place = enter()
    path = place / "one.tgz"

    def run():
        options = {"source_hash": _digest(path), "source_hash_update": True}
        return state.extracted(str(place / "out"), str(path), **options)

    run()
    unchanged = run()
    path.write_bytes(path.read_bytes() + b"\0" * 512)
    changed = run()

    assert unchanged["changes"] == {}
    assert changed["comment"].endswith(", due to source_hash update")


def test_test_mode_does_not_take_another_archive_for_the_unpacked_one(enter):
    place = enter()
    path = place / "one.tgz"

    def run():
        options = {"source_hash": _digest(path), "source_hash_update": True}
        return state.extracted(str(place / "out"), str(path), **options)

    enter(test=True)
    run()
    assert not (place / "cache").exists()
    enter()
    run()
    path.write_bytes(path.read_bytes() + b"\0" * 512)
    enter(test=True)
    planned = [run(), run()]
    enter()
    changed = run()

    assert [plan["result"] for plan in planned] == [None, None]
    assert all(plan["comment"].endswith(", due to source_hash update") for plan in planned)
    assert changed["comment"].endswith(", due to source_hash update")
    assert run()["changes"] == {}


def test_an_archive_that_could_not_be_unpacked_is_not_taken_for_the_unpacked_one(enter):
    place = enter()
    path = place / "one.tgz"
    good = path.read_bytes()

    def run(source_hash):
        options = {"source_hash": source_hash, "source_hash_update": True}
        return state.extracted(str(place / "out"), str(path), **options)

    run(_digest(path))
    path.write_bytes(good + b"\0" * 512)
    refused = run("0" * 64)
    changed = run(_digest(path))

    assert refused["result"] is False
    assert changed["comment"].endswith(", due to source_hash update")


def test_members_outside_of_the_directory_are_refused(enter):
    place = enter()
    with tarfile.open(place / "evil.tar", "w") as made:
        made.add(place / "w" / "top" / "a", "top/../../../evil")

    made = state.extracted(str(place / "out"), str(place / "evil.tar"), enforce_toplevel=False)

    assert made["result"] is False
    assert not (place.parent / "evil").exists()


def test_zip_archives_are_unpacked_and_encrypted_ones_named(enter):
    place = enter()
    with zipfile.ZipFile(place / "z.zip", "w") as made:
        made.writestr("top/a", "a")

    assert state.extracted(str(place / "z"), str(place / "z.zip"))["changes"]["extracted_files"] == ["top/a"]


@pytest.mark.parametrize(
    ("name", "arguments", "comment"),
    [
        ("out", {}, "out is not an absolute path"),
        ("/out", {"source": "/nothere.tar"}, "Source file '/nothere.tar' does not exist"),
        ("/out", {"if_missing": "x"}, "Value for 'if_missing' is not an absolute path"),
        ("/out", {"enforce_ownership_on": "/etc"}, "Value for 'enforce_ownership_on' must be within /out/"),
        ("/out", {"password": "x"}, "The 'password' argument is only supported for zip archives"),
        ("/out", {"trim_output": "x"}, "Invalid value for trim_output, must be True/False or an integer"),
        ("/out", {"signature": "x"}, "Cannot verify signatures because the gpg module was not loaded"),
        (
            "/out",
            {"clean": True, "clean_parent": True},
            "Only one of 'clean' and 'clean_parent' can be set to True",
        ),
        (
            "/out",
            {"skip_verify": True, "skip_files_list_verify": True},
            'Only one of "skip_files_list_verify" and "skip_verify" can be set to True',
        ),
    ],
)
def test_wrong_arguments_are_named(enter, name, arguments, comment):
    place = enter()

    made = state.extracted(name, **{"source": str(place / "one.tgz"), **arguments})

    assert (made["result"], made["comment"]) == (False, comment)
