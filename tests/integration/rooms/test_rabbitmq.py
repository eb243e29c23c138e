"""The RabbitMQ states against a real broker, whose start takes some ten seconds."""

import os
import shutil

import pytest

from tests.support.free_ports import free_port
from tests.support.servers import missing, running

pytestmark = pytest.mark.long

#: Programs that are no wrappers of Debian's, which want to be the user rabbitmq.
PROGRAMS = "/usr/lib/rabbitmq/bin"
SECRET = 'se"cret $x:\\1'

THINGS = """
rabbitmq_federation:
  rabbitmq_plugin.enabled: []
shop:
  rabbitmq_vhost.present: []
seller:
  rabbitmq_user.present:
    - password: 'se"cret $x:\\1'
    - tags: [monitoring, management]
    - perms:
      - shop: ["^shop", ".*", ".*"]
      - /: ["", "", ".*"]
nobody:
  rabbitmq_user.present: []
short:
  rabbitmq_policy.present:
    - pattern: ^short
    - definition: '{"max-length": 5}'
    - priority: 3
    - vhost: shop
    - apply_to: queues
other:
  rabbitmq_upstream.present:
    - uri: amqp://user:hidden@other.example
    - max_hops: 2
together:
  rabbitmq_cluster.joined:
    - user: sg
    - host: localhost
"""
GONE = """
other:
  rabbitmq_upstream.absent: []
short:
  rabbitmq_policy.absent:
    - vhost: shop
seller:
  rabbitmq_user.absent: []
nobody:
  rabbitmq_user.absent: []
shop:
  rabbitmq_vhost.absent: []
rabbitmq_federation:
  rabbitmq_plugin.disabled: []
"""


def environment(root):
    """Return the environment in which rabbitmqctl finds a broker below a directory."""
    return {
        "PATH": f"{PROGRAMS}:{os.environ['PATH']}",
        "HOME": str(root),
        "ERL_EPMD_PORT": str(free_port()),
        "RABBITMQ_NODENAME": "sg@localhost",
        "RABBITMQ_NODE_PORT": str(free_port()),
        "RABBITMQ_DIST_PORT": str(free_port()),
        "RABBITMQ_MNESIA_BASE": f"{root}/mnesia",
        "RABBITMQ_LOG_BASE": f"{root}/log",
        "RABBITMQ_ENABLED_PLUGINS_FILE": f"{root}/plugins",
        "RABBITMQ_CONFIG_FILE": f"{root}/none",
        "RABBITMQ_CONF_ENV_FILE": "/dev/null",
        # Erlang's schedulers otherwise spin before they sleep, in each of some hundred short programs.
        "ERL_AFLAGS": "+sbwt none +sbwtdcpu none +sbwtdio none",
    }


def names(env):
    """Run Erlang's name server, which the first program that needs it would otherwise leave running."""
    words = [shutil.which("epmd"), "-debug", "-address", "127.0.0.1", "-port", env["ERL_EPMD_PORT"]]
    return running(words, "epmd running", env={**os.environ, **env})


@pytest.fixture(scope="module")
def broker(tmp_path_factory):
    """Yield the environment of a running broker."""
    if not os.path.exists(f"{PROGRAMS}/rabbitmq-server"):
        missing("rabbitmq-server")
    env = environment(tmp_path_factory.mktemp("rabbitmq"))
    started = "Starting broker... completed"
    with names(env), running([f"{PROGRAMS}/rabbitmq-server"], started, env={**os.environ, **env}):
        yield env


@pytest.fixture
def rabbit(broker, salt_g):
    """Return the command beside the broker."""
    return lambda *words: salt_g(*words, env=broker, timeout=120)


def result(outcome):
    """Return the result, comment and changes of a run of one state."""
    (answer,) = outcome.value.values()
    return answer["result"], answer["comment"], answer["changes"]


