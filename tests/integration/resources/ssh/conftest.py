"""Hosts behind real sshd, and accounts of this machine."""

import json
import pathlib
import shutil
import subprocess
import uuid

import pytest
from support.servers import missing
from support.ssh_servers import place_for_servers


@pytest.fixture(scope="module")
def place():
    """A directory with keys; it and the servers of the module are gone afterwards."""
    with place_for_servers() as made:
        yield made


@pytest.fixture
def reach(salt_g):
    """`reach({id: settings})` is `salt-g call --resources` of a minion with these hosts."""

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
    """A user of this machine with the password `a password`, gone afterwards: (name, password)."""
    name = f"sg{uuid.uuid4().hex[:8]}"
    subprocess.run(["useradd", "-m", "-s", "/bin/sh", name], check=True)
    subprocess.run(["chpasswd"], input=f"{name}:a password", text=True, check=True)
    try:
        yield name, "a password"
    finally:
        subprocess.run(["userdel", "-rf", name], check=False, capture_output=True)


@pytest.fixture
def sudoers(account):
    """`sudoers("NOPASSWD:")` lets the account do everything, in this way."""
    path = pathlib.Path("/etc/sudoers.d") / account[0]

    def allow(tag):
        path.write_text(f"{account[0]} ALL=(ALL) {tag} ALL\n")
        path.chmod(0o440)

    if shutil.which("sudo") is None:
        missing("sudo")
    yield allow
    path.unlink(missing_ok=True)
