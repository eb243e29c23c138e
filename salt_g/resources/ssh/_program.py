"""Command line and configuration file of the program `ssh` for a host.

Settings for the host alone are passed on the command line. Those that also apply to jump hosts (`proxy_jump`)
are written to the file, which `ssh` passes to the `ssh` that it starts for a jump host.
Shapes: settings in, text out. Neither contains secrets.
"""

from __future__ import annotations

import os
import re
import shlex
import stat

from salt_g.resources.ssh._connection_directories import PREFIX
from salt_g.resources.ssh._settings import Host

#: Printed by the first session when the connection is up. The user's shell runs the command `HOLD` there;
#: when this process ends, so do the session and the connection, because the session's standard input is a
#: pipe from here.
READY = "salt-g is here:"
#: Waits for one line, runs it, and then waits for the end of the pipe; all login shells read this syntax
#: alike.
_WAIT = 'read -r word && eval "$(printf %b "$word")"; exec cat > /dev/null'
HOLD = f'echo "{READY}" "$SHELL"; exec /bin/sh -c \'{_WAIT}\''

#: Reference to the login's PATH in `set_path`.
_LOGIN_PATH = re.compile(r"\$(?:PATH\b|\{PATH\})")
#: Message of `ssh` about an option in a configuration file.
_REFUSED_OPTION = re.compile(r"(?P<path>.+?):? line \d+: (?P<why>.+)")


def words(host: Host, *, config: str, socket: str) -> list[str]:
    """Return the command line of the connection to a host."""
    own = {
        "ControlMaster": "yes",
        "ControlPath": _quoted(socket),
        "ControlPersist": "no",
        "RequestTTY": "no",
        "RemoteCommand": "none",
        "ConnectTimeout": str(int(host.timeout)),
        **_authentication(host),
    }
    options = [word for name, value in own.items() for word in ("-o", f"{name}={value}")]
    if host.proxy_jump:
        options += ["-J", host.proxy_jump]
    return ["ssh", "-F", config, *options, "-l", host.user, "-p", str(host.port), "--", host.host, HOLD]


def path_words(host: Host) -> list[str]:
    """Return the words before a command that set its PATH to `set_path`, [] without this setting."""
    if not host.set_path:
        return []
    value = '"$PATH"'.join(map(shlex.quote, _LOGIN_PATH.split(host.set_path)))
    return ["/bin/sh", "-c", f'PATH={value}; export PATH; exec "$@"', "sh"]


def configuration(host: Host) -> str:
    """Return the configuration, with the operator's options first, because `ssh` keeps the first value."""
    said = {
        "LogLevel": "ERROR",
        "NumberOfPasswordPrompts": "1",
        "ServerAliveInterval": str(host.keepalive),
        "ServerAliveCountMax": str(host.keepalive_count),
        **_identity(host),
        **_host_keys(host),
    }
    lines = [*host.ssh_options, *(f"{name} {value}" for name, value in said.items())]
    # The configuration files that this process's user would use apply as well.
    return "\n".join([*lines, "Include ~/.ssh/config", "Include /etc/ssh/ssh_config"]) + "\n"


def _authentication(host: Host) -> dict[str, str]:
    """Return options against prompts for missing secrets, and against trying agent keys before a password."""
    if not (host.passwd or host.priv_passwd):
        return {"BatchMode": "yes"}
    if not host.passwd:
        # With an older `ssh`, a server's own prompt could look like the prompt for the passphrase.
        return {"PreferredAuthentications": "publickey", "KbdInteractiveAuthentication": "no"}
    if not host.priv:
        return {"PreferredAuthentications": "password,keyboard-interactive"}
    return {}


def _identity(host: Host) -> dict[str, str]:
    found = {"IdentitiesOnly": "yes"} if host.identities_only else {}
    return {**found, "IdentityFile": _quoted(host.priv)} if host.priv else found


