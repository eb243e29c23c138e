"""`salt-g cmd --rollout`: start a rollout on the master, and print its progress from wave to wave.

The master runs the rollout, and continues if this command ends.
Shapes: the rules sent are those of `client/rollout_rules.py`.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from typing import TYPE_CHECKING, Any

from salt_g.cli import exit_codes, printing
from salt_g.cli.cmd.job_request import JobCall, function_and_arguments, why_malformed
from salt_g.cli.stdio import notices
from salt_g.client.publishing import NO_MINIONS, error_of, publish_load
from salt_g.client.return_collector import FAILED, NO_ANSWER, RETURNED
from salt_g.client.rollout_rules import RolloutRules, read_rules
from salt_g.errors import ClientError
from salt_g.event import tags
from salt_g.report.rollout_lines import SILENT, failure_lines, summary_line, wave_line

if TYPE_CHECKING:
    from salt_g.cli.end_record import EndRecord
    from salt_g.client.jobs import JobClient
    from salt_g.shapes import Opts
    from salt_g.shapes.loads import ClientFields
    from salt_g.shapes.rollouts import RolloutState

#: Timeout of one request to the master, and of one wait for an event (s).
TIMEOUT = 30.0
_WAIT = 60.0


def check_options(options: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Exit with a usage error if the options contradict each other or a rule is invalid."""
    if not options.rollout:
        parser.error("--check, --soak, --stop-at and --undo need --rollout WAVES")
    if options.when_back or options.subset > 0 or options.save or options.batch_wait:
        parser.error("--rollout cannot be combined with --when-back, --subset, --save or --batch-wait")
    try:
        _rules(options)
    except ClientError as exc:
        parser.error(str(exc))


def run(call: JobCall) -> int:
    """Start a rollout and print its waves; return the exit code."""
    job, options, opts, client, extra, record = call
    load = publish_load(job, extra, opts=opts, user=client.user, timeout=TIMEOUT)
    load.update(cmd="rollout", rules=_rules(options).as_map())
    reply = client.link.ask(load, timeout=TIMEOUT, follow=not options.is_async)
    if isinstance(reply, dict) and reply.get("error") == NO_MINIONS:
        print(NO_MINIONS, file=notices(opts))
        if why := why_malformed(job, options, opts):
            print(f"salt-g cmd: {why}", file=sys.stderr)
        printing.present_nothing(opts)
        return exit_codes.NOBODY
    jid = _jid(reply)
    record.begin(jid=jid, fun=job.fun, target=job.tgt)
    if options.is_async:
        return _detach(jid, opts)
    print(f"rollout {jid}: salt-g rollout status {jid}", file=notices(opts), flush=True)
    try:
        _follow(jid, client, opts, extra)
        status = ask_status(client, jid, extra)
    except KeyboardInterrupt:
        print(_interrupted(jid), file=sys.stderr)
        return exit_codes.FAILED
    except ClientError as exc:
        raise ClientError(
            f"{exc}; the rollout continues, even after a restart of the master: {_how(jid)}"
        ) from exc
    if status is None:
        raise ClientError(
            f"the master has forgotten rollout {jid}; its returns: salt-g run jobs.lookup_jid {jid}"
        )
    _note(status, record)
    return show(status, opts)


def show(status: RolloutState, opts: Opts) -> int:
    """Print the failures and summary of a rollout, running or ended; return the exit code."""
    if notices(opts) is sys.stderr:
        code = printing.present(status, None, opts)
        return code or code_of(status)
    for line in failure_lines(status):
        print(line)
    print(summary_line(status))
    return code_of(status)


def code_of(status: RolloutState) -> int:
    """Return the exit code for a status: 1 if a minion failed or is away, or if the rollout was stopped."""
    failed = any(wave["failed"] for wave in status["waves"])
    return exit_codes.FAILED if failed or status["away"] or status["stopped"] else exit_codes.OK


