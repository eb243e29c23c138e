"""Pods through HTTPS and WebSockets, with a fake server in place of the cluster."""

import json

import pytest
import yaml

PODS = [{"namespace": "shop", "selector": "app=web"}]


@pytest.fixture
def call(cluster, kubeconfig):
    """Return a machine that manages the web pods of the namespace `shop`, and one by name."""
    hosts = {"cache": {"namespace": "shop", "pod": "cache-0", "container": "main"}}
    return cluster({"kubeconfig": str(kubeconfig), "pods": PODS, "hosts": hosts})


def test_running_pods_are_found_by_namespace_and_label(call):
    found = call("*.web-*", "test.ping")
    grains = call("G@node:node-1 and T@k8s_pod:shop.web-0", "--tgt-type", "compound", "test.ping")

    assert found.value == {"shop.web-0": True, "shop.web-1": True}
    assert call("cache", "test.ping").value is True
    assert grains.value is True
    for target in ("labels:app:web", "image:nginx*", "phase:Running", "namespace:shop", "ipv6:fd00*"):
        assert "shop.web-1" in str(call(target, "--tgt-type", "grain", "test.ping").value), target


def test_commands_run_in_the_pod_with_their_exit_codes(call, tmp_path):
    done = call("shop.web-0", "cmd.run_all", "echo out; echo err >&2; exit 3")
    large = call("shop.web-0", "cmd.run", "head -c 300000 /dev/zero | tr '\\0' x | tee large | wc -c")

    assert done.value == {"pid": 0, "retcode": 3, "stdout": "out", "stderr": "err"}
    assert done.code == 1
    assert large.value == "300000"
    assert call("shop.web-0", "cmd.run_stdout", "cat large").value == "x" * 300_000
    assert call("shop.web-0", "cmd.run", "tr a-z A-Z", "stdin=hello").value == "HELLO"
    assert call("shop.web-0", "cmd.run", "echo $A; pwd", "env={A: 'x y'}", "cwd=/").value == "x y\n/"
    assert call("shop.web-0", "cmd.retcode", "exit 7", "success_retcodes=7").value == 0
    assert "Timed out after 1 seconds" in call("shop.web-0", "cmd.run", "sleep 5", "timeout=1").value
    assert "does not support the option runas" in call("shop.web-0", "cmd.run", "id", "runas=nobody").value


def test_files_are_written_and_read_byte_by_byte(call, tmp_path):
    path = str(tmp_path / "it's a note")

    call("shop.web-0", "file.write", path, "args=['100% \\\\ ü', second]")

    assert call("shop.web-0", "file.read", path).value == (tmp_path / "it's a note").read_text()
    assert (tmp_path / "it's a note").read_text().splitlines()[1] == "second"
    assert call("shop.web-0", "file.file_exists", path).value is True
    assert call("shop.web-0", "file.remove", path).value is True
    assert call("shop.web-0", "file.read", path).code == 1


def test_the_cluster_describes_a_pod_and_deletes_it(call, server):
    described = call("shop.web-0", "k8s.describe").value
    refused = call("shop.web-1", "k8s.restart")

    assert call("shop.web-0", "k8s.logs", "tail=2").value == "line 3\nline 4"
    assert described["pod"]["spec"]["nodeName"] == "node-1"
    assert described["events"][0]["reason"] == "Started"
    assert "no controller owns this pod" in refused.value
    assert call("shop.web-0", "k8s.restart", "grace=5").value is True
    assert ("shop", "web-0") not in server.pods
    assert server.requests[-1][3]["gracePeriodSeconds"] == 5
    assert "shop.web-0" not in call("*", "test.ping").value


def test_states_run_against_pods(call, tmp_path):
    call.write({"mark.sls": "echo {{ grains.pod }} > marked:\n  cmd.run:\n    - creates: /nonexistent\n"})

    done = call("shop.web-1", "state.apply", "mark")

    assert done.code == 0, done
    assert (tmp_path / "marked").read_text() == "web-1\n"


def test_an_older_server_runs_programs_and_refuses_standard_input(call, server):
    server.protocol = "v4.channel.k8s.io"

    refused = call("shop.web-0", "cmd.run", "cat", "stdin=hello")

    assert call("shop.web-0", "cmd.run", "echo hello").value == "hello"
    assert "cannot end standard input" in refused.value


def test_errors_are_reported_without_the_token(cluster, server, tmp_path):
    hosts = {"gone": {"namespace": "shop", "pod": "gone"}, "web": {"namespace": "shop", "pod": "web-0"}}
    ours = {"server": server.url, "ca_file": str(server.ca_file), "hosts": hosts}
    good = cluster({**ours, "token": "token-of-the-tests"})

    missing = good("gone", "cmd.run", "id")
    lacking = good("web", "cmd.run", "/no/such/program", "python_shell=False")
    pinged = good("gone", "test.ping")
    wrong = cluster({**ours, "token": "a-wrong-token"})("web", "k8s.logs", "-l", "debug")
    untrusted = cluster({**ours, "ca_file": None, "token": "token-of-the-tests"})("web", "k8s.logs")
    nowhere = cluster({"hosts": hosts})("web", "cmd.run", "id")

    assert 'pods "gone" not found (404)' in missing.value
    assert "exec failed" in lacking.value
    assert pinged.value is False
    assert "Unauthorized (401)" in wrong.value
    assert "a-wrong-token" not in wrong.out + wrong.err
    assert "certificate verify failed" in untrusted.value
    assert "pillar names no cluster" in nowhere.value


def test_a_kubeconfig_with_a_program_to_log_in_is_refused(cluster, kubeconfig):
    config = yaml.safe_load(kubeconfig.read_text())
    config["users"][0]["user"] = {"exec": {"command": "aws"}}
    kubeconfig.write_text(json.dumps(config))

    refused = cluster({"kubeconfig": str(kubeconfig), "hosts": {"a.b": {}}})("a.b", "cmd.run", "id")

    assert (
        "logs in by 'exec', which is not supported; give it a token or a client certificate" in refused.value
    )
