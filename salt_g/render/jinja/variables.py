"""Path variables of a template: `tpldir`, `slspath` and related ones.

Source: conformance cases `render/context-vars`, `render/context-tplpath`.
"""

from __future__ import annotations

import posixpath


def sls_variables(path: str, sls: str) -> dict[str, str]:
    """Return the path variables of an SLS; `path` is the (cached) file, '' for plain text.

    The file of text that is not an SLS (`slsutil.renderer string=...`) is `:string:`, as in stock.
    """
    wanted = sls.replace(".", "/").rstrip("/")
    if not path:
        file = "" if sls else ":string:"
        return {"tplpath": file, "tplfile": file, "tpldir": ".", "tpldot": "", **_sls_parts(wanted)}
    template = _template_name(path, sls, wanted)
    if template is None:
        # The file is not named after the SLS, so the SLS name replaces the template's.
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
    """Return the template's path relative to the file root, or None if the file is not that of the SLS."""
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
