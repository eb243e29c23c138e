"""A booted Debian in which a master and a minion of this checkout run as services."""

import json
import pathlib
import sys

import pytest

from salt_g.install.services import unit
from tests.support.machine import debian_machine

_CHECKOUT = pathlib.Path(__file__).parents[2]
_PROGRAM = pathlib.Path(sys.prefix) / "bin/salt-g"
#: Python and its environment, under the same paths there; /usr has the machine's own.
_SHARED = sorted({path for path in (sys.prefix, sys.base_prefix, str(_CHECKOUT)) if path != "/usr"})
_SETTINGS = {
    "master": "auto_accept: True\nlog_level: info\n",
    "minion": "master: 127.0.0.1\nid: night\nstate_undo: True\nlog_level: info\njob_stop_timeout: 20\n",
}


class SaltMachine:
    """A machine with salt-g: `call` is a masterless call of its minion, `done` any command."""

    def __init__(self, machine):
        self.machine, self.root = machine, machine.root

    def done(self, *words, **options):
        """Run a command that must succeed; return its output."""
        done = self.machine.run(*words, **options)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout

    def call(self, *words, code=0):
        """Return the value of a call; `code` is its exit code."""
        done = self.machine.run("salt-g", "call", "--local", "--out=json", *words)
        assert done.returncode == code, f"{words}: {done.stdout}{done.stderr}"
        return json.loads(done.stdout)["local"]

    def state(self, fun, code=0, **arguments):
        """Return the state return of a single state."""
        words = [f"{name}={json.dumps(value)}" for name, value in arguments.items()]
        (ret,) = self.call("state.single", fun, *words, code=code).values()
        return ret

    def write(self, path, text):
        """Write a file of the machine."""
        file = self.root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def is_(self, what, name):
        """Return the word of `systemctl is-active` or `is-enabled`."""
        return self.machine.run("systemctl", f"is-{what}", name).stdout.strip()

    def shown(self, name, key):
        """Return a property of a unit."""
        return self.done("systemctl", "show", "--value", "-p", key, name).strip()

    def until(self, script, seconds=60):
        """Wait until a shell command succeeds on the machine."""
        self.done("timeout", str(seconds), "sh", "-c", f"until {script}; do sleep 0.1; done")


@pytest.fixture(scope="session")
def salt(tmp_path_factory):
    """Yield the machine, with both services running and connected."""

    def fill(directory):
        (directory / "usr/local/bin/salt-g").symlink_to(_PROGRAM)
        for role, settings in _SETTINGS.items():
            writable = ["/etc/salt", "/var/cache/salt", "/var/log/salt", "/run", "/srv"]
            path = directory / f"etc/systemd/system/salt-g-{role}.service"
            path.write_text(unit(role, str(_PROGRAM), writable))
            # A checkout below /tmp would be hidden from the master.
            path.with_suffix(".service.d").mkdir()
            (path.with_suffix(".service.d") / "tmp.conf").write_text("[Service]\nPrivateTmp=no\n")
            (directory / "etc/salt-g").mkdir(exist_ok=True)
            (directory / "etc/salt-g" / role).write_text(settings)

    with debian_machine(tmp_path_factory, fill, more="python3,gpg,gpg-agent", shared=_SHARED) as running:
        salt = SaltMachine(running)
        salt.done("mkdir", "-p", "/etc/salt", "/var/cache/salt", "/var/log/salt", "/srv/salt")
        salt.done("systemctl", "start", "salt-g-master", "salt-g-minion")
        salt.until("salt-g night test.ping", seconds=120)
        yield salt
