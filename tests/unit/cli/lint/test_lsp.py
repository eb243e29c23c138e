"""Options of `salt-g lsp`."""

import argparse

import pytest

from salt_g.cli.lint import lsp
from salt_g.errors import SaltGError


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Return a function that makes the project of some options.

    They are those of the command line and of the editor, which has `work` open.
    """
    for folder in ("etc", "work/states", "work/pillar", "srv", "other"):
        (tmp_path / folder).mkdir(parents=True)
    config = f"id: m\nroot_dir: {tmp_path}\nfile_roots:\n  base: [{tmp_path}/srv]\n"
    (tmp_path / "etc" / "minion").write_text(config)
    monkeypatch.chdir(tmp_path)

    def make(*words, folder="work", **wanted):
        options = lsp.build_parser().options_only(["-c", str(tmp_path / "etc"), *words])
        return lsp._project(options, wanted, str(tmp_path / folder), str(tmp_path / "private"))

    return make


def roots(project, setting="file_roots", saltenv="base"):
    return [root.rpartition("/")[2] for root in project.lint.context.opts[setting][saltenv][1:]]


def test_the_trees_of_the_folder_that_is_open(project):
    assert roots(project()) == ["states"]
    assert roots(project(), "pillar_roots") == ["pillar"]


def test_a_folder_is_a_tree_if_it_has_sls(project, tmp_path):
    assert roots(project(folder="other")) == ["srv"]
    (tmp_path / "other" / "nginx").mkdir()
    (tmp_path / "other" / "nginx" / "init.sls").write_text("")

    assert roots(project(folder="other")) == ["other"]


def test_the_trees_of_the_settings_if_the_folder_is_theirs(project):
    assert roots(project(folder="srv")) == ["srv"]


def test_trees_that_are_named(project):
    assert roots(project("--file-root=other")) == ["other"]
    assert roots(project("--file-root=other", file_root="states")) == ["states"]


def test_a_folder_is_the_tree_of_the_environment_that_is_named(project):
    assert roots(project(saltenv="prod"), saltenv="prod") == ["states"]


def test_an_environment_that_the_settings_lack_is_refused(project):
    with pytest.raises(SaltGError, match=r"^there is no environment 'prod': file_roots has base$"):
        project(folder="srv", saltenv="prod")


def test_systems(project):
    assert project("--os=alpine").lint.context.grains["os"] == "Alpine"
    assert project("--os=alpine", os="rhel").lint.context.grains["os"] == "RedHat"
    assert len(project(os="all")._systems) == 5


@pytest.mark.parametrize(
    "wanted", [{"nosuch": "x"}, {"os": "beos"}, {"os": 1}, {"os": "rhel", "minion": "m"}]
)
def test_wrong_options(project, wanted):
    with pytest.raises(SaltGError):
        project(**wanted)


def test_options_that_editors_add():
    assert isinstance(lsp.build_parser().options_only(["--stdio"]), argparse.Namespace)
