"""Jobs that never go to resources."""

from salt_g.resource_model.minion_only_functions import is_minion_only


def test_copied_files_go_to_minions_and_not_to_their_resources():
    assert [is_minion_only(fun) for fun in ("cp.recv", "cp.recv_chunked", "saltutil.running")] == [True] * 3
    assert [is_minion_only(fun) for fun in ("cp.get_file", "test.ping")] == [False] * 2
