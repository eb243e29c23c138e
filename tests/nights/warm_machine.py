"""Calls of `salt-g` in forks of this process, which has already imported what they need.

A call in a process of its own spends most of its time on its start. The fork runs the same entry with the
same arguments, settings and files; only the imports are done.
"""

import atexit
import importlib
import os
import signal
import sys
import threading

from tests.support.commands import Machine, Outcome

#: Calls after which this process imports what they had imported.
LEARNING = 60
#: Audit events of calls that change files.
_CHANGING = frozenset(
    f"os.{name}"
    for name in (
        "chmod",
        "chown",
        "link",
        "mkdir",
        "remove",
        "rename",
        "rmdir",
        "symlink",
        "truncate",
        "utime",
    )
)


class WarmMachine(Machine):
    """Machine whose calls are forks.

    `kill_at` kills the next call by SIGKILL just before its n-th change of a file; those before the journal
    of `state.undo` is there do not count.
    """

    def __init__(self, root):
        super().__init__(root)
        self.kill_at = 0
        self._learning = LEARNING

    def run(self, *words, stdin=None, env=None, timeout=300):
        """Run `salt-g WORDS`."""
        kill_at, self.kill_at = self.kill_at, 0
        pid = os.fork()
        if pid == 0:
            self._become_call([self.program, *map(str, words)], kill_at)
        killer = threading.Timer(timeout, os.kill, (pid, signal.SIGKILL))
        killer.start()
        # Left unreaped until the timer is off: its kill cannot hit another process.
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        killer.cancel()
        killer.join()
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if self._learning:
            self._learning -= 1
            self._learn()
        out, err = ((self.out / name).read_text(errors="replace") for name in ("stdout", "stderr"))
        return Outcome(code, out, err)

    def _learn(self):
        """Import what the call had imported, except users' plugins."""
        path = self.out / "modules"
        names = path.read_text().split() if path.exists() else []
        for name in names:
            if name not in sys.modules and name.startswith(("salt_g.", "jinja2", "yaml")):
                importlib.import_module(name)
        path.unlink(missing_ok=True)

    def _become_call(self, argv, kill_at):
        """Run the entry of the command in this process, and exit."""
        atexit._clear()
        os.chdir(self.root)
        os.environ.update({"LC_ALL": "C.UTF-8", "TERM": "dumb"})
        for number, path in ((0, os.devnull), (1, self.out / "stdout"), (2, self.out / "stderr")):
            flags = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            os.dup2(os.open(path, flags, 0o600), number)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if kill_at:
            sys.addaudithook(_killer(kill_at))
        elif self._learning:
            atexit.register(self._note_modules)
        try:
            from salt_g.cli import main

            sys.argv = argv
            main()
        except BaseException:
            import traceback

            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(70)

    def _note_modules(self):
        (self.out / "modules").write_text("\n".join(sys.modules))


def _killer(number):
    """Return an audit hook that kills this process before its n-th change of a file."""
    left = 0

    def hook(event, args):
        nonlocal left
        if event == "open":
            path, _, flags = args
            if isinstance(flags, int) and not flags & (os.O_WRONLY | os.O_RDWR):
                return
            if not left and str(path).endswith("/journal"):
                left = number
        elif event not in _CHANGING:
            return
        if left:
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)

    return hook
