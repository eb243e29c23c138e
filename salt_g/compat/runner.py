"""Stock's `salt.runner`: run functions on the master."""

from salt_g.client.runner import RunnerClient

__all__ = ["RunnerClient"]
