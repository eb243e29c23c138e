"""Commands and scripts run on this machine (`cmd.run` and its variants).

Begin with `running.py` (the functions), then `options.py` (their common options) and `execution.py` (the run
of one command).
"""

from salt_g.modules.cmd.chroot import run_chroot
from salt_g.modules.cmd.running import retcode, run, run_all, run_bg, run_stderr, run_stdout, shell
from salt_g.modules.cmd.script import exec_code, exec_code_all, script, script_retcode
from salt_g.modules.cmd.shells import has_exec, shell_info, shells, tty, which, which_bin

__all__ = [
    "exec_code",
    "exec_code_all",
    "has_exec",
    "retcode",
    "run",
    "run_all",
    "run_bg",
    "run_chroot",
    "run_stderr",
    "run_stdout",
    "script",
    "script_retcode",
    "shell",
    "shell_info",
    "shells",
    "tty",
    "which",
    "which_bin",
]
