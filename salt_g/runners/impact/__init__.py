"""Runners about what minions read in their last state runs."""

from salt_g.runners.impact.questions import readers, reads

__all__ = ["readers", "reads"]
