"""Stock's `salt.utils.sanitizers`: names without special characters."""

import fnmatch
import os
import re
from typing import Any

from salt_g.errors import CommandExecutionError


class InputSanitizer:
    """Functions that clean untrusted names; each raises CommandExecutionError for an empty name."""

    @staticmethod
    def trim(value: Any) -> str:
        """Return a text without spaces around it."""
        text = str(value or "").strip()
        if not text:
            raise CommandExecutionError("Empty value during sanitation")
        return text

    @staticmethod
    def filename(value: Any) -> str:
        """Return the last component of a path."""
        return os.path.basename(InputSanitizer.trim(value))

    @staticmethod
    def hostname(value: Any) -> str:
        """Return a name reduced to letters, digits, dots and hyphens."""
        return re.sub(r"[^a-zA-Z0-9.-]", "", InputSanitizer.trim(value)).strip(".")

    id = hostname


clean = InputSanitizer


def mask_args_value(data: str, mask: str) -> str:
    """Return text in which the values of `name: value` lines are hidden if the name matches a glob."""
    if not mask:
        return data
    lines = []
    for line in data.split("\n"):
        name, colon, _ = line.partition(":")
        hides = colon and fnmatch.fnmatch(name.strip(), mask)
        lines.append(f"{name}: ** hidden **" if hides else line)
    return "\n".join(lines)


__all__ = ["InputSanitizer", "clean", "mask_args_value"]
