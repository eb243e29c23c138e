"""Keys and certificates of roster hosts: read and written there, signed here or by a minion."""

import json
import os
import subprocess

import pytest

from tests.support.ssh_servers import SshOutcome

WRAPPER = """\
{{ salt["%s.certificate_managed_wrapper"](test=opts.get("test"), **pillar["args"]) | yaml(false) }}
"""


@pytest.fixture
def pki(tmp_path):
    """Return a directory of the host, which is this same machine."""
    directory = tmp_path / "pki"
    directory.mkdir()
    return directory


@pytest.fixture
def fleet(ssh, place, server, start_master, start_minion, tmp_path):
    """Return a function: `fleet(...)` is `salt-g ssh` beside a master.

    The master has the authority `ca`, which signs for web-01.
    """
    master = start_master(known_hosts_file=f"{place.root}/known_hosts")
    ca = tmp_path / "ca"
    ca.mkdir()
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", ca / "ssh"], check=True)
    local = ["call", "--local", "--out=json"]
    ssh.machine.run(*local, "x509.create_private_key", "algo=ec", f"path={ca}/ca.key")
    own = [f"signing_private_key={ca}/ca.key", f"path={ca}/ca.crt"]
    ssh.machine.run(*local, "x509.create_certificate", "CN=ca", "basicConstraints=critical, CA:TRUE", *own)
    signing = {"signing_private_key": f"{ca}/ca.key", "signing_cert": f"{ca}/ca.crt"}
    policies = {
        "www": {**signing, "minions": "web-01", "O": "Example"},
        "named": {**signing, "O": "Another"},
    }
    users = {"signing_private_key": f"{ca}/ssh", "cert_type": "user", "all_principals": True}
    start_minion(master, id="ca", x509_signing_policies=policies, ssh_signing_policies={"users": users})
    roster = master.config_dir / "roster"
    roster.write_text(f"{{web-01: {ssh.entry()}, web-02: {ssh.entry()}}}")
    words = ["ssh", "-c", master.config_dir, "--out=json", "--static"]

    def run(*more):
        return SshOutcome(ssh.machine.run(*words, *more, timeout=240))

    run.tree = master.root / "states"
    run.master = master
    return run


def _apply(fleet, module, arguments, *more):
    """Apply the wrapper of a module on web-01; return the states by the last part of their ID."""
    (fleet.tree / "cert.sls").parent.mkdir(parents=True, exist_ok=True)
    (fleet.tree / "cert.sls").write_text(WRAPPER % module)
    done = fleet("web-01", "state.apply", "cert", f"pillar={json.dumps({'args': arguments})}", *more)
    states = done.value["web-01"]
    assert isinstance(states, dict), states
    return {tag.split("_|-")[1].rpartition("_")[2]: state for tag, state in states.items() if "_ssh" in tag}


def test_functions_read_and_write_files_of_the_host(ssh, pki):
    def on_host(*words):
        return ssh("web-01", *words).value["web-01"]

    key, certificate = pki / "a.key", pki / "a.crt"
    assert on_host("x509.create_private_key", "algo=ec", f"path={key}") == f"PEM written to {key}"
    made = on_host("x509.create_certificate", f"signing_private_key={key}", "CN=me", f"path={certificate}")

    assert made == f"PEM written to {certificate}"
    assert (key.stat().st_mode & 0o777, certificate.stat().st_mode & 0o777) == (0o600, 0o600)
    assert on_host("x509.read_certificate", str(certificate))["subject"] == {"CN": "me"}
    assert list(on_host("x509.read_certificates", f"{pki}/*")) == [str(certificate)]
    assert on_host("x509.verify_private_key", str(key), str(certificate)) is True
    assert on_host("x509.will_expire", str(certificate), "9999")["will_expire"] is True
    assert "private_key" in on_host("ssh_pki.create_private_key", "algo=ed25519")


def test_a_private_key_is_not_readable_where_an_old_file_was(ssh, pki):
    key = pki / "id"
    for path in (key, pki / "id.pub"):
        path.write_text("old")
        path.chmod(0o644)

    done = ssh("web-01", "ssh_pki.create_private_key", "algo=ed25519", f"path={key}", "overwrite=True")

    assert done.value["web-01"] == f"Private key written to {key}"
    assert "PRIVATE KEY" in key.read_text()
    assert key.stat().st_mode & 0o777 == 0o600
    assert (pki / "id.pub").stat().st_mode & 0o777 == 0o644


def test_paths_are_not_those_of_this_machine(ssh, pki, account):
    """Files that only root here can read are not readable for the host's user."""
    (pki / "secret.key").write_text("a secret")
    (pki / "secret.key").chmod(0o600)
    ssh.roster({"web-01": ssh.entry(user=account[0])})

    found = ssh("web-01", "x509.read_certificate", f"{pki}/secret.key")

    assert "a secret" not in json.dumps(found.value)
    assert "could not" in json.dumps(found.value).lower()


