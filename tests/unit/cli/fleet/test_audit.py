"""`salt-g audit verify` on files."""

import pytest

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
    assert verified(tmp_path / "audit.log") == 2
    assert "there is no audit log" in capsys.readouterr().err


@pytest.mark.parametrize(
    "head", ["", "abc", "3", "3:", f":{'a' * 64}", f"3:{'a' * 63}", f"x:{'a' * 64}", f"3:{'A' * 64}"]
)
def test_an_invalid_head_is_a_usage_error(tmp_path, capsys, head):
    with pytest.raises(SystemExit) as ended:
        verified(tmp_path / "audit.log", "--head", head)

    assert ended.value.code == 64
    assert f"{head!r} is not a log head" in capsys.readouterr().err


def test_one_cut_is_one_place(tmp_path, capsys):
    path = tmp_path / "audit.log"
    path.write_text("x\n")

    assert verified(path) == 1
    assert "cut in 1 place\n" in capsys.readouterr().out
