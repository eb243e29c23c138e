"""Rules built from keywords, as in `connstate: NEW`, `dport: 80`, `jump: ACCEPT`.

The order of the options is visible in results and matters for some extensions: options of a target must
follow the target.

Source: iptables-extensions(8); stock docs of `iptables.build_rule`.
"""

from __future__ import annotations

import re
from typing import Any

from salt_g.modules.iptables._program import program, wait

#: Keywords that are not part of a rule: those about its place or its state, and the state engine's.
_NOT_OF_RULES = frozenset(
    (
        *("name", "state", "chain", "save", "table", "check_cmd", "cmd_opts_exclude", "creates", "failhard"),
        *("fire_event", "fun", "listen", "listen_in", "no_log", "onchanges", "onchanges_any", "onchanges_in"),
        *("onfail", "onfail_all", "onfail_any", "onfail_in", "onfail_stop", "onlyif", "order", "parallel"),
        *("prereq", "prereq_in", "prerequired", "reload_grains", "reload_modules", "reload_pillar"),
        *("require", "require_any", "require_in", "retry", "runas", "runas_password", "saltenv", "umask"),
        *("unless", "use", "use_in", "watch", "watch_any", "watch_in", "aggregate"),
    )
)
#: Keywords of targets, placed after `--jump`.
_OF_TARGETS = (
    *("j", "jump", "add-set", "and-mark", "and-tos", "checksum-fill", "clamp-mss-to-pmtu", "clustermac"),
    *("ctevents", "ctmask", "del-set", "ecn-tcp-remove", "exist", "expevents", "gateway", "hash-init"),
    *("hashmode", "helper", "label", "local-node", "log-ip-options", "log-level", "log-prefix"),
    *("log-tcp-options", "log-tcp-sequence", "log-uid", "map-set", "mask", "mss", "new", "nfmask"),
    *(
        "nflog-group",
        "nflog-prefix",
        "nflog-range",
        "nflog-threshold",
        "nodst",
        "notrack",
        "on-ip",
        "on-port",
    ),
    *("or-mark", "or-tos", "persistent", "queue-balance", "queue-bypass", "queue-num", "random"),
    *("random-fully", "rateest-ewmalog", "rateest-interval", "rateest-name", "reject-with", "restore"),
    *("restore-mark", "sack-perm", "save-mark", "selctx", "set-class", "set-dscp", "set-dscp-class"),
    *("set-mark", "set-mss", "set-tos", "set-xmark", "strip-options", "timeout", "timestamp", "to"),
    *("to-destination", "to-ports", "to-source", "total-nodes", "tproxy-mark", "ttl-dec", "ttl-inc"),
    *("ttl-set", "type", "ulog-cprange", "ulog-nlgroup", "ulog-prefix", "ulog-qthreshold", "wscale"),
    *("xor-mark", "xor-tos", "zone", "zone-orig", "zone-reply", "dst-pfx", "hl-dec", "hl-inc", "hl-set"),
    *("hmark-dport-mask", "hmark-dst-prefix", "hmark-mod", "hmark-offset", "hmark-proto-mask", "hmark-rnd"),
    *("hmark-spi-mask", "hmark-sport-mask", "hmark-src-prefix", "hmark-tuple", "led-always-blink"),
    *("led-delay", "led-trigger-id", "queue-cpu-fanout", "src-pfx", "to-port", "addr", "and-mask", "delude"),
    *("honeypot", "or-mask", "prefix", "reset", "reuse", "set-mac", "shift", "static", "tarpit", "tname"),
    "ttl",
)
#: Extensions that use the keyword `name_`.
_WITH_NAME = ("pknock", "quota2", "recent")
#: Single-letter commands.
_SHORT_COMMANDS = "ACDIRLSFZNXPE"
_NEGATION = re.compile(r"(!|not)\s?")


