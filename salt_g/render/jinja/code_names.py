"""Template names in code that was compiled without them.

Formulas carry identical copies of `libtofs.jinja`, `mapstack.jinja` and others. Compiling is expensive and
uses a name in two places only: string constants of the code (for imports and messages about undefined
names) and the file name in tracebacks. So a text is compiled once, under a placeholder name.
"""

from __future__ import annotations

from types import CodeType
from typing import Any

#: Placeholder name for compiling. No template has this name, and a text that contains it is compiled
#: separately.
NAMELESS = "<a template of salt-g without a name>"


def is_replaceable(name: str | None, text: str) -> bool:
    """Return whether a name can be inserted later: its `repr` escapes nothing, the text lacks `NAMELESS`."""
    return name is not None and repr(name) == f"'{name}'" and NAMELESS not in text


def named(code: CodeType, name: str, filename: str | None) -> CodeType:
    """Return nameless code as the code of template `name` in the file `filename`."""
    constants = tuple(_named_constant(constant, name, filename) for constant in code.co_consts)
    return code.replace(co_consts=constants, co_filename=filename or "<template>")


def _named_constant(constant: Any, name: str, filename: str | None) -> Any:
    if isinstance(constant, CodeType):
        return named(constant, name, filename)
    if isinstance(constant, str):
        return constant.replace(NAMELESS, name)
    if isinstance(constant, tuple):
        return tuple(_named_constant(part, name, filename) for part in constant)
    return constant
