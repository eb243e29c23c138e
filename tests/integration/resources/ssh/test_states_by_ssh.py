"""A real state tree on hosts behind sshd: the first run changes them, the second changes nothing."""

import os
import pathlib
import shutil
import tempfile
import time

import pytest

from tests.support.servers import missing

TREE = """
{{ out }}/etc/app.conf:
  file.managed:
    - source: salt://app.conf
    - template: jinja
    - context: {port: 80}
    - makedirs: True
    - mode: '0640'
{{ out }}/var:
  file.directory:
    - mode: '0750'
{{ out }}/current:
  file.symlink:
    - target: etc/app.conf
{{ out }}/old:
  file.absent: []
motd:
  file.append:
    - name: {{ out }}/motd
    - text: [one line, another line]
port:
  file.replace:
    - name: {{ out }}/settings
    - pattern: ^port=.*
    - repl: port=81
comment:
  file.comment:
    - name: {{ out }}/settings
    - regex: ^debug
site:
  file.recurse:
    - name: {{ out }}/site
    - source: salt://site
    - exclude_pat: ['*.orig', 'E@^drafts/']
echo ran >> {{ out }}/runs:
  cmd.run:
    - creates: {{ out }}/runs
    - cwd: /tmp
never:
  cmd.run:
    - name: echo never >> {{ out }}/runs
    - unless: test -d /
on change:
  cmd.run:
    - name: echo changed >> {{ out }}/runs
    - onchanges: [{file: {{ out }}/etc/app.conf}]
"""


@pytest.fixture(scope="module")
def server(place):
    return place.sshd("states")


@pytest.fixture
def call(place, server, reach, tmp_path):
    call = reach({"web-01": place.settings(server), "web-02": place.settings(server)})
    out = tmp_path / "out-{{ grains.id }}"
    call.out = tmp_path / "out-web-01"
    for id in ("web-01", "web-02"):
        folder = tmp_path / f"out-{id}"
        folder.mkdir()
        (folder / "old").write_text("old")
        (folder / "settings").write_text("port=80\ndebug=1\n")
        (folder / "settings").chmod(0o604)
    call.write(
        {
            "tree.sls": TREE.replace("{{ out }}", str(out)),
            "app.conf": "host {{ grains.id }} {{ grains.kernel }}\nport {{ port }}\n",
            "site/index.html": "<p>\n",
            "site/css/a.css": "p {}\n",
            "site/index.orig": "<p",
            "site/drafts/next.html": "<p>\n",
        }
    )
    return call


def test_a_tree_is_applied_once(call):
    tried = call("state.apply", "tree", "test=True", tgt="web-01").value
    assert {one["result"] for one in tried.values() if one["name"] not in ("never",)} <= {None, True}
    assert not (call.out / "etc").exists()

    first = call("state.apply", "tree", tgt="web-01")

    assert first.code == 0, first.value
    assert {one["result"] for one in first.value.values()} == {True}
    assert (call.out / "etc/app.conf").read_text() == "host web-01 Linux\nport 80\n"
    assert oct((call.out / "etc/app.conf").stat().st_mode & 0o777) == "0o640"
    assert oct((call.out / "var").stat().st_mode & 0o777) == "0o750"
    assert (call.out / "current").readlink() == pathlib.Path("etc/app.conf")
    assert not (call.out / "old").exists()
    assert (call.out / "motd").read_text() == "one line\nanother line\n"
    assert (call.out / "settings").read_text() == "port=81\n#debug=1\n"
    assert oct((call.out / "settings").stat().st_mode & 0o777) == "0o604"
    assert (call.out / "site/css/a.css").read_text() == "p {}\n"
    assert sorted(one.name for one in (call.out / "site").iterdir()) == ["css", "index.html"]
    assert (call.out / "runs").read_text() == "ran\nchanged\n"

    again = call("state.apply", "tree", tgt="web-01").value

    assert {one["result"] for one in again.values()} == {True}
    assert {key: one["changes"] for key, one in again.items() if one["changes"]} == {}


def test_a_change_is_shown_as_a_diff(call):
    call("state.apply", "tree", tgt="web-01")
    (call.out / "etc/app.conf").write_text("host web-01 Linux\nport 8\n")

    done = call("state.apply", "tree", tgt="web-01").value

    diff = next(one["changes"]["diff"] for key, one in done.items() if "app.conf_|-managed" in key)
    assert "-port 8\n+port 80\n" in diff


def test_accounts_and_services_are_looked_at_on_the_host(call):
    call.write({"acc.sls": "root:\n  user.present:\n    - uid: 0\nr:\n  group.present:\n    - name: root\n"})

    done = call("state.apply", "acc", tgt="web-01").value

    assert [one["result"] for one in done.values()] == [True, True]
    assert call("service.available", "no-such-service", tgt="web-01").value is False


def test_packages_are_listed_with_their_versions(call):
    installed = call("pkg.list_pkgs", tgt="web-01").value

    assert installed["openssh-server"]
    assert call("pkg.version", "openssh-server", tgt="web-01").value == installed["openssh-server"]
    state = call("state.single", "pkg.installed", "openssh-server", tgt="web-01").value
    assert [(one["result"], one["changes"]) for one in state.values()] == [(True, {})]


