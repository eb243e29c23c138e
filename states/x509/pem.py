"""PEM files with given content."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, current
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.shapes import StateReturn
from salt_g.states._file_lifecycle import split_arguments
from salt_g.states._outcome import failed
from salt_g.x509.words import check_known


def pem_managed(name: str, text: str, **kwargs: Any) -> StateReturn:
    """Ensure that a file holds a PEM entry, with spaces and line breaks normalized.

    text
        The entry, or the path of a file that holds it.

    Further keywords are those of `file.managed`.

    Example::

        salt-g state.single x509.pem_managed /etc/pki/ca.crt text=/tmp/ca.crt
    """
    file_arguments, others = split_arguments(kwargs)
    try:
        check_known(others, ("name", "text", "user", "group", "mode", "makedirs"))
        entry = call("x509.get_pem_entry", text=text)
    except (CommandExecutionError, InvocationError) as exc:
        return failed(name, str(exc))
    ret: StateReturn = current().table("states")["file.managed"](
        name, contents=entry.decode(), **file_arguments
    )
    return ret
