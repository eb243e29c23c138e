"""Effective settings: those of stock Salt for the same config files."""

import json
import subprocess

import pytest

from salt_g import config

DRIVER = """
import json, sys
import salt.config
role, path = sys.argv[1:]
read = salt.config.minion_config if role == "minion" else salt.config.master_config
print(json.dumps(dict(read(path)), default=repr))
"""
#: What stock puts into its settings for itself alone.
INTERNAL = {
    "__cli",  # name of the program, set by ours when it starts
    "config_dir",  # set by stock's command lines, whatever reads the files here
    "__fs_update",  # marks calls of the file server's own client
    "dummy_pub",  # belongs to a test harness
    "serial",  # there is one serialisation
    "worker_pools",  # one process needs no pools of workers
}
#: Settings that stock does not have.
OWN = {
    "api_cors",
    "api_page",
    "api_token_in_url",
    "api_trusted_proxies",
    "api_user",
    "audit_log",
    "audit_log_bytes",
    "audit_log_files",
    "change_freezes",
    "clear_commands_from",
    "cluster",
    "max_connections_per_address",
    "event_bus_release",
    "file_recv_max_total",
    "fileserver_events",
    "fileserver_open_roots",
    "history",
    "history_bytes",
    "history_seconds",
    "hub_warn_interval",
    "job_stop_timeout",
    "metrics_interface",
    "lock_exempt",
    "mailbox_bytes",
    "mailbox_jobs",
    "metrics_port",
    "keep_jobs_bytes",
    "pillar_secrets",
    "plan_approval",
    "gitfs_verify",
    "git_pillar_verify",
    "impact",
    "impact_bytes",
    "impact_seconds",
    "process_functions",
    "resource_acl",
    "rollout_guard",
    "resource_lease",
    "resource_managers",
    "resources_max_per_minion",
    "resource_fan_out",
    "resource_job_timeout",
    "resource_timeout",
    "return_spool_size",
    "state_strict_arguments",
    "state_undo",
    "undo_bytes",
    "wheel_dirs",
}
#: Settings that only stock's salt-api has: the master's hold them here.
OWN_OF_API = {"api_acl", "api_logfile", "api_pidfile"}
#: Settings that only stock's master has: calls without a master use them here.
OWN_OF_MINIONS = {"master_tops"}
TREES = {
    "empty": {"minion": "id: web1\n", "master": "id: m\n"},
    "moved": {
        role: "id: Foo\nroot_dir: /tmp/tree\ncachedir: cache\nlog_dir: /logs\nappend_domain: example.org\n"
        for role in ("minion", "master")
    },
    "merged": {
        "minion": "id: a\nschedule: {a: {function: x}}\ninclude: more/*\nreturn: [a, b]\nenvironment: dev\n",
        "minion.d/1.conf": "schedule: {b: {function: x}}\nbeacons: {load: [1]}\n",
        "minion.d/2.conf": "schedule: {c: {function: x}}\nbeacons: {load: [2]}\n",
        "more/x": "hash_type: MD5\n",
        "master": "id: m\nfileserver_backend: [git, roots]\nnodegroups: [{a: L@x}]\n",
        "master.d/1.conf": "file_roots: {base: [/srv/a], dev: null}\nauto_accept: true\n",
    },
    "by id": {
        "minion": "id: a\nappend_minionid_config_dirs: [cachedir, pidfile, pki_dir, default_include]\n",
        "master": "id: m\nfile_ignore_glob: x\nfile_ignore_regex: y\n",
    },
}


@pytest.mark.parametrize("role", ["minion", "master"])
@pytest.mark.parametrize("tree", TREES)
def test_settings_are_those_of_stock(tree, role, tmp_path, stock_bin):
    for name, text in TREES[tree].items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    ours = json.loads(json.dumps(config.load(role, str(tmp_path)).opts, default=repr))

    theirs = _stock_settings(stock_bin, role, str(tmp_path / role))
    differing = {name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name)}
    own = OWN | (OWN_OF_MINIONS if role == "minion" else OWN_OF_API)
    assert differing - INTERNAL - own == set()
    assert theirs.keys().isdisjoint(own)


def _stock_settings(stock_bin, role, path):
    finished = subprocess.run(
        [stock_bin / "python", "-c", DRIVER, role, path],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return json.loads(finished.stdout)
