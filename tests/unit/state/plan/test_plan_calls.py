import json
import stat

import pytest

from salt_g.errors import CommandExecutionError, CompileError, PlanRefused
from salt_g.process import secret_hiding
from salt_g.services.daemons import MinionServices
from salt_g.state.plan.digests import machine_digests
from salt_g.state.plan.document import make_document
from salt_g.state.plan.plan_calls import id_of, opened, planned, write_file
from tests.support.planned_states import TAG, would
from tests.support.state_trees import FakeFiles

CALL = {"fun": "state.apply", "args": ["web"], "kwargs": {"test": True}}


@pytest.fixture
def context(call_context, tmp_path):
    return call_context(opts={"cachedir": str(tmp_path / "cache"), "id": "web7", "__cli": "salt-call"})


@pytest.fixture
def document(context, tmp_path):
    digests = machine_digests(str(tmp_path / "cache"))
    parts = {"lows": {}, "hidden": {}, "after": {}, "pillar": {}, "files": {}}
    return make_document(digests, plan="", id="web7", running={TAG: would()}, **parts)


def test_a_file_is_private_and_gives_the_call_and_the_plan_back(context, document, tmp_path):
    path = tmp_path / "x.plan"
    write_file(context, str(path), CALL, document)

    call, _ = opened(context, str(path), accept_opaque=False)

    assert call == CALL
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_arguments_that_hold_a_secret_are_not_written(context, document, tmp_path):
    with secret_hiding.forgotten():
        secret_hiding.add({"Planted-secret-1": "p"})
        call = {**CALL, "kwargs": {"pillar": {"p": "Planted-secret-1"}}}
        with pytest.raises(CommandExecutionError, match="hold a secret: put it into pillar files"):
            write_file(context, str(tmp_path / "x.plan"), call, document)


@pytest.mark.parametrize("text", ["", "[]", '{"call": {}}', '{"call": {}, "document": {}, "mac": "x"}'])
def test_other_files_are_refused(context, tmp_path, text):
    path = tmp_path / "x.plan"
    path.write_text(text)

    with pytest.raises(PlanRefused, match="web7: not applied"):
        opened(context, str(path), accept_opaque=False)


class Master:
    def __init__(self, reply):
        self.reply = reply

    def ask_own(self, load):
        self.request = load
        return self.reply


def test_a_job_asks_the_master_and_never_opens_files(context, document, tmp_path):
    path = tmp_path / "x.plan"
    write_file(context, str(path), CALL, document)
    master = Master({"call": CALL, "document": json.dumps(document)})
    opts = {**context.opts, "__cli": None}
    services = MinionServices(master=lambda: master)
    job = context.replace(opts=opts, services=services, job={"jid": "1"})

    assert opened(job, "7f3a91", accept_opaque=False)[0] == CALL
    assert master.request == {"cmd": "_plan", "plan": "7f3a91", "jid": "1"}
    for reply, result in (
        ({"error": "it has ended"}, "it has ended"),
        (None, "the master does not keep plans"),
        ({"call": CALL}, "the master sent no plan"),
    ):
        master.reply = reply
        with pytest.raises(PlanRefused, match=result):
            opened(job, str(path), accept_opaque=False)


def test_a_resource_has_its_own_name(context):
    assert id_of(context) == "web7"
    assert id_of(context.replace(resource={"id": "a", "type": "dummy"})) == "dummy:a"


def test_states_that_no_longer_compile_refuse_a_plan_and_fail_its_making(context, document, tmp_path):
    class Engine:
        plan = None

    def work(engine):
        raise CompileError(["no web"])

    path = tmp_path / "x.plan"
    write_file(context, str(path), CALL, document)
    _, application = opened(context, str(path), accept_opaque=False)
    with pytest.raises(PlanRefused, match="web7: not applied, no web"):
        planned(Engine(), FakeFiles({}), application, work)
    with pytest.raises(CompileError):
        planned(Engine(), FakeFiles({}), "7f3a91", work)
