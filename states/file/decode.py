"""Files with content given in base64."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, opts
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, outcome, would_change


def decode(
    name: str,
    encoded_data: str | None = None,
    contents_pillar: str | None = None,
    encoding_type: str = "base64",
    checksum: str = "md5",
) -> StateReturn:
    """Ensure that a file has the content that is given in base64.

    The text is `encoded_data` or the pillar value at `contents_pillar`; raises CommandExecutionError if
    neither or both are given. `checksum` (md5, sha256, sha512) is used to compare contents and to report
    changes.

    Example::

        /opt/app/logo.png:
          file.decode:
            - encoded_data: iVBORw0KGgo=
    """
    content = _given(encoded_data, contents_pillar)
    changes: dict[str, Any] = {}
    if call("file.file_exists", name):
        wanted = call("hashutil.digest", call("hashutil.base64_decodestring", content), checksum)
        current = call("hashutil.digest_file", name, checksum)
        if wanted == current:
            return as_wanted(name, "File is in the correct state.")
        changes = {"old": current, "new": wanted}
    if opts["test"]:
        return would_change(name, "File is set to be updated.", changes)
    result = call("hashutil.base64_decodefile", content, name)
    if not changes:
        changes = {"old": None, "new": call("hashutil.digest_file", name, checksum)}
    return outcome(name, result, "File was updated.", changes)


def _given(encoded_data: str | None, contents_pillar: str | None) -> str:
    if not (encoded_data or contents_pillar):
        raise CommandExecutionError("Specify either the 'encoded_data' or 'contents_pillar' argument.")
    if encoded_data and contents_pillar:
        raise CommandExecutionError("Specify only one 'encoded_data' or 'contents_pillar' argument.")
    if encoded_data:
        return encoded_data
    content = call("pillar.get", contents_pillar, False, unmask=True)
    if content is False:
        raise CommandExecutionError("Pillar data not found.")
    return str(content)
