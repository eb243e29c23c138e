"""Public key in `authorized_keys` of the user of a connection."""

from __future__ import annotations

import salt_g.resources.ssh._remote as _remote

#: Adds the line $1 unless present; a file whose last line has no end gets one first.
_SCRIPT = """
umask 077
cd && mkdir -p .ssh && touch .ssh/authorized_keys || exit 1
grep -qxF -e "$1" .ssh/authorized_keys && exit 0
[ -z "$(tail -c 1 .ssh/authorized_keys)" ] || echo >> .ssh/authorized_keys
printf '%s\\n' "$1" >> .ssh/authorized_keys && echo added
"""


def authorize(line: str) -> bool:
    """Add a public key; return whether it was missing. Raise CommandExecutionError if it cannot be added."""
    return _remote.output(_SCRIPT, line).strip() == "added"
