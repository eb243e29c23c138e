"""The minions of `swarm.py`: they sign in, subscribe, answer every job, and count what was acknowledged."""

import datetime
import os
import random
import time

import gevent
import gevent.event
import gevent.pool
import saltwire
import zmq.green as zmq

#: Publications whose plain text is kept for the other minions.
DECODED_KEPT = 8


def percentile(values, rank):
    """Give the value at `rank` of 100 (nearest rank); None when there is none."""
    if not values:
        return None
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, -(-len(ordered) * rank // 100) - 1))]


def spread(seconds):
    """Give median, 95th percentile and maximum in milliseconds; None when there is nothing."""
    if not seconds:
        return None
    p50, p95 = percentile(seconds, 50), percentile(seconds, 95)
    return {
        name: round(value * 1000, 1) for name, value in (("p50", p50), ("p95", p95), ("max", max(seconds)))
    }


class Job:
    """One job of ours: who has seen it, whose return was acknowledged; `done` when all `want` were."""

    def __init__(self, jid, want):
        self.jid, self.want = jid, want
        self.started = time.monotonic()
        self.seen = self.acked = 0
        self.last_ack = None
        self.ack_times = []
        self.done = gevent.event.Event()


class Swarm:
    """All minions of one run and the command line that gives them jobs; `options` are those of `swarm.py`."""

    def __init__(self, options):
        self.options = options
        self.minions, self.jobs = [], {}
        self.decoded = {}
        self.hands = []
        self.errors = {}
        self.timeouts = self.retries = self.ignored = 0
        self.payload = "x" * options.echo if options.echo else True
        self.probe, self.probe_seen = None, set()
        self.probe_done = gevent.event.Event()
        self.listening = gevent.pool.Group()
        self.answering = gevent.pool.Group()
        self.context = zmq.Context()
        self.context.set(zmq.MAX_SOCKETS, 4 * options.n + 64)
        self.trust = saltwire.MasterTrust(os.path.join(options.pki_dir, "minion_master.pub"))
        self.client = saltwire.LocalClient(
            options.host,
            options.ret_port,
            saltwire.LocalClient.read_key(options.root_key),
            options.user,
            self.context,
        )
        self._jid_last = None

    def count_error(self, where, exc):
        """Count an error by where it came from and its text."""
        key = f"{where}: {type(exc).__name__}: {str(exc)[:80]}"
        self.errors[key] = self.errors.get(key, 0) + 1

    def jid(self):
        """Make a jid later than all before."""
        now = datetime.datetime.now(datetime.timezone.utc)
        if self._jid_last and now <= self._jid_last:
            now = self._jid_last + datetime.timedelta(microseconds=1)
        self._jid_last = now
        return now.strftime("%Y%m%d%H%M%S%f")

    def build(self):
        """Make the minions and their keys."""
        options = self.options
        shared = None if options.distinct_keys else saltwire.KeyPair.load_or_create(options.pki_dir)
        for i in range(options.n):
            keys = shared or saltwire.KeyPair.load_or_create(os.path.join(options.pki_dir, "keys", str(i)))
            self.minions.append(
                saltwire.Minion(
                    f"{options.prefix}-{i:05d}",
                    options.host,
                    options.ports[i % len(options.ports)],
                    options.publish_port,
                    keys=keys,
                    trust=self.trust,
                    context=self.context,
                    timeout=options.timeout,
                    send_token=not options.no_token,
                )
            )
        for minion in self.minions:
            minion.keys.make_tok()  # once for each pair of keys, and not while the clock runs

    def sign_in(self, minion, times):
        """Sign one minion in, add the seconds it took to `times`; False when it could not be."""
        for _ in range(self.options.tries):
            t0 = time.monotonic()
            try:
                minion.authenticate()
                times.append(time.monotonic() - t0)
                return True
            except saltwire.Timeout:
                self.timeouts += 1
                self.retries += 1
            except saltwire.WireError as exc:
                self.count_error("auth", exc)
                if isinstance(exc, saltwire.AuthError) and not isinstance(exc, saltwire.KeyPending):
                    return False
                gevent.sleep(1)
        return False

    def auth_all(self):
        """Sign all in and give the figures."""
        times = []
        t0 = time.monotonic()
        ok = int(self.sign_in(self.minions[0], times))  # learns the master's key
        if not ok:
            raise RuntimeError("the first sign-in failed")
        pool = gevent.pool.Pool(self.options.auth_concurrency)
        for got in pool.imap_unordered(lambda m: self.sign_in(m, times), self.minions[1:]):
            ok += bool(got)
        took = time.monotonic() - t0
        self.minions = [m for m in self.minions if m.session is not None]
        return {
            "ok": ok,
            "failed": self.options.n - ok,
            "seconds": round(took, 3),
            "per_s": round(ok / took, 1),
            "latency_ms": spread(times),
        }

    def connect_all(self):
        """Subscribe all, wait until one publication has reached all, and give the figures."""
        began = time.monotonic()
        for i, minion in enumerate(self.minions):
            minion.subscribe(filtering=self.options.zmq_filtering)
            self.listening.start(gevent.Greenlet(self._listen, minion))
            if i % 50 == 49:
                gevent.sleep(0)
        probes, reached = 0, False
        while not reached and time.monotonic() < began + self.options.connect_timeout:
            probes += 1
            reached = self._probe()
        seconds = round(time.monotonic() - began, 3) if reached else None
        return {"seconds": seconds, "probes": probes, "reached": len(self.probe_seen)}

    def _probe(self):
        """Publish a job for one minion, which every subscriber sees; True when all did."""
        self.probe, self.probe_seen = self.jid(), set()
        self.probe_done.clear()
        timeout = self.options.timeout
        try:
            self.client.publish(self.minions[0].id, "test.ping", jid=self.probe, timeout=timeout)
        except saltwire.WireError as exc:
            self.count_error("publish", exc)
            gevent.sleep(1)
            return False
        return self.options.zmq_filtering or self.probe_done.wait(2)

    def _listen(self, minion):
        while True:
            try:
                frames = minion.sub.recv_multipart()
            except zmq.ZMQError:
                return
            try:
                job = self._decode(minion, frames)
            except saltwire.WireError as exc:
                self.count_error("publication", exc)
                continue
            if job is not None:
                self._dispatch(minion, job)

    def _decode(self, minion, frames):
        """Verify and decrypt each publication once for all minions, unless `--decode-each` says otherwise.

        Real minions would each do it, but on machines of their own; here it would measure this process
        instead of the master.
        """
        if self.options.decode_each:
            return minion.decode_publication(frames)
        key = (minion.pub_crypt.key_text, frames[-1])
        job = self.decoded.get(key)
        if job is None:
            minion.serial = 0  # here a publication is replayed only within one process
            job = minion.decode_publication(frames)
            if len(self.decoded) > DECODED_KEPT:
                self.decoded.clear()
            self.decoded[(minion.pub_crypt.key_text, frames[-1])] = job
        return job

    def _dispatch(self, minion, job):
        jid = job["jid"]
        if jid == self.probe:
            self.probe_seen.add(minion.id)
            if len(self.probe_seen) == len(self.minions):
                self.probe_done.set()
            if job["tgt"] != minion.id:
                return
        elif jid not in self.jobs and self.options.follow and job["tgt"] == "*":
            self.jobs[jid] = Job(jid, len(self.minions))
            self.jobs[jid].seen += 1
        elif jid not in self.jobs:
            self.ignored += 1  # of somebody else
            return
        else:
            self.jobs[jid].seen += 1
            self.hands.append(time.monotonic() - self.jobs[jid].started)
        self.answering.start(gevent.Greenlet(self._answer, minion, job))

    def _answer(self, minion, job):
        if self.options.jitter:
            gevent.sleep(random.uniform(0, self.options.jitter))
        began = time.monotonic()
        if self._send_return(minion, job) and (ours := self.jobs.get(job["jid"])):
            now = time.monotonic()
            ours.ack_times.append(now - began)
            ours.acked += 1
            ours.last_ack = now
            if ours.acked >= ours.want:
                ours.done.set()

    def _send_return(self, minion, job):
        """Return a job, again after a timeout; True when it was acknowledged."""
        for _ in range(self.options.tries):
            try:
                minion.send_return(job, self.payload, timeout=self.options.timeout)
                return True
            except saltwire.Timeout:
                self.timeouts += 1
                self.retries += 1
            except saltwire.WireError as exc:
                self.count_error("return", exc)
                return False
        self.count_error("return", saltwire.Timeout("gave up"))
        return False

    def run_jobs(self):
        """Publish the jobs one after another and give the figures."""
        began, publish_times, rows = time.monotonic(), [], []
        for _ in range(self.options.jobs):
            rows.append(self._run_job(publish_times))
            if self.options.gap:
                gevent.sleep(self.options.gap)
        wall = time.monotonic() - began
        returned = sum(row["acked"] for row in rows)
        spans = [row.pop("span") for row in rows]
        full = [span for span, row in zip(spans, rows, strict=True) if row.pop("complete")]
        acks = [seconds for job in self.jobs.values() for seconds in job.ack_times]
        self.answering.join(timeout=self.options.timeout)
        return {
            "count": self.options.jobs,
            "complete": len(full),
            "latency_until_last_ack_ms": spread(full),
            "publish_reply_ms": spread(publish_times),
            "return_ack_ms": spread(acks),
            "in_hand_ms": {**(spread(self.hands) or {}), "p99": self._in_hand_p99()},
            "returns_acked": returned,
            "returns_per_s": round(returned / sum(spans), 1) if sum(spans) else None,
            "wall_s": round(wall, 2),
            "each": rows,
        }

    def _in_hand_p99(self):
        return round(percentile(self.hands, 99) * 1000, 1) if self.hands else None

    def _run_job(self, publish_times):
        """Publish one job and wait for its last acknowledgement; give its row of the figures."""
        options, job = self.options, Job(self.jid(), len(self.minions))
        self.jobs[job.jid] = job
        listed = {"minions": []}
        try:
            listed = self.client.publish(
                options.tgt, options.fun, tgt_type=options.tgt_type, jid=job.jid, timeout=options.job_timeout
            )
            publish_times.append(time.monotonic() - job.started)
        except saltwire.WireError as exc:
            self.count_error("publish", exc)
        complete = job.done.wait(max(0.0, options.job_timeout - (time.monotonic() - job.started)))
        span = (job.last_ack or time.monotonic()) - job.started
        return {
            "targeted": len(listed.get("minions", [])),
            "seen": job.seen,
            "acked": job.acked,
            "ms": round(span * 1000, 1),
            "span": span,
            "complete": complete,
        }

    def close(self):
        """Let go of all connections."""
        self.listening.kill(block=False)
        self.answering.kill(block=False)
        for minion in self.minions:
            minion.close()
        self.client.close()
