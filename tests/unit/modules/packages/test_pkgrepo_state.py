"""`pkgrepo` where repositories are `.repo` files: with dnf, and with zypper."""

import sys

import pytest

from salt_g.modules import aptpkg, yumpkg, zypperpkg
from salt_g.modules.yumpkg import _yum
from salt_g.states import pkgrepo


@pytest.fixture
def fedora(machine, monkeypatch, tmp_path):
    def make(*, test=False):
        programs = machine(yumpkg, test=test, os="Fedora", os_family="RedHat", osarch="x86_64")
        monkeypatch.setattr(_yum, "_CONFIG_FILES", (str(tmp_path / "dnf.conf"),))
        (tmp_path / "repos").mkdir(exist_ok=True)
        (tmp_path / "dnf.conf").write_text(f"[main]\nreposdir={tmp_path}/repos\n")
        programs.file = tmp_path / "repos" / "mine.repo"
        return programs

    return make


def wish(**more):
    return pkgrepo.managed(
        "mine", humanname="Mine", baseurl="http://x/$releasever", gpgcheck=1, enabled=True, **more
    )


def test_a_repository_is_written_and_then_left_alone(fedora):
    programs = fedora()

    first = wish()
    again = wish()

    assert first["changes"] == {"repo": "mine"}
    assert first["comment"] == "Configured package repo 'mine'"
    text = programs.file.read_text()
    assert text.startswith("[mine]\n")
    assert {"name=Mine", "baseurl=http://x/$releasever", "gpgcheck=1", "enabled=1"} <= set(text.splitlines())
    assert again["comment"] == "Package repo 'mine' already configured"
    assert again["changes"] == {}


def test_differences_are_reported_and_changed(fedora):
    programs = fedora()
    wish()

    result = pkgrepo.managed("mine", humanname="Mine", baseurl="http://y/", gpgcheck=1, enabled=False)

    assert result["changes"]["baseurl"] == {"old": "http://x/$releasever", "new": "http://y/"}
    assert "enabled=0" in programs.file.read_text()


def test_test_mode_writes_nothing(fedora):
    programs = fedora(test=True)

    result = wish()

    assert result["result"] is None
    assert not programs.file.exists()


def test_a_repository_is_taken_away(fedora):
    programs = fedora()
    wish()

    removed = pkgrepo.absent("mine")
    again = pkgrepo.absent("mine")

    assert removed["comment"] == "Removed repo mine"
    assert not programs.file.exists()
    assert again["comment"] == "Package repo mine is absent"


def test_zypper_adds_and_changes_by_its_own_commands(machine, monkeypatch, tmp_path):
    programs = machine(zypperpkg, os="SUSE", os_family="Suse", osarch="x86_64")
    monkeypatch.setattr(sys.modules["salt_g.modules.zypperpkg.repos"], "_DIRECTORY", str(tmp_path))
    file = tmp_path / "mine.repo"
    programs.answer(
        " ar http://x/ mine",
        then=lambda: file.write_text("[mine]\nname=Mine\nenabled=1\nbaseurl=http://x/\ngpgcheck=0\n"),
    )

    first = pkgrepo.managed("mine", humanname="Mine", baseurl="http://x/", gpgcheck=False)
    again = pkgrepo.managed("mine", humanname="Mine", baseurl="http://x/", gpgcheck=False)

    assert first["changes"] == {"repo": "mine"}
    assert any(" mr --enable --no-gpgcheck --name Mine mine" in line for line in programs.lines)
    assert again["comment"] == "Package repo 'mine' already configured"


def test_test_mode_asks_only_when_writing_whether_a_line_is_one(machine, monkeypatch, tmp_path):
    files = sys.modules["salt_g.modules.aptpkg._sources"]
    monkeypatch.setattr(files, "MAIN_FILE", str(tmp_path / "sources.list"))
    monkeypatch.setattr(files, "DIRECTORY", str(tmp_path))

    machine(aptpkg, test=True, os="Debian", os_family="Debian")
    result = pkgrepo.managed("foo")
    machine(aptpkg, os="Debian", os_family="Debian")
    done = pkgrepo.managed("foo")

    assert (result["result"], result["changes"]) == (None, {"repo": "foo"})
    assert done["result"] is False
    assert "Name foo is not valid" in done["comment"]


def test_a_keyserver_beside_the_url_of_a_key_is_not_an_error(machine, monkeypatch, tmp_path):
    files = sys.modules["salt_g.modules.aptpkg._sources"]
    monkeypatch.setattr(files, "MAIN_FILE", str(tmp_path / "sources.list"))
    monkeypatch.setattr(files, "DIRECTORY", str(tmp_path))
    machine(aptpkg, test=True, os="Debian", os_family="Debian")

    result = pkgrepo.managed(
        "node", url="https://node.example", key_url="https://node.example/key", keyserver="keys.example"
    )

    assert result["result"] is None
    assert result["changes"] == {"repo": "node"}
