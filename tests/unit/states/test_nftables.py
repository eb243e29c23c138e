"""Rules of nftables and iptables that are not complete."""

from salt_g.errors import CommandExecutionError
from salt_g.states import iptables, nftables


def test_a_rule_without_its_chain_fails_in_words(call_context):
    call_context()

    told = nftables.append("web", table="filter", jump="accept")

    assert (told["result"], told["comment"]) == (False, "nftables: the argument 'chain' is missing")
    assert iptables.append("web", jump="ACCEPT")["comment"] == "iptables: the argument 'chain' is missing"


def test_the_message_of_the_program_is_the_comment(call_context):
    def check(*where):
        raise CommandExecutionError("iptables: Permission denied")

    call_context(functions={"iptables.build_rule": lambda **rule: "-j ACCEPT", "iptables.check": check})

    told = iptables.append("web", chain="INPUT", jump="ACCEPT")

    assert (told["name"], told["result"]) == ("web", False)
    assert told["comment"] == "iptables: Permission denied"
