"""A return that no master takes becomes a failure that says so, and is not sent for ever."""

from salt_g.minion.jobs.return_sender import ReturnSender
from salt_g.minion.jobs.spool import Spool
from salt_g.process.supervisor import Supervisor


def test_a_return_of_too_many_lists_becomes_a_failure(tmp_path):
    spool = Spool(str(tmp_path))
    opts = {"return_retry_timer": 5, "return_retry_timer_max": 10}
    returns = ReturnSender(spool, opts, supervisor=Supervisor("test"))
    returns.add_master("m", None)

    returns.deliver("m", {"jid": "1", "id": "m1", "return": [[]] * 300_000, "retcode": 0})

    [name] = spool.open()
    kept = spool.get(name).load
    assert kept["retcode"] == 1 and "maps and lists" in kept["return"]
