"""Pods without a cluster: kubeconfigs, requests, words of commands."""

import base64

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.resources.k8s_pod.access import Access, read_access
from salt_g.resources.k8s_pod.exec_stream import _collected
from salt_g.resources.k8s_pod.modules.cmd import _words
from salt_g.resources.k8s_pod.requests import Cluster, complaint

CONFIG = """
current-context: one
contexts:
- {name: one, context: {cluster: c, user: u}}
- {name: other, context: {cluster: nowhere, user: u}}
clusters:
- {name: c, cluster: {server: 'https://192.0.2.1:6443/prefix', insecure-skip-tls-verify: true}}
users:
- {name: u, user: {tokenFile: token}}
"""


def test_a_kubeconfig_names_server_and_token_beside_it(tmp_path):
    (tmp_path / "config").write_text(CONFIG)
    (tmp_path / "token").write_text("secret\n")

    access = read_access({"kubeconfig": str(tmp_path / "config")})

    assert access.server == "https://192.0.2.1:6443/prefix"
    assert access.headers() == {"Authorization": "Bearer secret"}


@pytest.mark.parametrize(
    ("context", "change", "text"),
    [
        ("other", {}, "has no cluster 'nowhere'"),
        ("nosuch", {}, "has no context 'nosuch'"),
        (None, {"tokenFile: token": "exec: {command: aws}"}, "logs in by 'exec'"),
        (None, {"{tokenFile: token}": "{client-key-data: '%'}"}, "not base64"),
        (None, {"current-context": "{token: hunter22"}, "is not valid YAML"),
    ],
)
def test_a_kubeconfig_that_does_not_fit_is_reported_with_its_place(tmp_path, context, change, text):
    words = CONFIG
    for old, new in change.items():
        words = words.replace(old, new)
    (tmp_path / "config").write_text(words)

    with pytest.raises(CommandExecutionError, match=text) as caught:
        read_access({"kubeconfig": str(tmp_path / "config"), "context": context})

    assert "hunter22" not in str(caught.value)


def test_requests_keep_the_path_of_the_server_and_quote():
    cluster = Cluster(Access("https://192.0.2.1:6443/prefix/", None))

    target = cluster.target("/api/v1/pods", [("command", "a b"), ("command", "c&d")])

    assert target == "/prefix/api/v1/pods?command=a+b&command=c%26d"
    assert cluster.place == "192.0.2.1:6443"
    with pytest.raises(CommandExecutionError, match="not an address of an API server"):
        Cluster(Access("ftp://x", None))


def test_the_complaint_of_the_server_is_its_message():
    assert complaint(403, "Forbidden", '{"kind": "Status", "message": "no"}') == "no (403)"
    assert complaint(502, "Bad Gateway", "<html>") == "Bad Gateway (502)"


def test_streams_and_exit_code_are_collected():
    failed = b'{"status": "Failure", "details": {"causes": [{"reason": "ExitCode", "message": "9"}]}}'

    assert _collected(iter([(1, b"a"), (2, b"e"), (1, b"b"), (3, failed)])) == (9, b"ab", b"e")
    assert _collected(iter([(3, b'{"status": "Success"}')])).retcode == 0
    with pytest.raises(CommandExecutionError, match="did not report how"):
        _collected(iter([(1, b"a")]))


def test_words_pass_a_shell_only_where_one_is_wanted(call_context):
    call_context()

    assert _words("ls 'a b'", {}) == ["ls", "a b"]
    assert _words("ls | wc", {"__pub_jid": "1"}) == ["/bin/sh", "-c", "ls | wc"]
    assert _words(["ls"], {"env": {"A": 1}}) == ["env", "A=1", "ls"]
    assert _words(["ls"], {"cwd": "/x y"}) == ["/bin/sh", "-c", 'cd "$0" && exec "$@"', "/x y", "ls"]


def test_embedded_certificates_that_are_none_are_reported(tmp_path):
    data = base64.b64encode(b"no certificate").decode()
    text = CONFIG.replace("insecure-skip-tls-verify: true", f"certificate-authority-data: {data}")
    (tmp_path / "config").write_text(text)

    with pytest.raises(CommandExecutionError, match="CA certificate cannot be read"):
        read_access({"kubeconfig": str(tmp_path / "config")})
