"""Scripts of resources, run by this machine's shell."""

from __future__ import annotations

import subprocess


def sh(script: str, *args: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run a script with these arguments; return its result."""
    return subprocess.run(
        ["/bin/sh", "-c", script, "sh", *args], input=stdin, capture_output=True, check=False
    )
