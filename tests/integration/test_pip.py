"""`salt-g pip`: extensions from an index, without stock Salt."""

import hashlib
import subprocess
import sysconfig
import venv
import zipfile

import pytest

from salt_g.install import stock_distribution

MODULE = """
import salt.utils.dictdiffer
from salt.exceptions import CommandExecutionError

def differ():
    return salt.utils.dictdiffer.deep_diff({"a": 1}, {"a": 2})

def fail():
    raise CommandExecutionError("no")
"""

METADATA = """\
Metadata-Version: 2.1
Name: probe-ext
Version: 1.0
Requires-Dist: salt>=3006
"""


@pytest.fixture
def index(tmp_path):
    """Return a directory with the wheel of an extension that requires stock Salt, as those on PyPI do."""
    directory = tmp_path / "index"
    directory.mkdir()
    info = "probe_ext-1.0.dist-info"
    files = {
        "probe_ext/__init__.py": "",
        "probe_ext/modules/__init__.py": "",
        "probe_ext/modules/probe.py": MODULE,
        f"{info}/METADATA": METADATA,
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": "[salt.loader]\nprobe_ext=probe_ext\n",
    }
    with zipfile.ZipFile(directory / "probe_ext-1.0-py3-none-any.whl", "w") as wheel:
        for name, text in files.items():
            wheel.writestr(name, text)
        wheel.writestr(f"{info}/RECORD", "".join(f"{name},,\n" for name in [*files, f"{info}/RECORD"]))
    return directory


@pytest.fixture
def python(tmp_path):
    """Return a function that runs a command of a fresh Python with this one's packages and salt-g."""
    venv.create(tmp_path / "python", with_pip=False, symlinks=True)
    program = tmp_path / "python/bin/python"
    site = subprocess.check_output([program, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"])
    ours = sysconfig.get_path("purelib")
    with open(f"{site.decode().strip()}/ours.pth", "w") as file:
        file.write(f"import site; site.addsitedir({ours!r})\n")

    def run(*words, code=0):
        finished = subprocess.run(
            [program, *words], capture_output=True, text=True, cwd=tmp_path, timeout=300
        )
        assert finished.returncode == code, finished.stdout + finished.stderr
        return finished.stdout + finished.stderr

    return run


#: The command as its script runs it.
SALT_G = ("-c", "from salt_g.cli.dispatch import main; main()")


def test_an_extension_that_requires_salt_is_installed_without_it(python, index, tmp_path):
    offline = ("--no-index", "--find-links", str(index))
    refused = python("-m", "pip", "install", *offline, "probe-ext", code=1)
    # Options of pip itself may stand before its command.
    python(*SALT_G, "pip", "--no-color", "--retries", "1", "install", *offline, "probe-ext")

    assert "salt>=3006" in refused
    version = python("-c", "import importlib.metadata; print(importlib.metadata.version('salt'))")
    assert version.strip() == stock_distribution.VERSION
    program = (
        "import salt, salt.client, salt.config; print(salt.client.LocalClient, salt.utils.args, salt.version)"
    )
    assert "salt_g.client.local.LocalClient" in python("-c", program)
    called = python(*SALT_G, "call", "--local", f"--config-dir={tmp_path}", "--out=json", "probe.differ")
    assert '"old": {' in called


def test_an_extension_with_a_hash_is_installed_and_one_with_another_is_refused(python, index, tmp_path):
    (wheel,) = index.iterdir()
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    (tmp_path / "good.txt").write_text(f"probe-ext==1.0 --hash=sha256:{digest}\n")
    (tmp_path / "bad.txt").write_text(f"probe-ext==1.0 --hash=sha256:{digest[::-1]}\n")
    install = (*SALT_G, "pip", "install", "--no-index", "--find-links", str(index))

    refused = python(*install, "-r", "bad.txt", code=1)
    python(*install, "--require-hashes", "-r", "good.txt")

    assert "THESE PACKAGES DO NOT MATCH THE HASHES" in refused
    version = python("-c", "import importlib.metadata; print(importlib.metadata.version('salt'))")
    assert version.strip() == stock_distribution.VERSION


def test_plain_pip_installs_further_extensions_afterwards(python, index):
    offline = ("--no-index", "--find-links", str(index))
    python(*SALT_G, "pip", "install", *offline, "probe-ext")
    python(*SALT_G, "pip", "uninstall", "--yes", "probe-ext")
    python("-m", "pip", "install", *offline, "probe-ext")

    assert "probe_ext" in python("-c", "import probe_ext; print(probe_ext.__name__)")


def test_an_installed_stock_salt_stays(python, index, tmp_path):
    (info,) = (tmp_path / "python").glob("lib/python*/site-packages")
    (info / "salt-3007.0.dist-info").mkdir()
    (info / "salt-3007.0.dist-info/METADATA").write_text(
        "Metadata-Version: 2.1\nName: salt\nVersion: 3007.0\n"
    )

    python(*SALT_G, "pip", "install", "--no-index", "--find-links", str(index), "probe-ext")

    version = python("-c", "import importlib.metadata; print(importlib.metadata.version('salt'))")
    assert version.strip() == "3007.0"


def test_without_words_the_command_explains_itself(python):
    assert "salt-g pip install saltext.vault" in python(*SALT_G, "pip", code=64)