def test_things_come_stay_and_go(rabbit, salt_g):
    salt_g.write({"things.sls": THINGS, "gone.sls": GONE})

    foreseen = rabbit("state.apply", "things", "test=True").states
    made = rabbit("state.apply", "things").states
    again = rabbit("state.apply", "things").states
    users = rabbit("rabbitmq.list_users").value
    login = rabbit("rabbitmq.check_password", "seller", SECRET).value
    removed = rabbit("state.apply", "gone").states
    gone = rabbit("state.apply", "gone").states

    assert foreseen["shop"] == (None, "Virtual Host 'shop' will be created.", {"old": "", "new": "shop"})
    assert foreseen["seller"][1] == "User 'seller' is set to be created."
    assert made["shop"] == (True, 'Adding vhost "shop" ...', {"old": "", "new": "shop"})
    assert made["seller"][1] == "'seller' was configured."
    assert made["seller"][2]["tags"] == {"old": [], "new": ["monitoring", "management"]}
    assert made["seller"][2]["perms"]["new"]["shop"] == {"configure": "^shop", "write": ".*", "read": ".*"}
    assert made["short"][1].startswith('Setting policy "short" for pattern "^short"')
    assert made["other"][2]["new"] == {"uri": "amqp://user:***@other.example", "max-hops": 2}
    assert made["together"] == (True, "Already in cluster", {})
    assert {id: answer[0] for id, answer in made.items()} == dict.fromkeys(made, True)
    assert {id: answer for id, answer in again.items() if not answer[0] or answer[2]} == {}
    assert users == {"guest": ["administrator"], "seller": ["monitoring", "management"], "nobody": []}
    assert login is True
    assert removed["seller"][1] == "The user 'seller' was removed."
    assert {id: (answer[0], bool(answer[2])) for id, answer in removed.items()} == dict.fromkeys(
        removed, (True, True)
    )
    assert {id: (answer[0], bool(answer[2])) for id, answer in gone.items()} == dict.fromkeys(
        gone, (True, False)
    )


@pytest.fixture
def keeper(rabbit):
    """Account of the broker, for the duration of one test."""
    rabbit("rabbitmq.add_user", "keeper", "old")
    yield "keeper"
    rabbit("rabbitmq.delete_user", "keeper")


def test_a_user_that_differs_is_configured(rabbit, keeper):
    words = ["state.single", "rabbitmq_user.present", keeper, "password=new", "tags=management"]

    foreseen = result(rabbit(*words, "test=True"))
    changed = result(rabbit(*words))
    again = result(rabbit(*words))

    expected = {
        "password": {"old": "", "new": "Set password."},
        "tags": {"old": [], "new": ["management"]},
    }
    assert foreseen == (None, "Configuration for 'keeper' will change.", expected)
    assert changed == (True, "'keeper' was configured.", expected)
    assert again == (True, "'keeper' is already in the desired state.", {})


def test_a_refusal_is_reported(rabbit):
    words = ["state.single", "rabbitmq_policy.present", "odd", "pattern=.", "definition='{\"no-such\": 1}'"]

    answer = result(rabbit(*words))

    assert answer[0] is False
    assert '[{<<"no-such">>,1}] are not recognised policy settings' in answer[1].replace("\n", " ")


def test_a_broker_that_is_down_is_reported(salt_g, tmp_path):
    if not os.path.exists(f"{PROGRAMS}/rabbitmqctl"):
        missing("rabbitmq-server")
    env = environment(tmp_path)

    with names(env):
        user = result(salt_g("state.single", "rabbitmq_user.present", "x", "password=hidden", env=env))
        vhost = result(salt_g("state.single", "rabbitmq_vhost.absent", "x", env=env))

    assert user[0] is vhost[0] is False
    assert user[1].startswith("Error: RabbitMQ command failed: Error: unable to perform an operation on node")
    assert "hidden" not in user[1]
    assert "unable to perform an operation on node" in vhost[1]
