"""The roster of one file for each host."""

import pytest

from salt_g.errors import RosterError


def test_names_of_files_are_ids_and_the_domain_completes_addresses(tmp_path, targets):
    (tmp_path / "roster.d").mkdir()
    (tmp_path / "roster.d" / "web1").write_text("host: 192.0.2.1\nsudo: true\n")
    (tmp_path / "roster.d" / "web2").write_text("user: deploy\n")
    (tmp_path / "roster.d" / "db1").write_text("{{ broken\n")

    assert targets("dir", "web*", roster_domain="example.org") == {
        "web1": {"host": "192.0.2.1", "sudo": True},
        "web2": {"host": "web2.example.org", "user": "deploy"},
    }


def test_a_directory_that_is_missing_is_named(tmp_path, targets):
    with pytest.raises(RosterError, match="nowhere"):
        targets("dir", roster_dir=str(tmp_path / "nowhere"))


def test_a_file_that_cannot_be_read_costs_its_own_host_only(tmp_path, targets, caplog):
    (tmp_path / "roster.d").mkdir()
    (tmp_path / "roster.d" / "web1").write_text("# all as usual\n")
    (tmp_path / "roster.d" / "db1").write_text("host: [\n")

    assert targets("dir") == {"web1": {"host": "web1"}}
    assert "host db1 is left out" in caplog.text
    assert "roster.d/db1" in caplog.text
