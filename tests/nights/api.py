"""An HTTP API under a flood: clients that send requests, guess passwords, smuggle, stall and read nothing.

Targets: memory and descriptors of API and master stay flat, a user's orders are answered meanwhile, and the
master's hub has no more delay than a limit. `requests` and `logins` end the night earlier than its time does.
"""

import dataclasses
import json
import pathlib
import subprocess
import sys
import time

from house import Deadline, House, Metrics, open_files, own_bytes
from measurements import Report, share
from soak import MIB, milli

from tests.support.api_client import PASSWORD, SETTINGS, USERS, ApiClient
from tests.support.daemons import RunningApi
from tests.support.pacing import pause
from tests.support.waiting import until

CROWD = pathlib.Path(__file__).with_name("crowd.py")
#: Events that fill the ring of the API before memory is measured: their number, and bytes.
FILLING, LARGE = 600, 64 * 1024
#: Permitted growth after a fifth of the time (MiB), and of open files at the end.
GROWTH, FILES = 8, 4
#: Time between two orders, and the longest time that one may take (s).
EVERY, PATIENCE = 0.2, 2.0
#: Bytes of an event that is fired beside each order: what readers that stand still leave behind.
EVENT = 4096
#: Longest delay of the master's hub that one of a hundred wake-ups may have (s).
DELAY = 0.25
#: Users who read slowly, and requests after which memory and files are shown each time.
READERS = [f"reader{number}" for number in range(6)]
MILESTONE = 100_000


@dataclasses.dataclass(frozen=True)
class Plan:
    """Time limit (s), and the numbers of requests and logins that end the night; 0 for none."""

    seconds: float = 1800.0
    requests: int = 0
    logins: int = 0


def run(plan, say):
    """Run the night and return its Report."""
    with House() as house:
        metrics = Metrics()
        users = {**USERS, **{name: [".*", "@events"] for name in READERS}}
        settings = {**SETTINGS, "external_auth": {"sharedsecret": users}, "metrics_port": metrics.port}
        master = house.master(**settings, api_trusted_proxies=["127.0.0.1"])
        house.minion(master, "m1")
        api = RunningApi(master).start()
        house.keep(_Ended(api))
        user = ApiClient(api.port).logged_in()
        # By a session of its own: its rate is used up then.
        _fill(ApiClient(api.port).logged_in())
        files = [open_files(one.pid) for one in (api, master)]
        say(f"master, minion and API are there, with {files[0]} and {files[1]} open files")
        watch = _Watch(api, master, user, say)
        before = metrics.read()
        crowd = _crowd(api, plan)
        watch.run(crowd, plan.seconds)
        delay = _delay(before, metrics.read())
        done = json.loads(crowd.communicate(timeout=120)[0])
        until(
            lambda: open_files(api.pid) <= files[0] + FILES, "the API closes what it had opened", seconds=90
        )
        return _report(plan, watch, done, files, delay)


def _fill(user):
    """Fill the ring of events, which takes a bounded part of the memory."""
    for number in range(FILLING):
        path = f"/hook/fill/{number}"
        # Faster than the rate of a session is 429.
        until(lambda path=path: user.post(path, {"text": "x" * LARGE}).status == 200, path)


