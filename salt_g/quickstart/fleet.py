"""Master and minions of a temporary fleet, on free ports, below one directory.

Minions are accepted by id (`autosign_file`), because all of them are on this host. A store on a server is
checked first: it must not have the data of another master.
"""

from __future__ import annotations

import os
import secrets
import shutil
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from salt_g.client.event_bus import LocalEventBus
from salt_g.errors import StoreFilled
from salt_g.process import disk
from salt_g.quickstart.daemon import READY_WITHIN, FleetDaemon

if TYPE_CHECKING:
    from salt_g.cache.store import Store

#: Directory of the sample states and pillar.
TREE = os.path.join(os.path.dirname(__file__), "tree")
#: Address of all daemons.
ADDRESS = "127.0.0.1"
#: User of the HTTP API, and the clients that the API offers.
API_USER = "admin"
_API_CLIENTS = ["local", "local_async", "local_batch", "local_subset", "runner", "runner_async", "wheel"]
#: Interval between checks whether a minion has ended (s).
_LOOK_EVERY = 0.5
#: The kernel's limit for a socket path (bytes), and the longest socket path below a minion's directory.
_SOCKET_PATH = 107
_LONGEST_SOCKET = "/var/run/salt/minion/minion_event_0123456789_pull.ipc"
#: Queries for a minion in the store that does not belong to the trial.
_OTHERS = (
    "SELECT id FROM returns WHERE id NOT IN ({marks}) LIMIT 1",
    "SELECT key FROM entries WHERE bank IN ('grains', 'pillar', 'mine') AND key NOT IN ({marks}) LIMIT 1",
)
_ADVICE = "name a database without a master's data: a trial would put its own among it"


def longest_directory(ids: Iterable[str]) -> int:
    """Return the maximum length in bytes of the path of a fleet's directory with these minions."""
    return _SOCKET_PATH - len(_LONGEST_SOCKET) - len("/") - max(map(len, ids))


