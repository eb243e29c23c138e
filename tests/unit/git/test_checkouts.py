"""Commits as folders: complete, made once, and removed when unused for long."""

import os
import time

import pytest

from salt_g.git.checkouts import UNUSED, Checkouts
from salt_g.git.repository import Repository
from salt_g.git.source import RemoteSource
from salt_g.process.command import which

pytestmark = pytest.mark.skipif(which("git") is None, reason="git is not installed")


@pytest.fixture
def origin(make_origin):
    made = make_origin("origin")
    made.first = made.commit(web__index_DOT_html="one")
    return made


@pytest.fixture
def checkouts(origin, tmp_path):
    repository = Repository(RemoteSource(origin.url), str(tmp_path / "clones"))
    repository.update()
    made = Checkouts(repository)
    made.repository = repository
    return made


def read(folder):
    with open(os.path.join(folder, "files", "web", "index.html")) as file:
        return file.read()


def test_a_commit_has_a_folder_that_a_later_one_leaves_alone(checkouts, origin):
    first = checkouts.folder(origin.first)
    later = origin.commit(web__index_DOT_html="two")
    checkouts.repository.update()

    assert (read(first), read(checkouts.folder(later))) == ("one", "two")
    assert checkouts.folder(origin.first) == first


def test_a_folder_is_written_once(checkouts, origin):
    folder = checkouts.folder(origin.first)
    made = os.stat(os.path.join(folder, "files", "web", "index.html")).st_ino

    checkouts.folder(origin.first)

    assert os.stat(os.path.join(folder, "files", "web", "index.html")).st_ino == made
    assert os.listdir(os.path.dirname(folder)) == [origin.first]


def test_a_long_unused_folder_is_removed_when_another_is_made(checkouts, origin):
    old = checkouts.folder(origin.first)
    long_ago = time.time() - UNUSED - 1
    os.utime(old, (long_ago, long_ago))
    later = origin.commit(web__index_DOT_html="two")
    checkouts.repository.update()

    new = checkouts.folder(later)

    assert (os.path.exists(old), os.path.exists(new)) == (False, True)


def test_a_folder_that_is_used_stays(checkouts, origin):
    old = checkouts.folder(origin.first)
    long_ago = time.time() - UNUSED - 1
    os.utime(old, (long_ago, long_ago))
    checkouts.folder(origin.first)
    later = origin.commit(web__index_DOT_html="two")
    checkouts.repository.update()

    checkouts.folder(later)

    assert os.path.exists(old)
