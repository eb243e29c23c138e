"""Client that publishes jobs and waits for their minions.

The command line needs no more than this; `local.py` adds stock's many methods. Waiting is in
`return_collector.py`, the published load in `publishing.py`.
Units: seconds.
Errors: MasterUnreachable, AuthenticationError, AuthorizationError, ClientError, TargetError.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import salt_g.client.return_collector as collect
from salt_g.client.base_client import BaseClient
from salt_g.client.job_cache import TIMEOUT, cached_job
from salt_g.client.link import Link
from salt_g.client.publishing import JobRequest, Published, error_of, publish_load, read_reply, resolved
from salt_g.client.return_collector import Return, ReturnCollector, RunningQuery
from salt_g.errors import ClientError

if TYPE_CHECKING:
    from salt_g.shapes import Opts
    from salt_g.shapes.loads import Functions, ReturnLoad
    from salt_g.shapes.replies import Absence
    from salt_g.shapes.steps import StepEvent

#: Keywords with credentials; queries about a job need the same ones as the job.
CREDENTIALS = ("eauth", "username", "password", "token", "key", "user")
#: Pause between two checks whether a batch or rollout continues while none of its minions is at work (s).
_LOOK = 1.0


class EarlierReturns(NamedTuple):
    """Known part of a job when a client attaches to it: returns and live steps so far, by minion.

    A job that `grows` belongs to a batch or rollout that may publish it to more minions.
    """

    returns: dict[str, ReturnLoad]
    steps: dict[str, Any]
    grows: bool = False


class FoundJob(NamedTuple):
    """Previously published job, with its known returns and steps."""

    fun: Functions
    published: Published
    earlier: EarlierReturns


class JobClient(BaseClient):
    """Client for running functions on minions; lifecycle: created, used by one thread, `destroy`."""

    def __init__(
        self,
        opts: Opts,
        *,
        link: Link | None = None,
        user: str | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Use the master with the settings `opts`, through `link` if given."""
        super().__init__(opts, link=link, user=user)
        #: Collector of the job that was waited for last.
        self.watch: ReturnCollector | None = None
        self.clock = clock
        #: Minion or host in whose name an unrestricted user publishes; minions get it as `__pub_id`.
        self.publisher = ""
        self._questions: list[str] = []

    def publish(
        self, job: JobRequest, *, listen: bool = True, timeout: float | None = None, **kwargs: Any
    ) -> Published | None:
        """Publish a job; return None if its target matches no minion. With `listen`, follow its events."""
        limit = self._publish_timeout(timeout)
        load = publish_load(job, kwargs, opts=self.opts, user=self.user, timeout=limit)
        if self.publisher:
            load["id"] = self.publisher
            # Stock's masters read the publisher from `kwargs`.
            load["kwargs"] = {**load.get("kwargs", {}), "id": self.publisher}
        return read_reply(self.link.ask(load, timeout=limit, follow=listen))

    def collect(
        self,
        published: Published,
        *,
        timeout: float | None = None,
        gather_job_timeout: float | None = None,
        pause: float | None = None,
        earlier: EarlierReturns | None = None,
        on_steps: Callable[[str, StepEvent], None] | None = None,
        **auth: Any,
    ) -> Iterator[Return | None]:
        """Yield the returns of a job as they arrive; afterwards `watch` has the verdict on each minion.

        The returns in `earlier` come first; `on_steps(minion, event)` is called for each event of live steps.
        """
        watch = self.watch = self.watch_of(published, timeout, gather_job_timeout)
        watch.on_steps = on_steps
        if earlier is not None:
            yield from watch.take_earlier(earlier.returns, earlier.steps)

        def ask_running(ids: list[str]) -> RunningQuery:
            return self.ask_running(published.jid, ids, **auth)

        def find_gone(ids: list[str]) -> set[str]:
            # Minions below a syndic have no connection to this master.
            reply = None if self.opts.get("order_masters") else self._presence(jid=published.jid, ids=ids)
            return set(reply.get("gone") or ()) if reply else set()

        def find_moving(ids: list[str]) -> set[str]:
            return self.find_moving(published.jid, ids)

        look: Any = {"find_gone": find_gone, "find_moving": find_moving}

        def collect_known() -> Iterator[Return | None]:
            return collect.collect(self.link, watch, ask_running, **look, pause=pause, clock=self.clock)

        try:
            if earlier is not None and earlier.grows:
                yield from self._collect_growing(watch, collect_known)
            yield from collect_known()
        finally:
            for jid in (published.jid, *self._questions):
                self._leave(f"salt/job/{jid}")
            self._questions.clear()

    def attach(self, jid: str) -> FoundJob | None:
        """Follow a job that was published earlier; return None for an unknown job."""
        self.link.subscribe(f"salt/job/{jid}")
        # Checked before the job is read, so that a run that ends in between is read with all its minions.
        grows = self._grows(jid)
        known = cached_job(self.link, self.opts, jid, self.user)
        # A batch begins with a ping, before there is a job.
        while grows and not known.load:
            self.link.next_event(_LOOK)
            grows = self._grows(jid)
            known = cached_job(self.link, self.opts, jid, self.user)
        if not known.load:
            return None
        reply = self.link.ask({"cmd": "steps", "jid": jid, "user": self.user}, timeout=TIMEOUT)
        ids = known.load.get("Minions") or sorted(known.returns)
        steps = reply if isinstance(reply, dict) else {}
        return FoundJob(known.load["fun"], Published(jid, ids), EarlierReturns(known.returns, steps, grows))

    def _grows(self, jid: str) -> bool:
        """Return whether a batch or rollout may publish a job to more minions; False for a stock master."""
        return self.link.ask({"cmd": "run_active", "jid": jid, "user": self.user}, timeout=TIMEOUT) is True

    def _collect_growing(
        self, watch: ReturnCollector, collect_known: Callable[[], Iterator[Return | None]]
    ) -> Iterator[Return | None]:
        """Yield the returns of a batch or rollout until it has ended, even while no minion is working."""
        while self._grows(watch.jid):
            yield from collect_known()
            event = self.link.next_event(_LOOK)
            yield None if event is None else watch.take(event, self.clock())
        known = cached_job(self.link, self.opts, watch.jid, self.user)
        watch.expect(known.load.get("Minions") or (), self.clock())
        yield from watch.take_earlier(known.returns, {})

    def absences(self, jid: str, ids: list[str]) -> dict[str, Absence]:
        """Return what the master knows about minions that have not returned, or {} if it sends nothing.

        Stock's masters do not know this command.
        """
        load = {"cmd": "absences", "jid": jid, "ids": ids, "user": self.user}
        try:
            reply = self.link.ask(load, timeout=self._publish_timeout(None)) if ids else {}
        except ClientError:
            return {}
        if not isinstance(reply, dict):
            return {}
        found = {str(id): one for id, one in reply.items() if isinstance(one, dict) and "heard" in one}
        return cast("dict[str, Absence]", found)

    def watch_of(
        self,
        published: Published,
        timeout: float | None = None,
        gather_job_timeout: float | None = None,
        *,
        is_closed: bool = False,
    ) -> ReturnCollector:
        """Return the return collector for a job that was just published."""
        gather = self.opts["gather_job_timeout"] if gather_job_timeout is None else gather_job_timeout
        return ReturnCollector(
            published.jid,
            published.minions,
            timeout=self._timeout(timeout),
            gather_timeout=float(gather),
            now=self.clock(),
            is_closed=is_closed,
        )

    def ask_running(self, jid: str, ids: list[str], **auth: Any) -> RunningQuery:
        """Ask minions whether they run a job, and return the query."""
        # Minions that seem away are asked too, because the master may confuse minions behind one
        # address; only those known to be gone are not.
        reply = self._presence(jid=jid, ids=ids)
        away = set(ids) - set(reply["connected"]) if reply else set()
        gone = set(reply.get("gone") or ()) if reply else set()
        moving = set(reply.get("moving") or ()) if reply else set()
        asked = [id for id in ids if id not in gone]
        question = (
            self.publish(JobRequest(asked, "saltutil.find_job", [jid], "list"), **auth) if asked else None
        )
        if question is None:
            return RunningQuery("", away, moving)
        self._questions.append(question.jid)
        return RunningQuery(question.jid, away, moving)

    def find_moving(self, jid: str, ids: list[str]) -> set[str]:
        """Return the minions among `ids` that are moving to another master of the cluster."""
        reply = self._presence(jid=jid, ids=ids) if ids and self.opts.get("cluster") else None
        return set(reply.get("moving") or ()) if reply else set()

    def preview(self, tgt: Any, tgt_type: str = "glob", delimiter: str = ":") -> list[str]:
        """Return the minions that the master expects a target to match; nothing is sent to them."""
        tgt, tgt_type = resolved(tgt, tgt_type, self.opts.get("nodegroups") or {})
        load = {
            "cmd": "expected",
            "tgt": tgt,
            "tgt_type": tgt_type,
            "delimiter": delimiter,
            "user": self.user,
        }
        reply = self.link.ask(load, timeout=self._publish_timeout(None))
        if isinstance(reply, dict) and isinstance(reply.get("minions"), list):
            return [str(id) for id in reply["minions"]]
        if isinstance(reply, dict) and reply.get("error"):
            raise error_of(reply["error"])
        import salt_g.client.stock_files as stock_files

        return stock_files.matching_minions(self.opts, tgt, tgt_type, delimiter=delimiter)

    def subset(self, job: JobRequest, count: int, **extra: Any) -> JobRequest:
        """Return the job for at most `count` random minions of its target that have its function."""
        # Imported lazily: few jobs use a subset.
        import random

        names = job.fun if isinstance(job.fun, list) else [job.fun]
        published = self.publish(JobRequest(job.tgt, "sys.list_functions", [], job.tgt_type), **extra)
        able = []
        auth = {name: value for name, value in extra.items() if name in CREDENTIALS}
        for returned in self.collect(published, **auth) if published else ():
            functions = returned.data["return"] if returned else None
            if returned and isinstance(functions, (list, dict)) and all(name in functions for name in names):
                able.append(returned.id)
        return job._replace(tgt=random.sample(able, min(count, len(able))), tgt_type="list")

    def connected(self) -> set[str] | None:
        """Return the connected minions, or None if unknown."""
        reply = self._presence()
        return set(reply["connected"]) if reply else None

    def _presence(self, **about: Any) -> dict[str, list[str]] | None:
        """Return the reply to a `presence` query (`client_queries.py` of the master), None if unavailable."""
        load = {"cmd": "presence", "user": self.user, **about}
        try:
            reply = self.link.ask(load, timeout=self._publish_timeout(None))
        except ClientError:
            return None
        return reply if isinstance(reply, dict) and isinstance(reply.get("connected"), list) else None

    def _leave(self, tag: str) -> None:
        # The call that waited on the link has already reported connection errors.
        with contextlib.suppress(ClientError):
            self.link.unsubscribe(tag)

    def _timeout(self, timeout: Any) -> float:
        """Return a timeout as a number of seconds; if it is None or not a number, return the setting's."""
        try:
            return float(self.opts["timeout"] if timeout is None else timeout)
        except (TypeError, ValueError):
            return float(self.opts["timeout"])

    def _publish_timeout(self, timeout: float | None) -> float:
        return float(self.opts.get("publish_timeout") or 30) if timeout is None else timeout
