import pytest

from salt_g.cli.dispatch import LINK_NAMES
from salt_g.packaging import contents


@pytest.fixture
def program(tmp_path):
    """Return a program that resembles a frozen one, made with a strict umask."""
    directory = tmp_path / "frozen"
    (directory / "_internal").mkdir(parents=True, mode=0o700)
    (directory / "salt-g").write_text("#!/bin/sh\n")
    (directory / "salt-g").chmod(0o700)
    (directory / "_internal/library.so").write_bytes(b"")
    (directory / "_internal/library.so").chmod(0o600)
    return directory


def test_every_file_is_staged_with_the_rights_of_everyone(tmp_path, program):
    root = tmp_path / "root"
    made = contents.stage(root, program, "/usr/share/zsh/site-functions")

    assert all((root / file.path.lstrip("/")).is_file() for file in made)
    assert (root / "usr/lib/salt-g/salt-g").stat().st_mode & 0o777 == 0o755
    assert (root / "usr/lib/salt-g/_internal/library.so").stat().st_mode & 0o777 == 0o644
    assert (root / "usr/share").stat().st_mode & 0o777 == 0o755


def test_links_have_the_names_of_stock_and_lead_to_the_program(tmp_path, program):
    contents.stage(tmp_path / "root", program, "/z")

    for name in LINK_NAMES:
        path = tmp_path / "root/usr/bin" / name
        assert path.resolve() == tmp_path / "root/usr/lib/salt-g/salt-g"


def test_only_the_rotation_of_logs_is_a_setting():
    settings = [file.path for file in contents.files("/z") if file.is_config]

    assert settings == ["/etc/logrotate.d/salt-g-master", "/etc/logrotate.d/salt-g-minion"]
    assert not any(file.path.startswith("/etc/salt") for file in contents.files("/z"))


def test_units_start_the_program_of_the_package_and_say_where_they_are_from():
    found = {file.path: file.content for file in contents.files("/z")}
    unit = found["/usr/lib/systemd/system/salt-g-master.service"].decode()

    assert "ExecStart=/usr/lib/salt-g/salt-g master" in unit
    assert "# Made by the package salt-g." in unit
    assert "-/var/cache/salt" in unit
