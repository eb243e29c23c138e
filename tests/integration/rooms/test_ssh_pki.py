"""Keys and certificates kept by states and read by OpenSSH's own program."""

import subprocess

TREE = """
{out}/ca:
  ssh_pki.private_key_managed:
    - algo: ed25519
{out}/host:
  ssh_pki.private_key_managed:
    - algo: ec
{out}/host.pub:
  ssh_pki.public_key_managed:
    - public_key_source: {out}/host
{out}/host-cert.pub:
  ssh_pki.certificate_managed:
    - cert_type: host
    - private_key: {out}/host
    - signing_policy: hosts
    - valid_principals: [www.example.org, evil.example.org]
    - key_id: www
"""


def test_a_host_certificate_is_made_once_and_openssh_reads_it(salt_g, need):
    need("ssh-keygen")
    salt_g.write({"ssh.sls": TREE.format(out=salt_g.out)})
    salt_g.settings["ssh_signing_policies"] = {
        "hosts": {
            "signing_private_key": f"{salt_g.out}/ca",
            "allowed_valid_principals": ["www.example.org"],
            "ttl": "30d",
        }
    }

    first = salt_g("state.apply", "ssh").value
    again = salt_g("state.apply", "ssh").value

    assert {ret["result"] for ret in [*first.values(), *again.values()]} == {True}
    assert all(ret["changes"] for tag, ret in first.items() if tag.startswith("ssh_pki"))
    assert not any(ret["changes"] for ret in again.values())
    finished = subprocess.run(
        ["ssh-keygen", "-L", "-f", f"{salt_g.out}/host-cert.pub"], capture_output=True, text=True, check=True
    ).stdout
    assert "ecdsa-sha2-nistp256-cert-v01@openssh.com host certificate" in finished
    assert "www.example.org" in finished
    assert "evil.example.org" not in finished
    assert 'Key ID: "www"' in finished
