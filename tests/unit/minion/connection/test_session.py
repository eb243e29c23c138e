"""The minion's session with one or several masters, without sockets and without a clock."""

import socket

import gevent
import gevent.event
import gevent.queue
import pytest

from salt_g.errors import MasterNotTrusted, MasterUnreachable, NoReply, SignInRefused
from salt_g.minion.connection import masters
from salt_g.minion.connection.session import KeyRejected, MasterSession
from salt_g.minion.settings import ChannelSettings, MasterListSettings, ResolverSettings, SessionSettings
from tests.support.waiting import hub_turns


@pytest.fixture
def connected():
    return gevent.event.Event()


@pytest.fixture
def pauses():
    return []


@pytest.fixture
def make(opts, identity, connected, pauses):
    """Return a function that makes a session with these masters (`MemoryMasters`)."""

    def build(names, network, *, on_frames=lambda frames: None, **settings):
        def sleep(seconds):
            pauses.append(seconds)
            hub_turns()

        own = {**opts, "auth_timeout": 0.05, **settings}
        return MasterSession(
            masters.places_of(names, MasterListSettings.of(own)),
            SessionSettings.of(own),
            ChannelSettings.of(own),
            identity,
            network,
            on_connected=lambda is_new: connected.set(),
            on_frames=on_frames,
            sleep=sleep,
        )

    return build


def test_publications_arrive_after_the_minion_is_connected(make, master, supervisor, connected, networks):
    received = gevent.event.AsyncResult()
    session = make(["a"], networks(a=master), on_frames=received.set)

    supervisor.spawn(session.run, name="session")
    assert connected.wait(10)
    master.publish(fun="test.ping")

    assert len(received.get(timeout=10)) == 1
    assert session.is_connected


def test_a_pending_key_is_waited_for(make, master, supervisor, connected, pauses, networks):
    verdicts = iter([True, True, None])
    master.verdict = lambda: next(verdicts)

    supervisor.spawn(make(["a"], networks(a=master)).run, name="session")

    assert connected.wait(10)
    assert pauses == [10, 10]


def test_the_pause_before_the_next_question_grows_up_to_its_limit(
    make, master, supervisor, connected, pauses, networks
):
    verdicts = iter([True, True, True, None])
    master.verdict = lambda: next(verdicts)

    supervisor.spawn(make(["a"], networks(a=master), acceptance_wait_time_max=25).run, name="session")

    assert connected.wait(10)
    assert pauses == [10, 20, 25]


def test_a_master_that_does_not_decide_is_left_for_the_next_one(
    make, master, supervisor, connected, pauses, networks
):
    verdicts = iter([True, True, None])
    master.verdict = lambda: next(verdicts)

    session = make(["a", "b"], networks(a=master, b=master), auth_retries=2)
    supervisor.spawn(session.run, name="session")

    assert connected.wait(10)
    assert session.place.name == "b"
    assert pauses == [10]


def test_a_rejected_key_ends_the_session(make, master, networks):
    master.verdict = False
    session = make(["a"], networks(a=master))
    session.channel.identity.remember(master.key.public)

    with pytest.raises(KeyRejected, match="salt-g key -d m1"):
        session.run()


def test_an_unsigned_rejection_is_retried(make, master, supervisor, connected, networks):
    verdicts = iter([False, None])
    master.verdict = lambda: next(verdicts)

    supervisor.spawn(make(["a"], networks(a=master)).run, name="session")

    assert connected.wait(10)


def test_a_rejected_key_is_tried_again_where_the_settings_say_so(
    make, master, supervisor, connected, networks
):
    verdicts = iter([False, None])
    master.verdict = lambda: next(verdicts)
    session = make(["a"], networks(a=master), rejected_retry=True)
    session.channel.identity.remember(master.key.public)

    supervisor.spawn(session.run, name="session")

    assert connected.wait(10)


def test_the_next_master_is_taken_when_the_first_is_silent(make, master, supervisor, connected, networks):
    network = networks(b=master)
    session = make(["a", "b"], network)

    supervisor.spawn(session.run, name="session")

    assert connected.wait(10)
    assert session.place.name == "b"
    assert session.name == "a"


