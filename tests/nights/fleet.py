"""Handle of the process with simulated minions."""

import json
import pathlib
import random
import subprocess
import sys
import threading
import time

from salt_g.client import LocalClient
from tests.support.waiting import until

SWARM = pathlib.Path(__file__).with_name("swarm.py")
#: Time limits for all minions to connect, and to finish at the end (s).
ARRIVAL = 180.0
END = 60.0
#: Time in which a minion that has subscribed answers a ping (s).
PAUSE = 10


class Fleet:
    """Simulated minions of one master. Lifecycle: `with`; `end` returns the ledger of `swarm.py`.

    `cut` holds the spans (id, from, until) in which minions were disconnected, on the monotonic clock.
    """

    def __init__(self, master, root, minions, *, seed=1, fault_every=0, duration=0.0):
        self._root = pathlib.Path(root)
        self._root.mkdir()
        self._config = str(master.config_dir / "master")
        self._words = ["--ret-port", str(master.ret_port), "--minions", str(minions), "--root", str(root)]
        self._words += ["--fault-every", str(fault_every), "--duration", str(duration)]
        self._draw = random.Random(seed)
        self._lock = threading.Lock()
        self._ready = threading.Event()
        self._there = [f"swarm-{number:05d}" for number in range(minions)]
        self._away = {}
        self.cut = []
        self.failed = []

    def __enter__(self):
        self._process = subprocess.Popen(
            [sys.executable, str(SWARM), *self._words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        try:
            self._wait_until_ready()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait(END)
        self._reader.join(END)
        self._process.stdin.close()
        self._process.stdout.close()

    def wait_until_subscribed(self):
        """Wait until all have subscribed: earlier publications do not reach them."""
        with LocalClient(c_path=self._config) as local:
            until(
                lambda: len(local.cmd("swarm-*", "test.ping", timeout=PAUSE)) == self.there,
                "all subscriptions",
                seconds=ARRIVAL,
            )

    @property
    def there(self):
        """Number of connected minions."""
        return len(self._there)

    @property
    def pid(self):
        """Process id."""
        return self._process.pid

    @property
    def gone(self):
        """Ids of minions that have disconnected at least once."""
        with self._lock:
            return {id for id, _, _ in self.cut} | set(self._away)

    def draw(self, number):
        """Return a random sample of connected minions."""
        with self._lock:
            return self._draw.sample(self._there, min(number, len(self._there)))

    def reconnect_one(self):
        """Make one minion disconnect and reconnect."""
        with self._lock:
            id = self._there.pop(self._draw.randrange(len(self._there)))
            self._away[id] = time.monotonic()
        self._say(f"reconnect {id}")

    def end(self):
        """Stop all minions and return their ledger."""
        self._say("end")
        self._process.wait(END)
        return json.loads((self._root / "ledger.json").read_text())

    def _say(self, line):
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def _wait_until_ready(self):
        deadline = time.monotonic() + ARRIVAL
        while not self._ready.wait(0.2):
            if self._process.poll() is not None:
                raise RuntimeError(f"the simulated minions ended with {self._process.returncode}")
            if time.monotonic() > deadline:
                raise TimeoutError(f"not all simulated minions were there within {ARRIVAL:g} s")

    def _read(self):
        for line in self._process.stdout:
            word, _, rest = line.strip().partition(" ")
            if word == "ready":
                self._ready.set()
            elif word == "back":
                self._note_back(rest)
            else:
                self.failed.append(line.strip())

    def _note_back(self, id):
        with self._lock:
            self.cut.append((id, self._away.pop(id), time.monotonic()))
            self._there.append(id)
