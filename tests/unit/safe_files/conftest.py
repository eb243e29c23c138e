"""Files of root beside a directory of a user, and malicious links of that user."""

import os

import pytest

NOBODY = 65534


@pytest.fixture
def home(tmp_path):
    """Return a directory of the user nobody, beside files of root."""
    os.chmod(tmp_path, 0o755)
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "secret").write_text("secret")
    os.chmod(tmp_path / "root" / "secret", 0o600)
    home = tmp_path / "home"
    home.mkdir()
    os.chown(home, NOBODY, -1)
    return home


@pytest.fixture
def link():
    """Return a function that makes a link owned by a user: `link(path, target, uid)`."""

    def make(path, target, uid=NOBODY):
        os.symlink(target, path)
        os.lchown(path, uid, -1)

    return make
