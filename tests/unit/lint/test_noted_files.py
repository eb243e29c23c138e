"""Files of a checked tree, and the record of what was looked for."""

import pytest

from salt_g.lint.noted_files import NotedFiles
from salt_g.lint.uses import LISTING, Uses


@pytest.fixture
def uses():
    return Uses()


@pytest.fixture
def files(tmp_path, uses):
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "init.sls").write_text("")
    return NotedFiles({"file_roots": {"base": [str(tmp_path)]}, "cachedir": str(tmp_path / "cache")}, uses)


def test_files_that_are_looked_for_are_noted_also_missing_ones(files, uses, tmp_path):
    with uses.collecting() as used:
        assert files.cache_sls("web") == ("salt://web/init.sls", str(tmp_path / "web" / "init.sls"))
        assert files.cache_file("salt://nosuch") == ""

    assert used == {"web.sls", "web/init.sls", "nosuch"}


@pytest.mark.parametrize("method", ["list_files", "list_dirs", "list_states"])
def test_a_look_at_all_names_is_noted(files, uses, method):
    with uses.collecting() as used:
        getattr(files, method)("base")

    assert used == {LISTING}


def test_hidden_files_are_no_sls(files, tmp_path):
    (tmp_path / "web" / ".#init.sls").symlink_to("ann@laptop.4711:1700000000")
    (tmp_path / ".old").mkdir()
    (tmp_path / ".old" / "x.sls").write_text("")
    (tmp_path / ".x.sls").write_text("")

    assert files.list_states("base") == ["web"]


def test_a_file_that_is_new_is_found_after_forgetting(files, uses, tmp_path):
    assert files.paths("base") == {"", "web", "web/init.sls"}
    (tmp_path / "new.sls").write_text("")
    files.forget()

    with uses.collecting() as used:
        assert "new.sls" in files.paths("base")
    assert used == set()
