"""Keyrings of the real gpg program, in temporary directories."""

import contextlib
import os
import shutil
import subprocess
import tempfile

import pytest

from salt_g.modules import gpg


@pytest.fixture(autouse=True)
def needs_gpg():
    if not shutil.which("gpg"):
        pytest.skip("gpg is not installed")


@pytest.fixture
def context(call_context):
    """Return a factory of call contexts: this pillar, settings by `opts`, real directories."""

    def made_directory(path, user=None, group=None, mode=None):
        os.mkdir(path, int(mode, 8))
        if user is not None:
            os.chown(path, user, group)

    def enter(opts=None, **pillar):
        functions = {f"gpg.{name}": getattr(gpg, name) for name in gpg.__all__}
        functions["file.mkdir"] = made_directory
        functions["file.file_exists"] = os.path.isfile
        functions["file.remove"] = os.remove
        functions["pillar.get"] = lambda key, unmask=None: pillar.get(key)
        functions["cp.cache_file"] = lambda source: source
        return call_context(functions=functions, opts=opts)

    return enter


@pytest.fixture
def new_home():
    """Yield a factory of empty keyrings; their paths are short, because socket paths are limited."""
    with contextlib.ExitStack() as stack:

        def make():
            home = tempfile.mkdtemp(prefix="gpg-")
            stack.callback(shutil.rmtree, home, ignore_errors=True)
            stack.callback(end_programs, home)
            return home

        yield make


@pytest.fixture
def home(context, new_home):
    """Return an empty keyring; pillar is empty."""
    context()
    return new_home()


@pytest.fixture
def made():
    """Return a function that makes a small key that signs and encrypts, and returns its fingerprint."""

    def make(home, name="Ann", **more):
        result = gpg.create_key(
            name_real=name, name_email=f"{name.lower()}@example.com", key_length=1024, gnupghome=home, **more
        )
        assert result["res"], result["message"]
        return result["fingerprint"]

    return make


@pytest.fixture
def program():
    """Return a function that runs gpg itself on a keyring and returns its output."""

    def run(home, *words, stdin=b""):
        argv = ["gpg", "--homedir", home, "--batch", "--yes", *words]
        return subprocess.run(argv, input=stdin, capture_output=True, check=True).stdout

    return run


@pytest.fixture
def end_agent():
    """Return a function that stops the agents of a keyring, which cache passphrases."""
    return end_programs


def end_programs(home):
    if os.path.isdir(home):
        subprocess.run(["gpgconf", "--homedir", home, "--kill", "all"], capture_output=True, check=False)
