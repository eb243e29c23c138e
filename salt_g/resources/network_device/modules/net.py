"""Queries and configuration of network devices.

Shapes: most functions return `{"out", "result", "comment"}`, as in stock's `net`; NAPALM documents the
content of `out` under the name of its method.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.api import connection_functions, current, opts, services
from salt_g.errors import CommandExecutionError
from salt_g.resources.network_device.answers import Answer, answer, ask
from salt_g.resources.network_device.configuration import load


def connected(**kwargs: Any) -> dict[str, bool]:
    """Return {'out': whether the device can be reached}.

    Example::

        salt-g sw1 net.connected
    """
    return {"out": bool(connection_functions["network_device.is_connected"]())}


def facts(**kwargs: Any) -> Answer:
    """Return vendor, model, version, serial number, uptime, names and interfaces.

    Example::

        salt-g sw1 net.facts
    """
    return answer("get_facts")


def environment(**kwargs: Any) -> Answer:
    """Return the state of fans, sensors, power, processor and memory.

    Example::

        salt-g sw1 net.environment
    """
    return answer("get_environment")


def interfaces(**kwargs: Any) -> Answer:
    """Return {interface: state, speed, MTU, hardware address, description}.

    Example::

        salt-g sw1 net.interfaces
    """
    return answer("get_interfaces")


def interfaces_ip(**kwargs: Any) -> Answer:
    """Return {interface: {family: {address: {'prefix_length': number}}}} (`get_interfaces_ip`).

    Example::

        salt-g sw1 net.interfaces_ip
    """
    return answer("get_interfaces_ip")


def ipaddrs(**kwargs: Any) -> Answer:
    """Return the addresses of the interfaces; stock's name for `net.interfaces_ip`.

    Example::

        salt-g sw1 net.ipaddrs
    """
    return answer("get_interfaces_ip")


def optics(**kwargs: Any) -> Answer:
    """Return the measurements of optical transceivers.

    Example::

        salt-g sw1 net.optics
    """
    return answer("get_optics")


def arp(interface: str = "", ipaddr: str = "", macaddr: str = "", **kwargs: Any) -> Answer:
    """Return the ARP table, or its matching entries.

    Example::

        salt-g sw1 net.arp interface=Vlan10
    """
    wanted = {"interface": interface, "ip": ipaddr, "mac": macaddr}
    return _filtered(answer("get_arp_table"), wanted)


def mac(address: str = "", interface: str = "", vlan: int = 0, **kwargs: Any) -> Answer:
    """Return the MAC address table, or its matching entries.

    Example::

        salt-g sw1 net.mac vlan=10
    """
    wanted = {"mac": address, "interface": interface, "vlan": vlan}
    return _filtered(answer("get_mac_address_table"), wanted)


def lldp(interface: str = "", **kwargs: Any) -> Answer:
    """Return the LLDP neighbours of one interface or of all.

    Example::

        salt-g sw1 net.lldp interface=Ethernet1
    """
    found = answer("get_lldp_neighbors_detail")
    if interface and found["result"]:
        found["out"] = {interface: found["out"].get(interface)}
    return found


def config(source: str | None = None, **kwargs: Any) -> Answer:
    """Return the configurations `running`, `startup` and `candidate`, or only the one named by `source`.

    Example::

        salt-g sw1 net.config source=running
    """
    return answer("get_config", retrieve=source)


def cli(*commands: str, **kwargs: Any) -> Answer:
    """Run commands on the device; return {command: output}.

    Example::

        salt-g sw1 net.cli 'show version' 'show vlan'
    """
    return answer("cli", list(commands))


def ping(
    destination: str,
    source: str | None = None,
    ttl: int | None = None,
    timeout: int | None = None,
    size: int | None = None,
    count: int | None = None,
    vrf: str | None = None,
    **kwargs: Any,
) -> Answer:
    """Ping an address from the device; `timeout` is in seconds.

    Example::

        salt-g sw1 net.ping 192.0.2.1 count=3
    """
    options = {"source": source, "ttl": ttl, "timeout": timeout, "size": size, "count": count, "vrf": vrf}
    return answer("ping", destination, **options)


def traceroute(
    destination: str,
    source: str | None = None,
    ttl: int | None = None,
    timeout: int | None = None,
    vrf: str | None = None,
    **kwargs: Any,
) -> Answer:
    """Trace the route to an address from the device; `timeout` is in seconds.

    Example::

        salt-g sw1 net.traceroute 192.0.2.1
    """
    return answer("traceroute", destination, source=source, ttl=ttl, timeout=timeout, vrf=vrf)


def load_config(
    filename: str | None = None,
    text: str | None = None,
    test: bool = False,
    commit: bool = True,
    debug: bool = False,
    replace: bool = False,
    revert_in: int | None = None,
    saltenv: str = "base",
    **kwargs: Any,
) -> Answer:
    """Load a configuration from a file (URL) or a text, compare it with the running one and commit it.

    `test` discards it after the comparison; `commit=False` leaves it for `net.commit`; `replace` makes it the
    whole configuration; `debug` returns what was loaded. `revert_in` (s) makes devices that support it revert
    the commit unless `net.confirm_commit` follows. The return includes `diff` and `already_configured`.

    Example::

        salt-g sw1 net.load_config text='ntp server 192.0.2.1' test=True
    """
    _refuse_schedules(kwargs)
    if filename:
        text = _fetched(filename, saltenv)
    if text is None:
        raise CommandExecutionError("net.load_config needs a filename or a text")
    return load(
        text,
        test=test or bool(opts.get("test")),
        commit=commit,
        debug=debug,
        replace=replace,
        revert_in=revert_in,
    )


def load_template(
    template_name: Any = None,
    template_source: str | None = None,
    context: Mapping[str, Any] | None = None,
    defaults: Mapping[str, Any] | None = None,
    template_engine: str = "jinja",
    saltenv: str = "base",
    test: bool = False,
    commit: bool = True,
    debug: bool = False,
    replace: bool = False,
    revert_in: int | None = None,
    **template_vars: Any,
) -> Answer:
    """Render and load a template: `template_name` (a URL, or a list of them) or `template_source` (a text).

    The template sees the grains and pillar of the device, and the variables in `defaults`, `context` and
    further keywords, of which the later take precedence. The other arguments are those of `load_config`.

    Example::

        salt-g sw1 net.load_template salt://ntp.jinja servers='[192.0.2.1]' test=True
    """
    _refuse_schedules(template_vars)
    names = [template_name] if isinstance(template_name, str) else list(template_name or ())
    texts = [template_source] if template_source is not None else [_fetched(name, saltenv) for name in names]
    if not texts:
        raise CommandExecutionError("net.load_template needs a template_name or a template_source")
    variables = {key: value for key, value in template_vars.items() if key[:2] != "__"}
    seen = {**(defaults or {}), **(context or {}), **variables}
    render = services().render.render_template
    rendered = "\n".join(
        render(text, engine=template_engine, saltenv=saltenv, context=seen) for text in texts
    )
    return load_config(
        text=rendered, test=test, commit=commit, debug=debug, replace=replace, revert_in=revert_in
    )


def compare_config(**kwargs: Any) -> Answer:
    """Return the difference between the loaded and the running configuration.

    Example::

        salt-g sw1 net.compare_config
    """
    return ask("compare_config")


def commit(message: str | None = None, **kwargs: Any) -> Answer:
    """Commit the loaded configuration.

    Example::

        salt-g sw1 net.commit
    """
    return answer("commit_config", message=message)


def confirm_commit(**kwargs: Any) -> Answer:
    """Confirm a commit made with `revert_in`.

    Example::

        salt-g sw1 net.confirm_commit
    """
    return answer("confirm_commit")


def discard_config(**kwargs: Any) -> Answer:
    """Discard the loaded configuration.

    Example::

        salt-g sw1 net.discard_config
    """
    return answer("discard_config")


def rollback(**kwargs: Any) -> Answer:
    """Roll back the last commit.

    Example::

        salt-g sw1 net.rollback
    """
    return answer("rollback")


def config_changed(**kwargs: Any) -> tuple[bool, str]:
    """Return whether the loaded configuration differs from the running one, and if not, a text that says why.

    Example::

        salt-g sw1 net.config_changed
    """
    compared = ask("compare_config")
    if not compared["result"]:
        return False, compared["comment"]
    return (True, "") if compared["out"] else (False, "Configuration was not changed on the device.")


def config_control(**kwargs: Any) -> tuple[bool, str]:
    """Commit the loaded configuration if it differs; roll back if the commit fails.

    Example::

        salt-g sw1 net.config_control
    """
    changed, reason = config_changed()
    if not changed:
        return False, reason
    committed = ask("commit_config")
    if committed["result"]:
        return True, ""
    comment = f"Unable to commit the changes: {committed['comment']}.\nWill try to rollback now!"
    back = ask("rollback")
    return False, comment if back["result"] else f"{comment}\nCannot rollback! {back['comment']}"


def _filtered(found: Answer, wanted: Mapping[str, Any]) -> Answer:
    """Return the rows of a table that match the given values."""
    if found["result"]:
        asked = {key: str(value).lower() for key, value in wanted.items() if value}
        found["out"] = [
            row for row in found["out"] if all(str(row.get(key)).lower() == asked[key] for key in asked)
        ]
    return found


def _fetched(url: str, saltenv: str) -> str:
    path = services().files.cache_file(url, saltenv or current().saltenv)
    if not path:
        raise CommandExecutionError(f"Unable to read from {url}. Please specify a valid file or text.")
    with open(path, encoding="utf-8") as file:
        return file.read()


def _refuse_schedules(options: Mapping[str, Any]) -> None:
    """Reject stock's scheduled commits, which would be jobs in the managing minion's schedule."""
    for name in ("commit_in", "commit_at", "revert_at"):
        if options.get(name):
            raise CommandExecutionError(
                f"net does not support {name}; the schedule can run net.load_config later"
            )
