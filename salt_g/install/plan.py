"""Plan of the installation of a role on a host.

All decisions of an installation are made here. Planning reads the host and changes nothing, so that a dry run
prints the same plan that a real run carries out. Existing files that salt-g did not install are kept.
Errors: CommandExecutionError for settings that cannot be changed.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from salt_g.install import host as hosts
from salt_g.install import manifest, services, settings
from salt_g.install.host import Host
from salt_g.install.manifest import DIRECTORY, FILE, LINK, TREE, Manifest, ManifestEntry
from salt_g.install.program import Program
from salt_g.install.removal import remove, without
from salt_g.install.steps import (
    CopyFile,
    CopyTree,
    InstallPaths,
    InstallPlan,
    MakeDirectory,
    Note,
    PutFile,
    PutLink,
    Remove,
    RunCommand,
    Step,
)

#: Directories of completion scripts below the prefix, by shell.
_COMPLETIONS = {
    "bash": "share/bash-completion/completions/salt-g",
    "zsh": "share/zsh/site-functions/_salt-g",
    "fish": "share/fish/vendor_completions.d/salt-g.fish",
}
#: File of stock's packages for log rotation, which affects ours.
_STOCK_ROTATION = "/etc/logrotate.d/salt-common"
_UNITS = "/etc/systemd/system"


class InstallOptions(NamedTuple):
    """Options of an installation; `invitation` is a code, `completions` is {shell: script}."""

    role: str
    prefix: str
    settings: Mapping[str, str]
    invitation: str
    completions: Mapping[str, str]
    link_names: Sequence[str]
    with_links: bool
    starts: bool


def install(wanted: InstallOptions, host: Host, program: Program, places: InstallPaths) -> InstallPlan:
    """Return the plan for installing a role."""
    return _Installing(wanted, host, program, places).plan()


class _Installing:
    """Installation being planned."""

    def __init__(self, wanted: InstallOptions, host: Host, program: Program, places: InstallPaths) -> None:
        self._wanted, self._host, self._program, self._places = wanted, host, program, places
        self._service = services.name_of(wanted.role)
        self._before = manifest.read(host)
        self._made: Manifest = {}
        self._said = host.read(manifest.PATH) if host.exists(manifest.PATH) else b""
        self._steps: list[Step] = []
        self._notes: list[Note] = []
        #: Paths that the service reads at its start; it is restarted only after a change of these.
        self._used: set[str] = set()

    def plan(self) -> InstallPlan:
        self._make_parents(manifest.PATH)
        first = len(self._steps)
        command = self._put_program()
        self._put_settings()
        self._put_invitation()
        self._put_service(command)
        self._put_rotation()
        for shell, text in self._wanted.completions.items():
            self._put_file(f"{self._wanted.prefix}/{_COMPLETIONS[shell]}", text.encode())
        self._put_links()
        removals = self._remove_obsolete()
        is_changed = len(self._steps) > first
        if not is_changed and not removals and self._made == self._before:
            self._steps.clear()
        else:
            self._update_manifest(removals, first)
        self._start({str(step[0]) for step in self._steps} & self._used)
        self._steps += removals
        self._note(self._made)
        return InstallPlan(self._steps, self._notes)

    # Program

    def _put_program(self) -> str:
        """Plan the program files; return the command that services start."""
        top, link = f"{self._wanted.prefix}/lib/salt-g", f"{self._wanted.prefix}/bin/salt-g"
        if not self._program.tree:
            if self._host.place(link) != self._program.script:
                self._put_link(link, self._program.script)
            return self._program.script
        self._used.add(f"{top}/current")
        tree = f"{top}/{hosts.digest(self._program.tree)[:16]}"
        self._used.add(tree)
        self._put_tree(tree, self._program.tree)
        self._put_link(f"{top}/current", os.path.basename(tree))
        self._put_one_file(f"{top}/salt-g")
        if self._program.one_file == self._host.place(link):
            self._notes.append(Note(f"{link} is the one-file program itself and stays"))
        else:
            self._put_link(link, "../lib/salt-g/current/salt-g")
        return f"{top}/current/salt-g"

    def _put_tree(self, path: str, source: str) -> None:
        found, digest = self._host.digest(path), hosts.digest(source)
        if found and found != digest:
            # The name contains the digest, so other content means that the tree is damaged.
            self._steps.append(Remove(path, TREE))
        if found != digest:
            self._make_parents(path)
            self._steps.append(CopyTree(path, source))
        self._record(path, TREE, digest)

    def _put_one_file(self, path: str) -> None:
        """Plan a copy of the one-file program next to its contents, for installations on other hosts."""
        source = self._program.one_file
        if not source or source == self._host.place(path):
            if path in self._before:
                self._record(path, FILE, self._before[path].digest)
            return
        digest = hosts.digest(source)
        if self._may_write(path, digest):
            self._make_parents(path)
            self._steps.append(CopyFile(path, source))
        if self._is_ours(path, digest):
            self._record(path, FILE, digest)

    # Settings

    def _put_settings(self) -> None:
        if self._wanted.role == "api":
            # The HTTP API reads the settings of the master.
            return
        directory, role = settings.directory_of(self._host), self._wanted.role
        if directory != settings.OWN:
            self._notes.append(Note(f"the settings stay in {directory}, because {settings.OWN} is not there"))
        elif self._host.exists(f"{settings.STOCK}/{role}"):
            self._notes.append(Note(f"{settings.STOCK}/{role} is not read: settings are in {directory}"))
        path = f"{directory}/{role}"
        asked = dict(self._wanted.settings)
        if self._host.exists(path) and path not in self._before:
            said = settings.parse(self._text(path), path)
            asked = {name: value for name, value in asked.items() if said.get(name) != value}
            path = f"{path}.d/install.conf"
            if not asked and path not in self._before:
                return
            self._notes.append(Note(f"{directory}/{role} stays unchanged; {path} has the requested settings"))
        self._used.add(path)
        text = self._text(path) if self._host.exists(path) else settings.head(role)
        self._edit(path, settings.with_settings(text, asked, self._host.place(path)).encode())

    def _edit(self, path: str, content: bytes) -> None:
        """Plan a change of a settings file; one created or edited by the user still belongs to the user."""
        if self._host.exists(path) and self._host.read(path) == content:
            if path in self._before:
                self._record(path, FILE, self._before[path].digest)
            return
        before, now = self._before.get(path), self._host.digest(path)
        self._make_parents(path)
        # Keep the user's mode, because the file may contain other settings.
        self._steps.append(PutFile(path, content, self._host.mode(path) if now else 0o644))
        # A file changed by hand belongs to the user; recording its old digest prevents its removal.
        if before is not None and before.digest != now:
            self._record(path, FILE, before.digest)
        elif before is not None or not now:
            self._record(path, FILE, hosts.of_content(content))

    def _put_invitation(self) -> None:
        pki_dir, code = self._places.pki_dir, self._wanted.invitation
        if not code:
            return
        if self._host.exists(f"{pki_dir}/minion_master.pub"):
            known = f"{pki_dir}/minion_master.pub"
            self._notes.append(Note(f"the invitation is not used: the master is already known from {known}"))
            return
        path, content = f"{pki_dir}/invitation", f"{code}\n".encode()
        if self._host.exists(path) and self._host.read(path) == content:
            return
        self._make_parents(path, mode=0o700)
        self._steps.append(PutFile(path, content, 0o600, instead="a secret, not shown"))
        self._used.add(path)

    # Services

    def _put_service(self, command: str) -> None:
        init, role = self._host.init(), self._wanted.role
        if init == hosts.SYSTEMD:
            self._put_unit(command)
        elif init == hosts.OPENRC:
            self._put_script(services.openrc_script(role, command), f"/etc/runlevels/default/{self._service}")
        elif init == hosts.SYSV:
            self._put_script(services.init_script(role, command, self._places.pid_file), "")
        else:
            self._notes.append(
                Note(f"neither systemd, OpenRC nor /etc/init.d exists: start `{command} {role} -d`")
            )

    def _put_unit(self, command: str) -> None:
        unit = f"{self._service}.service"
        writable = ["/run", "/srv", *self._own_directories()]
        if self._wanted.role == "master":
            # With ProtectSystem=strict, systemd can make only existing directories writable.
            for path in self._own_directories():
                self._make_directory(path, 0o700)
        path = f"{_UNITS}/{unit}"
        self._used.add(path)
        if self._put_file(path, services.unit(self._wanted.role, command, writable).encode(), is_vital=True):
            self._put_link(f"{_UNITS}/multi-user.target.wants/{unit}", f"../{unit}")
        stock = f"/lib/systemd/system/salt-{self._wanted.role}.service"
        if self._host.exists(stock):
            self._notes.append(
                Note(f"{stock} exists too: `systemctl disable --now salt-{self._wanted.role}` stops stock's")
            )

    def _own_directories(self) -> list[str]:
        """Return the directories that the role writes to, omitting any that lies inside another."""
        places = self._places
        found = {places.pki_dir, places.cachedir, os.path.dirname(places.log_file)}
        return sorted(one for one in found if not any(one.startswith(f"{other}/") for other in found))

    def _put_script(self, text: str, runlevel_link: str) -> None:
        path = f"/etc/init.d/{self._service}"
        self._used.add(path)
        if self._put_file(path, text.encode(), mode=0o755, is_vital=True) and runlevel_link:
            self._put_link(runlevel_link, path)

    def _put_rotation(self) -> None:
        if self._host.exists(_STOCK_ROTATION):
            self._notes.append(Note(f"{_STOCK_ROTATION} rotates the same logs, so salt-g adds nothing"))
            return
        if not self._places.log_file.startswith("/"):
            return
        text = services.rotation(self._wanted.role, self._places.log_file, self._places.pid_file)
        self._put_file(f"/etc/logrotate.d/{self._service}", text.encode())

    def _put_links(self) -> None:
        for name in self._wanted.link_names:
            path = f"{self._wanted.prefix}/bin/{name}"
            if self._wanted.with_links or path in self._before:
                self._put_link(path, "salt-g")

    def _start(self, changed: Collection[str]) -> None:
        """Enable the service if needed; start it, or restart it after a change of one of its files."""
        init, service = self._host.init(), self._service
        if not self._host.is_here:
            return
        if init == hosts.SYSTEMD:
            self._start_unit(changed)
            return
        script = f"/etc/init.d/{service}"
        if init != hosts.NONE and changed and script in self._made:
            if init == hosts.SYSV and self._host.exists("/usr/sbin/update-rc.d"):
                self._steps.append(RunCommand(("update-rc.d", service, "defaults")))
            elif init == hosts.SYSV:
                self._notes.append(
                    Note(f"{script} is not started at boot yet: enable it with this system's tools")
                )
            if self._wanted.starts:
                self._steps.append(RunCommand((script, "restart")))

    def _start_unit(self, changed: Collection[str]) -> None:
        unit = f"{self._service}.service"
        if not self._host.runs_systemd():
            self._notes.append(Note("systemd is not running: the service will start with it"))
            return
        if f"{_UNITS}/{unit}" in changed:
            self._steps.append(RunCommand(("systemctl", "daemon-reload")))
        if self._wanted.starts and f"{_UNITS}/{unit}" in self._made:
            if not self._host.is_active(unit):
                self._steps.append(RunCommand(("systemctl", "start", unit)))
            elif changed:
                self._steps.append(RunCommand(("systemctl", "restart", unit)))

    # Single files, links and directories

    def _put_file(self, path: str, content: bytes, *, mode: int = 0o644, is_vital: bool = False) -> bool:
        """Plan a file; return whether it will exist and belong to the installation."""
        digest = hosts.of_content(content)
        if self._may_write(path, digest, is_vital=is_vital):
            self._make_parents(path)
            self._steps.append(PutFile(path, content, mode))
        if not self._is_ours(path, digest):
            return False
        self._record(path, FILE, digest)
        return True

    def _put_link(self, path: str, target: str) -> None:
        digest = hosts.of_link(target)
        if self._may_write(path, digest):
            self._make_parents(path)
            self._steps.append(PutLink(path, target))
        if self._is_ours(path, digest):
            self._record(path, LINK, digest)

    def _may_write(self, path: str, digest: str, *, is_vital: bool = False) -> bool:
        """Return whether a file must be written; add a note if an existing file prevents this."""
        now, before = self._host.digest(path), self._before.get(path)
        if now == digest:
            return False
        if not now or (before is not None and before.digest == now):
            return True
        why = "was changed by hand" if before else "was there before, and is not of this installation"
        self._notes.append(Note(f"{path} {why}: it is kept; move it away to get salt-g's", is_vital))
        return False

    def _is_ours(self, path: str, digest: str) -> bool:
        """Return whether the future content of a path belongs to an installation."""
        now, before = self._host.digest(path), self._before.get(path)
        if before is not None:
            return now in ("", digest, before.digest)
        return not now

    def _record(self, path: str, kind: str, digest: str) -> None:
        roles = {self._wanted.role, *(self._before[path].roles if path in self._before else ())}
        self._made[path] = ManifestEntry(kind, digest, tuple(sorted(roles)))

    def _make_parents(self, path: str, mode: int = 0o755) -> None:
        parent = os.path.dirname(path)
        if parent != "/":
            self._make_directory(parent, mode)

    def _make_directory(self, path: str, mode: int) -> None:
        if path in self._before:
            self._record(path, DIRECTORY, "")
        if self._host.is_directory(path) or any(step[0] == path for step in self._steps):
            return
        self._make_parents(path, mode)
        self._steps.append(MakeDirectory(path, mode))
        self._record(path, DIRECTORY, "")

    # Removal and manifest

    def _remove_obsolete(self) -> list[Step]:
        """Return steps that remove files installed for this role and no longer needed."""
        removals: list[Step] = []
        left = without(self._before, self._wanted.role, keeping=self._made)
        for path in sorted(self._before.keys() - self._made.keys(), reverse=True):
            before = self._before[path]
            if before.kind == DIRECTORY:
                self._made[path] = before
            elif path in left:
                self._made[path] = left[path]
            else:
                remove(path, before, self._host, removals, self._notes)
        return removals

    def _update_manifest(self, removals: Sequence[Step], first: int) -> None:
        """Plan two writes of the manifest: before any file is written, and before any command can fail.

        This allows an interrupted installation to be continued or removed.
        """
        self._note({**self._made, **self._before}, first)
        leaving = {step.path: self._before[step.path] for step in removals if isinstance(step, Remove)}
        self._note({**self._made, **leaving})

    def _note(self, made: Manifest, at: int | None = None) -> None:
        """Plan a write of the manifest, unless it is unchanged."""
        content = manifest.text(made)
        if content == self._said or not made:
            return
        self._said = content
        step = PutFile(manifest.PATH, content, instead=manifest.ABOUT)
        self._steps.insert(len(self._steps) if at is None else at, step)

    def _text(self, path: str) -> str:
        if not self._host.exists(path):
            return ""
        return self._host.read(path).decode("utf-8", "surrogateescape")
