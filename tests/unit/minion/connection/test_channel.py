"""The sealed channel to a master."""

import gevent
import gevent.event
import pytest

from salt_g.errors import MasterNotTrusted, NoReply, NoTurn, SealBroken, SignInRefused, WireError
from tests.support.waiting import hub_until


def test_the_first_question_signs_in_and_keeps_the_masters_key(channel, master, opts, tmp_path):
    master.answers["_file_envs"] = ["base"]

    assert channel.ask({"cmd": "_file_envs"}) == ["base"]
    assert channel.ask({"cmd": "_file_envs"}) == ["base"]

    assert master.sign_ins == 1
    assert (tmp_path / "pki" / "minion_master.pub").read_text().strip() == master.key.public.pem
    assert master.requests[0]["id"] == "m1"


def test_a_command_that_the_master_lacks_is_sent_once_in_a_session(channel, master):
    master.answers["_file_hashes"] = {}

    assert channel.ask_own({"cmd": "_file_hashes"}) is None
    assert channel.ask_own({"cmd": "_file_hashes"}) is None
    assert [request["cmd"] for request in master.requests] == ["_file_hashes"]

    master.answers["_file_hashes"] = {"files": []}
    master.renew_session()
    channel.forget()

    assert channel.ask_own({"cmd": "_file_hashes"}) == {"files": []}


def test_a_refused_session_is_replaced_and_the_question_asked_again(channel, master):
    master.answers["_file_envs"] = ["base"]
    channel.sign_in()

    master.renew_session()

    assert channel.ask({"cmd": "_file_envs"}) == ["base"]
    assert master.sign_ins == 2


def test_a_master_that_goes_on_refusing_is_asked_twice(channel, master):
    master.answers["_file_envs"] = ["base"]
    channel.sign_in()
    handle = master.network.handler

    def refuse_sealed(arrival):
        if b"_auth" in arrival.payload:
            return handle(arrival)
        raise WireError("no")

    master.network.handler = refuse_sealed

    with pytest.raises(SealBroken):
        channel.ask({"cmd": "_file_envs"})
    assert master.sign_ins == 2


def test_a_lost_reply_is_asked_for_again_with_a_new_nonce(channel, master, opts):
    master.answers["_file_envs"] = ["base"]
    channel.sign_in()
    master.network.drop_next()

    assert channel.ask({"cmd": "_file_envs"}, timeout=0.05, tries=2) == ["base"]


def test_a_silent_master_is_reported(channel, master):
    master.network.handler = None

    with pytest.raises(NoReply):
        channel.ask({"cmd": "_file_envs"}, timeout=0.01, tries=1)


def test_a_master_with_another_key_is_not_believed(channel, master, identity, other_key):
    identity.remember(other_key.public)

    with pytest.raises(MasterNotTrusted):
        channel.sign_in()


def test_a_pending_key_is_a_refusal_with_its_reason(channel, master):
    master.verdict = True

    with pytest.raises(SignInRefused) as caught:
        channel.sign_in()
    assert caught.value.reason == "pending"


def test_of_many_that_find_a_key_old_one_signs_in(channel, master):
    old = channel.sign_in()

    new = channel.sign_in(instead_of=old)

    assert new is not old
    assert channel.sign_in(instead_of=old) is new
    assert master.sign_ins == 2


def test_a_channel_that_forgot_signs_in_anew(channel, master):
    channel.sign_in()

    channel.forget()

    assert channel.grant is None
    channel.sign_in()
    assert master.sign_ins == 2


class Ways:
    """Opens connections to a silent master; each records when it is closed."""

    def __init__(self, error=NoReply):
        self.opened = []
        self._error = error

    def __call__(self):
        self.opened.append(Way(self._error))
        return self.opened[-1]


class Way:
    """One of these connections: a request waits until `silent` is set, and gets no response."""

    def __init__(self, error):
        self.silent = gevent.event.Event()
        self.closed = 0
        self._error = error

    def request(self, payload, *, timeout):
        self.silent.wait(5)
        raise self._error("master", timeout)

    def close(self):
        self.closed += 1


def asking_over(channel, ways):
    """Let a signed-in channel use other connections; return a function that sends a request."""
    channel.sign_in()
    channel.close()
    channel._connect = ways
    return lambda: gevent.spawn(channel.ask, {"cmd": "_file_envs"}, timeout=1, tries=1)


def test_a_way_that_others_opened_meanwhile_stays_open(channel, master):
    ways = Ways()
    ask = asking_over(channel, ways)
    early, late = ask(), ask()
    gevent.idle()
    ways.opened[0].silent.set()
    gevent.joinall([early])
    third = ask()
    gevent.joinall([late])
    gevent.idle()

    assert [way.closed for way in ways.opened] == [1, 0]
    third.kill()


def test_a_request_without_a_turn_leaves_the_connection_open(channel, master):
    ways = Ways(NoTurn)
    ask = asking_over(channel, ways)
    waiting = ask()
    gevent.idle()
    ways.opened[0].silent.set()
    gevent.joinall([waiting])

    assert isinstance(waiting.exception, NoTurn)
    assert [way.closed for way in ways.opened] == [0]


def test_two_that_open_a_way_at_once_leave_one(channel, master):
    ways, names = Ways(), gevent.event.Event()

    def resolve():
        names.wait(5)
        return ways()

    ask = asking_over(channel, resolve)
    asking = [ask(), ask()]
    gevent.idle()
    names.set()
    gevent.idle()

    assert sorted(way.closed for way in ways.opened) == [0, 1]
    gevent.killall(asking)


def test_a_way_to_the_master_before_is_not_used_for_the_next_one(channel, master):
    ways, names = Ways(), gevent.event.Event()

    def resolve():
        opened = ways()
        names.wait(5)
        return opened

    ask = asking_over(channel, resolve)
    asking = ask()
    gevent.idle()
    channel.forget()
    names.set()
    hub_until(lambda: len(ways.opened) == 2)

    assert [way.closed for way in ways.opened] == [1, 0]
    asking.kill()


@pytest.mark.parametrize("is_answered", [True, False])
def test_a_sign_in_that_another_master_answers_late_does_not_count(channel, is_answered):
    answers = [gevent.event.AsyncResult(), gevent.event.AsyncResult()]
    pending = iter(answers)
    channel._sign_in = lambda: next(pending).get(timeout=5)
    early = gevent.spawn(channel.sign_in)
    gevent.idle()
    channel.forget()
    late = gevent.spawn(channel.sign_in)
    gevent.idle()
    if is_answered:
        answers[0].set("grant of the first")
    else:
        answers[0].set_exception(NoReply("first", 5))
    answers[1].set("grant of the second")

    assert early.get(timeout=5) == late.get(timeout=5) == channel.grant == "grant of the second"
    assert next(pending, None) is None
