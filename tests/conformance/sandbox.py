"""The private tree in which a case runs, and the record of what the run left in it.

Shapes: `places` is a list of (name, path); `{name}` in a case stands for the path.
"""

import base64
import fnmatch
import os
import shutil
import stat
import tempfile

import normal

#: Folders below the private tree that a case can name, besides `{TMP}`, the tree itself.
FOLDERS = ("SANDBOX", "STATES", "PILLAR", "CACHE", "CONF")


class Sandbox:
    """The private temporary tree of one run. Lifecycle: `with`; it is removed at the end unless kept."""

    def __init__(self, case_path, keep=False):
        self.root = os.path.realpath(tempfile.mkdtemp(prefix="slsc-"))
        self.places = [(name, os.path.join(self.root, name.lower())) for name in FOLDERS]
        self.places.append(("TMP", self.root))
        self.at = dict(self.places)
        self._case_path = case_path
        self._keep = keep

    def __enter__(self):
        for name in ("SANDBOX", "CONF", "CACHE"):
            os.makedirs(self.at[name])
        for name in ("STATES", "PILLAR"):
            source = os.path.join(self._case_path, name.lower())
            if os.path.isdir(source):
                shutil.copytree(source, self.at[name], symlinks=True)
            else:
                os.makedirs(self.at[name])
        return self

    def __exit__(self, *exc_info):
        if self._keep:
            print("kept", self.root, "for", self._case_path)
            return
        _open_directories(self.root)
        shutil.rmtree(self.root, ignore_errors=True)

    def fill(self, value):
        """Replace the placeholders in every text of `value` by the paths of this tree."""
        if isinstance(value, str):
            for name, path in self.places:
                value = value.replace("{" + name + "}", path)
            return value
        if isinstance(value, list):
            return [self.fill(item) for item in value]
        if isinstance(value, dict):
            return {self.fill(key): self.fill(item) for key, item in value.items()}
        return value

    def write(self, files):
        """Create the entries of a case's `files` or `write` below the sandbox folder."""
        for relative, entry in (files or {}).items():
            path = os.path.join(self.at["SANDBOX"], self.fill(relative))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if not isinstance(entry, dict):
                entry = {"content": "" if entry is None else str(entry)}
            self._create(path, entry)

    def _create(self, path, entry):
        if "symlink" in entry and not entry.get("dir"):
            os.symlink(self.fill(entry["symlink"]), path)
            return
        if "hardlink" in entry and not entry.get("dir"):
            os.link(os.path.join(self.at["SANDBOX"], entry["hardlink"]), path)
            return
        if entry.get("dir"):
            os.makedirs(path, exist_ok=True)
        else:
            self._write_file(path, entry)
        if "mode" in entry:
            os.chmod(path, int(str(entry["mode"]), 8))
        if "mtime" in entry:
            os.utime(path, (entry["mtime"], entry["mtime"]))

    def _write_file(self, path, entry):
        if "b64" in entry:
            data = base64.b64decode(entry["b64"])
        else:
            data = self.fill(entry.get("content", "")).encode("utf-8")
        with open(path, "wb") as file:
            file.write(data)
        if "mode" not in entry:
            os.chmod(path, 0o644)

    def remove(self, names):
        """Remove files and folders of a step's `remove` from the sandbox folder."""
        for relative in names or []:
            path = os.path.join(self.at["SANDBOX"], relative)
            if os.path.isdir(path):
                shutil.rmtree(path)
            else:
                os.remove(path)

    def record(self, subs, only):
        """Return {path: entry} of the sandbox folder; `only` is a list of globs of paths, or None for all."""
        entries = {}
        root = self.at["SANDBOX"]
        for base, directories, names in os.walk(root):
            directories.sort()
            for name in sorted(directories + names):
                path = os.path.join(base, name)
                relative = os.path.relpath(path, root)
                if only is None or any(fnmatch.fnmatch(relative, pattern) for pattern in only):
                    entries[normal.normal_text(relative, self.places, subs)] = self._entry(path, subs)
        return entries

    def _entry(self, path, subs):
        status = os.lstat(path)
        mode = f"{stat.S_IMODE(status.st_mode):04o}"
        if stat.S_ISLNK(status.st_mode):
            return {"link": normal.normal_text(os.readlink(path), self.places, subs)}
        if stat.S_ISDIR(status.st_mode):
            return {"dir": True, "mode": mode}
        with open(path, "rb") as file:
            data = file.read()
        try:
            return {"mode": mode, "text": normal.normal_text(data.decode("utf-8"), self.places, subs)}
        except UnicodeDecodeError:
            return {"mode": mode, "b64": base64.b64encode(data).decode("ascii")}


def _open_directories(root):
    """Make every directory below `root` accessible to its owner: a case may have closed some."""
    for base, directories, _ in os.walk(root):
        for name in directories:
            path = os.path.join(base, name)
            if not os.path.islink(path):
                try:
                    os.chmod(path, 0o755)
                except OSError:
                    pass
