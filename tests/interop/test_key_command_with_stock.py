"""`salt-g key` and stock's `salt-key` on the same directory: the same text, code and files."""

import shutil
import subprocess

import pytest
import yaml

from salt_g.wire.rsa import PrivateKey

#: (words, what is typed)
COMMANDS = [
    ("-L", ""),
    ("-l acc", ""),
    ("-l un", ""),
    ("-l rejected", ""),
    ("-l den", ""),
    ("-l foo", ""),
    ("-L --out=json", ""),
    ("--list=all --out=yaml", ""),
    ("-p new1", ""),
    ("-P --out=json", ""),
    ("-p nope", ""),
    ("-a new* -y", ""),
    ("-a new*", "y\n"),
    ("-A", "\n"),
    ("-A", "n\n"),
    ("-A -y", ""),
    ("-a new1,new2 -y", ""),
    ("-a nope", ""),
    ("-a bad1 --include-rejected -y", ""),
    ("-a web1 --include-denied -y", ""),
    ("-r nope --include-all", ""),
    ("-r * --include-accepted --include-denied -y", ""),
    ("-R -y", ""),
    ("-d web1", "\n"),
    ("-d web1", "y\n"),
    ("-D -y", ""),
    ("--keysize 100", ""),
]
#: Commands for an id without such a key, at which stock exits with 0.
FAILING = ("-a nope", "-r nope --include-all")


@pytest.fixture(scope="module")
def pki(tmp_path_factory):
    """Return a `pki_dir` with keys in every state, to be copied."""
    root = tmp_path_factory.mktemp("keys")
    pems = [PrivateKey.generate(2048).public.pem for _ in range(2)]
    for state, id, number in (
        ("minions", "web1", 0),
        ("minions", "Alpha", 1),
        ("minions_pre", "new1", 0),
        ("minions_pre", "new2", 1),
        ("minions_rejected", "bad1", 0),
        ("minions_denied", "web1", 1),
    ):
        (root / state).mkdir(exist_ok=True)
        (root / state / id).write_text(pems[number] + "\n")
    return root


def outcome(program, pki, root, words, typed):
    """Run a program on a copy of the keys; return (standard output, exit code, files)."""
    shutil.copytree(pki, root / "pki")
    (root / "cache").mkdir()
    settings = {"root_dir": str(root), "pki_dir": str(root / "pki"), "cachedir": str(root / "cache")}
    settings.update(sock_dir=str(root / "sock"), key_logfile=str(root / "key.log"))
    (root / "master").write_text(yaml.safe_dump(settings))
    done = subprocess.run(
        [*program, "-c", str(root), *words.split()],
        input=typed,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    files = sorted(str(path.relative_to(root)) for path in root.glob("pki/minions*/*"))
    return done.stdout, done.returncode, files


@pytest.mark.parametrize(("words", "typed"), COMMANDS)
def test_both_programs_do_and_print_the_same(stock_bin, our_program, pki, tmp_path, words, typed):
    for name in ("stock", "ours"):
        (tmp_path / name).mkdir()

    stock = outcome([str(stock_bin / "salt-key")], pki, tmp_path / "stock", words, typed)
    ours = outcome([our_program, "key"], pki, tmp_path / "ours", words, typed)

    output, code, files = stock
    assert ours == (output, 1 if words in FAILING else code, files)


@pytest.fixture
def our_program():
    """Return the command under test."""
    import pathlib
    import sys

    return str(pathlib.Path(sys.executable).with_name("salt-g"))
