"""Loggable form of commands and of their output, without the secrets that can be recognized.

These secrets are recognized: values after options, variables and keys with telling names (`--password`,
`DB_TOKEN=`, `"secret": ...`), users and passwords in URLs, password hashes, private keys, tokens of
well-known forms, and the few programs whose short options take a password. A secret in any other place is
shown, so callers must give such commands `output_loglevel: quiet`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence

from salt_g.process.secret_hiding import hide

#: Text that replaces a secret.
HIDDEN = "REDACTED"
#: Maximum length of a logged command (characters).
LONGEST = 1000
#: Maximum length of logged output (characters).
LONGEST_OUTPUT = 60_000
#: Longest known secret that is hidden even if a cut would split it, and longest line of logged output
#: (characters).
_LONGEST_SECRET = 20_000
_LONGEST_LINE = 4000
_VALUE = r"""(?:"[^"]*"?|'[^']*'?|\S+)"""
#: Pattern of a name that contains a word for secrets. It uses a lookahead, so that the time is proportional
#: to a name's length and not to its square.
_TELLING = r"(?=[\w-]*?(?:pass|pwd|secret|token|api[-_]?key|credential))[\w-]+(?![\w-])"
#: Pattern between such a name, which may be quoted, and its value.
_ASSIGNED = r"""["']?(?:=|[ \t]+=[ \t]+|[ \t]*:\s*)"""
#: Pattern of a sentence in program output that precedes a secret value.
_SENTENCE = r"(?:password|passphrase|secret|token)(?:\s[^:=\n]{0,60})?\s(?:is|(?:for|of)\s[^:=\n]{1,60}):\s*"
#: (pattern, replacement); compiled at first use, because most commands log nothing.
_SECRETS = (
    # An option with its value, a variable, a setting.
    (rf"(?<![\w-])(-{_TELLING})(=|\s+)(?!-){_VALUE}", rf"\1\2{HIDDEN}"),
    (rf"(?<![\w-])({_TELLING}{_ASSIGNED})(?!/){_VALUE}", rf"\1{HIDDEN}"),
    (rf"(\b{_SENTENCE}){_VALUE}", rf"\1{HIDDEN}"),
    (r"(\w://)[^/\s]+@", rf"\1{HIDDEN}@"),
    (rf"(authorization:\s*(?:[a-z]+\s+)?){_VALUE}", rf"\1{HIDDEN}"),
    (r"(\bbearer\s+)[\w.~+/-]{8,}=*", rf"\1{HIDDEN}"),
    (rf"(identified\s+(?:by|with\s+\S+\s+(?:by|as))\s+(?:password\s+)?){_VALUE}", rf"\1{HIDDEN}"),
    (rf"(\b(?:mysql|mariadb)\w*\b[^|;]{{0,200}}?\s-p){_VALUE}", rf"\1{HIDDEN}"),
    (rf"(\b(?:sshpass|useradd|usermod)\s[^|;]{{0,200}}?-p\s*){_VALUE}", rf"\1{HIDDEN}"),
    (rf"(\b(?:curl|wget)\b[^|;]{{0,200}}?\s(?:-u|--user)[=\s]*){_VALUE}", rf"\1{HIDDEN}"),
    # Hashes as in /etc/shadow, and tokens of GitHub, GitLab, Slack and JWT.
    (r"\$(?:1|2[abxy]?|5|6|7|y|gy|apr1|argon2\w+)\$[\w./$=,+-]{8,}", HIDDEN),
    (
        r"\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-)[\w-]{10,}|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*",
        HIDDEN,
    ),
)
_PRIVATE_KEY = (
    r"(?s)(-----BEGIN [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----).*?(-----END [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----|\Z)"
)

#: Patterns of a word that contains a secret's name and value, and of an option whose value is the next word.
_WITH_VALUE = rf"(?is)({_TELLING}(?:=|:\s*)|authorization:\s*(?:[a-z]+\s+)?)(?!/)."
_OPTION = rf"(?i)-{_TELLING}"


class Redacted:
    """Command redacted when its log line is formatted, so that a suppressed line costs nothing."""

    __slots__ = ("_command",)

    def __init__(self, command: str | Sequence[object]) -> None:
        self._command = command

    def __str__(self) -> str:
        import shlex  # Imported lazily: few logs show commands.

        command = self._command
        return redacted(command if isinstance(command, str) else shlex.join(_redacted_words(command)))


class RedactedOutput:
    """Output of a program, or an error that quotes it, redacted when its log line is formatted."""

    __slots__ = ("_output",)

    def __init__(self, output: object) -> None:
        self._output = output

    def __str__(self) -> str:
        return redacted_output(str(self._output))


def redacted(text: str) -> str:
    """Return a command as one line, cut at LONGEST characters, with secrets replaced by HIDDEN."""
    return _without_secrets(text, LONGEST).replace("\n", "\\n")


def redacted_output(text: str) -> str:
    """Return a program's output, cut at LONGEST_OUTPUT characters, with secrets replaced by HIDDEN.

    Each line is redacted separately, so a value is recognized only in the same line as its name.
    """
    shown = re.sub(_PRIVATE_KEY, rf"\1 {HIDDEN} \2", _beginning(text, LONGEST_OUTPUT))
    lines = (line and _without_secrets(line, _LONGEST_LINE) for line in shown.split("\n"))
    return "\n".join(lines) + _rest(text, LONGEST_OUTPUT)


@functools.cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), replacement) for pattern, replacement in _SECRETS)


def _without_secrets(text: str, longest: int) -> str:
    shown = _beginning(text, longest)
    for pattern, replacement in _patterns():
        shown = pattern.sub(replacement, shown)
    return shown + _rest(text, longest)


def _beginning(text: str, longest: int) -> str:
    """Return the beginning of a text, with known secrets hidden before a cut can split them."""
    return hide(text[: longest + _LONGEST_SECRET])[:longest]


def _rest(text: str, longest: int) -> str:
    return f" ({len(text) - longest} more characters)" if len(text) > longest else ""


def _redacted_words(words: Sequence[object]) -> Iterator[str]:
    """Yield the words of a command, with secret words hidden as a whole, including spaces and quotes."""
    follows_option = False
    for word in map(str, words):
        named = re.match(_WITH_VALUE, word)
        if follows_option and not word.startswith("-"):
            yield HIDDEN
        else:
            yield named[1] + HIDDEN if named else word
        follows_option = re.fullmatch(_OPTION, word) is not None
