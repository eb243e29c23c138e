"""`locale`: the locale of this machine, and the available locales.

systemd keeps the setting in one file, distributions without systemd in files of different names; all are
shell files with `LANG=` (SUSE: `RC_LANG=`).
"""

from __future__ import annotations

import os
import re
from typing import Any

from salt_g.api import grains
from salt_g.errors import CommandExecutionError, CommandNotFound
from salt_g.modules import _systemd, _text_file
from salt_g.modules._programs import act, is_installed, output, succeeds

__virtualname__ = "locale"

_SYSTEMD_FILE = "/etc/locale.conf"
#: {os family: (file, setting)} without systemd.
_FILES = {
    "Debian": ("/etc/default/locale", "LANG"),
    "RedHat": ("/etc/sysconfig/i18n", "LANG"),
    "Suse": ("/etc/sysconfig/language", "RC_LANG"),
}
#: Files of the supported locales, and of those to generate.
_SUPPORTED, _WANTED = "/usr/share/i18n/SUPPORTED", "/etc/locale.gen"
_FILE_MODE = 0o644
_LOCALE = re.compile(
    r"(?P<name>[^.@\s]+)(?:\.(?P<codeset>[^@\s]+))?(?P<modifier>@\S+)?(?:\s+(?P<charmap>\S+))?"
)


def get_locale() -> str:
    """Return the locale of this machine, or '' when none is set.

    Example::

        salt-g locale.get_locale
    """
    if _systemd.is_booted():
        found = re.search(r"\bLANG=(\S+)", output(["localectl", "status"]))
        return found.group(1) if found else ""
    path, setting = _file()
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        found = re.search(rf"(?m)^{setting}=[\"']?([^\"'\n]*)", file.read())
    return found.group(1) if found else ""


def set_locale(locale: str) -> bool:
    """Set the locale of this machine; return True.

    Example::

        salt-g locale.set_locale en_US.UTF-8
    """
    if _systemd.is_booted() and succeeds(["localectl", "set-locale", f"LANG={locale}"]):
        return True
    path, setting = (_SYSTEMD_FILE, "LANG") if _systemd.is_booted() else _file()
    quoted = locale if _systemd.is_booted() else f'"{locale}"'
    _set_line(path, rf"(?m)^{setting}=.*$", f"{setting}={quoted}")
    return True


def list_avail() -> list[str]:
    """Return the locales that are available.

    Example::

        salt-g locale.list_avail
    """
    return output(["locale", "-a"]).split("\n")


def avail(locale: str) -> bool:
    """Return whether a locale is available, in any spelling of its code set.

    Example::

        salt-g locale.avail en_US.UTF-8
    """
    return _normal(locale) in {_normal(each) for each in list_avail()}


def gen_locale(locale: str, **kwargs: Any) -> Any:
    """Generate a locale; return whether that succeeded, or with `verbose` the result of the program.

    An invalid or unknown locale gives False.

    Example::

        salt-g locale.gen_locale 'en_US.UTF-8 UTF-8'
    """
    found = _LOCALE.fullmatch(locale.strip())
    if not found:
        return False
    is_ubuntu = grains.get("os") == "Ubuntu"
    if not found["charmap"] and found["codeset"] and not is_ubuntu:
        locale = f"{locale.strip()} {found['codeset']}"
    if not _is_known(locale, found["name"]):
        return False
    if os.path.exists(_WANTED):
        _set_line(_WANTED, rf"(?m)^\s*#?\s*{re.escape(locale)}\s*$", locale)
    finished = act(_generating_words(locale, found))
    return finished if kwargs.get("verbose") else finished["retcode"] == 0


def _file() -> tuple[str, str]:
    try:
        return _FILES[grains["os_family"]]
    except KeyError:
        raise CommandExecutionError(f'Error: "{grains.get("oscodename")}" is unsupported!') from None


def _normal(locale: str) -> str:
    """Return the normalized spelling: `en_US.UTF-8` and `en_US.utf8` are the same."""
    found = _LOCALE.fullmatch(locale.strip())
    if not found:
        return locale.strip()
    codeset = re.sub(r"[^a-z0-9]", "", (found["codeset"] or "").lower())
    return f"{found['name']}.{codeset}{found['modifier'] or ''}"


def _is_known(locale: str, name: str) -> bool:
    if grains.get("os") == "Debian" or grains.get("os_family") == "Gentoo":
        if not os.path.exists(_SUPPORTED):
            return False
        with open(_SUPPORTED, encoding="utf-8") as file:
            return any(line.strip() == locale for line in file)
    directory = "/usr/share/locale" if grains.get("os_family") == "Suse" else "/usr/share/i18n/locales"
    try:
        return name in os.listdir(directory)
    except OSError as exc:
        raise CommandExecutionError(f'Locale "{locale}" is not available.') from exc


def _generating_words(locale: str, found: re.Match[str]) -> list[str]:
    if is_installed("locale-gen"):
        return ["locale-gen", *(["--generate"] if grains.get("os_family") == "Gentoo" else []), locale]
    if is_installed("localedef"):
        codeset = found["codeset"] or "UTF-8"
        return ["localedef", "--force", "-i", found["name"], "-f", codeset, f"{found['name']}.{codeset}"]
    raise CommandNotFound('Command "locale-gen" or "localedef" was not found on this system.')


def _set_line(path: str, pattern: str, line: str) -> None:
    """Replace the matching line, or append one."""
    text = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
    changed, count = re.subn(pattern, lambda _: line, text, count=1)
    if not count:
        changed = f"{text}{'' if not text or text.endswith(chr(10)) else chr(10)}{line}\n"
    _text_file.rewrite_durably(path, changed, mode=_FILE_MODE)
