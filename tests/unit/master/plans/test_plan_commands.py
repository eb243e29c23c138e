import pytest

from salt_g.auth.local_users import Rights
from salt_g.errors import ClientError
from salt_g.master.calls.authorization import Allowed, CommandCaller, NotAuthorized
from salt_g.master.plans import plan_commands
from salt_g.master.plans.plan_commands import PlanCommands
from tests.support.plan_records import ID, JID, document, record

SAVE = {
    "user": "ann",
    "fun": "state.apply",
    "arg": ["web", {"__kwarg__": True, "test": True}],
    "tgt": "web*",
    "name": "web.plan",
}


class Master:
    """Everything around the commands: rights {user: functions}, and the published jobs."""

    def __init__(self):
        self.rights = {
            "root": None,
            "ann": ["state.apply", "state.apply_plan"],
            "bob": ["state.approve_plan"],
        }
        self.published, self.minions, self.loads, self.returns = [], ["web1", "web2"], {}, {}
        #: (user, order, whether it was allowed) of decisions about plans.
        self.decisions = []

    def rights_of(self, load, caller):
        if load.get("user") not in self.rights:
            raise NotAuthorized({"error": "no"}, "unknown")
        return Rights(load["user"], self.rights[load["user"]], module=load.get("module", ""))

    def allows_job(self, rights, fun, ids):
        return rights.permissions is None or fun in rights.permissions

    def note_plan(self, order, plan, ids, user, caller, problem=""):
        self.decisions.append((user, order, not problem))

    def check_publish(self, load, caller):
        rights = self.rights_of(load, caller)
        if not self.allows_job(rights, load["fun"], ()):
            raise NotAuthorized({"error": "no"}, "may not")
        return Allowed(rights.user)

    def publish(self, job, *, user, uid, source):
        self.published.append(job)
        if not self.minions:
            return {"jid": None, "minions": [], "error": "nobody"}
        self.loads[job["jid"]] = job
        return {"jid": job["jid"], "minions": self.minions, "missing": []}

    def new_jid(self):
        return str(int(JID) + len(self.published))

    def get_load(self, jid):
        return self.loads.get(jid, {})

    def get_jid(self, jid):
        return self.returns


@pytest.fixture
def master():
    return Master()


@pytest.fixture
def ask(kept, master, clock):
    """Send a command: `ask("show", "ann")`; `approval` is the setting."""

    def send(command, user, approval="", **load):
        parts = {"authorization": master, "publisher": master, "jobs": master}
        commands = PlanCommands(kept, approval=approval, clock=clock, **parts)
        return commands.serve(command, {"user": user, "plan": ID, **load}, CommandCaller())

    return send


@pytest.fixture
def planned(kept):
    """Make a plan of ann with two documents."""
    kept.write(record())
    for name in ("web1", "web2"):
        kept.put_document(ID, name, name, document("change", "same")).result()


def test_a_test_run_is_published_with_the_id_of_its_plan(ask, master, kept):
    reply = ask("save", **SAVE)["load"]

    (job,) = master.published
    saved = kept.read(reply["plan"])
    assert job["arg"] == ["web", {"__kwarg__": True, "test": True, "__plan": reply["plan"]}]
    assert (saved["jid"], saved["minions"], saved["user"]) == (job["jid"], ["web1", "web2"], "ann")


@pytest.mark.parametrize("changed", [{"fun": "cmd.run"}, {"arg": ["web"]}, {"arg": ["web", "test=0"]}])
def test_other_calls_are_not_saved(ask, master, kept, changed):
    assert "plans are made from test runs" in ask("save", **{**SAVE, "user": "root", **changed})["error"]
    assert (master.published, kept.ids()) == ([], [])


def test_a_target_without_minions_leaves_no_plan(ask, master, kept):
    master.minions = []

    assert ask("save", **SAVE)["load"]["error"] == "nobody"
    assert kept.ids() == []


def test_a_plan_is_closed_by_its_maker_and_shown_to_permitted_users(ask, master, planned):
    shown = ask("show", "bob")
    assert not shown["plan"]["is_closed"]
    assert list(shown["documents"]) == ["web1", "web2"]
    assert "belongs to ann" in ask("close", "bob")["error"]

    plan = ask("close", "ann")["plan"]
    assert (plan["counts"]["change"], plan["counts"]["states"]) == (2, 2)
    master.rights["eve"] = ["test.ping"]
    assert ask("list", "eve") == {"plans": []}
    assert [one["id"] for one in ask("list", "bob")["plans"]] == [ID]
    assert "there is no plan" in ask("show", "eve")["error"]
    with pytest.raises(NotAuthorized):
        ask("list", "nobody")


