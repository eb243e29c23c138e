"""Unsaved texts, which take precedence over the roots."""

import pytest

from salt_g.language_server.overlay import Overlay


@pytest.fixture
def overlay(tmp_path):
    for folder in ("one", "two", "pillar"):
        (tmp_path / folder).mkdir()
    roots = {
        "file_roots": {"base": [str(tmp_path / "one"), str(tmp_path / "two")]},
        "pillar_roots": {"base": [str(tmp_path / "pillar")], "__env__": ["/srv"]},
    }
    return Overlay(roots, str(tmp_path / "private"))


def test_an_unsaved_text_is_found_first(overlay, tmp_path):
    path = str(tmp_path / "two" / "web" / "init.sls")

    place = overlay.write(path, "x\r\n")

    assert (place.setting, place.saltenv, place.relative) == ("file_roots", "base", "web/init.sls")
    front = overlay.settings()["file_roots"]["base"][0]
    assert place.unsaved == f"{front}/web/init.sls"
    with open(place.unsaved, newline="") as file:
        assert file.read() == "x\r\n"
    assert overlay.is_unsaved(path)
    assert overlay.saved(place.unsaved) == path


def test_its_folders_are_private_and_gone_with_it(overlay, tmp_path):
    path = str(tmp_path / "one" / "a" / "b" / "c.sls")
    overlay.write(path, "x")
    front = tmp_path / "private" / "file_roots" / "0"
    assert {folder.stat().st_mode & 0o777 for folder in (front, front / "a", front / "a" / "b")} == {0o700}

    assert overlay.remove(path).relative == "a/b/c.sls"

    assert list(front.iterdir()) == []
    assert not overlay.is_unsaved(path)


def test_a_file_that_another_root_serves_instead_has_no_place(overlay, tmp_path):
    (tmp_path / "one" / "a.sls").write_text("")

    assert overlay.place(str(tmp_path / "two" / "a.sls")) is None
    assert overlay.place(str(tmp_path / "one" / "a.sls")) is not None


def test_files_elsewhere_have_no_place(overlay, tmp_path):
    for path in ("/etc/passwd", str(tmp_path / "onetwo" / "a.sls"), str(tmp_path / "one")):
        assert overlay.write(path, "x") is None


def test_links_to_a_root_lead_to_it(overlay, tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "pillar")

    place = overlay.place(str(tmp_path / "link" / "a.sls"))

    assert (place.setting, place.relative) == ("pillar_roots", "a.sls")


def test_the_placeholder_of_environments_is_left_out(overlay):
    assert list(overlay.settings()["pillar_roots"]) == ["base"]


def test_bytes_of_another_encoding_stay_and_half_a_sign_is_replaced(overlay, tmp_path):
    path = str(tmp_path / "one" / "a.sls")

    for text, content in (("caf\udce9", b"caf\xe9"), ("a \ud800", b"a ?")):
        with open(overlay.write(path, text).unsaved, "rb") as file:
            assert file.read() == content
