"""A master whose minions return at once, for rollouts."""

from functools import partial

import gevent
import pytest

from salt_g.cache.banks import Banks
from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.jobs import Jobs
from salt_g.client.jobs import JobClient
from salt_g.cluster.sealing import Sealing
from salt_g.data.run_record import RunHooks, RunRecord
from salt_g.event.bus import Bus
from salt_g.master.calls.authorization import Allowed, CommandCaller, NotAuthorized
from salt_g.master.publishing.job_readers import JobReaders
from salt_g.master.rollouts.rollouts import Rollouts
from salt_g.master.rollouts.sealed_banks import SealedBanks
from salt_g.process.supervisor import Supervisor
from tests.support.waiting import hub_until

OPTS = {"timeout": 0.2, "gather_job_timeout": 0.2, "nodegroups": {}, "publish_timeout": 30}
REFUSED = {"error": {"name": "AuthorizationError", "message": "Authorization error occurred."}}


class Permits:
    """Permits what is not in `forbidden`, functions by name; the caller's name is its address."""

    def __init__(self):
        self.forbidden, self.checks = set(), []

    def check_publish(self, load, caller):
        self._check(load["fun"])
        return Allowed(caller.address, standing={"user": caller.address, "proven": caller.address})

    def check_again(self, standing, load):
        self.checks.append((standing["user"], load["fun"], list(load["tgt"])))
        self._check(load["fun"])

    def check_user(self, load, caller):
        return Allowed(caller.address, standing={"user": caller.address})

    def check_call(self, kind, call, load, caller):
        if caller.address != "root":
            raise NotAuthorized(REFUSED, "no right")

    def may_call(self, kind, call, load, caller):
        return Allowed("root") if caller.address == "root" else None

    def caller_of(self, name):
        return CommandCaller(uid=4711)

    def _check(self, fun):
        if fun in self.forbidden:
            raise NotAuthorized(REFUSED, f"{fun} is forbidden")


class Master:
    """Rollouts whose jobs return at once: `retcodes` by (function, id); minions in `silent` do not return."""

    def __init__(self, store, key):
        self.store, self.jobs, self.bus = store, Jobs(store), Bus()
        self.banks = SealedBanks(Banks(store), Sealing(key, "rollouts"))
        self.authorization, self.supervisor, self.readers = Permits(), Supervisor("test"), JobReaders()
        self.events = self.bus.watch("salt/rollout/")
        self.ids, self.away, self.silent, self.retcodes = ["a", "b", "c", "d"], [], set(), {}
        self.sent, self.kept, self.error = [], {}, ""
        self.rollouts = self.made()

    def made(self, **hooks):
        """Return new rollouts on the same store, recorded in `kept` except for these hooks."""
        hooks.setdefault("begin", lambda jid, about, noted: self.kept.update(noted=noted) or self.record())
        return Rollouts(
            make_client=partial(JobClient, OPTS),
            answer=lambda load, caller: {},
            bus=self.bus,
            jobs=self.jobs,
            banks=self.banks,
            authorization=self.authorization,
            publisher=self,
            supervisor=self.supervisor,
            readers=self.readers,
            hooks=RunHooks(**hooks),
        )

    def record(self, known=None):
        """Return a record that keeps in `kept`."""
        return RunRecord(lambda key, value: self.kept.update({key: value} if key else {}) or True, known)

    def publish(self, load, *, user, uid, despite, is_staged):
        """Publish as `JobPublisher` does."""
        assert is_staged
        if self.error:
            return {"error": self.error}
        ids = [*self.ids, *self.away] if load["tgt"] == "*" else list(load["tgt"])
        jid = load["jid"] or self.jobs.new_jid()
        self.sent.append((load["fun"], ids, user))
        self.jobs.save_load(jid, {"fun": load["fun"], "user": user}, ids).result()
        for id in ids:
            if id not in self.away and (load["fun"] == "test.ping" or id not in self.silent):
                code = self.retcodes.get((load["fun"], id), 0)
                fields = {"id": id, "jid": jid, "return": "x", "retcode": code}
                self.jobs.save_return(fields).result()
                gevent.spawn(self.bus.fire, f"salt/job/{jid}/ret/{id}", fields)
        return {"jid": jid, "minions": ids}

    def shown_arguments(self, arg):
        """Return the arguments, as there are no secrets."""
        return arg

    def ended(self, jid):
        """Wait for the end of a rollout and return its status."""
        hub_until(lambda: self.rollouts.status(jid)["ended"], "the end of the rollout")
        hub_until(lambda: jid not in self.rollouts._running)
        return self.rollouts.status(jid)

    def jobs_of(self, fun):
        """Return the minions of each publication of a function."""
        return [ids for name, ids, _ in self.sent if name == fun]

    def tags(self):
        """Return the moments of the events."""
        return [event.tag.split("/", 3)[-1] for event in iter(self.events.take, None)]


@pytest.fixture
def master(tmp_path, master_key):
    with EmbeddedStore(str(tmp_path)) as store:
        made = Master(store, master_key)
        yield made
        made.supervisor.stop()
