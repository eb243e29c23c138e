"""Names in an archive, and its cached copy."""

import os
import shutil
import tarfile

import pytest

from salt_g.modules import archive


@pytest.fixture
def local(tmp_path):
    """Return the path of an archive with one file."""
    (tmp_path / "note").write_text("a")
    with tarfile.open(tmp_path / "one.tar", "w") as made:
        made.add(tmp_path / "note", "note")
    return str(tmp_path / "one.tar")


@pytest.fixture
def cached(call_context, tmp_path, local):
    """Return the path of the cached copy of `salt://one.tar`; a local archive is read in place."""
    copy = tmp_path / "cache" / "files" / "base" / "one.tar"
    copy.parent.mkdir(parents=True)
    shutil.copy(local, copy)

    def cache_file(name, saltenv, **options):
        return str(copy) if name.startswith("salt://") else name

    call_context(functions={"cp.cache_file": cache_file}, opts={"cachedir": str(tmp_path / "cache")})
    return str(copy)


def test_clean_removes_the_cached_copy_only(cached, local):
    assert archive.list_(local, clean=True) == ["note"]
    assert archive.list_("salt://one.tar", clean=True) == ["note"]

    assert os.path.exists(local)
    assert not os.path.exists(cached)
