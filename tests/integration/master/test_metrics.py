"""Metrics of a running master, from its command line and over HTTP."""

import http.client
import json

from tests.support.commands import PROGRAM, outcome_of
from tests.support.free_ports import free_port
from tests.support.metrics_format import parse
from tests.support.waiting import until


def _metrics(master):
    return json.loads(
        outcome_of([PROGRAM, "run", "-c", str(master.config_dir), "--out=json", "status.metrics"]).out
    )


def _get(port, path, host=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path, headers={"Host": host} if host else {})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def test_a_master_counts_what_happens(start_master, start_minion, salt):
    master = start_master()
    minion = start_minion(master)
    before = _metrics(master)

    for _ in range(3):
        assert salt(master, "*", "test.ping").minions == {"m1": True}

    after = _metrics(master)
    assert after["salt_g_returns_total"] - before["salt_g_returns_total"] == 3
    assert after["salt_g_request_seconds"]["_return"]["count"] >= 3
    assert after["salt_g_publications_total"] > before["salt_g_publications_total"]
    assert after["salt_g_events_total"] > before["salt_g_events_total"]
    assert after["salt_g_store_writes_total"] > before["salt_g_store_writes_total"]
    assert after["salt_g_sign_ins_total"]["accept"] == 1
    assert after["salt_g_keys_accepted"] == after["salt_g_minions_connected"] == 1
    assert after["salt_g_memory_bytes"]["rss"] > 10_000_000
    assert after["salt_g_open_files"] > 5 and after["salt_g_greenlets"] > 5
    assert after["salt_g_hub_delay_seconds"]["count"] > 0
    minion.stop()
    until(lambda: _metrics(master)["salt_g_minions_connected"] == 0, "nobody is connected")


def test_metrics_are_served_on_the_loopback_when_the_setting_says_so(start_master, start_minion, salt):
    port = free_port()
    master = start_master(metrics_port=port)
    start_minion(master)
    salt(master, "*", "test.ping")

    status, text = _get(port, "/metrics")

    found = parse(text)
    assert status == 200
    assert {family["kind"] for family in found.values()} == {"counter", "gauge", "histogram"}
    assert found["salt_g_returns_total"]["samples"][0][2] >= 1
    assert _get(port, "/healthz") == (200, "ok\n")
    assert _get(port, "/keys")[0] == 404
    assert _get(port, "/metrics", host="evil.example")[0] == 403


def test_a_minion_serves_metrics_of_its_own(start_master, start_minion, salt):
    port, master = free_port(), start_master()
    start_minion(master, metrics_port=port)
    salt(master, "*", "test.ping")

    def values():
        found = parse(_get(port, "/metrics")[1])
        return {name: family["samples"][0][2] for name, family in found.items()}

    # The command has the return a moment before the minion has its acknowledgement.
    until(lambda: values()["salt_g_returns_waiting"] == 0, "the acknowledgement of the return")
    result = values()
    assert result["salt_g_jobs_total"] >= 1
    assert result["salt_g_masters_connected"] == 1
    assert result["salt_g_connections_total"] == 1


def test_without_the_setting_nothing_listens_and_without_a_master_it_is_reported(start_master):
    master = start_master()
    master.stop()

    outcome = outcome_of([PROGRAM, "run", "-c", str(master.config_dir), "status.metrics"])

    assert outcome.code != 0
    assert "needs the running master" in outcome.err
