"""`salt-g audit verify` on files."""

from salt_g.cli.fleet import audit
from salt_g.telemetry.audit_chain import AuditChain


def verified(path, *words):
    return audit.main(["verify", str(path), "-c", str(path.parent), *words])


def test_a_whole_chain_and_its_head_are_printed(tmp_path, capsys):
    path = tmp_path / "audit.log"
    chain = AuditChain(str(path), max_bytes=10_000, files=3)
    for number in range(3):
        chain.write({"n": number, "what": "publish"})
    chain.close()

    assert verified(path) == 0
    count, head = capsys.readouterr().out.splitlines()
    assert count == "3 decisions (1 to 3) in 1 files: the chain holds"
    assert verified(path, "--head", head.removeprefix("head ")) == 0

    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))
    assert verified(path, "--head", head.removeprefix("head ")) == 1


def test_a_log_that_is_not_there_is_an_error_in_words(tmp_path, capsys):
    assert verified(tmp_path / "audit.log") == 1
    assert "there is no audit log" in capsys.readouterr().err
