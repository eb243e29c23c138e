"""PEM text: search for an entry, repair of line breaks, splitting of several entries.

Text from pillar, mines and YAML often has lost its line breaks.
Errors: InvocationError, whose text quotes the PEM unless it contains a private key.
"""

from __future__ import annotations

import re
import textwrap

from salt_g.errors import InvocationError

BEGIN = b"-----BEGIN"
END = b"-----END"
_LINE = 64
_ENTRY = r"""
    \s*(?P<header>-----BEGIN\ {kind}-----)\s+
    (?:(?P<proc_type>Proc-Type:\ 4,ENCRYPTED)\s*)?
    (?:(?P<dek_info>DEK-Info:\ (?:DES-[3A-Z\-]+,[0-9A-F]{{16}}|[0-9A-Z\-]+,[0-9A-F]{{32}}))\s*)?
    (?P<body>.+?)\s+(?P<footer>-----END\ {kind}-----)\s*
"""


def entry(text: str, kind: str | None = None) -> str:
    """Return the first entry, normalized; `kind` is a regular expression such as `CERTIFICATE`."""
    text = _with_lines(text.replace("\\n", "\n"))
    wanted = "[0-9A-Z ]+" if kind is None else kind.replace(" ", r"\ ")
    found = re.search(_ENTRY.format(kind=wanted), text, re.DOTALL | re.VERBOSE)
    if not found:
        problem = f"PEM does not contain a single entry of type {kind}:" if kind else "PEM text not valid:"
        raise InvocationError(f"{problem}\n{_harmless(text)}")
    parts = found.groupdict()
    head = [parts["header"], *([parts["proc_type"]] if parts["proc_type"] else [])]
    if parts["dek_info"]:
        head += [parts["dek_info"], ""]
    body = textwrap.wrap("".join(parts["body"].split()), _LINE)
    return "".join(f"{line}\n" for line in [*head, *body, parts["footer"]])


def split(content: bytes) -> list[bytes]:
    """Return the PEM entries of a file."""
    entries: list[bytes] = []
    lines: list[bytes] = []
    for line in content.splitlines(keepends=True):
        if line.startswith(BEGIN):
            lines = [line]
        elif line.strip():
            lines.append(line)
            if line.startswith(END):
                entries.append(b"".join(lines))
                lines = []
    return entries


def _with_lines(text: str) -> str:
    """Restore the line breaks of a text that a mine has put on one line."""
    if len(text.splitlines()) != 1 or not (text.startswith("-----") and text.endswith("-----")):
        return text
    return re.sub(r"(?<=[^\s-])(-----END)", r"\n\1", re.sub(r"(-----BEGIN [^-]+-----)\s*", r"\1\n", text))


def _harmless(text: str) -> str:
    return "(it holds a private key, which is not shown)" if "PRIVATE KEY" in text else text
