"""`mount.mounted`: a mounted device with its options, now and at boot."""

from __future__ import annotations

import os
import re
from typing import Any

from salt_g import safe_files
from salt_g.api import call
from salt_g.api import opts as settings
from salt_g.shapes import StateReturn
from salt_g.states._outcome import failed, outcome
from salt_g.states.mount._device import names_of, real_device
from salt_g.states.mount._options import differing


def mounted(
    name: str,
    device: str,
    fstype: str,
    mkmnt: bool = False,
    opts: Any = "defaults",
    dump: int = 0,
    pass_num: int = 0,
    config: str = "/etc/fstab",
    persist: bool = True,
    mount: bool = True,
    user: str | None = None,
    match_on: Any = "auto",
    device_name_regex: Any = None,
    hidden_opts: Any = None,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that a device is mounted at `name`; another device mounted there is unmounted.

    mkmnt
        Create the directory.
    opts
        Options, a list or comma-separated text. A difference causes a remount (with NFS, CVFS and FUSE, an
        unmount and a mount).
    persist, config, dump, pass_num, match_on
        Write the mount to the file `config`, see `mount.set_fstab`.
    mount
        False only writes this entry.
    user
        The user to run mount(8) and umount(8) as.
    device_name_regex
        A list of regular expressions; a mounted device that matches one is not unmounted.
    hidden_opts, extra_mount_invisible_options, extra_mount_invisible_keys
        Options (the last: names of options with values) that are not compared, because the kernel does not
        report them.
    extra_mount_ignore_fs_keys, extra_mount_translate_options
        {file system: names of options that are not compared}, and {option: the kernel's form of it}.

    Example::

        salt-g state.single mount.mounted /mnt/data device=/dev/sdb1 fstype=ext4 mkmnt=True
    """
    for what, value in (("name", name), ("device", device), ("fstype", fstype)):
        if not value:
            return failed(name, f"Must provide {what} to mount.mounted")
    name = name if name == "/" else name.rstrip("/")
    options = opts.split(",") if isinstance(opts, str) else [str(each) for each in opts]
    hidden = hidden_opts.split(",") if isinstance(hidden_opts, str) else hidden_opts
    work = _Mount(name, device, fstype, options, mkmnt, user, {**kwargs, "hidden_opts": hidden})
    returned = _reach(work, mount, list(device_name_regex or []))
    is_over = not returned["result"] and returned["comment"] != _WATCHED.format(device)
    if not persist or is_over:
        return returned
    arguments = {"dump": dump, "pass_num": pass_num, "config": config, "match_on": match_on}
    return _write_config(returned, work, mount, arguments)


def mod_watch(name: str, user: str | None = None, **kwargs: Any) -> StateReturn:
    """Remount because a watched state has changed.

    Example::

        salt-g state.single mount.mod_watch /mnt/data sfun=mounted device=/dev/sdb1 fstype=ext4 opts=ro
    """
    if kwargs["sfun"] != "mounted":
        return outcome(name, True, f"Watch not supported in {kwargs['sfun']} at this time")
    options = kwargs.get("opts", "defaults")
    done = call("mount.remount", name, kwargs["device"], False, kwargs["fstype"], options, user=user)
    if done is True:
        return outcome(name, True, f"{name} remounted")
    return failed(name, f"{name} failed to remount: {done}")


_WATCHED = "An umount would have been forced because devices do not match.  Watched: {}"


class _Mount:
    """Wanted mount: device, mount point and options."""

    def __init__(
        self,
        name: str,
        device: str,
        fstype: str,
        options: list[str],
        mkmnt: bool,
        user: str | None,
        more: dict[str, Any],
    ) -> None:
        self.name, self.device, self.fstype, self.options = name, device, fstype, options
        self.mkmnt, self.user, self.more = mkmnt, user, more
        self.real_name = os.path.realpath(name)
        #: Mount point as the kernel writes it.
        self.point = self.real_name.replace(" ", "\\040")

    def active(self) -> dict[str, Any]:
        """Return {mount point: details} of all active mounts."""
        found: dict[str, Any] = call("mount.active", extended=True)
        return found

    def mount(self, function: str = "mount.mount") -> bool | str:
        """Mount the device with `function`; return True, or an error text."""
        how = {"mkmnt": self.mkmnt, "fstype": self.fstype, "opts": self.options, "user": self.user}
        done: bool | str = call(function, self.name, self.device, **how)
        return done


def _reach(work: _Mount, mount: bool, regexes: list[str]) -> StateReturn:
    active = work.active()
    real = real_device(work.device, active, work.point, "bind" in work.options)
    if real is None:
        return failed(work.name, f"Unable to find device with label {work.device.partition('=')[2]}.")
    if not mount:
        if work.point in active:
            return outcome(work.name, True, "")
        return _directory_only(work)
    if work.point not in active:
        return _mount_now(work, {})
    returned = _with_options(work, active[work.point])
    if returned["result"] is not True:
        return returned
    names = names_of(active[work.point])
    if real in names:
        returned["comment"] = "Target was already mounted"
        return returned
    ignored = [each for regex in regexes for each in names if re.match(regex, each)]
    if ignored:
        why = f"device matched device_name_regex: {ignored[0]}"
        returned["comment"] = f"An umount will not be forced because {why}"
        return returned
    return _exchange(work, real, names, returned["changes"])


def _with_options(work: _Mount, active: dict[str, Any]) -> StateReturn:
    """Remount if the options differ."""
    missing = ",".join(sorted(differing(work.options, active, work.fstype, work.more)))
    if not missing:
        return outcome(work.name, True)
    if settings["test"]:
        return outcome(work.name, None, f"Remount would be forced because options ({missing}) changed")
    if work.fstype not in ("nfs", "cvfs") and not work.fstype.startswith("fuse"):
        changes = {"umount": f"Forced remount because options ({missing}) changed"}
        return _state_return(work, work.mount("mount.remount"), changes)
    changes = {"umount": f"Forced unmount and mount because options ({missing}) changed"}
    done = call("mount.umount", work.real_name)
    if done is not True:
        why = "because the previous unmount failed and because the"
        changes = {"umount": f"Forced a lazy unmount and mount {why} options ({missing}) changed"}
        done = call("mount.umount", work.real_name, lazy=True)
    if done is not True:
        return failed(work.name, f"Unable to unmount {work.real_name}: {done}.", changes)
    return _state_return(work, work.mount(), changes)


def _state_return(work: _Mount, done: bool | str, changes: dict[str, Any]) -> StateReturn:
    return outcome(work.name, done is True, done if isinstance(done, str) else "", changes)


def _exchange(work: _Mount, real: str, names: list[str], changes: dict[str, Any]) -> StateReturn:
    """Replace another mounted device with the wanted one."""
    if settings["test"]:
        return outcome(work.name, None, _WATCHED.format(work.device))
    wanted = work.device if real == work.device else f"{work.device} ({real})"
    text = f"Forced unmount because devices don't match. Wanted: {wanted}, current: {', '.join(names)}"
    changes = {**changes, "umount": text}
    call("mount.umount", work.real_name, user=work.user)
    if work.point in work.active():
        return failed(work.name, "Unable to unmount", changes)
    return _mount_now(work, changes)


def _mount_now(work: _Mount, changes: dict[str, Any]) -> StateReturn:
    is_there = os.path.exists(work.name)
    if settings["test"]:
        what = "would be mounted" if is_there else "would be created and mounted"
        if not is_there and not work.mkmnt:
            what = "does not exist and would not be created"
        return outcome(work.name, None, f"{work.name} {what}")
    if not is_there and not work.mkmnt:
        return failed(work.name, "Mount directory is not present", changes)
    done = work.mount()
    if isinstance(done, str):
        return failed(work.name, done, changes)
    if work.point not in work.active():
        return failed(work.name, f"{work.name} is not mounted although mount reported no error", changes)
    return outcome(work.name, True, "Target was successfully mounted", {**changes, "mount": True})


def _directory_only(work: _Mount) -> StateReturn:
    """Create the directory (`mkmnt`) of a mount that is only written to the config file."""
    name = work.name
    if os.path.exists(name):
        return outcome(name, True, f"{name} {'would not be mounted' if settings['test'] else 'not mounted'}")
    if settings["test"]:
        what = "would be created, but not mounted"
        what = what if work.mkmnt else "does not exist and would neither be created nor mounted"
        return outcome(name, None, f"{name} {what}")
    if not work.mkmnt:
        return outcome(name, True, f"{name} not present and not mounted")
    safe_files.make_directories(name)
    return outcome(name, True, f"{name} was created, not mounted")


def _write_config(returned: StateReturn, work: _Mount, mount: bool, arguments: dict[str, Any]) -> StateReturn:
    """Write the mount to the config file for the next boot."""
    where = (work.name, work.device, work.fstype, work.options)
    done = call("mount.set_fstab", *where, test=settings["test"], **arguments)
    if settings["test"]:
        if done != "present":
            returned["result"] = None
            returned["comment"] = f"{returned['comment']}. {_would_write_config(work.name, mount, done)}"
        return returned
    texts = {
        "present": "Entry already exists in the fstab.",
        "new": "Added new entry to the fstab.",
        "change": "Updated the entry in the fstab.",
    }
    if done != "present":
        returned["changes"]["persist"] = {"new": "new", "change": "update"}[done]
    returned["comment"] = f"{returned['comment']}. {texts[done]}"
    return returned


def _would_write_config(name: str, mount: bool, done: str) -> str:
    if done == "new":
        is_mounted = "is mounted, but needs" if mount else "needs"
        return f"{name} {is_mounted} to be written to the fstab in order to be made persistent."
    if mount:
        return f"{name} is mounted, but its fstab entry must be updated."
    return f"The {name} fstab entry must be updated."
