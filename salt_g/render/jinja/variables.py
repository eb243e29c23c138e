"""The variables that say where a template stands: `tpldir`, `slspath` and their relatives.

Source: conformance cases `render/context-vars`, `render/context-tplpath`.
"""

from __future__ import annotations

import posixpath


def sls_variables(path: str, sls: str) -> dict[str, str]:
    """Return the path variables of an SLS; `path` is the (cached) file, '' for a text."""
    wanted = sls.replace(".", "/").rstrip("/")
    if not path:
        return _sls_parts(wanted)
    template = _template_name(path, sls, wanted)
    if template is None:
        # A file whose name is not that of the SLS: the SLS name stands for the template's.
        return {"tplpath": path, "tplfile": sls, "tpldir": posixpath.dirname(sls) or "."}
    directory = posixpath.dirname(template)
    return {
        "tplpath": path,
        "tplfile": template,
        "tpldir": directory or ".",
        "tpldot": directory.replace("/", "."),
        **_sls_parts(directory),
    }


def _template_name(path: str, sls: str, wanted: str) -> str | None:
    """Return the template's name from the file root, None when the SLS is not served by this file."""
    if not sls:
        return posixpath.basename(path)
    for candidate in (f"{wanted}.sls", f"{wanted}/init.sls"):
        if path.endswith(candidate):
            return candidate
    return None


def _sls_parts(directory: str) -> dict[str, str]:
    return {
        "slspath": directory,
        "slsdotpath": directory.replace("/", "."),
        "slscolonpath": directory.replace("/", ":"),
        "sls_path": directory.replace("/", "_"),
    }