def test_a_plan_is_applied_once_on_its_minions(ask, master, planned):
    reply = ask("apply", "ann")["load"]

    (job,) = master.published
    assert job["fun"] == "state.apply_plan"
    assert job["arg"] == [ID, {"__kwarg__": True, "accept_opaque": False}]
    assert (job["tgt"], job["tgt_type"], reply["jid"]) == (["web1", "web2"], "list", job["jid"])
    assert "a plan is applied once" in ask("apply", "root")["error"]
    assert len(master.published) == 1


@pytest.mark.parametrize(
    ("given", "passes"), [({}, False), ({"all_at_once": True}, True), ({"all_at_once": 1}, False)]
)
def test_an_application_passes_the_guard_with_the_option(ask, master, planned, given, passes):
    ask("apply", "ann", **given)

    assert master.published[-1]["kwargs"] == {"all_at_once": passes}


def test_a_rollout_applies_a_plan_unless_it_cannot_begin(master, planned, kept, ask):
    commands = PlanCommands(kept, authorization=master, publisher=master, jobs=master, clock=lambda: 1001.0)
    load = {"plan": ID, "user": "ann", "accept_opaque": True}

    with pytest.raises(ClientError, match="no"), commands.applied_in_waves(load, CommandCaller(), "7"):
        raise ClientError("no")
    assert kept.read(ID)["applied"] == []
    with commands.applied_in_waves(load, CommandCaller(), "7") as (fun, arg, minions):
        assert (fun, minions) == ("state.apply_plan", ["web1", "web2"])
        assert arg == [ID, {"__kwarg__": True, "accept_opaque": True}]

    assert [one["jid"] for one in kept.read(ID)["applied"]] == ["7"]
    assert "a plan is applied once" in ask("apply", "root")["error"]
    assert master.published == []


def test_an_application_that_was_not_published_does_not_count(ask, master, planned, kept):
    master.minions = []
    assert ask("apply", "ann")["load"]["error"] == "nobody"
    assert kept.read(ID)["applied"] == []


def test_a_master_that_ended_after_it_began_to_apply_does_not_apply_again(ask, master, planned, kept):
    kept.write(record(applied=[{"jid": "1", "user": "ann", "at": 0.0}]))

    assert "a plan is applied once" in ask("apply", "ann")["error"]
    assert master.published == []


@pytest.mark.parametrize(("maker", "approver"), [("ann", "ann"), ("sudo_bob", "bob"), ("root", "root")])
def test_an_author_cannot_approve_their_own_plan(ask, master, kept, planned, maker, approver):
    kept.write(record(user=maker))
    master.rights[approver] = ["state.approve_plan", "state.apply_plan"]

    assert "another person has to approve it" in ask("approve", approver, approval="other")["error"]
    assert "has to approve it" in ask("apply", approver, approval="other")["error"]
    assert master.decisions == [(approver, "approve", False), (approver, "apply", False)]
    assert master.published == []


def test_another_person_approves_what_is_there_and_it_is_applied(ask, master, planned, kept):
    assert "bob needs permission for state.apply_plan" in ask("apply", "bob")["error"]
    assert "ann needs permission for state.approve_plan" in ask("approve", "ann")["error"]

    ask("approve", "bob", approval="other")
    ask("approve", "bob", approval="other")

    assert [one["user"] for one in kept.read(ID)["approvals"]] == ["bob"]
    assert kept.read(ID)["is_closed"]
    assert ask("apply", "ann", approval="other")["load"]["jid"]
    assert master.decisions == [
        ("bob", "apply", False),
        ("ann", "approve", False),
        ("bob", "approve", True),
        ("bob", "approve", True),
        ("ann", "apply", True),
    ]


def test_commands_have_to_be_accepted(ask, master, kept):
    kept.write(record())
    kept.put_document(ID, "web1", "web1", document("change", opaque="runs true")).result()

    assert "1 of its states run commands" in ask("apply", "ann")["error"]
    assert ask("apply", "ann", accept_opaque=True)["load"]["jid"]


