"""Incomplete rules of nftables and iptables."""

from salt_g.errors import CommandExecutionError
from salt_g.states import iptables, nftables


def test_a_rule_without_its_chain_fails_in_words(call_context):
    call_context()

    result = nftables.append("web", table="filter", jump="accept")

    assert (result["result"], result["comment"]) == (False, "nftables: the argument 'chain' is missing")
    assert iptables.append("web", jump="ACCEPT")["comment"] == "iptables: the argument 'chain' is missing"


def test_the_message_of_the_program_is_the_comment(call_context):
    def check(*where):
        raise CommandExecutionError("iptables: Permission denied")

    call_context(functions={"iptables.build_rule": lambda **rule: "-j ACCEPT", "iptables.check": check})

    result = iptables.append("web", chain="INPUT", jump="ACCEPT")

    assert (result["name"], result["result"]) == ("web", False)
    assert result["comment"] == "iptables: Permission denied"