def test_the_next_master_is_taken_when_the_name_of_the_first_is_not_known(
    make, master, supervisor, connected, networks
):
    network = networks(b=master)
    connect = network.connect

    def dial(place):
        # As the real network does it.
        if place.name == "a":
            masters.resolve(place, ResolverSettings(30), look_up=_unknown, sleep=lambda seconds: hub_turns())
        return connect(place)

    network.connect = dial
    session = make(["a", "b"], network)
    supervisor.spawn(session.run, name="session")

    assert connected.wait(10)
    assert session.place.name == "b"


def _unknown(*args):
    raise socket.gaierror(-2, "unknown")


def test_after_a_loss_the_next_master_is_tried_first(make, master, supervisor, connected, networks):
    network = networks(a=master, b=master)
    session = make(["a", "b"], network, master_alive_interval=0.01)
    supervisor.spawn(session.run, name="session")
    assert connected.wait(10)
    connected.clear()

    master.network.subscribers.clear()

    assert connected.wait(10)
    assert session.place.name == "b"


def test_a_master_that_we_had_before_is_not_new(opts, identity, master, supervisor, networks):
    announced = gevent.queue.Queue()
    session = MasterSession(
        masters.places_of(["a"], MasterListSettings.of(opts)),
        SessionSettings.of({**opts, "retry_dns": 0.01}),
        ChannelSettings.of(opts),
        identity,
        networks(a=master),
        on_connected=announced.put,
        on_frames=lambda frames: None,
        sleep=lambda seconds: hub_turns(),
        clock=iter(range(10**6)).__next__,
    )
    supervisor.spawn(session.run, name="session")
    assert announced.get(timeout=10) is True

    master.network.subscribers.clear()

    assert announced.get(timeout=10) is False


def test_a_minion_whose_key_was_deleted_is_new_once_it_is_accepted_again(
    opts, identity, master, supervisor, networks
):
    announced = gevent.queue.Queue()
    session = MasterSession(
        masters.places_of(["a"], MasterListSettings.of(opts)),
        SessionSettings.of(opts),
        ChannelSettings.of({**opts, "auth_timeout": 1}),
        identity,
        networks(a=master),
        on_connected=announced.put,
        on_frames=lambda frames: None,
        sleep=lambda seconds: hub_turns(),
    )
    supervisor.spawn(session.run, name="session")
    assert announced.get(timeout=10) is True
    master.verdict = lambda: True if master.sign_ins < 5 else None
    master.renew_session()

    with pytest.raises(SignInRefused):
        session.channel.ask({"cmd": "_mine"})

    # The master has forgotten its grains and resources, which a new master is sent.
    assert announced.get(timeout=10) is True
    assert master.sign_ins == 5


def test_a_publication_that_arrives_during_another_is_taken_at_once(
    make, master, supervisor, connected, networks
):
    taken = gevent.event.AsyncResult()
    session = make(
        ["a"],
        networks(a=master),
        on_frames=lambda frames: (
            [master.publish(fun="test.ping") for _ in range(2)] and taken.set(len(list(session.arrived())))
        ),
    )
    assert list(session.arrived()) == []
    supervisor.spawn(session.run, name="session")
    assert connected.wait(10)
    master.publish(fun="test.ping")

    assert taken.get(timeout=10) == 2


def test_a_minion_gives_up_after_as_many_rounds_as_the_settings_say(make, networks, pauses):
    session = make(["a"], networks(), master_tries=3)

    with pytest.raises(NoReply):
        session.run()
    assert len(pauses) == 2


def test_an_error_of_the_system_in_the_last_round_is_reported_with_the_master(make, networks):
    def refuse(place):
        raise ConnectionRefusedError("refused")

    network = networks()
    network.connect = refuse

    with pytest.raises(MasterUnreachable, match="master a: refused"):
        make(["a"], network, master_tries=2).run()


def test_a_master_that_is_not_ours_is_asked_again_and_never_believed(
    make, master, networks, identity, connected, pauses, other_key
):
    identity.remember(other_key.public)

    with pytest.raises(MasterNotTrusted):
        make(["a"], networks(a=master), master_tries=2).run()
    assert not connected.is_set()
    assert len(pauses) == 1
