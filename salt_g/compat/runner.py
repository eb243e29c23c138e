"""Stock's `salt.runner`: run functions on the master."""

from salt_g.client.runner import RunnerClient
from salt_g.compat.refusal import refuse

Runner = refuse("salt.runner.Runner", "use `salt.runner.RunnerClient`, whose `cmd` calls a runner")

__all__ = ["Runner", "RunnerClient"]
