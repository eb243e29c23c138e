"""Stock's `LocalClient`: run functions on minions from a program on the master's machine.

Names, arguments and results of the methods are stock's; each method is a few lines on top of `jobs.py`.
Shapes: a return is {id: {"ret", "out"?, "retcode"?, "jid"?}}; `cmd` gives {id: return value}.
Units: seconds.
Errors: MasterUnreachable, AuthenticationError, AuthorizationError, ClientError, TargetError.
Source: stock's Python client.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from salt_g.client.batch_window import Batch, BatchStep, run_batch
from salt_g.client.job_cache import cached_job
from salt_g.client.jobs import CREDENTIALS, JobClient
from salt_g.client.link import Link
from salt_g.client.missing_returns import silent_return
from salt_g.client.publishing import JobRequest, Published, with_keywords
from salt_g.client.return_collector import Return, ReturnCollector

if TYPE_CHECKING:
    from salt_g.shapes import OptsDraft
    from salt_g.shapes.loads import Answers, ClientFields, EventData, PublishReply

#: Polling interval of the non-blocking iterators (s).
PAUSE = 0.01
#: Keywords of stock's methods that are for the client itself and are not sent with a job.
_OURS = ("gather_job_timeout", "expect_minions", "raw", "yield_pub_data", "_cmd_meta", "verbose", "progress")


class LocalClient(JobClient):
    """Client for running functions on minions; lifecycle: created, used by one thread, `destroy`."""

    def __init__(
        self,
        c_path: str = "",
        mopts: Mapping[str, Any] | None = None,
        *,
        link: Link | None = None,
        user: str | None = None,
        **_stock: Any,
    ) -> None:
        """Use the master of the config file `c_path`, or of the settings `mopts`, or `link`.

        Stock's other arguments (`io_loop`, `skip_perm_errors`, ...) are accepted and ignored.
        """
        super().__init__(master_settings(c_path) if mopts is None else mopts, link=link, user=user)

    def run_job(
        self,
        tgt: Any,
        fun: Any,
        arg: Iterable[Any] = (),
        tgt_type: str = "glob",
        ret: str = "",
        timeout: float | None = None,
        jid: str = "",
        kwarg: Mapping[str, Any] | None = None,
        listen: bool = False,
        **kwargs: Any,
    ) -> PublishReply:
        """Publish a job; return {"jid", "minions"}, or {} if its target matches no minion.

        With `when_back` (s), the result also has {"order", "kept", "until"}; the jid is '' if all minions are
        away.
        """
        published = self._published(
            JobRequest(tgt, fun, with_keywords(arg, kwarg), tgt_type, ret, jid), kwargs, listen
        )
        if published is None:
            return {}
        reply: PublishReply = {"jid": published.jid, "minions": published.minions}
        if published.kept is not None:
            order, minions, until = published.kept
            reply.update({"order": order, "kept": minions, "until": until})
        return reply

    def pub(
        self,
        tgt: Any,
        fun: Any,
        arg: Iterable[Any] = (),
        tgt_type: str = "glob",
        ret: str = "",
        jid: str = "",
        timeout: float | None = None,
        listen: bool = False,
        **kwargs: Any,
    ) -> PublishReply:
        """Publish a job unchanged; return {"jid", "minions"}, with a `jid` of None if no minion matches."""
        published = self._published(JobRequest(tgt, fun, list(arg), tgt_type, ret, jid), kwargs, listen)
        if published is None:
            return {"jid": None, "minions": []}
        return {"jid": published.jid, "minions": published.minions}

    def cmd(
        self,
        tgt: Any,
        fun: Any,
        arg: Iterable[Any] = (),
        timeout: float | None = None,
        tgt_type: str = "glob",
        ret: str = "",
        jid: str = "",
        full_return: bool = False,
        kwarg: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> Answers:
        """Run a function and return {id: return value}, with `full_return` {id: {"ret", "retcode", ...}}."""
        job = JobRequest(tgt, fun, with_keywords(arg, kwarg), tgt_type, ret, jid)
        found: Answers = {}
        for one in self._cli_returns(job, timeout, kwargs):
            for id, data in one.items():
                found[id] = data if full_return else data.get("ret", {})
        return found

    def cmd_async(
        self,
        tgt: Any,
        fun: Any,
        arg: Iterable[Any] = (),
        tgt_type: str = "glob",
        ret: str = "",
        jid: str = "",
        kwarg: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> str | int:
        """Publish a job and return its jid, or 0 if its target matches no minion."""
        published = self._published(
            JobRequest(tgt, fun, with_keywords(arg, kwarg), tgt_type, ret, jid), kwargs, False
        )
        return published.jid if published else 0

    def cmd_cli(
        self,
        tgt: Any,
        fun: Any,
        arg: Iterable[Any] = (),
        timeout: float | None = None,
        tgt_type: str = "glob",
        ret: str = "",
        verbose: bool = False,
        kwarg: Mapping[str, Any] | None = None,
        progress: bool = False,
        **kwargs: Any,
    ) -> Iterator[Answers]:
        """Yield each return as it arrives, then a text for each minion that did not return."""
        job = JobRequest(tgt, fun, with_keywords(arg, kwarg), tgt_type, ret)
        yield from self._cli_returns(job, timeout, kwargs, progress=progress)

    def cmd_iter(
        self,
        tgt: Any,
        fun: Any,
        arg: Iterable[Any] = (),
        timeout: float | None = None,
        tgt_type: str = "glob",
        ret: str = "",
        kwarg: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> Iterator[Answers]:
        """Yield each return as it arrives; `expect_minions=True` adds {id: {"failed": True}} for the rest."""
        published = self._published(
            JobRequest(tgt, fun, with_keywords(arg, kwarg), tgt_type, ret), kwargs, True
        )
        if published is None:
            yield {}
            return
        if kwargs.get("yield_pub_data"):
            yield {"jid": published.jid, "minions": published.minions}
        for one in self._iterate(published, timeout, kwargs):
            if one:
                yield one

    def cmd_iter_no_block(
        self,
        tgt: Any,
        fun: Any,
        arg: Iterable[Any] = (),
        timeout: float | None = None,
        tgt_type: str = "glob",
        ret: str = "",
        kwarg: Mapping[str, Any] | None = None,
        show_jid: bool = False,
        verbose: bool = False,
        **kwargs: Any,
    ) -> Iterator[Answers | None]:
        """Yield each return as it arrives, and None whenever there is none yet."""
        jid = kwargs.pop("jid", "")
        published = self._published(
            JobRequest(tgt, fun, with_keywords(arg, kwarg), tgt_type, ret, jid), kwargs, True
        )
        if published is None:
            yield {}
            return
        yield from self._iterate(published, timeout, kwargs, pause=PAUSE)

    def cmd_subset(
        self,
        tgt: Any,
        fun: Any,
        arg: Iterable[Any] = (),
        tgt_type: str = "glob",
        ret: str = "",
        kwarg: Mapping[str, Any] | None = None,
        subset: int = 3,
        cli: bool = False,
        progress: bool = False,
        full_return: bool = False,
        **kwargs: Any,
    ) -> Any:
        """Run a function on at most `subset` random minions of the target, with `cli` as `cmd_cli` does."""
        count = kwargs.pop("sub", subset)
        auth = {name: kwargs[name] for name in CREDENTIALS if name in kwargs}
        chosen = self.subset(JobRequest(tgt, fun, tgt_type=tgt_type), count, **auth)
        if not chosen.tgt:
            # Nothing is published, because only root may order a job for no minion.
            return iter(()) if cli else {}
        if cli:
            return self.cmd_cli(
                chosen.tgt, fun, arg, tgt_type="list", ret=ret, kwarg=kwarg, progress=progress, **kwargs
            )
        return self.cmd(
            chosen.tgt, fun, arg, tgt_type="list", ret=ret, kwarg=kwarg, full_return=full_return, **kwargs
        )

    def cmd_batch(
        self,
        tgt: Any,
        fun: Any,
        arg: Iterable[Any] = (),
        tgt_type: str = "glob",
        ret: str = "",
        kwarg: Mapping[str, Any] | None = None,
        batch: str | int = "10%",
        **kwargs: Any,
    ) -> Iterator[Answers]:
        """Run a function in batches; yield {id: return}, or {id: {}} for a silent minion."""
        job = JobRequest(tgt, fun, with_keywords(arg, kwarg), tgt_type, ret)
        rules = Batch(
            size=str(batch),
            wait=float(kwargs.pop("batch_wait", 0) or 0),
            failhard=bool(kwargs.pop("failhard", self.opts.get("failhard", False))),
        )
        raw, timeout = kwargs.pop("raw", False), kwargs.pop("timeout", None)
        for done in self.run_slices(job, rules, timeout=timeout, **_job_keywords(kwargs)):
            if isinstance(done, Return):
                yield _raw(done) if raw else {done.id: done.data["return"]}
            elif done.silent:
                yield {done.silent: {}}

    def run_slices(
        self, job: JobRequest, rules: Batch, *, timeout: float | None, **extra: Any
    ) -> Iterator[Return | BatchStep]:
        """Run a batch; yield its returns and steps."""
        yield from run_batch(self, job, rules, timeout=timeout, **extra)

    def cmd_full_return(
        self,
        tgt: Any,
        fun: Any,
        arg: Iterable[Any] = (),
        timeout: float | None = None,
        tgt_type: str = "glob",
        ret: str = "",
        verbose: bool = False,
        kwarg: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> Answers:
        """Run a function and return {id: {"ret", "success", "out"?}} for the minions that returned."""
        published = self._published(
            JobRequest(tgt, fun, with_keywords(arg, kwarg), tgt_type, ret), kwargs, True
        )
        if published is None:
            return {}
        found = {}
        for one in self.collect(published, timeout=timeout, **_collect_keywords(kwargs)):
            if one is not None:
                found[one.id] = {"ret": one.data["return"], "success": one.data.get("success", False)}
                if "out" in one.data:
                    found[one.id]["out"] = one.data["out"]
        return found

    def get_cli_returns(
        self, jid: str, minions: Iterable[str], timeout: float | None = None, **_stock: Any
    ) -> Iterator[Answers]:
        """Yield the cached returns of a job, then new ones until all have arrived or time is up."""
        wanted = set(minions)
        self.link.subscribe(f"salt/job/{jid}")
        cached = self.get_cache_returns(jid)
        if cached:
            yield cached
        missing = wanted - set(cached)
        if missing:
            yield from self._until(jid, missing, timeout)

    def get_event_iter_returns(
        self, jid: str, minions: Iterable[str], timeout: float | None = None
    ) -> Iterator[Answers]:
        """Yield the returns of a job that arrive within `timeout`."""
        self.link.subscribe(f"salt/job/{jid}")
        yield from self._until(jid, set(minions), timeout)

    def get_iter_returns(
        self,
        jid: str,
        minions: Iterable[str],
        timeout: float | None = None,
        block: bool = True,
        **kwargs: Any,
    ) -> Iterator[Answers | None]:
        """Yield the returns of a job published earlier, like `cmd_iter`."""
        self.link.subscribe(f"salt/job/{jid}")
        names = [minions] if isinstance(minions, str) else list(minions)
        yield from self._iterate(Published(jid, names), timeout, kwargs, pause=None if block else PAUSE)

    def get_returns(self, jid: str, minions: Iterable[str], timeout: float | None = None) -> Answers:
        """Return {id: return value} for the returns of a job that arrive within `timeout`."""
        found: Answers = {}
        for one in self.get_event_iter_returns(jid, minions, timeout):
            found.update({id: data["ret"] for id, data in one.items()})
        return found

    def get_full_returns(self, jid: str, minions: Iterable[str], timeout: float | None = None) -> Answers:
        """Return {id: {"ret", "out"?}} from the cached returns of a job and those within `timeout`."""
        found: Answers = {}
        for one in self.get_cli_returns(jid, minions, timeout):
            found.update(one)
        return found

    def get_cache_returns(self, jid: str) -> Answers:
        """Return {id: {"ret", "out"?}} from the cached returns of a job."""
        found = {}
        for id, data in cached_job(self.link, self.opts, jid, self.user).returns.items():
            found[id] = {"ret": data.get("return")}
            if "out" in data:
                found[id]["out"] = data["out"]
        return found

    def gather_minions(self, tgt: Any, expr_form: str = "glob") -> list[str]:
        """Return the minions that the master expects a target to match."""
        return self.preview(tgt, expr_form)

    def gather_job_info(self, jid: str, tgt: Any, tgt_type: str, **kwargs: Any) -> PublishReply:
        """Ask minions whether they run a job; return {"jid", "minions"} of the query."""
        return self.run_job(tgt, "saltutil.find_job", [jid], tgt_type, listen=True, **kwargs)

    def _published(self, job: JobRequest, kwargs: Mapping[str, Any], listen: bool) -> Published | None:
        return self.publish(job, listen=listen, **_job_keywords(kwargs))

    def _iterate(
        self, published: Published, timeout: Any, kwargs: Mapping[str, Any], *, pause: float | None = None
    ) -> Iterator[Answers | None]:
        for one in self.collect(published, timeout=timeout, pause=pause, **_collect_keywords(kwargs)):
            if one is None:
                yield None
            elif kwargs.get("raw"):
                yield _raw(one)
            else:
                yield _as_stock(one, full=bool(kwargs.get("_cmd_meta")))
        if kwargs.get("expect_minions") and self.watch is not None:
            yield from ({id: {"failed": True}} for id in self.watch.absent())

    def _cli_returns(
        self, job: JobRequest, timeout: Any, kwargs: Mapping[str, Any], *, progress: bool = False
    ) -> Iterator[Answers]:
        published = self._published(job, kwargs, True)
        if published is None:
            return
        for count, one in enumerate(self.collect(published, timeout=timeout, **_collect_keywords(kwargs)), 1):
            if one is None:
                continue
            if progress:
                yield {"minion_count": len(published.minions), "return_count": count}
            yield _as_stock(one)
        assert self.watch is not None
        for id in self.watch.absent():
            yield {id: silent_return(self.watch, id)}

    def _until(self, jid: str, missing: set[str], timeout: float | None) -> Iterator[Answers]:
        deadline = time.monotonic() + self._timeout(timeout)
        watch = ReturnCollector(jid, missing, timeout=0, gather_timeout=0, now=0)
        while not watch.is_complete():
            event = self.link.next_event(deadline - time.monotonic())
            if event is None:
                return
            taken = watch.take(event, 0)
            if taken is not None:
                yield _as_stock(taken)


def master_settings(c_path: str = "") -> OptsDraft:
    """Return the settings of the master whose config file (or directory) is `c_path`."""
    from salt_g import config

    directory = os.path.dirname(c_path) if c_path and not os.path.isdir(c_path) else c_path
    return config.load("master", directory or None).opts


def _as_stock(returned: Return, *, full: bool = False) -> Answers:
    data = returned.data
    one = {"ret": data["return"]}
    one.update({name: data[name] for name in ("out", "retcode", "jid") if name in data})
    if full:
        one.update(data)
    return {returned.id: one}


def _raw(returned: Return) -> EventData:
    return {"tag": f"salt/job/{returned.data.get('jid')}/ret/{returned.id}", "data": returned.data}


def _job_keywords(kwargs: Mapping[str, Any]) -> ClientFields:
    return {name: value for name, value in kwargs.items() if name not in _OURS}


def _collect_keywords(kwargs: Mapping[str, Any]) -> ClientFields:
    return {name: kwargs[name] for name in ("gather_job_timeout", *CREDENTIALS) if name in kwargs}
