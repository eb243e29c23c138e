"""A master and a minion with resources, started with any Salt-compatible commands, and jobs for them."""

import json
import os
import shlex
import subprocess
import sys
import tempfile
import threading
import time

from processes import cpu_s, pss_mib, stop

STATES = """{{% for i in range({n}) %}}
{out}/{{{{ opts['id'] }}}}/f{{{{ i }}}}:
  file.managed:
    - contents: "hello {{{{ i }}}}"
    - makedirs: True
    - mode: '0644'
{{% endfor %}}
"""
STOCK_CONFIG_OPTION = "def option(value, default='', **kwargs):\n    return __opts__.get(value, default)\n"


class Fleet:
    """One master and one minion of the system under test, with the given resources in pillar."""

    def __init__(self, opts, root, resources, timeout=120):
        self.opts, self.root, self.conf = opts, root, root / "etc"
        self._lay_out(resources)
        if opts.stock:
            self._help_stock()
        opts.fleets.append(self)
        self._start(resources, timeout)

    def _lay_out(self, resources):
        opts, root = self.opts, self.root
        tree, pillar = root / "srv/salt", root / "srv/pillar"
        for directory in (self.conf, tree, pillar, root / "out"):
            directory.mkdir(parents=True, exist_ok=True)
        common = {
            "root_dir": str(root),
            "user": "root",
            "log_level": "error",
            "log_level_logfile": "error",
            "publish_port": opts.port,
            "file_roots": {"base": [str(tree)]},
            "pillar_roots": {"base": [str(pillar)]},
        }
        master = {
            **common,
            **_places(root, "master"),
            "interface": "127.0.0.1",
            "auto_accept": True,
            "ret_port": opts.port + 1,
            "worker_threads": 3,
        }
        minion = {
            **common,
            **_places(root, "minion"),
            "id": "gw",
            "master": "127.0.0.1",
            "master_port": opts.port + 1,
            "extension_modules": f"{root}/cache/minion/extmods",
            "grains_cache": False,
        }
        if opts.process_count_max:
            minion["process_count_max"] = opts.process_count_max
        (self.conf / "master").write_text(json.dumps(master))
        (self.conf / "minion").write_text(json.dumps(minion))
        (pillar / "top.sls").write_text("base: {'*': [res]}\n")
        (pillar / "res.sls").write_text(json.dumps({"resources": resources}))
        (tree / "bench.sls").write_text(STATES.format(n=20, out=root / "out"))

    def _start(self, resources, timeout):
        opts, begun = self.opts, time.perf_counter()
        with open(self.root / "daemons.log", "wb") as log:
            self.master = subprocess.Popen([*opts.master, "-c", str(self.conf)], stdout=log, stderr=log)
            self.minion = subprocess.Popen([*opts.minion, "-c", str(self.conf)], stdout=log, stderr=log)
        wanted = sum(len(own.get("resource_ids") or own.get("hosts", {})) for own in resources.values())
        while not self._answers() or self._registered() < wanted:
            if time.perf_counter() - begun > timeout:
                sys.exit(f"resources_bench: not ready in {timeout} s; see {self.root}/daemons.log")
            time.sleep(0.5)
        self.ready_s = time.perf_counter() - begun
        time.sleep(4)

    def _answers(self):
        return documents(self._run(self.opts.salt, "-t", "10", "gw", "test.ping")).get("gw") is True

    def _registered(self):
        return len(documents(self._run(self.opts.run, "resource.list_grains")))

    def _run(self, program, *words):
        return run([*program, "-c", str(self.conf), "--out=json", *words])[0]

    def _help_stock(self):
        """Lay out what stock needs for the `state` case: a onedir tarball, and config.option for the type."""
        script = self.root / "relenv/salt/salt-call"
        script.parent.mkdir(parents=True)
        script.write_text("#!/bin/sh\nexec " + shlex.join(self.opts.call) + ' "$@"\n')
        script.chmod(0o755)
        target = self.root / "cache/minion/relenv/linux/x86_64/salt-relenv.tar.xz"
        target.parent.mkdir(parents=True)
        subprocess.run(["tar", "-C", str(self.root / "relenv"), "-cJf", str(target), "salt"], check=True)
        overlay = self.root / "cache/minion/extmods/resources/ssh/modules/config.py"
        overlay.parent.mkdir(parents=True)
        overlay.write_text(STOCK_CONFIG_OPTION)

    def job(self, *words, wait=20):
        """Run one job and give wall, CPU and the replies; a return that is lost costs `wait` seconds."""
        daemons = (self.master.pid, self.minion.pid)
        before, peak, done = cpu_s(daemons), [0.0], threading.Event()
        targets = self.opts.sshd.pids if self.opts.sshd else ()
        target_before = cpu_s(targets)

        def watch():
            while not done.wait(1.0):
                peak[0] = max(peak[0], pss_mib(self.minion.pid))

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        text, wall, cpu, _ = run(
            [*self.opts.salt, "-c", str(self.conf), "--out=json", "-t", str(wait), *words],
            timeout=wait * 4 + 120,
        )
        done.set()
        watcher.join()
        time.sleep(1.5)
        replies = documents(text)
        return {
            "wall_s": round(wall, 2),
            "cpu_cli_s": round(cpu, 2),
            "cpu_daemons_s": round(cpu_s(daemons) - before, 2),
            "cpu_targets_s": round(cpu_s(targets) - target_before, 2),
            "minion_peak_pss_mib": peak[0] or None,
            "replies": replies,
        }

    def close(self):
        self.opts.fleets.remove(self)
        for proc in (self.minion, self.master):
            stop(proc)


def _places(root, role):
    return {
        "pki_dir": f"{root}/pki/{role}",
        "cachedir": f"{root}/cache/{role}",
        "sock_dir": f"{root}/run/{role}",
        "log_file": f"{root}/log/{role}",
        "pidfile": f"{root}/run/{role}.pid",
    }


def run(argv, timeout=900, env=None):
    """Run argv; give (stdout, wall seconds, CPU seconds of it and its children, exit code)."""
    with tempfile.TemporaryFile() as out:
        begun = time.perf_counter()
        proc = subprocess.Popen(argv, stdout=out, stderr=subprocess.DEVNULL, env=env)
        killer = threading.Timer(timeout, proc.kill)
        killer.daemon = True
        killer.start()
        _, status, usage = os.wait4(proc.pid, 0)
        killer.cancel()
        proc.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - begun
        out.seek(0)
        return out.read().decode(), wall, usage.ru_utime + usage.ru_stime, proc.returncode


def documents(text):
    """Merge the JSON objects in text; other lines are skipped."""
    found, at, decoder = {}, 0, json.JSONDecoder()
    while (at := text.find("{", at)) >= 0:
        try:
            value, at = decoder.raw_decode(text, at)
        except ValueError:
            at += 1
            continue
        if isinstance(value, dict):
            found.update(value)
    return found
