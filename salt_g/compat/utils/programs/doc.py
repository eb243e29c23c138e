"""Stock's `salt.utils.doc`: docstrings as plain text."""

import re
from typing import Any


def strip_rst(docs: dict[str, str]) -> dict[str, str]:
    """Remove reStructuredText markup from docstrings, {function: text}, in place and return them."""
    for function, text in docs.items():
        if text:
            plain = re.sub(r" *\.\. code-block::[^\n]*\n{1,2}", "", text)
            plain = re.sub(r"\.\. (note|warning|tip|seealso)::", lambda mark: f"{mark[1].title()}:", plain)
            docs[function] = re.sub(r"\.\. version(added|changed|deprecated)::", "Version", plain)
    return docs


def parse_docstring(docstring: str) -> dict[str, Any]:
    """Return {full: the text, deps: the names listed in its field `:depends:`}."""
    found = re.search(r":depends:((?:[^\n]*\n?)(?:\s+-[^\n]*\n?)*)", docstring or "")
    listed = found[1] if found else ""
    deps = re.findall(r"-\s*([^\n]+)", listed) or [listed.strip()] if listed.strip() else []
    return {"full": docstring, "deps": [name.strip() for name in deps]}


__all__ = ["parse_docstring", "strip_rst"]
