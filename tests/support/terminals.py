"""Programs on their own terminal, whose prompts are answered."""

from __future__ import annotations

import os
import pty
import select


def on_terminal(words: list[str], question: str, answer: str, *, seconds: float = 60) -> tuple[int, str]:
    """Run a program and answer its first prompt; return its exit code and the complete terminal output."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(words[0], words, {**os.environ, "TERM": "dumb"})
    shown, is_answered = b"", False
    try:
        while select.select([terminal], [], [], seconds)[0]:
            try:
                chunk = os.read(terminal, 65536)
            except OSError:
                break
            shown += chunk
            if not is_answered and question.encode() in shown:
                os.write(terminal, f"{answer}\n".encode())
                is_answered = True
            if not chunk:
                break
        else:
            raise AssertionError(f"no answer within {seconds} s; so far: {shown!r}")
    finally:
        os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown.decode(errors="replace")
