"""Modules of external authentication, against files and processes of their own."""

import ctypes
import hashlib
import http.server
import threading

import pytest

from salt_g.auth import file, pam, pam_process, rest
from salt_g.errors import AuthModuleError


@pytest.fixture
def checker(tmp_path):
    def make(text, **options):
        path = tmp_path / "passwords"
        path.write_text(text)
        return file.Checker({}, {"^filename": str(path), **{f"^{name}": v for name, v in options.items()}})

    return make


def test_text_files_hold_passwords_in_fields(checker):
    users = checker("dean:goneFishing\n\ngene:OceanMan\n")

    assert users.is_right("gene", "OceanMan")
    assert not users.is_right("gene", "goneFishing")
    assert not users.is_right("nobody", "")


def test_text_files_have_digests_and_fields_of_ones_choice(checker):
    digest = hashlib.sha256(b"pw").hexdigest()
    users = checker(
        f"46|trey|{digest}\n", hashtype="sha256", field_separator="|", username_field=2, password_field=3
    )

    assert users.is_right("trey", "pw")
    assert not users.is_right("trey", digest)


def test_htdigest_and_sha_of_htpasswd_need_no_library(checker):
    digest = hashlib.md5(b"cory:My:pw").hexdigest()

    assert checker(f"cory:My:{digest}\n", filetype="htdigest", realm="My").is_right("cory", "pw")
    assert not checker(f"cory:My:{digest}\n", filetype="htdigest", realm="My").is_right("cory", "x")
    sha = "{SHA}Hp4oohuN0vYpB4MI8lxiR5kKHCQ="
    assert not checker(f"cory:{sha}\n", filetype="htpasswd").is_right("cory", "x")


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("a:b\n", {"filetype": "nope"}),
        ("a:b\n", {"hashtype": "nope"}),
        ("a\n", {}),
        ("a:b\n", {"filetype": "htdigest"}),
        ("a:b\n", {"filename": "/nowhere"}),
    ],
)
def test_what_cannot_be_used_is_said(checker, text, options):
    with pytest.raises(AuthModuleError):
        checker(text, **options).is_right("a", "b")


def test_a_file_must_be_named():
    with pytest.raises(AuthModuleError, match="filename"):
        file.Checker({}, {})


def test_pam_is_asked_in_a_process_of_its_own(tmp_path):
    asking = tmp_path / "python"
    asking.write_text("#!/bin/sh\nread question\ncase $question in *right*) exit 0;; esac\nexit 1\n")
    asking.chmod(0o755)
    checker = pam.Checker({"auth.pam.python": str(asking)}, {})

    assert checker.is_right("root", "right")
    assert not checker.is_right("root", "wrong")
    assert "root" in checker.groups("root")
    assert checker.groups("no such user") == []


def test_the_real_pam_refuses_who_does_not_exist():
    try:
        answer = pam_process.is_right("login", "no-such-user-here", "x")
    except OSError:
        pytest.skip("there is no PAM on this machine")

    assert answer is False


@pytest.fixture
def service():
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path == "/moved":
                self.send_response(302)
                self.send_header("Location", "/login")
            else:
                self.send_response(200 if body == b"username=fred&password=pw" else 401)
            self.end_headers()
            self.wfile.write(b'["test.ping"]')

        do_GET = do_POST

        def log_message(self, *args):
            """Say nothing."""

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_web_service_says_yes_and_gives_permissions(service):
    checker = rest.Checker({}, {"^url": f"{service}/auth", "fred": ["@runner"]})

    assert checker.is_right("fred", "pw")
    assert checker.permissions("fred", "pw") == ["@runner", "test.ping"]
    assert not checker.is_right("fred", "x")


def test_a_redirect_is_no_yes(service):
    assert not rest.Checker({}, {"^url": f"{service}/moved"}).is_right("fred", "pw")


class PrivateServices:
    """libpam, with services of a directory of the test in place of the machine's."""

    def __init__(self, library, directory):
        self._library = library
        self._directory = str(directory).encode()

    def __getattr__(self, name):
        return getattr(self._library, name)

    def pam_start(self, service, username, conversation, handle):
        return self._library.pam_start_confdir(service, username, conversation, self._directory, handle)


def test_the_real_pam_gets_the_password_from_the_conversation(tmp_path, monkeypatch):
    try:
        library, libc = pam_process._libraries()
        start = library.pam_start_confdir
    except (OSError, AttributeError):
        pytest.skip("this machine has no PAM, or one that is too old to read services of a test")
    text = ctypes.c_char_p
    start.argtypes = (text, text, ctypes.c_void_p, text, ctypes.c_void_p)
    check = tmp_path / "check"
    check.write_text("#!/bin/sh\n[ \"$(tr -d '\\0')\" = 'right word' ]\n")
    check.chmod(0o755)
    (tmp_path / "mine").write_text(
        f"auth required pam_exec.so quiet expose_authtok {check}\naccount required pam_permit.so\n"
    )
    monkeypatch.setattr(pam_process, "_libraries", lambda: (PrivateServices(library, tmp_path), libc))

    if not pam_process.is_right("mine", "root", "right word"):
        pytest.skip("PAM of this machine has no module pam_exec")
    assert not pam_process.is_right("mine", "root", "wrong word")
