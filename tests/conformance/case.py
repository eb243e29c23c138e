"""One conformance case: its steps, and a result that can be compared.

Shapes: a result is {"runs": [run, ...], "files": {path: entry}}; a run is {"retcode", "return"}, or
{"retcode", "stdout", "stderr"} where the command printed something else than JSON.
"""

import json
import os
import shutil
import subprocess

import normal
import sandbox
import yaml

#: Seconds that one step may take, unless the case says otherwise.
STEP_TIMEOUT = 120

#: Beside PATH and the like: a run sees the same locale, zone, terminal and git, independent of the user.
ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "COLUMNS": "80",
    "TERM": "dumb",
    "SHELL": "/bin/bash",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "safe.directory",
    "GIT_CONFIG_VALUE_0": "*",
    "GIT_AUTHOR_NAME": "c",
    "GIT_AUTHOR_EMAIL": "c@example.org",
    "GIT_COMMITTER_NAME": "c",
    "GIT_COMMITTER_EMAIL": "c@example.org",
}


class Case:
    """A directory with `case.yaml`; `key` is its path below the folder of all cases."""

    def __init__(self, path, root):
        self.path = path
        self.key = os.path.relpath(path, root)
        with open(os.path.join(path, "case.yaml"), encoding="utf-8") as file:
            self.spec = yaml.safe_load(file)
        self.subs = [tuple(pair) for pair in self.spec.get("subs") or []]

    @property
    def expected_path(self):
        """Path of the recorded result."""
        return os.path.join(self.path, "expected.json")

    def expected(self):
        """Read the recorded result."""
        if not os.path.exists(self.expected_path):
            return {"no expected.json": True}
        with open(self.expected_path, encoding="utf-8") as file:
            return json.load(file)

    def missing(self):
        """Return what this host lacks for the case, or None."""
        for need in self.spec.get("needs") or []:
            if reason := _lack(need):
                return reason
        return None

    def run(self, command, keep=False):
        """Run every step with `command`, a list of words, and return the result."""
        with sandbox.Sandbox(self.path, keep) as tree:
            tree.write(self.spec.get("files"))
            self._write_config(tree)
            runs = []
            for step in self.spec.get("steps") or [{"argv": self.spec["argv"]}]:
                tree.remove(step.get("remove"))
                tree.write(step.get("write"))
                runs.append(self._run_step(command, step, tree))
            result = {"runs": runs}
            if self.spec.get("capture", True):
                result["files"] = tree.record(self.subs, self.spec.get("capture_only"))
            return result

    def _write_config(self, tree):
        config = _minion_config(tree)
        for option, envs, folder in (
            ("file_roots", "envs", "STATES"),
            ("pillar_roots", "pillar_envs", "PILLAR"),
        ):
            if envs in self.spec:
                named = self.spec[envs].items()
                config[option] = {env: [os.path.join(tree.at[folder], name)] for env, name in named}
        for key, value in tree.fill(self.spec.get("minion") or {}).items():
            if key == "grains":
                config["grains"].update(value)
            else:
                config[key] = value
        with open(os.path.join(tree.at["CONF"], "minion"), "w", encoding="utf-8") as file:
            yaml.safe_dump(config, file)

    def _of(self, step, key, default=None):
        """Return the step's `key`, or the case's if the step has none."""
        return step.get(key, self.spec.get(key, default))

    def _run_step(self, command, step, tree):
        try:
            finished = subprocess.run(
                self._command_line(command, step, tree),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                cwd=tree.root,
                env=_environment(tree),
                umask=0o022,
                check=False,
                timeout=self._of(step, "timeout", STEP_TIMEOUT),
            )
        except subprocess.TimeoutExpired:
            return {"retcode": "timeout"}
        stdout = finished.stdout.decode("utf-8", "replace")
        data = self._decoded(step, stdout)
        if data is not None:
            return {"retcode": finished.returncode, "return": self._returned(step, data, tree)}
        record = {"retcode": finished.returncode}
        if self.spec.get("stdout", True):
            text = normal.normal_text(stdout, tree.places, self.subs)
            record["stdout"] = (
                text if self._of(step, "out", "json") == "json" else normal.normal_printed(text)
            )
        stderr = finished.stderr.decode("utf-8", "replace")
        record["stderr"] = normal.normal_errors(stderr, tree.places, self.subs)
        return record

    def _command_line(self, command, step, tree):
        line = [*command, "-c", tree.at["CONF"], "--local", "--out=" + self._of(step, "out", "json")]
        if "id" in self.spec:
            line += ["--id", self.spec["id"]]
        line += [tree.fill(str(option)) for option in step.get("opts") or self.spec.get("opts") or []]
        for argument in tree.fill(self._of(step, "argv")):
            line.append(argument if isinstance(argument, str) else json.dumps(argument))
        pillar = self._of(step, "pillar")
        if pillar is not None:
            line.append("pillar=" + json.dumps(tree.fill(pillar)))
        return line

    def _decoded(self, step, stdout):
        """Read stdout as JSON; None where the step prints text, or anything other than JSON."""
        if self._of(step, "out", "json") != "json" or step.get("text") or self.spec.get("text"):
            return None
        try:
            return json.loads(stdout)
        except ValueError:
            return None

    def _returned(self, step, data, tree):
        if isinstance(data, dict) and len(data) == 1:
            data = data.get("local", data)
        returned = normal.normal(data, tree.places, self.subs, set(self.spec.get("drop") or []))
        if keys := self._of(step, "keys"):
            returned = {key: normal.pick(returned, key) for key in keys}
        if self._of(step, "sort"):
            returned = normal.sort_loosely(returned)
        if self._of(step, "shape"):
            returned = normal.shape(returned)
        return returned


def _lack(need):
    if need == "root":
        return None if os.geteuid() == 0 else "needs root"
    if need == "nonroot":
        return None if os.geteuid() != 0 else "needs a plain user"
    if need == "debian":
        return None if os.path.exists("/etc/debian_version") else "needs Debian"
    return None if shutil.which(need) else "needs " + need


def _minion_config(tree):
    return {
        "id": "conform",
        "master": "salt.invalid",
        "file_client": "local",
        "root_dir": tree.root,
        "cachedir": tree.at["CACHE"],
        "pki_dir": os.path.join(tree.root, "pki"),
        "sock_dir": os.path.join(tree.root, "sock"),
        "extension_modules": os.path.join(tree.at["CACHE"], "extmods"),
        "log_file": os.path.join(tree.root, "log"),
        "log_level": "quiet",
        "log_level_logfile": "quiet",
        "enable_fqdns_grains": False,
        "enable_gpu_grains": False,
        "grains": {"sandbox": tree.at["SANDBOX"]},
        "file_roots": {"base": [tree.at["STATES"]]},
        "pillar_roots": {"base": [tree.at["PILLAR"]]},
    }


def _environment(tree):
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SALT", "GIT_", "LC_")) and name not in ("LANGUAGE", "PYTHONWARNINGS")
    }
    return {**kept, **ENVIRONMENT, "HOME": tree.root}
