"""A NAPALM driver for BIRD on this machine, so that a real router applies the configuration."""

import difflib
import pathlib
import re
import shutil
import subprocess

from napalm.base.base import NetworkDriver
from napalm.base.exceptions import ConnectionException, MergeConfigException


class BirdDriver(NetworkDriver):
    """Driver that controls the daemon with birdc; the configuration is the daemon's file."""

    def __init__(self, hostname, username, password, timeout=60, optional_args=None):
        self.hostname = hostname
        self._control = optional_args["control"]
        self._config = pathlib.Path(optional_args["config"])
        self._candidate = None
        self._before = None

    def open(self):
        if "BIRD" not in self._ask("show", "status"):
            raise ConnectionException(f"no BIRD at {self._control}")

    def close(self):
        self._candidate = None

    def is_alive(self):
        return {"is_alive": "BIRD" in self._ask("show", "status")}

    def get_facts(self):
        status = self._ask("show", "status")
        return {
            "vendor": "CZ.NIC",
            "model": "BIRD",
            "os_version": re.search(r"BIRD (\S+)", status)[1],
            "serial_number": "",
            "hostname": re.search(r"Router ID is (\S+)", status)[1],
            "fqdn": self.hostname,
            "uptime": 0.0,
            "interface_list": re.findall(
                r"^(\S+) (?:up|down)", self._ask("show", "interfaces"), re.MULTILINE
            ),
        }

    def cli(self, commands, encoding="text"):
        return {command: self._ask(*command.split()) for command in commands}

    def load_merge_candidate(self, filename=None, config=None):
        self._load(self._config.read_text() + config)

    def load_replace_candidate(self, filename=None, config=None):
        self._load(config)

    def compare_config(self):
        old, new = self._config.read_text().splitlines(), self._candidate.splitlines()
        return "\n".join(list(difflib.unified_diff(old, new, lineterm="", n=0))[2:])

    def commit_config(self, message="", revert_in=None):
        self._before = self._config.read_text()
        self._config.write_text(self._candidate)
        self._candidate = None
        self._configure()

    def discard_config(self):
        self._candidate = None

    def rollback(self):
        self._config.write_text(self._before)
        self._configure()

    def _load(self, text):
        trial = self._config.with_suffix(".try")
        trial.write_text(text)
        answer = self._ask("configure", "check", f'"{trial}"')
        self._candidate = text if "Configuration OK" in answer else self._config.read_text()
        if "Configuration OK" not in answer:
            raise MergeConfigException(answer.strip().splitlines()[-1])

    def _configure(self):
        answer = self._ask("configure")
        if "Reconfig" not in answer:
            raise MergeConfigException(answer)

    def _ask(self, *words):
        program = shutil.which("birdc") or "/usr/sbin/birdc"
        done = subprocess.run(
            [program, "-s", self._control, *words], capture_output=True, text=True, check=False
        )
        if done.returncode and not done.stdout:
            raise ConnectionException(done.stderr)
        return done.stdout
