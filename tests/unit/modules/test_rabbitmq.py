"""The module `rabbitmq` with a recorded rabbitmqctl; tests/integration/rooms has the real one.

A cluster needs a second machine, so joining one is tested only here.
"""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import rabbitmq
from salt_g.states import rabbitmq_cluster


@pytest.fixture
def program(call_context, installed):
    """Return programs: their output by the words after their name, and their calls."""

    class Program(dict):
        def run_all(self, argv, **options):
            self.calls.append((argv, options))
            retcode, stdout, stderr = self.get(argv[1], (0, "", ""))
            return {"pid": 1, "retcode": retcode, "stdout": stdout, "stderr": stderr}

        def words(self):
            return [argv[1:] for argv, _ in self.calls]

    found = Program()
    found.calls = []
    functions = {"cmd.run_all": found.run_all}
    functions |= {f"rabbitmq.{name}": getattr(rabbitmq, name) for name in rabbitmq.__all__}
    call_context(functions=functions)
    installed("rabbitmqctl", "rabbitmq-plugins")
    return found


def test_a_password_goes_through_standard_input(program):
    program["add_user"] = (0, 'Adding user "u" ...\nPassword: \nDone.', "")

    result = rabbitmq.add_user("u", "secret")

    ((argv, options),) = program.calls
    assert argv == ["rabbitmqctl", "add_user", "u"]
    assert options["stdin"] == "secret\n"
    assert result == {"Added": 'Adding user "u" ...\nDone.'}


def test_a_user_without_password_gets_none(program):
    rabbitmq.add_user("u")

    assert program.words() == [["add_user", "u"], ["clear_password", "u"]]


def test_a_wrong_password_is_not_a_failure_but_a_silent_server_is(program):
    program["authenticate_user"] = (65, "", 'Error:\nError: failed to authenticate user "u"')
    assert rabbitmq.check_password("u", "x") is False

    program["authenticate_user"] = (69, "", "Error: unable to perform an operation on node")
    with pytest.raises(CommandExecutionError, match="RabbitMQ command failed: Error: unable"):
        rabbitmq.check_password("u", "x")


def test_the_password_of_an_upstream_is_not_a_word_of_a_command(program):
    rabbitmq.set_upstream("up", "amqp://u:hidden@h", max_hops=2)

    ((argv, options),) = program.calls
    assert argv == ["rabbitmqctl", "import_definitions"]
    assert '"value": {"uri": "amqp://u:hidden@h", "max-hops": 2}' in options["stdin"]


def test_queues_are_read_without_their_header(program):
    program["list_queues"] = (0, "name\tmessages\nmail\t3\n", "")

    assert rabbitmq.list_queues()["mail"] == ["3"]
    assert "name" not in rabbitmq.list_queues()


def test_a_node_joins_a_cluster_with_its_application_stopped(program):
    program["cluster_status"] = (0, "Cluster status of node rabbit@here", "")
    program["join_cluster"] = (0, "Clustering node rabbit@here with rabbit@there", "")

    result = rabbitmq_cluster.joined("together", "there", ram_node=True)

    assert result["comment"] == "Clustering node rabbit@here with rabbit@there"
    assert result["changes"] == {"old": "", "new": "rabbit@there"}
    assert program.words()[1:] == [["stop_app"], ["join_cluster", "--ram", "rabbit@there"], ["start_app"]]


def test_a_node_that_cannot_join_is_started_again(program):
    program["join_cluster"] = (69, "", "Error: incompatible")

    result = rabbitmq_cluster.join("together", "there")

    assert result["result"] is False
    assert result["comment"] == "Error: RabbitMQ command failed: Error: incompatible"
    assert program.words()[-1] == ["start_app"]
