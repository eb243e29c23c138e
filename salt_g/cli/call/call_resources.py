"""`salt-g call --resources`: run a function on this minion and, concurrently, on its resources.

Shapes: `{id: value}` under `local`, the bare value if only one id is targeted, {} if none is. State
runs of resources are merged with that of the minion (`salt_g/resource_model/merged_state_runs.py`).
Bounds: at most `resource_fan_out` resources of a type are processed at once.
Source: resources specification, section 13.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from salt_g import api
from salt_g.api import CallContext
from salt_g.cli import exit_codes
from salt_g.cli.call import invocation
from salt_g.cli.call.invocation import CannotCall, Returned
from salt_g.cli.call.resource_pillar_source import own_pillars
from salt_g.data import jid
from salt_g.errors import NotOffered, TargetError
from salt_g.loader.arguments import fit, parse_words
from salt_g.minion.resources.contexts import KnownResource, this_minion
from salt_g.minion.resources.managed import ManagedResources
from salt_g.minion.resources.targets import selected
from salt_g.minion.resources.types import ResourceTypes
from salt_g.minion.settings import DiscoverySettings
from salt_g.process.supervisor import Supervisor
from salt_g.resource_model import merged_state_runs
from salt_g.resource_model.pillar_requests import MOST
from salt_g.resource_model.srn import Srn

if TYPE_CHECKING:
    from salt_g.shapes.loads import JobLoad

log = logging.getLogger(__name__)

#: Prefixes that mark a compound expression; no minion id begins like this.
_COMPOUND = re.compile(r"(\(\s*|not\s+)*[A-Z]@")
#: Functions whose results are merged into one block.
MERGED = frozenset(f"state.{name}" for name in ("apply", "highstate", "sls", "sls_id", "single"))


class ResourceTarget(NamedTuple):
    """Target of the call, from `--tgt` and `--tgt-type`."""

    tgt: str
    tgt_type: str

    @classmethod
    def of(cls, tgt: str, tgt_type: str | None) -> ResourceTarget:
        """Return the target; without a type, `T@dummy` and the like are compound, other text is a glob."""
        return cls(tgt, tgt_type or ("compound" if _COMPOUND.match(tgt) else "glob"))


class Answers(NamedTuple):
    """Results of a call: the minion's (None if not targeted), and values and exit codes by resource id."""

    own: Returned | CannotCall | None
    values: dict[str, Any]
    codes: dict[str, int]

    @property
    def code(self) -> int:
        """Exit code of the call."""
        return exit_codes.FAILED if any((_code(self.own), *self.codes.values())) else exit_codes.OK


class Printed(NamedTuple):
    """Data to print and its outputter."""

    value: Any
    outputter: str | None


def call(
    context: CallContext,
    name: str,
    words: list[str],
    target: ResourceTarget,
    *,
    is_local: bool,
    unparsed: Iterable[str] = (),
) -> Answers | int:
    """Run the function on all targets; return an exit code if it could not be run on any."""
    types = ResourceTypes(context.opts, context.services.plugins)  # type: ignore[arg-type]
    managed = ManagedResources(
        DiscoverySettings.of(context.opts),
        types,
        lambda: context,
        partial(own_pillars, context, is_local=is_local),
    )
    managed.refresh()
    every = list(managed)
    for start in range(0, len(every), MOST):
        managed.take_pillars(every[start : start + MOST])
    minion_context = context.with_opts(resources=managed.ids)
    load: JobLoad = {"tgt": target.tgt, "tgt_type": target.tgt_type, "fun": name, "arg": []}
    try:
        with api.use(minion_context):
            is_own = minion_context.services.match.matches(target.tgt, target.tgt_type)
            resources = selected(load, managed, this_minion(minion_context))
    except TargetError as exc:
        print(f"salt-g call: {exc}", file=sys.stderr)
        return exit_codes.FAILED
    try:
        return _called(minion_context, managed, name, words, is_own, resources, list(unparsed))
    finally:
        managed.end()


def shown(answers: Answers, context: CallContext, name: str) -> Printed:
    """Return the data to print: merged state runs, a single value, or values by id."""
    own = answers.own
    outputter = own.outputter if isinstance(own, Returned) else None
    whole = dict(answers.values)
    if name in MERGED:
        return _merged(answers, str(context.opts.get("output") or ""))
    if own is not None:
        whole = {str(context.opts["id"]): own.value if isinstance(own, Returned) else None, **whole}
    if len(whole) == 1:
        return Printed(next(iter(whole.values())), outputter)
    return Printed(whole, None)