def test_states_keep_keys_and_certificates_of_the_host(ssh, pki):
    ssh.machine.write(
        {
            "own.sls": f"""
{pki}/b.key: {{x509.private_key_managed: [{{algo: ec}}]}}
{pki}/b.der:
  x509.certificate_managed:
    - signing_private_key: {pki}/b.key
    - CN: own
    - encoding: der
    - backup: minion
    - require: [{{x509: {pki}/b.key}}]
"""
        }
    )

    first = ssh("web-01", "state.apply", "own").value["web-01"]
    again = ssh("web-01", "state.apply", "own").value["web-01"]

    assert [state["result"] for state in first.values()] == [True] * len(first), first
    assert (pki / "b.key").stat().st_mode & 0o777 == 0o400
    assert [state["changes"] for state in again.values()] == [{}] * len(again)
    shown = subprocess.run(
        ["openssl", "x509", "-inform", "der", "-noout", "-subject", "-in", pki / "b.der"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "own" in shown.stdout


def test_an_authority_signs_for_a_host_by_its_name(fleet, pki):
    arguments = ("ca_server=ca", f"private_key={pki}/k", "CN=www")
    fleet("web-*", "x509.create_private_key", "algo=ec", f"path={pki}/k")

    def create(host, policy):
        return fleet(
            host, "x509.create_certificate", *arguments, f"signing_policy={policy}", f"path={pki}/{host}"
        ).value[host]

    assert create("web-01", "www") == f"PEM written to {pki}/web-01"
    assert "minion not permitted to use specified signing policy" in json.dumps(create("web-02", "www"))
    assert not (pki / "web-02").exists()
    policy = fleet("web-01", "x509.get_signing_policy", "www", "ca_server=ca").value["web-01"]
    assert policy["O"] == "Example"
    assert "signing_private_key" not in policy


def test_the_wrapper_issues_renews_and_rotates(fleet, pki):
    key, certificate = f"{pki}/www.key", f"{pki}/www.crt"
    arguments = {
        "name": certificate,
        "ca_server": "ca",
        "signing_policy": "www",
        "private_key_managed": {"name": key, "algo": "ec", "new": True},
        "certificate_managed": {"CN": "www.example.org", "mode": "0640"},
    }

    planned = _apply(fleet, "x509", arguments, "test=True")
    assert planned["crt"]["comment"] == "The certificate would have been created"
    assert planned["key"]["changes"] == {"created": key}
    assert list(pki.iterdir()) == []

    first = _apply(fleet, "x509", arguments)
    assert first["key"]["changes"] == {"created": key}
    assert first["crt"]["changes"] == {"created": certificate}
    assert (os.stat(key).st_mode & 0o777, os.stat(certificate).st_mode & 0o777) == (0o400, 0o640)
    before = [path.read_text() for path in (pki / "www.key", pki / "www.crt")]

    second = _apply(fleet, "x509", arguments)
    assert [state["changes"] for state in second.values()] == [{}, {}]

    third = _apply(fleet, "x509", {**arguments, "signing_policy": "named"})
    assert third["key"]["changes"] == {"recreated": key}
    assert "subject_name" in third["crt"]["changes"]
    after = [path.read_text() for path in (pki / "www.key", pki / "www.crt")]
    assert before[0] != after[0] and before[1] != after[1]
    found = fleet("web-01", "x509.verify_private_key", key, certificate).value
    assert found == {"web-01": True}


def test_the_wrapper_explains_what_it_does_not_replace(fleet, pki):
    (pki / "no.key").write_text("not a key")
    arguments = {
        "name": f"{pki}/no.crt",
        "ca_server": "ca",
        "signing_policy": "www",
        "private_key_managed": {"name": f"{pki}/no.key", "algo": "ec"},
    }

    refused = _apply(fleet, "x509", arguments)
    assert [state["result"] for state in refused.values()] == [False, False]
    assert "pass overwrite: true" in refused["key"]["comment"]

    arguments["private_key_managed"]["overwrite"] = True
    unknown = _apply(fleet, "x509", {**arguments, "signing_policy": "nothing"})
    assert "signing_policy must be specified" in unknown["crt"]["comment"]
    assert (pki / "no.key").read_text() == "not a key"

    done = _apply(fleet, "x509", arguments)
    assert [state["result"] for state in done.values()] == [True, True]


def test_the_wrapper_of_openssh_certificates_issues_once(fleet, pki):
    key, certificate = f"{pki}/id", f"{pki}/id-cert.pub"
    arguments = {
        "name": certificate,
        "ca_server": "ca",
        "signing_policy": "users",
        "private_key_managed": {"name": key, "algo": "ed25519"},
        "certificate_managed": {"key_id": "me", "ttl": "2d"},
    }

    first, second = (_apply(fleet, "ssh_pki", arguments) for _ in range(2))

    assert first["crt"]["changes"] == {"created": certificate}
    assert [state["changes"] for state in second.values()] == [{}, {}]
    shown = subprocess.run(["ssh-keygen", "-L", "-f", certificate], capture_output=True, text=True)
    assert 'Key ID: "me"' in shown.stdout