def _host_keys(host: Host) -> dict[str, str]:
    if host.no_host_keys:
        nowhere = "/dev/null"
        return {
            "StrictHostKeyChecking": "no",
            "UserKnownHostsFile": nowhere,
            "GlobalKnownHostsFile": nowhere,
        }
    found = {"StrictHostKeyChecking": "no" if host.ignore_host_keys else "yes"}
    return {**found, "UserKnownHostsFile": _quoted(host.known_hosts_file)} if host.known_hosts_file else found


def _quoted(path: str) -> str:
    """Return a path quoted for `ssh`, where percent signs begin tokens."""
    text = path.replace("%", "%%").replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def explanation(host: Host, said: str) -> str:
    """Return why a host could not be reached, and the remedy; `said` is the output of `ssh`."""
    known_hosts = host.known_hosts_file or "~/.ssh/known_hosts"
    name = host.host if host.port == 22 else f"[{host.host}]:{host.port}"
    if "IDENTIFICATION HAS CHANGED" in said:
        return (
            f"the host key of {host.place} is not the one in {known_hosts}: refused. If the host was"
            f" reinstalled, remove its old key (ssh-keygen -R '{name}' -f {known_hosts}) and add the new one"
        )
    if is_key_unknown(said):
        return (
            f"the host key of {host.place} (or of a jump host) is not known: refused. Read it with"
            f" ssh-keyscan -p {host.port} {host.host}, compare it with the host's own and add it"
            f" to {known_hosts}"
        )
    if "Permission denied" in said:
        remedy = _problem_of_key(host.priv) or (
            "Look at the settings user, priv, priv_passwd and passwd, and at authorized_keys on the host"
        )
        return f"{host.place} refuses the login: {_last_line(said).rstrip('.')}. {remedy}"
    if "bad configuration option" in said:
        wrong = "; ".join(_wrong_options(said))
        return f"ssh refuses its options for {host.place} (ssh_options, ~/.ssh/config): {wrong}"
    return f"{host.place} cannot be reached: {_last_line(said) or 'ssh ended without a message'}"


def _wrong_options(said: str) -> list[str]:
    """Return why `ssh` refuses options, with the file of each option unless it is ours."""
    found = [match for line in said.splitlines() if (match := _REFUSED_OPTION.fullmatch(line.strip()))]
    return [one["why"] if PREFIX in one["path"] else one[0] for one in found] or [_last_line(said)]


def why_no_shell(host: Host, said: str, printed: str) -> str:
    """Return the error for a login shell that ended at once; `printed` is its last output."""
    words = _last_line(printed) or _last_line(said)
    return (
        f"{host.place} lets the user in, but no command runs there{f' ({words})' if words else ''}: the login"
        " shell of the user must run commands, and no ForceCommand may replace them"
    )


def why_no_sudo(host: Host, said: str) -> str:
    """Return why `sudo` refuses, and the remedy; `said` is its message."""
    remedy = "Permit the user to run it without a password (NOPASSWD), or set passwd"
    if "have a tty" in said:
        remedy = f"Permit it without a terminal: `Defaults:{host.user} !requiretty` in sudoers"
    return f"sudo on {host.place} refuses: {said}. {remedy}"


def _problem_of_key(path: str) -> str:
    """Return why `ssh` cannot use a private key, which its last message does not say; '' if unknown."""
    if not path:
        return ""
    try:
        mode = os.stat(os.path.expanduser(path)).st_mode
    except OSError as exc:
        return f"The private key {path} cannot be read: {exc.strerror}"
    if stat.S_ISREG(mode) and mode & 0o077:
        return (
            f"Other users can read the private key {path} (mode {stat.S_IMODE(mode):04o}), so ssh does not"
            f" use it: chmod 600 {path}"
        )
    return ""


def is_key_unknown(said: str) -> bool:
    """Return whether the output of `ssh` says that the host's key is unknown."""
    if "IDENTIFICATION HAS CHANGED" in said:
        return False
    return "Host key verification failed" in said or "host key is known for" in said


def _last_line(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return lines[-1].removeprefix("ssh: ") if lines else ""