class Fleet:
    """Daemons of a temporary fleet; lifecycle: created, `start_master`, `start_minions`, `stop`."""

    def __init__(
        self,
        directory: str,
        ids: Sequence[str],
        program: Sequence[str],
        *,
        store: str | None = None,
        with_api: bool = False,
    ) -> None:
        """Initialize a fleet below `directory`; `program` is the command before each subcommand.

        `store` is the URL of the server that keeps the master's data; `with_api` prepares the HTTP API.
        """
        #: Password of the user `API_USER`, or '' if there is no HTTP API.
        self.password = secrets.token_urlsafe(9) if with_api else ""
        self._api: FleetDaemon | None = None
        self.directory = directory
        self._store = store
        self.ids = list(ids)
        self._program = list(program)
        self._master = FleetDaemon(self.master_dir, "master", self._master_settings(), [*program, "master"])
        self._minions: dict[str, FleetDaemon] = {}
        self._stock: dict[str, str] = {}

    @property
    def master_dir(self) -> str:
        """Config directory of the master, for `-c`."""
        return os.path.join(self.directory, "master")

    @property
    def tree(self) -> str:
        """Directory of the sample states and pillar."""
        return os.path.join(self.directory, "tree")

    def edit(self, name: str, before: str, after: str) -> None:
        """Replace a text in a file of the tree."""
        path = os.path.join(self.tree, name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(before, after))

    def machine(self, id: str) -> str:
        """Return the directory that represents a minion's machine."""
        return os.path.join(self.directory, id, "machine")

    def add_stock(self, id: str, program: str) -> None:
        """Add a minion that runs stock Salt; `program` is the path of its `salt-minion`."""
        self.ids.append(id)
        self._stock[id] = program

    def start_master(self) -> None:
        """Create the directory and start the master; return when it is ready."""
        disk.make_private_leaf(self.master_dir)
        shutil.copytree(TREE, self.tree, dirs_exist_ok=True)
        with open(os.path.join(self.master_dir, "autosign"), "w", encoding="utf-8") as file:
            file.writelines(f"{id}\n" for id in self.ids)
        self._master.start()
        notice = self._master.wait_until_ready()
        publish_port, ret_port = int(notice["X_PUBLISH_PORT"]), int(notice["X_RET_PORT"])
        # A master restarted by hand must use the ports that its minions know.
        self._master.configure(publish_port=publish_port, ret_port=ret_port)
        self._minions = {id: self._minion(id, publish_port, ret_port) for id in self.ids}

    def start_minions(self, opts: Mapping[str, Any]) -> None:
        """Start all minions concurrently; return when all have fired their start events."""
        with LocalEventBus(opts) as bus:
            bus.subscribe("salt/minion/")
            for minion in self._minions.values():
                minion.start()
            self._wait_for_start_events(bus)

    def start_api(self) -> str:
        """Start the HTTP API and return its address."""
        directory = os.path.join(self.directory, "api")
        program = [*self._program, "api"]
        self._api = FleetDaemon(directory, "api", self._master_settings(), program, config_name="master")
        self._api.start()
        return self._api.wait_until_ready()["X_URL"]

    def stop(self) -> None:
        """Stop all daemons: the HTTP API, then the minions, then the master."""
        if self._api is not None:
            self._api.stop()
        for daemon in self._minions.values():
            daemon.ask_to_end()
        for daemon in (*self._minions.values(), self._master):
            daemon.stop()

    def kill(self) -> None:
        """Kill all daemons without waiting, instead of `stop`."""
        for daemon in (*self._minions.values(), self._master, *([self._api] if self._api else [])):
            daemon.kill()

    def _wait_for_start_events(self, bus: LocalEventBus) -> None:
        missing = set(self.ids)
        deadline = time.monotonic() + READY_WITHIN
        while missing:
            event = bus.get_event(wait=_LOOK_EVERY, tag="salt/minion/", full=True)
            if event is not None and event["tag"].endswith("/start"):
                missing.discard(event["tag"].split("/")[2])
            for id in missing:
                self._minions[id].check()
                if time.monotonic() > deadline:
                    raise self._minions[id].late()

    def _minion(self, id: str, publish_port: int, ret_port: int) -> FleetDaemon:
        directory = os.path.join(self.directory, id)
        settings = {
            **self._settings(directory),
            "id": id,
            "master": ADDRESS,
            # When the sample fleet is stopped, its running jobs need not finish.
            "job_stop_timeout": 1,
            "publish_port": publish_port,
            "master_port": ret_port,
        }
        program = [self._stock[id]] if id in self._stock else [*self._program, "minion"]
        return FleetDaemon(directory, "minion", settings, program)

    def _settings(self, directory: str) -> dict[str, Any]:
        return {"root_dir": directory, "log_level": "warning", "log_level_logfile": "info"}

    def _master_settings(self) -> dict[str, Any]:
        return {
            **self._settings(self.master_dir),
            "interface": ADDRESS,
            "publish_port": 0,
            "ret_port": 0,
            "autosign_file": os.path.join(self.master_dir, "autosign"),
            "file_roots": {"base": [os.path.join(self.tree, "states")]},
            "pillar_roots": {"base": [os.path.join(self.tree, "pillar")]},
            **({"store": self._store} if self._store else {}),
            **(self._api_settings() if self.password else {}),
        }

    def _api_settings(self) -> dict[str, Any]:
        return {
            "external_auth": {"sharedsecret": {API_USER: [".*", "@runner", "@wheel", "@jobs"]}},
            "sharedsecret": self.password,
            "netapi_enable_clients": _API_CLIENTS,
            "rest_cherrypy": {"host": ADDRESS, "port": 0},
        }


def check_trial(store: Store, ids: Collection[str]) -> None:
    """Raise StoreFilled if a store has data of minions other than `ids`, the minions of a trial."""
    marks = ", ".join("?" * len(ids))
    for query in _OTHERS:
        others = store.read(query.format(marks=marks), tuple(ids))
        if others:
            raise StoreFilled(store.path, f"has data of the minion {others[0][0]}; {_ADVICE}")
