"""The commit from which salt-g was built."""

import pathlib
import subprocess
import sys

import pytest

import salt_g
from salt_g.report import source_commit

FIRST, OTHER = "1" * 40, "2" * 40


@pytest.fixture
def checkout(tmp_path):
    """Return a checkout whose branch is at FIRST."""
    git = tmp_path / ".git"
    (git / "refs" / "heads").mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "refs" / "heads" / "main").write_text(f"{FIRST}\n")
    return tmp_path


def test_a_branch_names_the_commit(checkout):
    assert source_commit.of_checkout(str(checkout)) == FIRST


def test_a_packed_branch_names_the_commit(checkout):
    (checkout / ".git" / "refs" / "heads" / "main").unlink()
    packed = f"# pack-refs with: peeled\n{OTHER} refs/heads/other\n{FIRST} refs/heads/main\n^{OTHER}\n"
    (checkout / ".git" / "packed-refs").write_text(packed)

    assert source_commit.of_checkout(str(checkout)) == FIRST


def test_a_detached_head_is_the_commit(checkout):
    (checkout / ".git" / "HEAD").write_text(f"{OTHER}\n")

    assert source_commit.of_checkout(str(checkout)) == OTHER


def test_a_linked_work_tree_reads_its_repository(checkout, tmp_path):
    linked, own = tmp_path / "linked", checkout / ".git" / "worktrees" / "linked"
    linked.mkdir()
    own.mkdir(parents=True)
    (linked / ".git").write_text(f"gitdir: {own}\n")
    (own / "HEAD").write_text("ref: refs/heads/main\n")
    (own / "commondir").write_text("../..\n")

    assert source_commit.of_checkout(str(linked)) == FIRST


@pytest.mark.parametrize("head", ["", "ref: refs/heads/none", "ref: ../../../etc/passwd", "\xff"])
def test_a_head_without_a_commit_is_unknown(checkout, head):
    (checkout / ".git" / "HEAD").write_text(head)

    assert source_commit.of_checkout(str(checkout)) == ""


def test_a_directory_without_git_is_unknown(tmp_path):
    assert source_commit.of_checkout(str(tmp_path)) == ""


def test_a_build_records_the_commit_of_its_checkout(tmp_path):
    root = pathlib.Path(salt_g.__file__).parents[1]
    if not (root / ".git").exists():
        pytest.skip("not a checkout")

    subprocess.run(
        [sys.executable, "setup.py", "-q", "build", "-b", tmp_path, "egg_info", "-e", tmp_path],
        cwd=root, capture_output=True, check=True,
    )  # fmt: skip

    recorded = (tmp_path / "lib" / "salt_g" / "report" / source_commit.FILE).read_text()
    assert recorded.strip() == source_commit.of_checkout(str(root))
