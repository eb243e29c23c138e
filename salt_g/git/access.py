"""Environment of a `git` process, with credentials for the server and without prompts.

Passwords must not appear on git's command line, where all users can see them.
"""

from __future__ import annotations

import base64
import os
import shlex
import urllib.parse

from salt_g.errors import FileServerError
from salt_g.git.source import Access, RemoteSource
from salt_g.process.disk import make_private_directory, write_whole

#: Script that prints the passphrase from the environment; ssh runs it because ssh has no terminal. Only the
#: exact prompt is answered, because servers choose the text of their prompts, and ssh also asks about other
#: keys and unknown hosts.
_ASKPASS = """\
#!/bin/sh
case "$1" in
"Enter passphrase for key '"*"': ") ;;
*) exit 1 ;;
esac
[ -z "$SALT_G_PROMPT" ] || [ "$1" = "$SALT_G_PROMPT" ] || [ "$1" = "$SALT_G_CUT_PROMPT" ] || exit 1
printf '%s\\n' "$SALT_G_PASSPHRASE"
"""
#: Length to which older releases of OpenSSH shorten the name of a key file in a prompt (bytes).
_CUT = 100
#: Options that use the passphrase only for the key file: servers get no password, and unknown hosts are
#: refused.
_KEYS_ONLY = ("PasswordAuthentication=no", "KbdInteractiveAuthentication=no", "StrictHostKeyChecking=yes")


def environment(source: RemoteSource, directory: str) -> dict[str, str]:
    """Return the complete environment; `directory` is where a script for the passphrase is written."""
    access = source.access
    # Never prompt at a terminal, and print English, because our messages quote the output.
    env = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    # A server could replace the content of any commit if its `refs/replace/` were fetched and used.
    env["GIT_NO_REPLACE_OBJECTS"] = "1"
    for number, (name, value) in enumerate(_settings(source)):
        env[f"GIT_CONFIG_KEY_{number}"] = name
        env[f"GIT_CONFIG_VALUE_{number}"] = value
        env["GIT_CONFIG_COUNT"] = str(number + 1)
    env["GIT_SSH_COMMAND"] = _ssh_command(access)
    if access.passphrase:
        env.update(
            SALT_G_PASSPHRASE=access.passphrase,
            SALT_G_PROMPT=_prompt(access.privkey),
            SALT_G_CUT_PROMPT=_prompt(access.privkey, _CUT),
            SSH_ASKPASS=_askpass(directory),
            SSH_ASKPASS_REQUIRE="force",
            DISPLAY=os.environ.get("DISPLAY", ":0"),
        )
    return env


def _settings(source: RemoteSource) -> list[tuple[str, str]]:
    """Return git settings for this source."""
    access = source.access
    settings = []
    if access.proxy:
        settings.append(("http.proxy", access.proxy))
    if not access.ssl_verify:
        settings.append(("http.sslVerify", "false"))
    if access.user and access.password:
        settings.append((f"http.{_server(source)}.extraHeader", f"Authorization: Basic {_basic(access)}"))
    return settings


def _server(source: RemoteSource) -> str:
    """Return the scheme and host of a source's URL, the only server that receives the password.

    Raise FileServerError if the password would be sent unencrypted without `insecure_auth`.
    """
    parts = urllib.parse.urlsplit(source.url)
    if parts.scheme != "https" and not (parts.scheme == "http" and source.access.insecure_auth):
        raise FileServerError(
            f"{source}: passwords are sent over https only; for plain http set the option 'insecure_auth'"
        )
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/"


def _basic(access: Access) -> str:
    return base64.b64encode(f"{access.user}:{access.password}".encode()).decode()


def _ssh_command(access: Access) -> str:
    words = ["ssh"]
    if access.privkey:
        words += ["-i", access.privkey, "-o", "IdentitiesOnly=yes"]
    for option in _KEYS_ONLY if access.passphrase else ("BatchMode=yes",):
        words += ["-o", option]
    return shlex.join(words)


def _prompt(privkey: str, cut: int | None = None) -> str:
    """Return OpenSSH's prompt for the passphrase of a key file, or '' if `privkey` is ''.

    `cut` is the number of bytes to which some versions truncate the file's name.
    """
    name = os.fsencode(os.path.expanduser(privkey))[:cut]
    return f"Enter passphrase for key '{os.fsdecode(name)}': " if name else ""


def _askpass(directory: str) -> str:
    path = os.path.join(directory, "askpass")
    if not os.path.exists(path):
        make_private_directory(directory)
        write_whole(path, _ASKPASS, mode=0o700)
    return path
