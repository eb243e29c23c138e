"""Interface of plans to the other parts of a master; everything else is imported with the first plan.

Shapes: a test run that makes a plan returns `plan`: {id, document}; minions that apply a plan ask for
their documents by `_plan` {plan, jid, resource}.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from salt_g.cache.banks import Banks
from salt_g.master.commands import OPTIONAL_TEXT, TEXT, WireCommand
from salt_g.shapes.loads import LoadFields, ReturnLoad
from salt_g.wire.requests import SealedRequest
from salt_g.wire.rsa import PrivateKey

if TYPE_CHECKING:
    from salt_g.master.calls.authorization import CommandCaller
    from salt_g.master.plans.kept_plans import KeptPlans
    from salt_g.master.plans.plan_commands import PlanCommands

log = logging.getLogger(__name__)

#: Commands about plans that users can send.
COMMANDS = ("save", "close", "list", "show", "record", "groups", "approve", "apply", "drop")


class PlanGate:
    """Gate of minions to the plans of a master."""

    def __init__(self, banks: Banks, key: PrivateKey) -> None:
        self._banks = banks
        self._key = key

    def commands(self) -> Mapping[str, WireCommand]:
        """Return the wire command of minions."""
        fields = {"plan": TEXT, "jid": TEXT, "resource": OPTIONAL_TEXT}
        return {"_plan": WireCommand(self._give, fields)}

    def take(self, load: ReturnLoad) -> ReturnLoad:
        """Store the plan in the return of a test run; return the load without it."""
        plan = load.pop("plan", None)
        if isinstance(plan, dict):
            from salt_g.master.plans.plan_documents import take_document

            take_document(self.kept, load, plan)
        return load

    @cached_property
    def kept(self) -> KeptPlans:
        """The plans in the store."""
        from salt_g.master.plans.kept_plans import KeptPlans

        return KeptPlans(self._banks, self._key)

    def _give(self, request: SealedRequest, load: LoadFields) -> Any:
        from salt_g.master.plans.plan_documents import given

        return given(self.kept, request.id, load)


class UserPlanGate:
    """Gate of users to the plans of a master; `make` creates the commands when the first one is served."""

    def __init__(self, gate: PlanGate, make: Callable[[KeptPlans], PlanCommands]) -> None:
        self._gate = gate
        self._make = make

    def commands(self) -> dict[str, Callable[[LoadFields, CommandCaller], Any]]:
        """Return the commands of users by name (`plan_save` and so on)."""
        return {f"plan_{name}": partial(self._serve, name) for name in COMMANDS}

    def applied_in_waves(
        self, load: LoadFields, caller: CommandCaller, jid: str
    ) -> AbstractContextManager[tuple[str, list[Any], list[str]]]:
        """Return the context manager `PlanCommands.applied_in_waves`; the load is that of a rollout."""
        from salt_g.errors import ClientError
        from salt_g.loader.job_arguments import split_arguments

        args, kwargs = split_arguments(load.get("arg") or [])
        if args or kwargs.keys() - {"accept_opaque"}:
            raise ClientError("a plan already has its arguments; only accept_opaque=True may be added")
        asked = {**load, "plan": load.get("fun"), "accept_opaque": kwargs.get("accept_opaque") is True}
        return self._commands.applied_in_waves(asked, caller, jid)

    @cached_property
    def _commands(self) -> PlanCommands:
        return self._make(self._gate.kept)

    def _serve(self, name: str, load: LoadFields, caller: CommandCaller) -> Any:
        return self._commands.serve(name, load, caller)
