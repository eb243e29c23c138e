"""States of SELinux: mode, booleans, policy modules, contexts of files and ports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from salt_g.api import call, functions, opts
from salt_g.shapes import AnyChunk, Running, StateReturn, low_tag
from salt_g.shapes.aggregation import is_aggregated, mark_aggregated
from salt_g.states._outcome import as_wanted, changed, failed, would_change

_ON = ("1", "on", "yes", "true", "enabled")
_OFF = ("0", "off", "no", "false", "disabled")


def __virtual__() -> bool | tuple[bool, str]:
    return True if "selinux.getenforce" in functions else (False, "selinux module could not be loaded")


def mode(name: str) -> StateReturn:
    """Ensure that SELinux is `enforcing`, `permissive` or `disabled`, now and at the next boot.

    Example::

        salt-g state.single selinux.mode enforcing
    """
    wanted = _mode(name)
    if wanted is None:
        return failed(name, f"{name} is not an accepted mode")
    now, config = call("selinux.getenforce"), call("selinux.getconfig")
    # A mode that is right now but wrong after the next boot counts as wrong.
    before = config if now == wanted and wanted != config else now
    if before == wanted:
        return as_wanted(name, f"SELinux is already in {wanted} mode")
    if opts["test"]:
        return would_change(
            name, f"SELinux mode is set to be changed to {wanted}", {"old": before, "new": wanted}
        )
    after = call("selinux.setenforce", wanted)
    if after == wanted or (wanted == "Disabled" and call("selinux.getconfig") == wanted):
        return changed(name, f"SELinux has been set to {wanted} mode", {"old": before, "new": after})
    return failed(name, f"Failed to set SELinux to {wanted} mode")


def boolean(name: str, value: Any = None, booleans: Any = None, persist: bool = False) -> StateReturn:
    """Ensure that a boolean, or several `booleans`, have a value, and with `persist` also at the next boot.

    booleans
        {boolean: value}, or a list of such mappings and of names that are set to `value`.

    Example::

        salt-g state.single selinux.boolean virt_use_usb value='off' persist=True
    """
    wanted = _booleans(booleans, value) if booleans else {name: value}
    there = call("selinux.list_sebool")
    old: dict[str, Any] = {}
    new: dict[str, str] = {}
    for key, given in wanted.items():
        if key not in there:
            return failed(name, f"Boolean {key} is not available")
        switch = _switch(given)
        if switch is None:
            return failed(name, f"{given} is not a valid value for the boolean {key}")
        state, default = there[key]["State"], there[key]["Default"]
        if state != switch or (persist and default != switch):
            old[key] = (state, default) if persist else state
            new[key] = switch
    comments = _listed("The following booleans were in the correct state", set(wanted) - set(new))
    if not new:
        return as_wanted(name, "\n".join(comments))
    changes = {
        key: {"old": old[key], "new": (switch, switch) if persist else switch} for key, switch in new.items()
    }
    if opts["test"]:
        comments += _listed("The following booleans would be changed", new)
        return would_change(name, "\n".join(comments), changes)
    if not call("selinux.setsebools", new, persist):
        return failed(name, f"Failed to set the following booleans: {wanted}")
    comments += _listed("The following booleans have been changed", new)
    return changed(name, "\n".join(comments), changes)


def module(
    name: str,
    module_state: Any = "Enabled",
    version: str = "any",
    install: bool = False,
    remove: bool = False,
    source: str | None = None,
) -> StateReturn:
    """Ensure that a policy module is enabled or disabled, installed (`install`) or removed (`remove`).

    source
        The file of the module, for `install`.

    Example::

        salt-g state.single selinux.module sensord module_state=Enabled
    """
    if install and remove:
        return failed(name, "Cannot install and remove at the same time")
    if remove:
        return module_remove(name)
    installed = module_install(source or name) if install else as_wanted(name)
    if not installed["result"] or (install and opts["test"]):
        return installed
    there = call("selinux.list_semod")
    if name not in there:
        return failed(name, f"Module {name} is not available")
    wanted = _switch(module_state)
    if wanted is None:
        return failed(name, f"{module_state} is not a valid state for the {name} module.")
    if version not in ("any", there[name]["Version"]):
        return failed(
            name,
            f"Module version is {there[name]['Version']} and does not match the desired version of {version}"
            " or you are using semodule >= 2.4",
        )
    if wanted == _switch(there[name]["Enabled"]):
        return as_wanted(name, f"Module {name} is in the desired state")
    if opts["test"]:
        return would_change(name, f"Module {name} is set to be toggled to {module_state}")
    if call("selinux.setsemod", name, "enabled" if wanted == "on" else "disabled"):
        return as_wanted(name, f"Module {name} has been set to {module_state}")
    return failed(name, f"Failed to set the Module {name} to {module_state}")


def module_install(name: str) -> StateReturn:
    """Install a policy module from a file.

    Example::

        salt-g state.single selinux.module_install salt://policy/sensord.pp
    """
    if opts["test"]:
        return would_change(name, f"Module {name} is set to be installed")
    if call("selinux.install_semod", name):
        return as_wanted(name, f"Module {name} has been installed")
    return failed(name, f"Failed to install module {name}")


def module_remove(name: str) -> StateReturn:
    """Remove a policy module.

    Example::

        salt-g state.single selinux.module_remove sensord
    """
    if name not in call("selinux.list_semod"):
        return failed(name, f"Module {name} is not available")
    if opts["test"]:
        return would_change(name, f"Module {name} is set to be removed")
    if call("selinux.remove_semod", name):
        return as_wanted(name, f"Module {name} has been removed")
    return failed(name, f"Failed to remove module {name}")


def fcontext_policy_present(
    name: str, sel_type: str, filetype: str = "a", sel_user: str | None = None, sel_level: str | None = None
) -> StateReturn:
    """Ensure that the policy defines a type for files matching a pattern.

    filetype
        `a` all, `f` regular files, `d` directories, `c` character devices, `b` block devices, `s` sockets,
        `l` symbolic links, `p` named pipes.

    Example::

        salt-g state.single selinux.fcontext_policy_present '/srv/www(/.*)?' sel_type=httpd_sys_content_t
    """
    words = call("selinux.filetype_id_to_string", filetype)
    which = {"filetype": filetype, "sel_user": sel_user, "sel_level": sel_level}
    there = call("selinux.fcontext_get_policy", name=name, **which)
    if there and there["sel_type"] == sel_type:
        return as_wanted(
            name,
            f'SELinux policy for "{name}" already present with specified filetype "{words}"'
            f' and sel_type "{sel_type}".',
        )
    if opts["test"]:
        return would_change(name, "")
    done = call("selinux.fcontext_add_policy", name=name, sel_type=sel_type, **which)
    if done["retcode"] != 0:
        return failed(name, f"Error adding new rule: {done}")
    if there:
        changes = {"old": {name: {"sel_type": there["sel_type"]}}, "new": {name: {"sel_type": sel_type}}}
    else:
        changes = {"old": {}, "new": {name: {"filetype": words, "sel_type": sel_type}}}
    return changed(name, "", changes)


def fcontext_policy_absent(
    name: str,
    filetype: str = "a",
    sel_type: str | None = None,
    sel_user: str | None = None,
    sel_level: str | None = None,
) -> StateReturn:
    """Ensure that the policy does not define a type for files matching a pattern.

    Example::

        salt-g state.single selinux.fcontext_policy_absent '/srv/www(/.*)?'
    """
    which = {"filetype": filetype, "sel_user": sel_user, "sel_level": sel_level}
    there = call("selinux.fcontext_get_policy", name=name, sel_type=sel_type, **which)
    if not there:
        return as_wanted(
            name,
            f'SELinux policy for "{name}" already absent with specified filetype "{filetype}"'
            f' and sel_type "{sel_type}".',
        )
    changes = {"old": {name: there}, "new": {}}
    if opts["test"]:
        return would_change(name, "", changes)
    done = call("selinux.fcontext_delete_policy", name=name, sel_type=sel_type or there["sel_type"], **which)
    if done["retcode"] != 0:
        return failed(name, f"Error removing policy: {done}")
    return changed(name, "", changes)


def fcontext_policy_applied(name: str, recursive: bool = False) -> StateReturn:
    """Ensure that files have the contexts defined in the policy.

    Example::

        salt-g state.single selinux.fcontext_policy_applied /srv/www recursive=True
    """
    if call("selinux.fcontext_policy_is_applied", name, recursive) == "":
        return as_wanted(name, f'SElinux policies are already applied for filespec "{name}"')
    if opts["test"]:
        return would_change(name, "")
    done = call("selinux.fcontext_apply_policy", name, recursive)
    if done["retcode"] != 0:
        return failed(name, str(done))
    return changed(name, "", done.get("changes") or {})


def port_policy_present(
    name: str,
    sel_type: str,
    protocol: str | None = None,
    port: Any = None,
    sel_range: str | None = None,
) -> StateReturn:
    """Ensure that the policy assigns the type `sel_type` to a port, written as in `tcp/8080`.

    Example::

        salt-g state.single selinux.port_policy_present tcp/8080 sel_type=http_port_t
    """
    which = {"name": name, "protocol": protocol, "port": port}
    if call("selinux.port_get_policy", sel_type=sel_type, **which):
        return as_wanted(
            name,
            f'SELinux policy for "{name}" already present with specified sel_type "{sel_type}",'
            f' protocol "{protocol}" and port "{port}".',
        )
    if opts["test"]:
        return would_change(name, "")
    old = call("selinux.port_get_policy", **which)
    verb = "modify" if old else "add"
    done = call(f"selinux.port_{verb}_policy", sel_type=sel_type, sel_range=sel_range, **which)
    if done["retcode"] != 0:
        return failed(name, f"Error adding new policy: {done}")
    return changed(name, "", {"old": old, "new": call("selinux.port_get_policy", sel_type=sel_type, **which)})


def port_policy_absent(
    name: str, sel_type: str | None = None, protocol: str | None = None, port: Any = None
) -> StateReturn:
    """Ensure that the policy does not assign a type to a port, written as in `tcp/8080`.

    Example::

        salt-g state.single selinux.port_policy_absent tcp/8080
    """
    which = {"name": name, "protocol": protocol, "port": port}
    old = call("selinux.port_get_policy", sel_type=sel_type, **which)
    if not old:
        return as_wanted(
            name,
            f'SELinux policy for "{name}" already absent with specified sel_type "{sel_type}",'
            f' protocol "{protocol}" and port "{port}".',
        )
    if opts["test"]:
        return would_change(name, "")
    done = call("selinux.port_delete_policy", **which)
    if done["retcode"] != 0:
        return failed(name, f"Error deleting policy: {done}")
    return changed(name, "", {"old": old, "new": call("selinux.port_get_policy", sel_type=sel_type, **which)})


def mod_aggregate(low: AnyChunk, chunks: Iterable[AnyChunk], running: Running) -> AnyChunk:
    """Return the chunk with the booleans of all later chunks like it.

    Each call of setsebool takes seconds.
    """
    if low.get("fun") != "boolean":
        return low
    together: dict[str, Any] = {}
    for chunk in chunks:
        is_alike = chunk.get("state") == "selinux" and chunk.get("fun") == "boolean"
        if not is_alike or is_aggregated(chunk) or chunk.get("persist") != low.get("persist"):
            continue
        if low_tag(chunk) not in running:
            together.update(_booleans_of(chunk))
            mark_aggregated(chunk)
    if together:
        low["booleans"] = {**_booleans_of(low), **together}
    return low


def _booleans_of(chunk: Mapping[str, Any]) -> dict[str, Any]:
    value = chunk.get("value")
    return _booleans(chunk["booleans"], value) if chunk.get("booleans") else {chunk["name"]: value}


def _booleans(given: Any, value: Any) -> dict[str, Any]:
    """Return {boolean: value} of a dict, or of a list of dicts and names."""
    found: dict[str, Any] = {}
    for item in [given] if isinstance(given, Mapping) else given:
        found.update(item if isinstance(item, Mapping) else {item: value})
    return found


def _mode(name: Any) -> str | None:
    text = str(name).lower()
    if text.startswith("e") or text in ("1", "on", "true"):
        return "Enforcing"
    if text.startswith("p") or text in ("0", "off", "false"):
        return "Permissive"
    return "Disabled" if text.startswith("d") else None


def _switch(value: Any) -> str | None:
    text = str(value).lower()
    return "on" if text in _ON else "off" if text in _OFF else None


def _listed(text: str, names: Iterable[str]) -> list[str]:
    found = sorted(names)
    return [f"{text}: {', '.join(found)}"] if found else []
