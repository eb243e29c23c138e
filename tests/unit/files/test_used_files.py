"""Files that a plan uses: recorded when they are read, and required to stay the same."""

import io

import pytest

from salt_g.errors import FileServerError
from salt_g.files.local import LocalServer
from salt_g.files.roots import Roots, RootsRules
from salt_g.files.used_files import UsedFiles


@pytest.fixture
def server(tmp_path):
    for env in ("base", "dev"):
        (tmp_path / env).mkdir()
        (tmp_path / env / "f").write_text(env)
    return LocalServer(Roots({env: [str(tmp_path / env)] for env in ("base", "dev")}, RootsRules()))


def test_each_way_to_a_file_notes_it(server, tmp_path):
    files = UsedFiles(server)

    assert files.refresh("f", "base", str(tmp_path / "copy"))
    assert files.write("f", "dev", io.BytesIO())
    assert files.hash_file("none", "base") == {}
    assert files.stat_file("f", "base") and files.envs() == ["base", "dev"] and files.listing("dev").files

    assert files.used == {
        "salt://f": server.hash_file("f", "base")["hsum"],
        "salt://f?saltenv=dev": server.hash_file("f", "dev")["hsum"],
        "salt://none": "",
    }


def test_other_contents_and_other_files_than_expected_raise(server, tmp_path):
    files = UsedFiles(server, {"salt://f": server.hash_file("f", "base")["hsum"]})

    assert files.refresh("f", "base", str(tmp_path / "copy"))
    with pytest.raises(FileServerError, match=r"salt://f\?saltenv=dev is not among the files of the plan"):
        files.hash_file("f", "dev")
    (tmp_path / "base" / "f").write_text("another")
    with pytest.raises(FileServerError, match="salt://f has changed since the plan was checked"):
        files.refresh("f", "base", str(tmp_path / "copy"))


def test_links_are_noted_with_their_targets(server):
    files = UsedFiles(server, {"salt://d/link (link)": "../one"})

    files.note_links({"d/link": "../one"}, "base")

    assert files.used == {"salt://d/link (link)": "../one"}
    with pytest.raises(FileServerError, match=r"salt://d/link \(link\) has changed"):
        files.note_links({"d/link": "../two"}, "base")
