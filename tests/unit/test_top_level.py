"""The top level of the repository: the documented folders, and nothing that a command left there.

A key or log that a command wrote into the checkout is easily committed with `git add -A`.
"""

import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
ROOMS = {".ci", ".devcontainer", "bench", "docs", "grains", "modules", "salt_g", "states", "tests"}
FILES = {
    ".editorconfig",
    ".gitattributes",
    ".gitignore",
    ".pre-commit-config.yaml",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "MANIFEST.in",
    "Makefile",
    "README.md",
    "SECURITY.md",
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
    "tox.ini",
}


@pytest.fixture(scope="module")
def tracked():
    """Return the files tracked by git, relative to the repository."""
    if not (REPOSITORY / ".git").exists():
        pytest.skip("not a checkout of git")
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=REPOSITORY, capture_output=True, text=True, check=True
    ).stdout
    return [name for name in names.split("\0") if name]


def test_the_first_level_has_only_its_rooms_and_files(tracked):
    assert {name.split("/", 1)[0] for name in tracked} == ROOMS | FILES


def test_no_file_is_a_private_key(tracked):
    assert [name for name in tracked if name.endswith((".pem", ".key"))] == []
