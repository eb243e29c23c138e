"""`salt-g install` into a directory in place of a host's root."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import pytest

from tests.support.commands import PROGRAM
from tests.support.daemons import RunningMaster
from tests.support.waiting import DEADLINE, until

CODE = "abcdefgh-" + "a" * 32
FINGER = ":".join(["3f"] * 32)


@pytest.fixture
def root(tmp_path):
    """Return a host with systemd installed but not running."""
    (tmp_path / "root/lib/systemd").mkdir(parents=True)
    (tmp_path / "root/lib/systemd/systemd").touch()
    return tmp_path / "root"


@pytest.fixture
def short():
    """Yield a directory with a short name, which leaves room for socket names."""
    directory = pathlib.Path(tempfile.mkdtemp(prefix="sg-"))
    yield directory
    shutil.rmtree(directory, ignore_errors=True)


def install(root, *words, stdin=""):
    return subprocess.run(
        [PROGRAM, "install", *words, "--root", str(root)],
        capture_output=True, text=True, timeout=DEADLINE, input=stdin,
    )  # fmt: skip


def content(root):
    """Return {path: content or link target} of all files of a host, None for directories."""
    found = {}
    for path in sorted(pathlib.Path(root).rglob("*")):
        name = "/" + str(path.relative_to(root))
        if path.is_symlink():
            found[name] = os.readlink(path)
        else:
            found[name] = path.read_bytes() if path.is_file() else None
    return found


def test_a_minion_is_installed_with_what_was_asked_for(root):
    done = install(root, "minion", "--master", "m1", "--finger", FINGER, "--id", "web1", "--invite", CODE)

    assert done.returncode == 0, done.stderr
    settings = (root / "etc/salt-g/minion").read_text()
    assert 'master: "m1"\n' in settings and f'master_finger: "{FINGER}"\n' in settings
    assert 'id: "web1"\n' in settings
    assert CODE not in settings
    invitation = root / "etc/salt/pki/minion/invitation"
    assert invitation.read_text() == f"{CODE}\n"
    assert invitation.stat().st_mode & 0o777 == 0o600
    assert invitation.parent.stat().st_mode & 0o777 == 0o700
    assert f"ExecStart={PROGRAM} minion" in (root / "etc/systemd/system/salt-g-minion.service").read_text()
    wants = root / "etc/systemd/system/multi-user.target.wants/salt-g-minion.service"
    assert os.readlink(wants) == "../salt-g-minion.service"
    assert (root / "etc/logrotate.d/salt-g-minion").read_text().count("/var/log/salt/minion") == 1
    assert os.readlink(root / "usr/local/bin/salt-g") == PROGRAM
    assert not (root / "usr/local/bin/salt").exists()


def test_without_a_configured_master_the_default_is_named(root):
    bare, named = install(root, "minion", "--dry-run"), install(root, "minion", "--master", "m1")

    assert "note    its master is `salt`" in bare.stdout
    assert "its master is" not in named.stdout + install(root, "minion").stdout


def test_a_program_that_the_next_boot_removes_is_not_a_service():
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        program = shutil.copy(PROGRAM, place)
        done = subprocess.run(
            [program, "install", "master", "--dry-run"], capture_output=True, text=True, timeout=DEADLINE
        )

    assert done.returncode == 1
    assert f"{program} is not suitable for a service" in done.stderr
    assert "/opt/salt-g" in done.stderr


def test_a_second_run_has_nothing_to_do(root):
    words = ("minion", "--master", "m1", "--invite", CODE, "--finger", FINGER, "--links")
    install(root, *words)
    before = content(root)

    done = install(root, *words)
    bare = install(root, "minion")

    assert (done.returncode, done.stdout) == (0, "nothing to do\n")
    assert (bare.returncode, bare.stdout) == (0, "nothing to do\n")
    assert content(root) == before


def test_a_dry_run_shows_every_file_and_changes_nothing(root):
    words = ("minion", "--master", "m1", "--finger", FINGER, "--invite", CODE, "--dry-run")
    before = content(root)

    done = install(root, *words)

    assert content(root) == before
    assert '    +master: "m1"\n' in done.stdout
    assert "    +KillMode=process\n" in done.stdout
    assert "a secret, not shown" in done.stdout and CODE not in done.stdout


def test_a_host_is_as_it_was_after_an_uninstall(root):
    before = content(root)
    install(root, "master")
    install(root, "minion", "--master", "m1", "--links")

    first, second = install(root, "minion", "--uninstall"), install(root, "master", "--uninstall")

    assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
    assert content(root) == before


def test_one_role_goes_and_the_other_stays_whole(root):
    install(root, "master")
    before = content(root)
    install(root, "minion", "--master", "m1")

    install(root, "minion", "--uninstall")

    now = content(root)
    assert {path: now.get(path) for path in before if path != "/var/lib/salt-g/installed.json"} == {
        path: before[path] for path in before if path != "/var/lib/salt-g/installed.json"
    }
    assert install(root, "master").stdout == "nothing to do\n"


def test_files_that_were_changed_and_keys_stay_when_it_is_uninstalled(root):
    install(root, "minion", "--master", "m1")
    with (root / "etc/salt-g/minion").open("a") as file:
        file.write("timeout: 7\n")
    (root / "etc/salt/pki/minion").mkdir(parents=True)
    (root / "etc/salt/pki/minion/minion.pem").write_text("KEY")

    done = install(root, "minion", "--uninstall")

    assert "/etc/salt-g/minion was changed after its installation: it is kept" in done.stdout
    assert "kept: /etc/salt/pki/minion" in done.stdout
    assert (root / "etc/salt-g/minion").exists() and (root / "etc/salt/pki/minion/minion.pem").exists()
    assert not (root / "etc/systemd/system/salt-g-minion.service").exists()

    purged = install(root, "minion", "--uninstall", "--purge")

    assert purged.returncode == 0
    assert not (root / "etc/salt/pki/minion").exists()


def test_a_users_settings_are_never_written_over(root):
    (root / "etc/salt").mkdir(parents=True)
    (root / "etc/salt/minion").write_text("# mine\nmaster: old\nid: web1\n")

    done = install(root, "minion", "--master", "m2", "--id", "web1")

    assert "the settings stay in /etc/salt" in done.stdout
    assert (root / "etc/salt/minion").read_text() == "# mine\nmaster: old\nid: web1\n"
    beside = (root / "etc/salt/minion.d/install.conf").read_text()
    assert 'master: "m2"' in beside and "id:" not in beside.partition("read after this one.")[2]
    assert not (root / "etc/salt-g").exists()


def test_lines_that_a_user_added_to_our_file_stay_when_a_setting_changes(root):
    install(root, "minion", "--master", "m1")
    with (root / "etc/salt-g/minion").open("a") as file:
        file.write("# by hand\ntimeout: 7\n")

    done = install(root, "minion", "--master", "m2")

    text = (root / "etc/salt-g/minion").read_text()
    assert done.returncode == 0
    assert 'master: "m2"\n' in text and "m1" not in text and "# by hand\ntimeout: 7\n" in text


def test_settings_that_cannot_be_changed_by_lines_are_reported(root):
    install(root, "minion", "--master", "m1")
    (root / "etc/salt-g/minion").write_text("master:\n  - a\n  - b\n")

    done = install(root, "minion", "--master", "m2")

    assert done.returncode == 1
    assert 'add master: "m2" by hand' in done.stderr
    assert (root / "etc/salt-g/minion").read_text() == "master:\n  - a\n  - b\n"


def test_another_unit_and_other_links_are_kept_and_named(root):
    (root / "etc/systemd/system").mkdir(parents=True)
    (root / "etc/systemd/system/salt-g-minion.service").write_text("[Unit]\n")
    (root / "usr/local/bin").mkdir(parents=True)
    (root / "usr/local/bin/salt").write_text("stock")

    done = install(root, "minion", "--master", "m1", "--links")
    install(root, "minion", "--uninstall")

    assert done.returncode == 1
    assert "salt-g-minion.service was there before" in done.stderr
    assert "/usr/local/bin/salt was there before" in done.stdout
    assert (root / "etc/systemd/system/salt-g-minion.service").read_text() == "[Unit]\n"
    assert (root / "usr/local/bin/salt").read_text() == "stock"


def test_a_changed_unit_is_kept_and_reported(root):
    install(root, "minion", "--master", "m1")
    unit = root / "etc/systemd/system/salt-g-minion.service"
    unit.write_text(unit.read_text() + "# by hand\n")

    done = install(root, "minion")

    assert done.returncode == 1
    assert "salt-g-minion.service was changed by hand: it is kept" in done.stderr
    assert unit.read_text().endswith("# by hand\n")


def test_units_are_well_formed(root):
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not here")
    install(root, "master")
    install(root, "minion", "--master", "m1")

    for role in ("master", "minion"):
        unit = root / f"etc/systemd/system/salt-g-{role}.service"
        done = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True)

        assert f"salt-g-{role}.service" not in done.stderr


def test_log_rotation_is_well_formed(root):
    if not shutil.which("logrotate"):
        pytest.skip("logrotate is not here")
    install(root, "master")

    words = ["logrotate", "--debug", str(root / "etc/logrotate.d/salt-g-master")]
    done = subprocess.run(words, capture_output=True, text=True)

    assert done.returncode == 0 and "error" not in done.stderr


def test_a_host_without_systemd_gets_an_init_script_that_starts_and_ends_the_daemon(short):
    root = short / "root"
    (root / "etc/init.d").mkdir(parents=True)
    (root / "etc/salt").mkdir()
    settings = {"root_dir": str(short / "run"), "ret_port": 0, "publish_port": 0, "interface": "127.0.0.1"}
    (root / "etc/salt/master").write_text(json.dumps(settings))
    (short / "run").mkdir()

    assert install(root, "master").returncode == 0
    script = str(root / "etc/init.d/salt-g-master")
    env = {**os.environ, "SALT_G_CONFIG_DIR": str(root / "etc/salt")}

    def order(word):
        return subprocess.run(
            [script, word], env=env, timeout=DEADLINE, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        ).returncode  # fmt: skip

    try:
        assert order("start") == 0
        assert order("status") == 0
    finally:
        assert order("stop") == 0
    assert order("status") == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("both",), "give a role"),
        ((), "give a role"),
        (("minion", "--invite", CODE), "--invite needs --finger"),
        (("master", "--master", "m1"), "are for a minion"),
        (("minion", "--prefix", "usr"), "give an absolute path"),
        (("minion", "--purge"), "needs --uninstall"),
        (("minion", "--master", "m1", "--finger", "3f:5a"), "salt-g key -F master"),
    ],
)
def test_options_that_cannot_be_are_refused(root, words, message):
    done = install(root, *words)

    assert done.returncode == 64
    assert message in done.stderr


def test_an_invalid_code_is_refused_before_anything_is_done(root):
    before = content(root)

    done = install(root, "minion", "--finger", FINGER, "--invite", "abc")

    assert done.returncode == 1
    assert "this is not an invitation code" in done.stderr
    assert content(root) == before


def test_an_invited_minion_is_let_in_by_the_printed_command_and_nothing_else(short):
    """From `key invite` over `install` to a job, with daemons and settings as they are installed."""
    master = RunningMaster(short / "m", auto_accept=False).start()
    try:
        # The ports that it took.
        (master.config_dir / "master").write_text(json.dumps(master.settings))
        words = ("--address", "127.0.0.1")
        invited = subprocess.run(
            [PROGRAM, "key", "invite", "-c", str(master.config_dir), "--id", "web1", *words],
            capture_output=True, text=True, check=True, timeout=DEADLINE,
        )  # fmt: skip
        assert invited.stdout.startswith(
            f"salt-g install minion --master 127.0.0.1:{master.ret_port} --finger "
        )
        root, run = short / "root", short / "run"
        (root / "etc/salt-g").mkdir(parents=True)
        run.mkdir()
        more = {"root_dir": str(run), "publish_port": master.publish_port, "acceptance_wait_time": 1}
        (root / "etc/salt-g/minion").write_text(json.dumps({**more, "pki_dir": "/pki"}))

        done = subprocess.run(
            [PROGRAM, *invited.stdout.split()[1:], "--root", str(root)],
            capture_output=True, text=True, timeout=DEADLINE,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        # Below another root the daemon's keys are where its settings say, seen from there.
        (left,) = root.rglob("invitation")
        (run / "pki").mkdir(mode=0o700)
        shutil.copy(left, run / "pki/invitation")
        minion = subprocess.Popen([PROGRAM, "minion", "-c", str(root / "etc/salt-g")])
        try:
            until((master.pki_dir / "minions/web1").exists, "the master has the key")
            words = [PROGRAM, "cmd", "-c", str(master.config_dir), "web1", "test.ping", "--out=json"]
            pinged = subprocess.run(words, capture_output=True, text=True, timeout=DEADLINE)
            assert json.loads(pinged.stdout) == {"web1": True}
            assert not (run / "pki/invitation").exists()
        finally:
            minion.terminate()
            minion.wait(DEADLINE)
    finally:
        master.stop()