def build_rule(
    table: str | None = "filter",
    chain: str | None = None,
    command: str | None = None,
    position: Any = "",
    full: Any = None,
    family: str = "ipv4",
    **kwargs: Any,
) -> str:
    """Return the options of a rule, with `full` the whole command line.

    `table`, `chain`, `command` (A, I, D, …) and `position` are for the command line. Keywords are long
    options of iptables and: `if` and `of` (interfaces), `proto`, `match` (a list or comma-separated),
    `match-set`, `connstate`, `dport`, `sport`, `dports`, `sports`, `comment`, `jump` or `target`. A value
    that begins with `!` or `not` is negated.

    Example::

        salt-g iptables.build_rule match=state connstate=RELATED,ESTABLISHED jump=ACCEPT
    """
    given = {name: value for name, value in kwargs.items() if name not in _NOT_OF_RULES}
    if "target" in given:
        given["jump"] = given.pop("target")
    rule = _Words(given).text()
    if not full or rule.startswith("Error:"):
        return rule
    for what, value in (("Table", table), ("Chain", chain), ("Command", command)):
        if not value:
            return f"Error: {what} needs to be specified"
    flag = f"-{command}" if str(command) in _SHORT_COMMANDS else f"--{command}"
    return f"{program(family)} {wait(family)} -t {table} {flag} {chain} {position} {rule}"


class _Words:
    """Options of one rule; each step consumes the keywords that it handles."""

    def __init__(self, given: dict[str, Any]) -> None:
        self._given = given
        self._words: list[str] = []

    def text(self) -> str:
        """Return the rule, or `Error: …` if a keyword requires a missing one."""
        self._take("if", "-i")
        self._take("of", "-o")
        has_protocol = self._protocol()
        self._matches()
        self._match_sets()
        if "connstate" in self._given:
            self._once("-m state")
            self._take("connstate", "--state")
        self._take("dport", "--dport")
        self._take("sport", "--sport")
        if not self._multiport(has_protocol):
            return "Error: protocol must be specified"
        self._comment()
        if self._given.get("set"):
            self._take("set", "--match-set")
        target = [self._of_target(name) for name in _OF_TARGETS if name in self._given]
        for name in list(self._given):
            self._take(name, f"-{name}" if len(name) == 1 else f"--{name}")
        return " ".join([*self._words, *target])

    def _take(self, name: str, option: str) -> None:
        """Add an option with the value of a keyword, or as a flag if the keyword has no value."""
        if name in self._given:
            negation, value = _negated(self._given.pop(name))
            self._words.append(f"{negation}{option} {value}" if value != "" else f"{negation}{option}")

    def _once(self, words: str) -> None:
        if words not in self._words:
            self._words.append(words)

    def _protocol(self) -> bool:
        # In a rule with the extension `policy`, `proto` is that of IPsec.
        if "proto" in self._given and self._given.get("match") != "policy":
            self._given["protocol"] = self._given.pop("proto")
        is_there = "protocol" in self._given
        self._take("protocol", "-p")
        return is_there

    def _matches(self) -> None:
        given = self._given.pop("match", None)
        if given is None:
            return
        for match in given if isinstance(given, list) else str(given).split(","):
            self._words.append(f"-m {match}")
            if "name_" in self._given and str(match).strip() in _WITH_NAME:
                self._words.append(f"--name {self._given.pop('name_')}")
        if given == "policy":
            self._take("proto", "--proto")

    def _match_sets(self) -> None:
        given = self._given.pop("match-set", [])
        for item in [given] if isinstance(given, str) else given:
            negation, value = _negated(item)
            self._words.append(f"-m set {negation}--match-set {value}")

    def _multiport(self, has_protocol: bool) -> bool:
        """Add lists of ports; return False if a protocol is required and missing."""
        for name in ("dports", "sports"):
            if name not in self._given:
                continue
            if "-m multiport" not in self._words and not has_protocol:
                return False
            self._once("-m multiport")
            given = self._given.pop(name)
            ports = [_negated(port) for port in (given if isinstance(given, list) else [given])]
            if any(negation for negation, _ in ports):
                self._words.append("!")
            self._words.append(f"--{name} {','.join(port for _, port in ports)}")
        return True

    def _comment(self) -> None:
        if "comment" in self._given:
            self._once("-m comment")
            self._words.append(f'--comment "{self._given.pop("comment")}"')

    def _of_target(self, name: str) -> str:
        value = self._given.pop(name)
        if value in (None, ""):
            return f"--{name}"
        return f'--{name} "{value}"' if re.search(r"\s", str(value)) else f"--{name} {value}"


def _negated(value: Any) -> tuple[str, str]:
    """Return an exclamation mark with a space, and the value without its negation; or '' and the value."""
    text = "" if value is None else str(value)
    return ("! ", _NEGATION.sub("", text)) if text.startswith(("!", "not")) else ("", text)
