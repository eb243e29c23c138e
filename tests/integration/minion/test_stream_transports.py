"""Masters and minions connected by plain TCP or WebSockets, with and without TLS."""

import pytest

from tests.support.certificates import tls_settings


@pytest.mark.parametrize("is_secure", [False, True], ids=["plain", "tls"])
@pytest.mark.parametrize("transport", ["tcp", "ws"])
def test_jobs_pillar_and_files_travel(start_master, start_minion, order, tmp_path, transport, is_secure):
    ssl = {"ssl": tls_settings(tmp_path)} if is_secure else {}
    master = start_master(transport=transport, **ssl)
    (master.root / "pillar" / "top.sls").write_text("base:\n  '*': [who]\n")
    (master.root / "pillar" / "who.sls").write_text("who: world\n")
    (master.root / "states" / "large").write_bytes(b"0123456789abcdef" * 200_000)
    start_minion(master, transport=transport, **ssl)

    assert order(master, "m1", "pillar.get", "who", "unmask=True") == {"m1": "world"}
    assert order(master, "m1", "cp.hash_file", "salt://large")["m1"]["hash_type"] == "sha256"
    size = order(master, "m1", "cp.get_file", "salt://large", str(tmp_path / "copy"))
    assert size == {"m1": str(tmp_path / "copy")}
    assert (tmp_path / "copy").read_bytes() == b"0123456789abcdef" * 200_000
