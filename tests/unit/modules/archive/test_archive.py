"""Packing, listing and unpacking real archives."""

import io
import os
import stat
import tarfile
import zipfile

import pytest

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules import archive, cmd


@pytest.fixture(autouse=True)
def place(tmp_path, call_context):
    """Return a folder with two files and one folder."""
    call_context(
        functions={
            "cmd.run": cmd.run,
            "cmd.run_all": cmd.run_all,
            "cp.cache_file": lambda path, saltenv, **options: path if os.path.exists(path) else "",
        }
    )
    (tmp_path / "a").write_text("a\n")
    (tmp_path / "b").write_text("b\n")
    (tmp_path / "top").mkdir()
    (tmp_path / "top" / "c").write_text("c\n")
    return tmp_path


def test_tar_packs_and_lists(place):
    archive.tar("czf", str(place / "o.tgz"), "a,top", cwd=str(place))

    assert archive.list_(str(place / "o.tgz")) == ["a", "top/", "top/c"]
    described = archive.list_(str(place / "o.tgz"), verbose=True)
    assert (described["top_level_dirs"], described["top_level_files"]) == (["top/"], ["a"])
    assert archive.list_(str(place / "o.tgz"), strip_components=1) == ["c"]


def test_tar_needs_an_operation():
    with pytest.raises(InvocationError, match="Tar options can not be empty"):
        archive.tar("", "x.tar")


def test_zip_packs_folders_and_unpacks_modes(place):
    os.chmod(place / "a", 0o640)
    names = archive.zip_(str(place / "o.zip"), ["a", "top"], cwd=str(place))

    files = archive.unzip(str(place / "o.zip"), str(place / "out"), excludes="top/c")

    assert names == ["a", "top/", "top/c"]
    assert files == ["a", "top/"]
    assert stat.S_IMODE((place / "out" / "a").stat().st_mode) == 0o640
    assert not (place / "out" / "top" / "c").exists()


def test_zip_wants_absolute_paths_or_a_directory():
    with pytest.raises(InvocationError, match="Relative paths require"):
        archive.zip_("/tmp/x.zip", "a")
    with pytest.raises(InvocationError, match="cwd must be absolute"):
        archive.zip_("/tmp/x.zip", "a", cwd="here")


def test_links_in_zip_archives_stay_inside(place):
    for target in ("a", "../../etc/passwd"):
        member = zipfile.ZipInfo("link")
        member.external_attr = (stat.S_IFLNK | 0o777) << 16
        with zipfile.ZipFile(place / "l.zip", "w") as made:
            made.writestr(member, target)
        if target == "a":
            archive.unzip(str(place / "l.zip"), str(place / "out"))
            assert os.readlink(place / "out" / "link") == "a"
            os.unlink(place / "out" / "link")
        else:
            with pytest.raises(CommandExecutionError, match="points outside"):
                archive.unzip(str(place / "l.zip"), str(place / "out"))


def test_many_files_are_trimmed(place):
    with zipfile.ZipFile(place / "m.zip", "w") as made:
        for number in range(5):
            made.writestr(f"f{number}", "")

    assert archive.unzip(str(place / "m.zip"), str(place / "out"), trim_output=2) == [
        "f0",
        "f1",
        "List trimmed after 2 files.",
    ]


def test_folders_that_are_not_members_are_listed(place):
    with zipfile.ZipFile(place / "m.zip", "w") as made:
        made.writestr("d/f", "")

    assert archive.list_(str(place / "m.zip")) == ["d/", "d/f"]


def test_an_invalid_archive_is_named(place):
    (place / "x.zip").write_text("no")
    (place / "x.tar").write_text("no")

    with pytest.raises(CommandExecutionError, match="x.zip is not a ZIP file. Additional info follows"):
        archive.is_encrypted(str(place / "x.zip"))
    with pytest.raises(CommandExecutionError, match="Unable to list contents of"):
        archive.list_(str(place / "x.tar"))
    with pytest.raises(CommandExecutionError, match="Unable to guess archive format"):
        archive.list_(str(place / "a"))
    with pytest.raises(CommandExecutionError, match="Unsupported archive format 'cab'"):
        archive.list_(str(place / "a"), archive_format="cab")


def test_a_command_may_decompress_for_listing(place):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as made:
        made.add(place / "a", "a")
    (place / "o.tar").write_bytes(b"junk" + data.getvalue())

    assert archive.list_(str(place / "o.tar"), options="tail -c +5") == ["a"]


def test_gzip_and_gunzip_change_files_in_place(place):
    archive.gzip(str(place / "a"))
    assert (place / "a.gz").exists() and not (place / "a").exists()

    archive.gunzip(str(place / "a.gz"))
    assert (place / "a").read_text() == "a\n"
