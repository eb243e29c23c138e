"""Wheel functions of roots, settings, minions and errors."""

import pytest

from salt_g.wheel import config, error, file_roots, minions


@pytest.fixture
def root(tmp_path, call_context):
    base = tmp_path / "srv"
    (base / "web").mkdir(parents=True)
    (base / "top.sls").write_text("base: {}\n")
    (base / "web" / "logo.png").write_bytes(b"\x89PNG\0")
    call_context(opts={"file_roots": {"base": [str(base)]}})
    return base


def test_files_are_found_and_distinguished(root):
    assert file_roots.find("top.sls") == [{f"{root}/top.sls": "txt"}]
    assert file_roots.find("web/logo.png") == [{f"{root}/web/logo.png": "bin"}]
    assert file_roots.read("web/logo.png") == []
    assert file_roots.list_roots() == {"base": [{str(root): {"top.sls": "f", "web": {"logo.png": "f"}}}]}


@pytest.mark.parametrize(
    ("text", "encoding"), [("café au lait", "latin-1"), ("příliš žluťoučký kůň", "utf-8")]
)
def test_text_in_either_encoding_is_text(root, text, encoding):
    (root / "note.txt").write_bytes(text.encode(encoding))

    assert file_roots.find("note.txt") == [{f"{root}/note.txt": "txt"}]
    assert file_roots.read("note.txt") == [{f"{root}/note.txt": text}]


@pytest.mark.parametrize("path", ["../secret", "web/../../secret", "/etc/passwd", ".", "", "a\0b"])
def test_no_path_leads_out_of_a_root(root, path):
    (root.parent / "secret").write_text("s")

    assert file_roots.find(path) == []
    assert not file_roots.write("x", path).startswith("Wrote")


def test_a_link_out_of_a_root_is_not_followed(root):
    outside = root.parent / "outside"
    outside.mkdir()
    (root / "link").symlink_to(outside)

    assert file_roots.write("x", "link/new.sls") == "Invalid path: link/new.sls"
    assert list(outside.iterdir()) == []


def test_writing_makes_directories_and_says_where(root):
    assert file_roots.write("a: b\n", "new/init.sls") == f"Wrote data to file {root}/new/init.sls"
    assert file_roots.write("", "x", saltenv="dev") == "Named environment dev is not present"
    assert file_roots.write("", "x", index=3) == "Specified index 3 in environment base is not present"


def test_one_setting_is_written_beside_the_others(tmp_path, call_context):
    path = tmp_path / "master"
    path.write_text("# comment\ntimeout: 9\n")
    call_context(opts={"conf_file": str(path), "default_include": "master.d/*.conf"})

    config.apply("worker_threads", 7)

    assert path.read_text() == "timeout: 9\nworker_threads: 7\n"
    assert config.values()["timeout"] == 9


def test_settings_go_into_a_file_of_their_own_and_nowhere_else(tmp_path, call_context):
    call_context(opts={"conf_file": str(tmp_path / "master"), "default_include": "master.d/*.conf"})

    assert config.update_config("gui", {"timeout": 3}) == "Wrote gui.conf"
    assert (tmp_path / "master.d" / "gui.conf").read_text() == "timeout: 3\n"
    assert config.update_config("../evil", {}) == "Invalid path"


def test_errors_are_raised_by_name():
    assert error.error() == {}
    with pytest.raises(ValueError, match="so it is"):
        error.error("ValueError", "so it is")


def test_connected_minions_are_sorted(call_context):
    class Presence:
        def connected(self):
            return {"b", "a"}

    call_context(presence=Presence())

    assert minions.connected() == ["a", "b"]
