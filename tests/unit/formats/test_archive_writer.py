"""Archives that try to write outside of the directory that they are unpacked to."""

import contextlib
import io
import os
import stat
import tarfile
import tempfile
import warnings
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from salt_g.errors import CommandExecutionError, UnsafeMember
from salt_g.formats import tarball
from salt_g.formats.archive_writer import open_below
from salt_g.modules.archive import zipfiles

FILE, DIRECTORY, LINK, HARD = tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE


def make_tar(path, members):
    with tarfile.open(path, "w") as archive:
        for name, kind, value in members:
            member = tarfile.TarInfo(name)
            member.type = kind
            member.mode = 0o644
            data = b""
            if kind == FILE:
                data = value.encode()
                member.size = len(data)
            elif kind in (LINK, HARD):
                member.linkname = value
            archive.addfile(member, io.BytesIO(data))


def make_zip(path, members):
    with zipfile.ZipFile(path, "w") as archive:
        for name, kind, value in members:
            modes = {FILE: stat.S_IFREG | 0o644, DIRECTORY: stat.S_IFDIR | 0o755}
            mode = modes.get(kind, stat.S_IFLNK | 0o777)
            member = zipfile.ZipInfo(name + ("/" if kind == DIRECTORY else ""))
            member.create_system = 3
            member.external_attr = mode << 16
            with warnings.catch_warnings():  # of a name that comes twice
                warnings.simplefilter("ignore")
                archive.writestr(member, "" if kind == DIRECTORY else value)


def untar(path, into):
    with tarfile.open(path) as archive:
        tarball.unpack(archive, into)


def unzip(path, into):
    zipfiles.unzip(path, into)


FORMATS = {"tar": (make_tar, untar), "zip": (make_zip, unzip)}
both = pytest.mark.parametrize("kind", FORMATS)
#: What unpackers may answer to a strange archive.
ANSWERS = (tarfile.TarError, CommandExecutionError, OSError)


def snapshot(top):
    """Return everything below a directory, with content and links."""
    found = {}
    for folder, folders, names in os.walk(top):
        for name in folders + names:
            path = os.path.join(folder, name)
            status = os.lstat(path)
            content = None
            if stat.S_ISREG(status.st_mode):
                with open(path, "rb") as file:
                    content = file.read()
            link = os.readlink(path) if stat.S_ISLNK(status.st_mode) else None
            found[path] = (status.st_mode, status.st_nlink, content, link)
    return found


def unpacked(kind, members, top):
    """Unpack members into `top`/a/inside; return whether that was refused, and check the files around it."""
    make, unpack = FORMATS[kind]
    outside = os.path.join(top, "outside")
    inside = os.path.join(top, "a", "inside")
    os.makedirs(inside)
    os.mkdir(outside)
    for path in (os.path.join(outside, "kept"), os.path.join(top, "a", "f")):
        with open(path, "w") as file:
            file.write("kept")
    archive = os.path.join(outside, "archive")
    make(archive, members)
    before = {path: seen for path, seen in snapshot(top).items() if not path.startswith(inside)}
    refused = False
    try:
        unpack(archive, inside)
    except ANSWERS:
        refused = True
    after = {path: seen for path, seen in snapshot(top).items() if not path.startswith(inside)}
    # Of `inside` and what holds it only its own entries may differ.
    assert after == before
    for folder, folders, names in os.walk(inside):
        for name in folders + names:
            path = os.path.join(folder, name)
            real = os.path.realpath(path)
            assert (real + "/").startswith(inside + "/"), f"{path} leads to {real}"
            with contextlib.suppress(OSError), open(path, "rb") as file:
                assert file.read() != b"kept"
    return refused


_NAMES = st.sampled_from(["f", "d", "e", "a", "inside", "."])
_PATHS = st.lists(st.one_of(_NAMES, _NAMES, st.just("..")), min_size=1, max_size=5).map("/".join)
_TARGETS = st.one_of(_PATHS, _PATHS.map(lambda path: f"/{path}"), st.just("/tmp"), st.just(""))
_MEMBERS = st.lists(
    st.one_of(
        st.tuples(_PATHS, st.just(FILE), st.sampled_from(["one", "two"])),
        st.tuples(_PATHS, st.just(DIRECTORY), st.just("")),
        st.tuples(_PATHS, st.just(LINK), _TARGETS),
        st.tuples(_PATHS, st.just(HARD), _TARGETS),
    ),
    min_size=1,
    max_size=8,
)


@both
@given(members=_MEMBERS)
@settings(max_examples=300, suppress_health_check=list(HealthCheck))
def test_nothing_is_ever_written_outside(kind, members):
    with tempfile.TemporaryDirectory() as top:
        unpacked(kind, members, os.path.realpath(top))


