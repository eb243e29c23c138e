"""Loggable form of commands: one line, without the secrets that can be recognized.

Recognized are values after options and variables with telling names (`--password`, `DB_TOKEN=`), users and
passwords in URLs, and the few programs whose short options take a password. A secret in any other place is
shown, so such commands are given `output_loglevel: quiet` by their callers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

#: Replacement of a secret.
HIDDEN = "REDACTED"
#: Longest loggable command, in characters.
LONGEST = 1000
_VALUE = r"""(?:"[^"]*"?|'[^']*'?|\S+)"""
_TELLING = r"[\w-]*(?:pass(?:wd|word|phrase|in|out)?|pwd|secret|token|api[-_]?key|credentials?)[\w-]*"
#: (pattern, replacement)
_SECRETS = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        # An option with its value, a variable, a setting.
        (rf"(?<![\w-])(-{_TELLING})(=|\s+)(?!-){_VALUE}", rf"\1\2{HIDDEN}"),
        (rf"(?<![\w-])({_TELLING})(=|:\s*)(?!/){_VALUE}", rf"\1\2{HIDDEN}"),
        (r"(\w://)[^/@\s]+@", rf"\1{HIDDEN}@"),
        (rf"(authorization:\s*(?:[a-z]+\s+)?){_VALUE}", rf"\1{HIDDEN}"),
        (rf"(identified\s+(?:by|with\s+\S+\s+(?:by|as))\s+(?:password\s+)?){_VALUE}", rf"\1{HIDDEN}"),
        (rf"(\b(?:mysql|mariadb)\w*\b[^|;]*?\s-p){_VALUE}", rf"\1{HIDDEN}"),
        (rf"(\b(?:sshpass|useradd|usermod)\s[^|;]*?-p\s*){_VALUE}", rf"\1{HIDDEN}"),
        (rf"(\b(?:curl|wget)\b[^|;]*?\s(?:-u|--user)[=\s]*){_VALUE}", rf"\1{HIDDEN}"),
    )
)


#: A word that begins with the name of a secret and its value, and an option whose value is the next word.
_WITH_VALUE = re.compile(rf"(-*{_TELLING}(?:=|:\s*)|authorization:\s*(?:[a-z]+\s+)?)(?!/).", re.I | re.S)
_OPTION = re.compile(rf"-{_TELLING}", re.IGNORECASE)


class Redacted:
    """Command redacted when its log line is formatted, so that a suppressed line costs nothing."""

    __slots__ = ("_command",)

    def __init__(self, command: str | Sequence[object]) -> None:
        self._command = command

    def __str__(self) -> str:
        import shlex  # Imported lazily: few logs show commands.

        command = self._command
        return redacted(command if isinstance(command, str) else shlex.join(_redacted_words(command)))


def redacted(text: str) -> str:
    """Return a command as one line of at most LONGEST characters, secrets replaced by HIDDEN."""
    shown = text[:LONGEST]
    for pattern, replacement in _SECRETS:
        shown = pattern.sub(replacement, shown)
    rest = f" ({len(text) - LONGEST} more characters)" if len(text) > LONGEST else ""
    return shown.replace("\n", "\\n") + rest


def _redacted_words(words: Sequence[object]) -> Iterator[str]:
    """Yield the words of a command; those that are secrets as a whole may hold spaces and quotes."""
    follows_option = False
    for word in map(str, words):
        named = _WITH_VALUE.match(word)
        if follows_option and not word.startswith("-"):
            yield HIDDEN
        else:
            yield named[1] + HIDDEN if named else word
        follows_option = _OPTION.fullmatch(word) is not None
