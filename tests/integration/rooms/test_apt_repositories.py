"""`pkgrepo` with the real apt: entries in the test's own files, removed at the end."""

import functools
import http.server
import os
import pathlib
import subprocess

import pytest

from tests.support.servers import serving

LIST = pathlib.Path("/etc/apt/sources.list.d/salt-g-test-repo.list")
SOURCES = LIST.with_suffix(".sources")
KEYRING = pathlib.Path("/etc/apt/keyrings/salt-g-test-repo.gpg")
#: No server answers there; nothing is asked either.
LINE = "http://127.0.0.1:9/debian salt-g-suite main"


@pytest.fixture
def machine(salt_g, need, alone_with):
    need("apt-get", "gpg", root=True)

    def clean():
        for path in (LIST, SOURCES, KEYRING, KEYRING.with_suffix(".asc")):
            path.unlink(missing_ok=True)

    with alone_with("apt"):
        clean()
        yield salt_g
        clean()


@pytest.fixture(scope="module")
def key(open_directory, need):
    """Return an OpenPGP key in both formats: `key.asc` and `key.gpg` in the directory."""
    need("gpg")
    home = open_directory / "home"
    home.mkdir(mode=0o700)
    gpg = ["gpg", "-q", "--batch", "--homedir", str(home)]
    options = ["--passphrase", "", "--quick-gen-key", "salt-g-test@example.org", "rsa2048", "sign", "never"]
    subprocess.run([*gpg, *options], check=True, capture_output=True)
    for name, armor in (("key.asc", ["--armor"]), ("key.gpg", [])):
        finished = subprocess.run([*gpg, *armor, "--export"], check=True, capture_output=True)
        (open_directory / name).write_bytes(finished.stdout)
    subprocess.run(["gpgconf", "--homedir", str(home), "--kill", "all"], check=False)
    return open_directory


@pytest.fixture
def key_server(key):
    """Yield the URL of a server with the key's files."""
    quiet = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *words: None})
    handler = functools.partial(quiet, directory=str(key))
    with serving(http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)) as server:
        yield f"http://127.0.0.1:{server.server_port}"


def state(machine, function, name, *more):
    return machine.state(f"pkgrepo.{function}", name, "refresh=False", *more)


def test_a_line_is_written_kept_and_taken_away(machine):
    name = f"deb {LINE}"

    preview = state(machine, "managed", name, f"file={LIST}", "test=True")
    is_untouched = not LIST.exists()
    first = state(machine, "managed", name, f"file={LIST}")
    again = state(machine, "managed", name, f"file={LIST}")

    assert preview["result"] is None
    assert is_untouched
    assert first["changes"] == {"repo": name}
    assert LIST.read_text() == f"{name}\n"
    assert again["comment"] == f"Package repo '{name}' already configured"
    assert again["changes"] == {}


def test_components_an_architecture_and_the_switch_may_be_given_apart(machine):
    result = state(
        machine,
        "managed",
        f"deb {LINE}",
        f"file={LIST}",
        "comps=main,extra",
        "architectures=amd64",
        "disabled=True",
    )

    assert result["result"] is True
    assert LIST.read_text() == "# deb [arch=amd64] http://127.0.0.1:9/debian salt-g-suite main extra\n"


def test_a_key_comes_from_a_server_into_its_keyring(machine, key, key_server):
    name = f"deb [signed-by={KEYRING}] {LINE}"
    more = [f"file={LIST}", f"key_url={key_server}/key.gpg", "aptkey=False"]

    first = state(machine, "managed", name, *more)
    again = state(machine, "managed", name, *more)

    assert first["result"] is True, first["comment"]
    assert KEYRING.read_bytes() == (key / "key.gpg").read_bytes()
    assert again["changes"] == {}


def test_a_key_may_be_text(machine, key):
    ring = KEYRING.with_suffix(".asc")
    text = (key / "key.asc").read_text()
    indented = "".join(f"        {line}\n" for line in text.splitlines())
    machine.write(
        {
            "a.sls": f"x:\n  pkgrepo.managed:\n    - name: deb [signed-by={ring}] {LINE}\n"
            f"    - file: {LIST}\n    - aptkey: False\n    - refresh: False\n    - key_text: |\n{indented}"
        }
    )

    result = next(iter(machine("state.apply", "a").value.values()))

    assert result["result"] is True, result["comment"]
    assert ring.read_text().strip() == text.strip()


def test_stanzas_are_written_where_the_file_is_one_of_stanzas(machine):
    name = f"deb [arch=amd64 signed-by={KEYRING}] {LINE}"

    first = state(machine, "managed", name, f"file={SOURCES}", "aptkey=False")
    again = state(machine, "managed", name, f"file={SOURCES}", "aptkey=False")
    fields = dict(line.split(": ", 1) for line in SOURCES.read_text().splitlines() if line)

    assert first["result"] is True
    assert fields == {
        "Types": "deb",
        "URIs": "http://127.0.0.1:9/debian",
        "Suites": "salt-g-suite",
        "Components": "main",
        "Architectures": "amd64",
        "Signed-By": str(KEYRING),
    }
    assert again["changes"] == {}


def test_a_file_is_emptied_first_when_that_is_wanted(machine):
    LIST.write_text("deb http://127.0.0.1:9/old salt-g-suite main\n")

    result = state(machine, "managed", f"deb {LINE}", f"file={LIST}", "clean_file=True")

    assert result["result"] is True
    assert LIST.read_text() == f"deb {LINE}\n"


@pytest.mark.parametrize(
    ("arguments", "comment"),
    [
        (["deb http://127.0.0.1:9/d s main", "key_url=x", "keyid=1"], "You may not use both"),
        (
            ["deb http://127.0.0.1:9/d s main", "enabled=True", "disabled=True"],
            "Only one of enabled/disabled",
        ),
        (["nonsense"], "Name nonsense is not valid. This must be the complete repo entry"),
        (["x", "ppa=owner/name"], 'cannot parse "ppa:" style repo definitions: ppa:owner/name; only Ubuntu'),
    ],
)
def test_nonsensical_arguments_are_refused_with_an_explanation(machine, arguments, comment):
    if os.path.exists("/etc/lsb-release") and "ppa=owner/name" in arguments:
        pytest.skip("this is Ubuntu, which knows such archives")

    result = state(machine, "managed", *arguments)

    assert result["result"] is False
    assert comment in result["comment"]