def ask_status(client: JobClient, jid: str, credentials: ClientFields) -> RolloutState | None:
    """Return the status of a rollout, None if the master does not know the rollout."""
    load: dict[str, Any] = {"cmd": "rollout_status", "jid": jid, "user": client.user}
    if credentials:
        load["kwargs"] = dict(credentials)
    reply = asked(client, load)
    found: RolloutState | None = reply["rollout"]
    return found


def asked(client: JobClient, load: dict[str, Any]) -> dict[str, Any]:
    """Return the master's reply to a rollout command; raise ClientError if it refuses."""
    reply = client.link.ask(load, timeout=TIMEOUT)
    if isinstance(reply, dict) and reply.get("error"):
        raise error_of(reply["error"])
    if not isinstance(reply, dict) or not reply:
        raise ClientError("the master does not know rollouts: it must run this version of salt-g")
    return reply


def _jid(reply: Any) -> str:
    if isinstance(reply, dict) and reply.get("error"):
        raise error_of(reply["error"])
    if not isinstance(reply, dict) or not reply.get("jid"):
        raise ClientError("the master does not know rollouts: it must run this version of salt-g")
    return str(reply["jid"])


def _rules(options: argparse.Namespace) -> RolloutRules:
    """Return the rollout rules from the options; raise ClientError for invalid ones."""
    return read_rules(
        {
            "waves": options.rollout.split(","),
            "checks": [_check(text) for text in options.check or ()],
            "soak": options.soak or 0,
            "stop_at": options.stop_at or "0",
            "undo": options.undo,
            "batch": options.batch,
            "timeout": options.timeout,
        }
    )


def _check(text: str) -> list[Any]:
    try:
        words = shlex.split(text)
    except ValueError as exc:
        raise ClientError(f"--check {text!r}: {exc}") from exc
    if not words or "," in words[0]:
        raise ClientError(f"--check {text!r}: give a function with arguments, as for a minion")
    return list(function_and_arguments(words))


def _detach(jid: str, opts: Opts) -> int:
    if notices(opts) is sys.stderr:
        return printing.present({"jid": jid}, None, opts)
    print(f"Started rollout with job ID: {jid}")
    return exit_codes.OK


def _follow(jid: str, client: JobClient, opts: Opts, credentials: ClientFields) -> None:
    """Print the waves of a rollout as they end, until the rollout ends."""
    out = notices(opts)
    while True:
        event = client.link.next_event(_WAIT)
        if event is None:
            # The event that ends the rollout may have been lost.
            status = ask_status(client, jid, credentials)
            if status is None or status["ended"] is not None:
                return
            continue
        data, moment = event.data, event.tag.removeprefix(f"{tags.rollout(jid)}/")
        if moment == "wave":
            wave: Any = data["wave"]
            # The last wave is part of the summary.
            if wave["state"] == "done" and wave["number"] < data["waves"]:
                print(wave_line(wave, wave["number"], data["waves"]), file=out, flush=True)
        elif moment in ("paused", "resumed"):
            print(f"{moment} after {data['reached']} minions", file=out, flush=True)
        elif moment == "end":
            return


def _interrupted(jid: str) -> str:
    return (
        f"\nExiting gracefully on Ctrl-c\nThe rollout continues: {_how(jid)}\n"
        f"To keep further minions from starting: salt-g rollout stop {jid}"
    )


def _how(jid: str) -> str:
    return f"salt-g rollout status {jid}"


def _note(status: RolloutState, record: EndRecord) -> None:
    """Add the verdicts on the minions to the end record of the call."""
    for wave in status["waves"]:
        for id in wave["minions"] if wave["state"] != "waiting" else ():
            why = wave["failed"].get(id)
            verdict = RETURNED if why is None else NO_ANSWER if why == SILENT else FAILED
            record.silent(id, "ok" if verdict == RETURNED else verdict)
    for id in status["away"]:
        record.silent(id, NO_ANSWER)