@given(members=_MEMBERS)
@settings(max_examples=200, suppress_health_check=list(HealthCheck))
def test_no_member_that_is_written_after_all_leaves_the_directory(members):
    """The checks during writing hold even without the earlier checks of names."""
    with tempfile.TemporaryDirectory() as top:
        inside = os.path.join(os.path.realpath(top), "a", "inside")
        os.makedirs(inside)
        with open_below(inside) as target:
            for name, kind, value in members:
                act = {
                    FILE: lambda name, value: target.write(name, io.BytesIO(value.encode())),
                    DIRECTORY: lambda name, _: target.make_directory(name),
                    LINK: target.symlink,
                    HARD: target.hard_link,
                }[kind]
                with contextlib.suppress(UnsafeMember, OSError):
                    act(name, value)
        assert os.listdir(top) == ["a"]
        assert os.listdir(os.path.join(top, "a")) == ["inside"]


@both
@pytest.mark.parametrize(
    "members",
    [
        [("d/x", FILE, ""), ("l", LINK, "d/../..")],
        [("d", DIRECTORY, ""), ("d/up", LINK, ".."), ("l", LINK, "d/up/../outside")],
        [("a", LINK, "."), ("a/b", LINK, ".."), ("a/b/f", FILE, "x")],
        [("d", DIRECTORY, ""), ("d/e", LINK, ".."), ("d/e/l", LINK, "../f")],
        [("l", LINK, "/etc")],
        [("l", LINK, "../../outside"), ("l/kept", FILE, "x")],
    ],
    ids=["climb", "climb-by-link", "chain", "less-room", "absolute", "through"],
)
def test_links_that_lead_outside_are_refused(kind, members, tmp_path):
    assert unpacked(kind, members, str(tmp_path))


@both
def test_a_member_takes_the_place_of_a_link_that_the_archive_made(kind, tmp_path):
    members = [("d/f", FILE, "first"), ("l", LINK, "d/f"), ("l", FILE, "second")]

    assert not unpacked(kind, members, str(tmp_path))

    inside = tmp_path / "a" / "inside"
    assert (inside / "d" / "f").read_text() == "first"
    assert not (inside / "l").is_symlink() and (inside / "l").read_text() == "second"


@both
def test_links_that_stay_inside_are_followed(kind, tmp_path):
    members = [("usr/lib", DIRECTORY, ""), ("usr/x/l", LINK, "../lib"), ("usr/x/l/f", FILE, "x")]

    assert not unpacked(kind, members, str(tmp_path))

    assert (tmp_path / "a" / "inside" / "usr" / "lib" / "f").read_text() == "x"


@both
def test_a_link_that_is_there_already_leads_nowhere(kind, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "f").write_text("kept")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "d").symlink_to(tmp_path / "elsewhere")
    (inside / "f").symlink_to(tmp_path / "elsewhere" / "f")
    make, unpack = FORMATS[kind]

    make(tmp_path / "first", [("f", FILE, "new")])
    unpack(str(tmp_path / "first"), str(inside))
    make(tmp_path / "second", [("d/f", FILE, "new")])
    with pytest.raises(ANSWERS):
        unpack(str(tmp_path / "second"), str(inside))

    assert (inside / "f").read_text() == "new"
    assert (tmp_path / "elsewhere" / "f").read_text() == "kept"


@pytest.mark.skipif(os.geteuid() != 0, reason="makes links of another user")
@both
def test_root_unpacks_nothing_behind_a_users_link(kind, tmp_path):
    os.chmod(tmp_path, 0o755)
    (tmp_path / "root").mkdir()
    os.symlink("root", tmp_path / "link")
    os.lchown(tmp_path / "link", 65534, -1)
    make, unpack = FORMATS[kind]
    make(tmp_path / "archive", [("f", FILE, "new")])

    with pytest.raises(ANSWERS, match="the link .* belongs to 'nobody'"):
        unpack(str(tmp_path / "archive"), str(tmp_path / "link"))

    assert os.listdir(tmp_path / "root") == []


def test_hard_links_share_a_file_inside_and_none_outside(tmp_path):
    members = [("f", FILE, "x"), ("d/h", HARD, "f")]
    assert not unpacked("tar", members, str(tmp_path))

    inside = tmp_path / "a" / "inside"
    assert os.path.samefile(inside / "f", inside / "d" / "h")


def test_a_hard_link_to_a_link_is_judged_where_it_is(tmp_path):
    members = [("d/e/f", FILE, "x"), ("d/e/l", LINK, "../../f"), ("h", HARD, "d/e/l")]

    assert unpacked("tar", members, str(tmp_path))


def test_set_user_id_does_not_come_out_of_a_zip(tmp_path):
    with zipfile.ZipFile(tmp_path / "archive", "w") as archive:
        member = zipfile.ZipInfo("f")
        member.create_system = 3
        member.external_attr = (stat.S_IFREG | 0o6755) << 16
        archive.writestr(member, "x")

    zipfiles.unzip(str(tmp_path / "archive"), str(tmp_path / "to"))

    assert stat.S_IMODE(os.stat(tmp_path / "to" / "f").st_mode) == 0o755