def test_grains_are_those_of_the_host(call):
    grains = call("grains.items", tgt="web-01").value

    assert grains["kernel"] == "Linux"
    assert grains["resource_type"] == "ssh"
    assert grains["num_cpus"] > 0
    assert {
        "os",
        "os_family",
        "osrelease",
        "osfinger",
        "cpuarch",
        "fqdn",
        "mem_total",
        "ipv4",
    } <= grains.keys()


def test_a_state_that_the_type_does_not_offer_fails_and_names_the_type(call):
    done = call("state.single", "timezone.system", "UTC", tgt="web-01").value

    (one,) = done.values()
    assert one["result"] is False
    assert "resource type 'ssh'" in one["comment"]


MORE = """
upstreams:
  file.accumulated:
    - filename: {{ out }}/proxy.conf
    - text: [server web1;, server web2;]
    - require_in: [{file: {{ out }}/proxy.conf}]
{{ out }}/proxy.conf:
  file.managed:
    - contents: "{% raw %}{{ accumulator.upstreams | join(' ') }}{% endraw %}"
    - template: jinja
settings:
  file.keyvalue:
    - name: {{ out }}/settings
    - key_values: {port: 82, user: app}
    - append_if_not_found: True
{{ out }}/data.json:
  file.serialize:
    - dataset: {port: 8080}
    - formatter: json
    - mode: '0600'
{{ out }}/second:
  file.hardlink:
    - target: {{ out }}/first
patched:
  file.patch:
    - name: {{ out }}/first
    - source: salt://first.patch
    - require: [{file: {{ out }}/second}]
{{ out }}/logs:
  file.tidied:
    - size: 10
    - age: 1
    - age_size_logical_operator: AND
    - time_comparison: mtime
    - matches: ['.*[.]log']
"""


def test_states_that_edit_collect_link_and_tidy(call, tmp_path):
    (call.out / "first").write_text("one\n")
    (call.out / "logs").mkdir()
    for name, text, age in (("old.log", "x" * 20, 3), ("short.log", "x", 3), ("new.log", "x" * 20, 0)):
        (call.out / "logs" / name).write_text(text)
        moment = time.time() - age * 86400
        os.utime(call.out / "logs" / name, (moment, moment))
    patch = "--- a\n+++ b\n@@ -1 +1 @@\n-one\n+two\n"
    out = str(tmp_path / "out-{{ grains.id }}")
    call.write({"more.sls": MORE.replace("{{ out }}", out), "first.patch": patch})

    first = call("state.apply", "more", tgt="web-01")

    assert {one["result"] for one in first.value.values()} == {True}, first.value
    assert (call.out / "proxy.conf").read_text() == "server web1; server web2;\n"
    assert (call.out / "settings").read_text() == "port=82\ndebug=1\nuser=app\n"
    assert oct((call.out / "settings").stat().st_mode & 0o777) == "0o604"
    assert (call.out / "data.json").read_text() == '{\n  "port": 8080\n}\n'
    assert oct((call.out / "data.json").stat().st_mode & 0o777) == "0o600"
    assert (call.out / "first").read_text() == "two\n"
    assert sorted(path.name for path in (call.out / "logs").iterdir()) == ["new.log", "short.log"]
    again = call("state.apply", "more", tgt="web-01").value
    assert {
        key: one["changes"] for key, one in again.items() if one["changes"] and "hardlink" not in key
    } == {}
    assert str(tempfile.gettempdir()) + "/salt-g-ssh" not in str(first.value) + str(again)


def test_old_versions_stay_on_the_host(call):
    path = call.out / "kept"
    path.write_text("old\n")

    call("state.single", "file.managed", str(path), "contents=new", "backup=minion", tgt="web-01")
    call("state.single", "file.replace", str(path), "pattern=new", "repl=newest", tgt="web-01")

    kept = list(pathlib.Path(f"/var/cache/salt/minion/file_backup{path.parent}").glob("kept_*"))
    assert [one.read_text() for one in kept] == ["old\n"]
    assert (path.read_text(), (path.parent / "kept.bak").read_text()) == ("newest\n", "new\n")
    shutil.rmtree(kept[0].parent)


def test_kernel_settings_and_names_are_looked_at_on_the_host(call, tmp_path):
    kept = call("sysctl.get", "kernel.ostype", tgt="web-01").value
    file = tmp_path / "sysctl.conf"
    file.write_text("kernel.ostype = Linux\n")
    state = call(
        "state.single", "sysctl.present", "kernel.ostype", "value=Linux", f"config={file}", tgt="web-01"
    )

    assert (kept, [one["result"] for one in state.value.values()]) == ("Linux", [True])
    assert call("hosts.has_pair", "127.0.0.1", "localhost", tgt="web-01").value is True


def test_crontabs_are_those_of_the_host(call, account):
    if shutil.which("crontab") is None:
        missing("crontab (Debian: cron)")
    words = ("state.single", "cron.present", "/bin/true", f"user={account[0]}", "minute=5", "identifier=t")

    first, again = (call(*words, tgt="web-01").value for _ in range(2))

    assert [one["result"] for run in (first, again) for one in run.values()] == [True, True]
    assert [bool(one["changes"]) for run in (first, again) for one in run.values()] == [True, False]
    assert "5 * * * * /bin/true" in call("cron.raw_cron", account[0], tgt="web-01").value
