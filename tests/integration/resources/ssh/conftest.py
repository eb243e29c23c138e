"""Hosts behind a real sshd, and accounts of this machine."""

import json
import pathlib
import shutil
import subprocess
import uuid

import pytest
import yaml

from tests.support.servers import missing
from tests.support.ssh_servers import SshOutcome, place_for_servers


@pytest.fixture(scope="module")
def place():
    """Yield a directory with keys; it and the module's servers are removed at the end."""
    with place_for_servers() as made:
        yield made


@pytest.fixture
def reach(salt_g):
    """Return a function: `reach({id: settings})` is `salt-g call --resources` with these hosts."""

    def declare(hosts):
        salt_g.write(
            {
                "top.sls": "base:\n  '*':\n    - hosts\n",
                "hosts.sls": json.dumps({"resources": {"ssh": {"hosts": hosts}}}),
            },
            below=salt_g.pillar,
        )

        def call(*words, tgt="*", **options):
            return salt_g("-r", "--tgt", tgt, *words, timeout=240, **options)

        call.write = salt_g.write
        return call

    return declare


@pytest.fixture(scope="module")
def account():
    """Yield (name, password) of a user of this machine, removed at the end."""
    name = f"sg{uuid.uuid4().hex[:8]}"
    subprocess.run(["useradd", "-m", "-s", "/bin/sh", name], check=True)
    subprocess.run(["chpasswd"], input=f"{name}:a password", text=True, check=True)
    try:
        yield name, "a password"
    finally:
        subprocess.run(["userdel", "-rf", name], check=False, capture_output=True)


@pytest.fixture
def sudoers(account):
    """Yield a function: `sudoers("NOPASSWD:")` gives the account all rights, with this tag."""
    path = pathlib.Path("/etc/sudoers.d") / account[0]

    def allow(tag):
        path.write_text(f"{account[0]} ALL=(ALL) {tag} ALL\n")
        path.chmod(0o440)

    if shutil.which("sudo") is None:
        missing("sudo")
    yield allow
    path.unlink(missing_ok=True)


@pytest.fixture(scope="module")
def server(place):
    return place.sshd("salt-ssh")


@pytest.fixture
def ssh(place, server, salt_g):
    """Return a function: `ssh("web-01", "test.ping")` is `salt-g ssh`.

    `ssh.roster(...)` replaces the roster of two hosts.
    """

    def roster(hosts, **settings):
        own = {
            **{name: salt_g.settings[name] for name in ("root_dir", "file_roots", "pillar_roots")},
            "known_hosts_file": f"{place.root}/known_hosts",
            **settings,
        }
        (salt_g.conf / "master").write_text(yaml.safe_dump(own))
        (salt_g.conf / "roster").write_text(json.dumps(hosts))

    def call(*words, as_json=True, **options):
        output = ["--out=json", "--static"] if as_json else []
        return SshOutcome(salt_g.run("ssh", "-c", salt_g.conf, *output, *words, timeout=240, **options))

    def entry(**other):
        found = {"host": "127.0.0.1", "port": server.port, "priv": f"{place.root}/id", **other}
        return {name: value for name, value in found.items() if value is not None}

    call.roster, call.entry, call.machine = roster, entry, salt_g
    roster({"web-01": entry(), "web-02": entry()})
    return call
