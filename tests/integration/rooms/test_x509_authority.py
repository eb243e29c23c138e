"""A minion that signs certificates for another minion, through the master."""

import subprocess

import pytest

from salt_g.client import LocalClient

#: A signature costs two jobs, and the machine of a test may be busy.
TIMEOUT = 120


@pytest.fixture
def fleet(start_master, start_minion):
    """Yield a client, the authority `ca` and the minion `web`, which may request certificates from it."""
    master = start_master(peer={".*": ["x509.sign_remote_certificate"]})
    pki = master.root / "pki-of-the-test"
    pki.mkdir()
    policy = {
        "minions": "web*",
        "signing_private_key": f"{pki}/ca.key",
        "signing_cert": f"{pki}/ca.crt",
        "O": "Example",
        "keyUsage": "critical digitalSignature",
        "copypath": str(pki),
        "prepend_cn": True,
    }
    start_minion(master, "ca", x509_signing_policies={"www": policy})
    start_minion(master, "web")
    start_minion(master, "other")
    with LocalClient(c_path=str(master.config_dir / "master")) as client:

        def run(tgt, fun, *args, **kwargs):
            return client.cmd(tgt, fun, list(args), kwarg=kwargs, timeout=TIMEOUT)[tgt]

        run("ca", "x509.create_private_key", algo="ec", path=f"{pki}/ca.key")
        run(
            "ca",
            "x509.create_certificate",
            signing_private_key=f"{pki}/ca.key",
            CN="ca",
            basicConstraints="critical, CA:TRUE",
            path=f"{pki}/ca.crt",
        )
        run("web", "x509.create_private_key", algo="ec", path=f"{pki}/web.key")
        yield run, pki


def _wish(pki):
    return {
        "ca_server": "ca",
        "signing_policy": "www",
        "private_key": f"{pki}/web.key",
        "CN": "web.example.org",
        "O": "Somebody else",
        "days_valid": 200,
    }


def test_an_authority_signs_under_its_policy_and_only_once(fleet, need):
    need("openssl")
    run, pki = fleet

    first = run("web", "state.single", "x509.certificate_managed", name=f"{pki}/web.crt", **_wish(pki))
    second = run("web", "state.single", "x509.certificate_managed", name=f"{pki}/web.crt", **_wish(pki))

    tag = f"x509_|-{pki}/web.crt_|-{pki}/web.crt_|-certificate_managed"
    assert first[tag]["comment"] == "The certificate has been created"
    assert second[tag]["comment"] == "The certificate is in the correct state"
    finished = subprocess.run(
        ["openssl", "verify", "-CAfile", "ca.crt", "web.crt"], cwd=pki, capture_output=True, text=True
    )
    assert finished.stdout == "web.crt: OK\n"
    read = run("web", "x509.read_certificate", f"{pki}/web.crt")
    assert read["subject"] == {"O": "Example", "CN": "web.example.org"}
    assert [path.name.partition("-")[0] for path in pki.glob("*-*.crt")] == ["web.example.org"]


def test_an_authority_refuses_a_minion_that_the_policy_is_not_for(fleet):
    run, pki = fleet

    result = run("other", "x509.create_certificate", **_wish(pki))

    assert "minion not permitted to use specified signing policy" in result
