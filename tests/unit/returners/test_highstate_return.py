"""Reports of state runs: in files, and through an SMTP server."""

import email
import email.policy
import json
import os
import socketserver
import ssl
import stat
import subprocess

import pytest
import yaml

from salt_g.errors import CommandExecutionError
from salt_g.returners import highstate_return
from tests.support.servers import serving

DEADLINE = 60


def state(result=True, number=0, **more):
    return {
        "result": result,
        "comment": "done <b>",
        "changes": {},
        "__run_num__": number,
        "duration": 1.5,
        **more,
    }


def returned(*, retcode=0, **states):
    """Return a state run; states by their id."""
    running = {f"pkg_|-{id}_|-{id}-name_|-installed": value for id, value in states.items()}
    return {
        "id": "m1",
        "jid": "20260102030405678901",
        "fun": "state.apply",
        "fun_args": ["web"],
        "success": not retcode,
        "retcode": retcode,
        "return": running,
    }


CHANGED = {"changes": {"web": {"old": "1", "new": "2"}}}
GOOD = returned(a=state())
BETTER = returned(late=state(number=2), early=state(number=1, start_time="10:00:00.1", **CHANGED))
BAD = returned(retcode=2, a=state(), b=state(False, 1))


@pytest.fixture
def report(call_context, tmp_path):
    """Return a function that passes a return to the returner and returns the text of its file, or None."""

    def make(ret, **options):
        path = tmp_path / "m1.report"
        path.unlink(missing_ok=True)
        chosen = {"file_output": str(tmp_path / "{id}.report"), **options}
        call_context(
            opts={"highstate": chosen}, grains={"id": "m1"}, functions={"status.uptime": lambda: {"days": 3}}
        )
        highstate_return.returner(ret)
        return path.read_text() if path.exists() else None

    return make


@pytest.mark.parametrize(
    ("ret", "options", "is_reported"),
    [
        (GOOD, {}, False),
        (GOOD, {"report_everything": True}, True),
        (BETTER, {}, True),
        (BETTER, {"report_changes": False}, False),
        (BAD, {}, True),
        (BAD, {"report_failures": False}, False),
    ],
)
def test_the_selected_results_are_reported(report, ret, options, is_reported):
    assert (report(ret, **options) is not None) == is_reported


def test_a_report_reports_states_in_their_order(report, tmp_path):
    result = report(BETTER, success_function="status.uptime")

    assert yaml.safe_load(result) == [
        {"extra": [{"status.uptime": [{"days": 3}]}]},
        {
            "stats": [
                {"total": 2},
                {"failed": 0, "__style__": "failed"},
                {"unchanged": 1, "__style__": "unchanged"},
                {"changed": 1, "__style__": "changed"},
                {"duration": 3.0},
            ]
        },
        {
            "job": [
                {"function": "state.apply"},
                {"arguments": ["web"]},
                {"jid": "20260102030405678901"},
                {"success": True},
                {"retcode": 0},
            ]
        },
        {
            "states": [
                {
                    "early": [
                        {"function": "pkg.installed"},
                        {"name": "early-name"},
                        {"result": True},
                        {"duration": 1.5},
                        {"comment": "done <b>"},
                        {"changes": [{"web": [{"new": "2"}, {"old": "1"}]}]},
                        {"started": "10:00:00.1"},
                    ],
                    "__style__": "changed",
                },
                {
                    "late": [
                        {"function": "pkg.installed"},
                        {"name": "late-name"},
                        {"result": True},
                        {"duration": 1.5},
                        {"comment": "done <b>"},
                    ],
                    "__style__": "unchanged",
                },
            ]
        },
    ]
    assert stat.S_IMODE(os.stat(tmp_path / "m1.report").st_mode) == 0o600


def test_a_pending_change_has_not_failed(report):
    (stats, *_) = json.loads(report(returned(a=state(None)), report_format="json"))

    assert [next(iter(each.items())) for each in stats["stats"]][:4] == [
        ("total", 1),
        ("failed", 0),
        ("unchanged", 0),
        ("changed", 1),
    ]


def test_trees_that_do_not_compile_are_reported(report):
    ret = {**returned(retcode=1), "return": ["No matching sls found for 'web' in env 'base'"]}

    result = json.loads(report(ret, report_format="json"))

    assert result[0]["stats"][1] == {"failed": 1, "__style__": "failed"}
    assert result[2] == {"return": ["No matching sls found for 'web' in env 'base'"], "__style__": "failed"}


def test_a_page_holds_values_as_text(report):
    page = report(BAD, report_format="html", failure_function="status.uptime")

    assert page.startswith("<html>")
    assert "done &lt;b&gt;" in page
    assert "<b>" not in page
    assert "status.uptime" in page
    assert page.count("<table") == page.count("</table>") > 3


