"""`service` through a fake `systemctl`: a program in PATH that keeps a unit tree in a directory.

No systemd runs where tests run. The program below answers as systemctl 252 does (words and
return codes) for units that are files in `$UNITS`, with `NAME.active` and `NAME.enabled`
beside them; it notes every call in `$UNITS/calls`.
"""

import os
import subprocess
import sys

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import _init_scripts, _systemd, _units, systemd_service

SYSTEMCTL = r"""#!/bin/sh
echo "$*" >> "$UNITS/calls"
while [ $# -gt 0 ]; do
  case "$1" in
    --root) shift;;
    -*) ;;
    *) [ -z "$action" ] && action=$1 || unit=${unit:-$1};;
  esac
  shift
done
there() { test -e "$UNITS/$unit"; }
none() { echo "Unit $unit could not be found."; exit 4; }
case "$action" in
  daemon-reload) exit 0;;
  status) there || none; cat "$UNITS/$unit"; test -e "$UNITS/$unit.active" || exit 3;;
  mask) echo "Failed to mask unit: File /etc/systemd/system/$unit already exists." >&2; exit 1;;
  is-active) test -e "$UNITS/$unit.active" || exit 3;;
  start|restart|reload|force-reload)
    there || { echo "Failed to $action $unit: Unit $unit not found." >&2; exit 5; }
    touch "$UNITS/$unit.active";;
  stop) rm -f "$UNITS/$unit.active";;
  enable) there || { echo "Failed to enable unit: no $unit" >&2; exit 1; }; touch "$UNITS/$unit.enabled";;
  disable) rm -f "$UNITS/$unit.enabled";;
  is-enabled) test -e "$UNITS/$unit.enabled" && echo enabled || { echo disabled; exit 1; };;
  list-unit-files) printf '%s\n' 'a.service enabled enabled' 'b.timer disabled enabled' 'c.service static -';;
  show) printf '%s\n' 'Id=a.service' 'After=x.target y.target'
    echo 'ExecStart={ path=/bin/a ; argv[]=/bin/a -b }';;
esac
"""


@pytest.fixture
def units(call_context, tmp_path, monkeypatch):
    directory, programs = tmp_path / "units", tmp_path / "bin"
    directory.mkdir()
    programs.mkdir()
    (programs / "systemctl").write_text(SYSTEMCTL)
    (programs / "systemctl").chmod(0o755)
    (directory / "a.service").touch()
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    monkeypatch.setenv("UNITS", str(directory))
    monkeypatch.setattr(_systemd, "BOOTED_MARK", str(tmp_path))
    monkeypatch.setattr(_systemd, "scope_prefix", lambda *options: [])
    monkeypatch.setattr(_units, "_DIRECTORIES", (str(directory),))
    monkeypatch.setattr(_init_scripts, "DIRECTORY", str(tmp_path / "init.d"))

    def run_all(argv, **options):
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        out = done.stdout + (done.stderr if options.get("redirect_stderr") else "")
        return {"pid": 1, "retcode": done.returncode, "stdout": out.strip(), "stderr": done.stderr.strip()}

    call_context(functions={"cmd.run_all": run_all}, grains={"kernel": "Linux"})
    return directory


def test_a_started_unit_is_active_until_it_is_stopped(units):
    assert systemd_service.status("a") is False

    assert systemd_service.start("a") is True
    assert systemd_service.status("a") is True

    assert systemd_service.stop("a") is True
    assert systemd_service.status("a") is False


def test_starting_what_does_not_exist_says_what_systemctl_says(units):
    with pytest.raises(CommandExecutionError, match="Unit nosuch.service not found"):
        systemd_service.start("nosuch")


def test_enabling_and_disabling_are_seen(units):
    systemd_service.enable("a")
    assert systemd_service.enabled("a") and not systemd_service.disabled("a")

    systemd_service.disable("a")
    assert systemd_service.disabled("a")


def test_available_reports_units_from_none(units):
    assert systemd_service.available("a") is True
    assert systemd_service.missing("nosuch") is True


def test_no_block_is_handed_on(units):
    systemd_service.start("a", no_block=True)

    assert "--no-block start a.service" in (units / "calls").read_text()


def test_stopping_the_own_daemon_does_not_wait(units):
    systemd_service.stop("salt-g-minion")

    assert "--no-block stop salt-g-minion.service" in (units / "calls").read_text()


def test_units_are_listed_by_state_and_services_without_their_type(units, tmp_path):
    root = str(tmp_path / "root")

    assert systemd_service.get_enabled(root=root) == ["a"]
    assert systemd_service.get_disabled(root=root) == ["b.timer"]
    assert systemd_service.get_static() == ["c"]


def test_a_unit_in_another_root_is_masked_by_a_link_to_nothing(units, tmp_path):
    system = tmp_path / "root/etc/systemd/system"
    system.mkdir(parents=True)
    assert systemd_service.masked("a", root=str(tmp_path / "root")) is False

    (system / "a.service").symlink_to("/dev/null")

    assert systemd_service.masked("a", root=str(tmp_path / "root")) is True


@pytest.mark.parametrize(
    ("made", "status", "is_read_again"),
    [
        ("a.service.d/x.conf", "Loaded: loaded (/lib/a.service; enabled)", True),
        (
            "a.service.d/x.conf",
            "Loaded: loaded (/lib/a.service; enabled)\n Drop-In: {local}/a.service.d",
            False,
        ),
        ("a.service.d/README", "Loaded: loaded (/lib/a.service; enabled)", False),
        ("a.service", "Loaded: loaded (/lib/a.service; enabled)", True),
        ("a.service", "Loaded: loaded ({local}/a.service; enabled)", False),
        ("a.service", "Loaded: masked", False),
        ("b.service", "Loaded: loaded (/lib/a.service; enabled)", False),
        ("b.service", "Run 'systemctl daemon-reload'", True),
    ],
)
def test_unit_files_that_systemd_has_not_read_are_read(
    units, tmp_path, monkeypatch, made, status, is_read_again
):
    local = tmp_path / "local"
    monkeypatch.setattr(sys.modules["salt_g.modules.systemd_service._systemctl"], "LOCAL_UNITS", str(local))
    (local / made).parent.mkdir(parents=True)
    (local / made).touch()
    (units / "a.service").write_text(status.format(local=local))

    systemd_service.restart("a")

    assert ("daemon-reload" in (units / "calls").read_text()) is is_read_again


def test_a_mask_that_fails_says_why(units):
    with pytest.raises(CommandExecutionError, match=r"Failed to mask service 'a': .* already exists"):
        systemd_service.mask("a")


def test_show_takes_lists_and_groups_apart(units):
    shown = systemd_service.show("a")

    assert shown["After"] == ["x.target", "y.target"]
    assert shown["ExecStart"] == {"path": "/bin/a", "argv[]": "/bin/a -b"}


def test_other_types_of_units_keep_their_type():
    assert _units.canonical("a") == "a.service"
    assert _units.canonical("a.timer") == "a.timer"
    assert _units.short_name("a.service") == "a"


def test_a_glob_gives_the_status_of_each(units):
    systemd_service.start("a")

    assert systemd_service.status("a*") == {"a": True}


def test_without_systemd_units_cannot_be_looked_up(units, monkeypatch, tmp_path):
    monkeypatch.setattr(_systemd, "BOOTED_MARK", str(tmp_path / "nothing"))

    assert systemd_service.offline() is True
    with pytest.raises(CommandExecutionError, match="Cannot run in offline mode"):
        systemd_service.available("a")