def test_a_plan_without_minions_or_of_too_many_is_not_applied(ask, kept, planned):
    kept.write(record(is_closed=True, counts={"minions": 0}))
    assert "no minion made a plan" in ask("apply", "ann")["error"]
    kept.write(record(is_closed=True, counts={"minions": 2}, size=17 << 20))
    assert "17 MiB; the limit is 16 MiB" in ask("apply", "ann")["error"]


def test_a_plan_is_dropped_by_its_maker_or_a_user_that_may_apply_it(ask, kept, planned):
    assert "needs permission" in ask("drop", "bob")["error"]
    assert ask("drop", "ann")["plan"]["id"] == ID
    assert kept.ids() == []


def test_the_content_of_a_plan_comes_by_page(ask, kept, master):
    master.rights["eve"] = []
    kept.write(record(minions=["web1", "web2", "web3"]))
    for name, opaque in (("web1", ""), ("web2", ""), ("web3", "reindex")):
        kept.put_document(ID, name, name, document("change", "same", opaque=opaque)).result()
    first = ask("groups", "ann", limit=1)

    assert ([one["minions"] for one in first["groups"]], first["total"]) == ([["web1", "web2"]], 2)
    second = ask("groups", "ann", after=first["next"])
    assert ([one["minions"] for one in second["groups"]], second["next"]) == ([["web3"]], None)
    assert [one["opaque"] for one in ask("groups", "ann", minion="web3")["groups"]] == ["reindex"]
    assert ask("groups", "eve")["why"] == ask("record", "eve")["why"] == "unknown"
    assert ask("record", "ann")["plan"]["minions"] == ["web1", "web2", "web3"]


def test_texts_of_a_page_are_bounded(ask, kept, monkeypatch):
    kept.write(record())
    for name in ("web1", "web2"):
        text = document("change").replace('"text": ""', f'"text": "{name * 100}"')
        kept.put_document(ID, name, name, text).result()
    monkeypatch.setattr(plan_commands, "MAX_TEXT", 100)
    monkeypatch.setattr(plan_commands, "MAX_TEXTS", 150)

    result = ask("groups", "ann")
    assert [(len(one["text"]), one["cut"]) for one in result["groups"]] == [(100, 300)]
    assert (result["next"], result["total"]) == (1, 2)


def test_a_refusal_says_of_which_kind_it_is(ask, planned, master):
    master.rights["eve"] = []
    assert ask("show", "eve")["why"] == "unknown"
    assert ask("approve", "ann")["why"] == "right"
    assert ask("apply", "ann")["load"]["plan"] == ID
    assert ask("apply", "ann")["why"] == "state"


def test_a_name_of_several_people_names_no_plan(ask, master, kept, planned):
    kept.write(record(id="eeeeee", user="eve", made=2000.0))
    master.rights["eve"] = ["state.apply"]

    assert "eeeeee of eve, 7f3a91 of ann; name one by its id" in ask("apply", "ann", plan="web.plan")["error"]
    assert ask("show", "eve", plan="web.plan")["plan"]["id"] == "eeeeee"
    assert ask("apply", "ann")["load"]["jid"]
    assert len(master.published) == 1


def test_a_private_plan_hides_no_other_of_its_name(ask, master, kept, planned):
    kept.write(record(id="eeeeee", user="eve", made=2000.0, minions=["db1"]))
    whole = master.allows_job
    master.allows_job = lambda rights, fun, ids: "db1" not in ids and whole(rights, fun, ids)

    assert ask("show", "ann", plan="web.plan")["plan"]["id"] == ID


@pytest.mark.parametrize("approver", ["Ann", "ANN", "ann ", "sudo_Ann"])
def test_another_spelling_of_a_name_is_no_other_person(ask, master, kept, planned, approver):
    master.rights[approver] = ["state.approve_plan", "state.apply_plan"]

    assert "another person has to approve it" in ask("approve", approver, approval="other")["error"]


def test_the_same_name_at_another_login_module_is_another_user(ask, master, planned):
    master.rights["ann"] = ["state.apply"]

    assert "there is no plan" in ask("show", "ann", module="oidc")["error"]
    assert "there is no plan" in ask("drop", "ann", module="oidc")["error"]
    assert ask("show", "ann", module="pam")["plan"]["id"] == ID


def test_a_plan_that_was_not_published_is_seen_by_its_maker_only(ask, kept):
    kept.write(record(minions=[]))

    assert ask("list", "bob") == {"plans": []}
    assert len(ask("list", "ann")["plans"]) == 1