class Mail(socketserver.StreamRequestHandler):
    """One connection of a mail server; `server.tls` offers STARTTLS, `server.got` has the received mail."""

    def handle(self):
        self.say("220 here")
        self.converse()

    def converse(self):
        for raw in self.rfile:
            word, _, rest = raw.decode().strip().partition(" ")
            self.server.got.append((word.upper(), rest))
            getattr(self, f"on_{word.lower()}", lambda: self.say("250 fine"))()
            if word.upper() in ("QUIT", "STARTTLS"):
                break

    def say(self, line):
        self.wfile.write(f"{line}\r\n".encode())

    def on_ehlo(self):
        self.say("250-here")
        if self.server.tls and not isinstance(self.request, ssl.SSLSocket):
            self.say("250-STARTTLS")
        self.say("250 AUTH PLAIN")

    def on_starttls(self):
        self.say("220 go on")
        try:
            secured = self.server.tls.wrap_socket(self.request, server_side=True)
        except OSError:
            return
        with secured, secured.makefile("rb") as self.rfile, secured.makefile("wb", 0) as self.wfile:
            self.request = secured
            self.converse()

    def on_auth(self):
        self.say("235 welcome")

    def on_data(self):
        self.say("354 go on")
        lines = list(iter(self.rfile.readline, b".\r\n"))
        self.server.mails.append(email.message_from_bytes(b"".join(lines), policy=email.policy.default))
        self.say("250 taken")

    def on_quit(self):
        self.say("221 bye")


@pytest.fixture
def mail_server():
    """Yield a mail server on a loopback port."""
    with serving(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Mail)) as server:
        server.daemon_threads = True
        server.tls, server.got, server.mails = None, [], []
        yield server


def by_mail(server, **more):
    return {
        "report_delivery": "smtp",
        "report_format": "html",
        "smtp_server": "127.0.0.1",
        "smtp_port": server.server_address[1],
        "smtp_sender": "salt@example.com",
        "smtp_recipients": "a@example.com, b@example.com",
        **more,
    }


def test_reports_are_mailed(report, mail_server):
    options = by_mail(
        mail_server, smtp_failure_subject="failure of {id}\n{no}", smtp_username="u", smtp_password="p"
    )

    report(BAD, **options)
    report(BETTER, **options)

    failed, changed = mail_server.mails
    assert (failed["Subject"], changed["Subject"]) == ("failure of m1", "Installation success")
    assert (failed["From"], failed["To"]) == ("salt@example.com", "a@example.com, b@example.com")
    assert failed.get_content_type() == "text/html"
    assert "done &lt;b&gt;" in failed.get_content()
    receivers = [rest.partition(":")[2] for word, rest in mail_server.got if word == "RCPT"]
    assert receivers[:2] == ["<a@example.com>", "<b@example.com>"]
    assert ("AUTH", "PLAIN AHUAcA==") in mail_server.got


@pytest.fixture(scope="module")
def server_tls(tmp_path_factory):
    """Return the TLS settings of a server with an unknown certificate."""
    root = tmp_path_factory.mktemp("tls")
    words = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "1",
        "-subj",
        "/CN=localhost",
    ]
    try:
        subprocess.run([*words, "-keyout", "k", "-out", "c"], cwd=root, check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("openssl is not installed")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(root / "c", root / "k")
    return context


def test_a_server_that_cannot_be_verified_gets_nothing(report, call_context, mail_server, server_tls):
    mail_server.tls = server_tls
    options = by_mail(mail_server, smtp_tls=True, smtp_username="u", smtp_password="p")

    with pytest.raises(
        CommandExecutionError, match="cannot mail the report via 127.0.0.1 port .*CERTIFICATE_VERIFY"
    ):
        report(BAD, **options)
    assert not [word for word, _ in mail_server.got if word in ("AUTH", "DATA")]
    call_context(opts={"highstate": options, "verify_ssl": False})
    highstate_return.returner(BAD)

    assert len(mail_server.mails) == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"file_output": ""}, "set `file_output` below `highstate`"),
        ({"file_output": "/no/such/directory/x"}, "cannot write the report: .*/no/such/directory"),
        ({"report_format": "pdf"}, "report_format must be html, json or yaml, not 'pdf'"),
        ({"report_delivery": "smtp"}, "mail needs smtp_server, smtp_sender, smtp_recipients"),
    ],
)
def test_options_that_cannot_be_used_are_named(report, options, words):
    with pytest.raises(CommandExecutionError, match=words):
        report(BAD, **options)


def test_a_missing_mail_server_is_named(report, mail_server):
    options = by_mail(mail_server, smtp_port=1)

    with pytest.raises(CommandExecutionError, match="cannot mail the report via 127.0.0.1 port 1: .*refused"):
        report(BAD, **options)