def _crowd(api, plan):
    """Start the crowd."""
    login = {"password": PASSWORD, "eauth": "sharedsecret"}
    answers = [ApiClient(api.port).post("/login", {**login, "username": name}) for name in READERS]
    tokens = [answer.data["return"][0]["token"] for answer in answers]
    words = [str(value) for value in (api.port, plan.seconds, plan.requests, plan.logins, *tokens)]
    return subprocess.Popen(
        [sys.executable, str(CROWD), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    )


def _delay(before, after):
    """Return the 99th percentile of the hub's delay between two readings (s): the end of its bucket."""
    name = "salt_g_hub_delay_seconds_bucket"
    counts = [(key, value - before.get(key, 0)) for key, value in after.items() if key.startswith(name)]
    ends = sorted((float(key.split('"')[1]), count) for key, count in counts)
    return next((end for end, count in ends if count >= 0.99 * ends[-1][1]), None)


class _Ended:
    """Context that stops a daemon."""

    def __init__(self, daemon):
        self._daemon = daemon

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._daemon.stop()
        finally:
            self._daemon.kill()


class _Watch:
    """Jobs of a user, and samples of memory, while the crowd is active."""

    def __init__(self, api, master, user, say):
        self.times = []
        self.wrong = 0
        self.api, self.master = api, master
        self.samples = []
        self.milestones = []
        self._user = user
        self._say = say

    def run(self, crowd, seconds):
        """Send orders and take samples until the crowd has ended."""
        clock, result = Deadline(seconds + 60), 0.0
        self._mark(0)
        while crowd.poll() is None and clock.left:
            self._order()
            self.samples.append((clock.passed, own_bytes(self.api.pid), own_bytes(self.master.pid)))
            if clock.passed - result > 10:
                result = clock.passed
                _, api, master = self.samples[-1]
                self._say(f"{result:.0f} s: API {api / MIB:.1f} MiB, master {master / MIB:.1f} MiB (own)")
                self._look_for_milestone()
            pause(EVERY)

    def _look_for_milestone(self):
        try:
            requests = self._user.get("/stats").data["salt-g api"]["Total Requests"]
        except (OSError, ValueError, LookupError) as exc:
            self._say(f"the API does not tell its requests: {exc!r}")
            return
        if requests >= len(self.milestones) * MILESTONE:
            self._mark(requests)

    def _mark(self, requests):
        """Record and print memory and open files of both."""
        both = [(own_bytes(one.pid), open_files(one.pid)) for one in (self.api, self.master)]
        self.milestones.append((requests, both))
        shown = ", ".join(
            f"{name} {size / MIB:.1f} MiB, {files} files"
            for name, (size, files) in zip(("API", "master"), both, strict=True)
        )
        self._say(f"after {requests:,} requests: {shown}")

    def grown(self, place):
        """Return the growth of memory: the last tenth of samples against those at a fifth of the time."""
        values = [sample[place] for sample in self.samples]
        part = max(1, len(values) // 10)
        return (share(values[-part:], 0.5) - share(values[2 * part : 3 * part], 0.5)) / MIB

    def _order(self):
        began = time.monotonic()
        try:
            self._user.post("/hook/more", {"text": "x" * EVENT})
            began = time.monotonic()
            answer = self._user.post("/", [{"client": "local", "tgt": "m1", "fun": "test.ping"}])
            is_right, shown = (
                answer.data == {"return": [{"m1": True}]},
                f"{answer.status} {answer.body!r:.200}",
            )
        except (OSError, ValueError) as exc:
            is_right, shown = False, repr(exc)
        self.times.append(time.monotonic() - began)
        if not is_right:
            self.wrong += 1
            self._say(f"an order failed: {shown}")


def _report(plan, watch, done, files, delay):
    report = Report("api", **dataclasses.asdict(plan))
    for name in sorted(done):
        report.add(name, done[name])
    requests = sum(number for name, number in done.items() if name.startswith("answers"))
    report.add("requests", requests, "", (">=", plan.requests or 1))
    report.add("logins refused", done.get("logins 401", 0), "", (">", 0))
    report.add(
        "logins",
        sum(number for name, number in done.items() if name.startswith("logins")),
        "",
        (">=", plan.logins),
    )
    report.add("logins accepted", done.get("logins 200", 0), "", ("==", 0))
    report.add("smuggled requests accepted", done.get("smuggled requests accepted", 0), "", ("==", 0))
    report.add("orders of the user", len(watch.times), "", (">", 0))
    report.add("orders that failed", watch.wrong, "", ("==", 0))
    report.add("order p50", milli(share(watch.times, 0.5)), "ms")
    report.add("order p99", milli(share(watch.times, 0.99)), "ms", ("<", 1000 * PATIENCE))
    report.add(
        "hub delay of the master p99", None if delay is None else milli(delay), "ms", ("<=", 1000 * DELAY)
    )
    for place, daemon in ((1, watch.api), (2, watch.master)):
        report.add(f"memory of the {daemon.role} grown", watch.grown(place), "MiB (own)", ("<", GROWTH))
    for before, daemon in zip(files, (watch.api, watch.master), strict=True):
        more = open_files(daemon.pid) - before
        report.add(f"open files of the {daemon.role} more", more, "", ("<=", FILES))
    return report
