"""Plan of the removal of a role from a host.

Files in the manifest are removed only if they are unchanged.
Errors: CommandExecutionError for directories that must not be removed recursively.
"""

from __future__ import annotations

import os
import re

from salt_g.errors import CommandExecutionError
from salt_g.install import manifest, services, settings
from salt_g.install.host import Host
from salt_g.install.manifest import DIRECTORY, FILE, TREE, Manifest, ManifestEntry
from salt_g.install.steps import InstallPaths, InstallPlan, Note, PutFile, Remove, RunCommand, Step


def uninstall(role: str, host: Host, places: InstallPaths, *, purges: bool) -> InstallPlan:
    """Return the plan for removing a role; keys, caches and logs are removed only with `purges`."""
    before = manifest.read(host)
    things = {path: one for path, one in before.items() if one.kind != DIRECTORY}
    if not any(role in one.roles for one in things.values()) and not purges:
        return InstallPlan([], [Note(f"no {role} was installed by salt-g here")])
    steps, notes = _stop_service(role, host), list[Note]()
    left = without(things, role)
    gone = sorted(things.keys() - left.keys(), reverse=True)
    for path in gone:
        if things[path].kind != TREE:
            remove(path, things[path], host, steps, notes)
    if host.runs_systemd():
        steps.append(RunCommand(("systemctl", "daemon-reload"), may_fail=True))
    data = [(f"{places.pki_dir}/invitation", FILE)]
    if purges:
        data = [*_data(places), *_rotated(places, host), (f"{settings.directory_of(host)}/{role}_id", FILE)]
    steps += [Remove(path, kind) for path, kind in data if host.exists(path)]
    # The running program is removed last, and directories after their content.
    for path in gone:
        if things[path].kind == TREE:
            remove(path, things[path], host, steps, notes)
    directories = {path: one for path, one in before.items() if one.kind == DIRECTORY}
    if purges:
        # Add the directories that daemons created around their data.
        directories = {
            **dict.fromkeys(_parent_directories(places), ManifestEntry(DIRECTORY, "", (role,))),
            **directories,
        }
    _remove_leftovers(role, directories, left, host, steps)
    if not purges:
        removed = {step.path for step in steps if isinstance(step, Remove)}
        kept = [path for path, _ in _data(places) if host.exists(path) and path not in removed]
        notes += [Note(f"kept: {', '.join(kept)} (--purge removes them)")] * bool(kept)
    return InstallPlan(steps, notes)


def _remove_leftovers(
    role: str, directories: Manifest, left: Manifest, host: Host, steps: list[Step]
) -> None:
    """Plan the removal of empty directories, and of the manifest if it has no entries left."""
    if not left and host.exists(manifest.PATH):
        steps.append(Remove(manifest.PATH, FILE))
    removed = {step.path for step in steps if isinstance(step, Remove)}
    for path in sorted(directories, reverse=True):
        if left and set(directories[path].roles) != {role}:
            continue
        if host.is_directory(path) and all(f"{path}/{name}" in removed for name in host.names(path)):
            steps.append(Remove(path, DIRECTORY))
            removed.add(path)
    if left:
        stay = {path: one for path, one in directories.items() if path not in removed}
        steps.append(PutFile(manifest.PATH, manifest.text({**left, **stay}), instead=manifest.ABOUT))


def _stop_service(role: str, host: Host) -> list[Step]:
    """Return steps that stop the service; a stopped service is not an error."""
    service = services.name_of(role)
    script = f"/etc/init.d/{service}"
    if host.runs_systemd():
        return [RunCommand(("systemctl", "stop", f"{service}.service"), may_fail=True)]
    if not host.is_here or not host.exists(script):
        return []
    ending: list[Step] = [RunCommand((script, "stop"), may_fail=True)]
    if host.exists("/usr/sbin/update-rc.d"):
        ending.append(RunCommand(("update-rc.d", "-f", service, "remove"), may_fail=True))
    return ending


def _parent_directories(places: InstallPaths) -> list[str]:
    """Return the directories around the data of a role that belong to salt-g and not to the system."""
    found = []
    for path, _ in _data(places):
        while "salt" in (path := os.path.dirname(path)).split("/"):
            found.append(path)
    return found


def _data(places: InstallPaths) -> list[tuple[str, str]]:
    found = [(places.pki_dir, TREE), (places.cachedir, TREE), (places.log_file, FILE)]
    for path, _ in found:
        if path.startswith("/") and len(path.strip("/").split("/")) < 3:
            raise CommandExecutionError(f"{path} is too close to / for recursive removal; remove it by hand")
    return found


def _rotated(places: InstallPaths, host: Host) -> list[tuple[str, str]]:
    """Return (path, FILE) of each rotated log file."""
    directory, name = os.path.split(places.log_file)
    if not directory.startswith("/") or not host.is_directory(directory):
        return []
    rotated = re.compile(rf"{re.escape(name)}[.-]\d+(\.\w+)?")
    return [(f"{directory}/{one}", FILE) for one in host.names(directory) if rotated.fullmatch(one)]


def without(before: Manifest, role: str, *, keeping: Manifest | None = None) -> Manifest:
    """Return the entries that other roles still need, except paths in `keeping`."""
    others = {
        path: one._replace(roles=tuple(name for name in one.roles if name != role))
        for path, one in before.items()
        if path not in (keeping or {})
    }
    return {path: one for path, one in others.items() if one.roles}


def remove(path: str, made: ManifestEntry, host: Host, steps: list[Step], notes: list[Note]) -> None:
    """Plan the removal of one path, unless it was changed."""
    if not host.exists(path):
        return
    if made.kind != DIRECTORY and host.digest(path) != made.digest:
        notes.append(Note(f"{path} was changed after its installation: it is kept"))
        return
    steps.append(Remove(path, made.kind))
