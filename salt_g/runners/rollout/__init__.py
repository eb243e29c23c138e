"""Rollouts in waves (`salt-g TARGET FUNCTION --rollout WAVES`): status, pause, resume, stop.

A rollout runs on the master, continues after the command line ends or the master restarts, and is remembered
until a hundred newer ones have begun.
"""

from salt_g.runners.rollout.orders import list, pause, resume, status, stop

__all__ = ["list", "pause", "resume", "status", "stop"]
