"""Tar archives: nothing lands outside of the wanted directory, with and without Python's own filter."""

import io
import os
import tarfile

import pytest

from salt_g.formats import tarball


def _archive(*members):
    """Return an open archive of (name, type, content or link target)."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, kind, value in members:
            member = tarfile.TarInfo(name)
            member.type = kind
            member.mode = 0o4777
            data = b""
            if kind == tarfile.REGTYPE:
                data = value.encode()
                member.size = len(data)
            else:
                member.linkname = value
            archive.addfile(member, io.BytesIO(data))
    buffer.seek(0)
    return tarfile.open(fileobj=buffer)


@pytest.fixture(params=["with Python's filter", "without"])
def unpack(request):
    """Return the function that unpacks: with Python's own filter, or without it, with our checks."""
    if request.param == "without":
        return tarball.unpack_checked
    if not hasattr(tarfile, "data_filter"):
        pytest.skip("this Python has no filter of its own")
    return tarball.unpack


def test_files_and_links_inside_are_unpacked(unpack, tmp_path):
    members = [
        ("d/a", tarfile.REGTYPE, "text"),
        ("d/link", tarfile.SYMTYPE, "a"),
        ("/b", tarfile.REGTYPE, "b"),
    ]
    with _archive(*members) as archive:
        unpack(archive, str(tmp_path))

    assert (tmp_path / "d" / "link").read_text() == "text"
    assert (tmp_path / "b").read_text() == "b"
    assert os.stat(tmp_path / "d" / "a").st_mode & 0o7022 == 0


@pytest.mark.parametrize(
    "member",
    [
        ("../out", tarfile.REGTYPE, "x"),
        ("a/../../out", tarfile.REGTYPE, "x"),
        ("link", tarfile.SYMTYPE, "../out"),
        ("link", tarfile.SYMTYPE, "/etc/passwd"),
        ("link", tarfile.LNKTYPE, "../out"),
        ("fifo", tarfile.FIFOTYPE, ""),
    ],
)
def test_a_member_outside_of_the_directory_is_refused(unpack, tmp_path, member):
    inside = tmp_path / "inside"
    inside.mkdir()

    with _archive(member) as archive, pytest.raises(tarfile.TarError):
        unpack(archive, str(inside))

    assert os.listdir(tmp_path) == ["inside"]
    assert os.listdir(inside) == []
