"""Stock's `salt.runner`: calls of runner functions."""

from salt_g.client.runner import RunnerClient
from salt_g.compat.refusal import refuse

Runner = refuse("salt.runner.Runner", "use `salt.runner.RunnerClient`, whose `cmd` calls a runner")

__all__ = ["Runner", "RunnerClient"]