def _merged(answers: Answers, output: str) -> Printed:
    """Return state runs merged into one block, or by resource id for outputters that print data."""
    own = answers.own.value if isinstance(answers.own, Returned) else None
    if answers.own is not None and isinstance(own, list):
        # The minion's own run did not compile: report it as a separate failure in the block.
        return Printed(
            merged_state_runs.merge_state_runs(None, {"local": own, **answers.values}), "highstate"
        )
    if answers.own is None and len(answers.values) == 1:
        return Printed(next(iter(answers.values.values())), "highstate")
    if answers.own is None and (output not in ("", "highstate") or not answers.values):
        return Printed(answers.values, None)
    return Printed(merged_state_runs.merge_state_runs(own, answers.values), "highstate")


def _called(
    context: CallContext,
    managed: ManagedResources,
    name: str,
    words: list[str],
    is_own: bool,
    resources: list[Srn],
    unparsed: list[str],
) -> Answers | int:
    contexts = managed.contexts(context, resources)
    known = [found for srn in resources if (found := managed.of(srn)) is not None]
    is_known = name in context.table("modules") or any(
        name in contexts.of(one).table("modules") for one in known
    )
    if not is_known:
        text = f"Function '{name}' is not available on the managing minion or any per-resource loader."
        print(text, file=sys.stderr)
        return exit_codes.FAILED
    own: Returned | CannotCall | None = None
    if is_own:
        with api.use(context):
            own = invocation.invoke(context, name, words, unparsed=unparsed)
    args, kwargs = parse_words(words, unparsed=unparsed)
    answers = _side_by_side(known, lambda one: _on(contexts.of(one), name, list(args), dict(kwargs)))
    named = {_name(one.srn, managed): answers[one.srn] for one in known}
    values = {name: value for name, (value, _) in named.items()}
    return Answers(own, values, {name: code for name, (_, code) in named.items()})


def _side_by_side(
    known: list[KnownResource], work: Callable[[KnownResource], tuple[Any, int]]
) -> dict[Srn, tuple[Any, int]]:
    """Return the results of `work` on the resources; each type's gate limits how many run at once."""
    answers: dict[Srn, tuple[Any, int]] = {}
    family = Supervisor("resources of a call")

    def work_on(one: KnownResource) -> None:
        try:
            answers[one.srn] = work(one)
        finally:
            one.type.gate.release()

    def start(of_type: list[KnownResource]) -> None:
        for one in of_type:
            one.type.gate.acquire()
            family.spawn(work_on, one, name=str(one.srn))

    by_type: dict[str, list[KnownResource]] = {}
    for one in known:
        by_type.setdefault(one.srn.type, []).append(one)
    try:
        for name, of_type in by_type.items():
            family.spawn(start, of_type, name=name)
        family.wait()
    finally:
        family.stop()
    return answers


def _on(context: CallContext, name: str, args: list[Any], kwargs: Mapping[str, Any]) -> tuple[Any, int]:
    """Run the function in the context of one resource; return (value, retcode)."""
    id = context.opts["id"]
    job = {"jid": jid.make(), "fun": name, "arg": args, "tgt": "salt-call"}
    scratch = context.scratch.new_child({"retcode": 0})  # type: ignore[attr-defined]
    with api.use(context.replace(job=job, scratch=scratch)) as running:
        try:
            function = running.table("modules")[name]
            published = {"fun": name, "jid": job["jid"], "tgt": "salt-call"}
            fitting, named = fit(function, args, kwargs, published=published)
            value = function(*fitting, **named)
        except NotOffered as exc:
            return str(exc), exit_codes.FAILED
        # A type's function may raise anything; the other resources are still processed.
        except (Exception, SystemExit) as exc:
            log.debug("%s raised for %s", name, id, exc_info=True)
            return f"ERROR running {name} for '{id}': {exc}", exit_codes.FAILED
    return value, int(scratch["retcode"] or _failure_code(value))


def _failure_code(value: Any) -> int:
    return int(isinstance(value, Mapping) and False in (value.get("result"), value.get("success")))


def _code(own: Returned | CannotCall | None) -> int:
    if own is None:
        return exit_codes.OK
    return own.code if isinstance(own, CannotCall) else own.retcode


def _name(srn: Srn, managed: ManagedResources) -> str:
    return str(srn) if managed.is_shared(srn.id) else srn.id
