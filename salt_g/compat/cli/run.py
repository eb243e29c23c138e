"""Stock's `salt.cli.run`: the program `salt-run`."""

from salt_g.compat.refusal import refuse

_ADVICE = "use `salt.runner.RunnerClient`, or run `salt-g run`"
SaltRun = refuse("salt.cli.run.SaltRun", _ADVICE)

__all__ = ["SaltRun"]
