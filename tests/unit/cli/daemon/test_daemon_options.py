"""Options of daemons, which include stock's, so that a unit written for stock's daemons starts ours."""

import pytest

from salt_g.cli import exit_codes, saltfile
from salt_g.cli.daemon.daemon import build_parser, main


@pytest.fixture
def parser():
    return build_parser("salt-g minion", "description", "epilog")


def test_units_of_stock_start_a_daemon(parser):
    options, rest = parser.split(["--disable-keepalive", "-d"])

    assert (options.daemon, rest) == (True, [])


def test_a_daemon_prints_its_versions(parser, capsys):
    with pytest.raises(SystemExit) as caught:
        parser.split(["--versions-report"])

    assert caught.value.code == exit_codes.OK
    assert "Salt" in capsys.readouterr().out


def test_a_saltfile_gives_options_to_a_daemon(parser, tmp_path):
    path = tmp_path / "Saltfile"
    path.write_text("salt-minion:\n  config_dir: /srv/conf\n")

    options, _ = saltfile.split(parser, [f"--saltfile={path}"], "salt-minion")

    assert options.config_dir == "/srv/conf"


def test_a_daemon_refuses_further_words(capsys):
    with pytest.raises(SystemExit) as caught:
        main("minion", build_parser("salt-g minion", "description", "epilog"), ["now"], make=list)

    assert caught.value.code == exit_codes.USAGE
    assert "unexpected argument: now" in capsys.readouterr().err
