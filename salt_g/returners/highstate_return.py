"""Reports of state runs by mail or as a file.

    highstate:
      report_failures: True
      report_changes: True
      report_everything: False
      failure_function: status.uptime
      success_function: status.uptime
      report_format: html
      report_delivery: smtp
      smtp_success_subject: 'success minion {id} on host {host}'
      smtp_failure_subject: 'failure minion {id} on host {host}'
      smtp_server: smtp.example.com
      smtp_port: 25
      smtp_tls: True
      smtp_username: username
      smtp_password: password
      smtp_recipients: saltusers@example.com, devops@example.com
      smtp_sender: salt@example.com

`report_format` is `html`, `json` or `yaml`. With `report_delivery: file` the report replaces the file
`file_output`. Names in braces in the subjects and in `file_output` are replaced by grains. The return of
the success or failure function is added to the report. The mail server's certificate must be valid, unless
the setting `verify_ssl` is False.
"""

from __future__ import annotations

import json
import re
import smtplib
from collections.abc import Mapping
from email.message import EmailMessage
from typing import Any

from salt_g.api import call, grains, opts
from salt_g.errors import CommandExecutionError
from salt_g.formats.yaml_dump import dump
from salt_g.net.tls import client_context
from salt_g.process.disk import replacing
from salt_g.report.job_report import is_state_run
from salt_g.returners._highstate_page import STYLE, page
from salt_g.returners._options import options
from salt_g.shapes import LowTag
from salt_g.shapes.loads import ReturnLoad

__virtualname__ = "highstate"

_DEFAULTS: dict[str, Any] = {
    "report_everything": False,
    "report_changes": True,
    "report_failures": True,
    "failure_function": None,
    "success_function": None,
    "report_format": "yaml",
    "report_delivery": "file",
    "file_output": None,
    "smtp_sender": None,
    "smtp_recipients": None,
    "smtp_failure_subject": "Installation failure",
    "smtp_success_subject": "Installation success",
    "smtp_server": None,
    "smtp_port": 25,
    "smtp_tls": False,
    "smtp_username": None,
    "smtp_password": None,
}
#: Time limit for each answer of the mail server (s).
_TIMEOUT = 30
_GRAIN = re.compile(r"\{([^{}]*)\}")
#: Mode of a new report file, which may hold secrets.
_PRIVATE = 0o600

Report = list[dict[str, Any]]


def __virtual__() -> str:
    """Return the virtual name `highstate`."""
    return __virtualname__


def returner(ret: ReturnLoad) -> None:
    """Report a state run if the settings select it.

    Example::

        salt-g '*' state.apply --return highstate
    """
    chosen = options("highstate", ret, _DEFAULTS)
    verdicts = _verdicts(ret)
    has_failed, has_changed = "failed" in verdicts, "changed" in verdicts
    if not (
        chosen["report_everything"]
        or (has_changed and chosen["report_changes"])
        or (has_failed and chosen["report_failures"])
    ):
        return
    report = _report(ret, verdicts)
    function = chosen["failure_function" if has_failed else "success_function"]
    if function:
        report.insert(0, {"extra": [{function: _listed(call(function))}]})
    text = _as_text(report, str(chosen["report_format"]))
    if chosen["report_delivery"] == "file":
        _write(chosen, text)
    else:
        _send(chosen, text, "failure" if has_failed else "success")


def _states(ret: ReturnLoad) -> dict[str, Any]:
    """Return the states of a return in running order, or {} for a return that is not a state run."""
    returned = ret.get("return")
    if not returned or not is_state_run(returned):
        return {}
    return dict(sorted(returned.items(), key=lambda item: _number(item[1].get("__run_num__"))))


def _verdicts(ret: ReturnLoad) -> list[str]:
    """Return the outcome of each state; other returns (text of compile errors) have a single outcome."""
    return [_verdict(state) for state in _states(ret).values()] or [
        "failed" if ret.get("retcode") or ret.get("success") is False else "unchanged"
    ]


def _verdict(state: Mapping[str, Any]) -> str:
    """Return `failed`, `changed` (in test mode: would change) or `unchanged`."""
    if state["result"] is False:
        return "failed"
    return "changed" if state.get("changes") or state["result"] is None else "unchanged"


def _report(ret: ReturnLoad, verdicts: list[str]) -> Report:
    states = _states(ret)
    return [
        {
            "stats": [
                {"total": len(verdicts)},
                {"failed": verdicts.count("failed"), STYLE: "failed"},
                {"unchanged": verdicts.count("unchanged"), STYLE: "unchanged"},
                {"changed": verdicts.count("changed"), STYLE: "changed"},
                {"duration": round(sum(_number(state.get("duration")) for state in states.values()), 3)},
            ]
        },
        {
            "job": [
                {"function": ret.get("fun", "")},
                {"arguments": ret.get("fun_args", "")},
                {"jid": ret.get("jid", "")},
                {"success": ret.get("success", True)},
                {"retcode": ret.get("retcode", 0)},
            ]
        },
        {"states": [_state(tag, state) for tag, state in states.items()]}
        if states
        else {"return": _listed(ret.get("return")), STYLE: verdicts[0]},
    ]


def _state(tag: str, state: Mapping[str, Any]) -> dict[str, Any]:
    chunk = LowTag.parse(tag)
    verdict = _verdict(state)
    about: Report = [
        {"function": f"{chunk.state}.{chunk.fun}"},
        {"name": chunk.name},
        {"result": state["result"]},
        {"duration": state.get("duration", 0.0)},
        {"comment": state.get("comment", "")},
    ]
    if state.get("changes"):
        about.append({"changes": _listed(state["changes"])})
    if state.get("start_time"):
        about.append({"started": state["start_time"]})
    return {chunk.id: about, STYLE: verdict}


def _listed(data: Any) -> Any:
    """Convert nested mappings to lists of {name: value}, sorted by name."""
    if not isinstance(data, Mapping):
        return data
    return [{name: _listed(data[name])} for name in sorted(data, key=str)]


def _number(value: Any) -> float:
    try:
        return float(str(value).partition(" ")[0])
    except ValueError:
        return 0.0


def _as_text(report: Report, kind: str) -> str:
    if kind == "json":
        return json.dumps(report, default=str)
    if kind == "yaml":
        return dump(report, default_flow_style=False)
    if kind == "html":
        return page(report)
    raise CommandExecutionError(f"returner highstate: report_format must be html, json or yaml, not {kind!r}")


def _with_grains(text: Any) -> str:
    """Return a text with `{grain}` replaced by the grain, or '' for a missing one."""
    return _GRAIN.sub(lambda found: str(grains.get(found[1], "")), str(text))


def _write(chosen: Mapping[str, Any], text: str) -> None:
    if not chosen["file_output"]:
        raise CommandExecutionError(
            "returner highstate: set `file_output` below `highstate` to write the report, or configure mail"
        )
    path = _with_grains(chosen["file_output"])
    try:
        with replacing(path, new_mode=_PRIVATE) as file:
            file.write(text.encode())
    except OSError as exc:
        raise CommandExecutionError(f"returner highstate: cannot write the report: {exc}") from exc


def _send(chosen: Mapping[str, Any], text: str, verdict: str) -> None:
    lacking = [name for name in ("smtp_server", "smtp_sender", "smtp_recipients") if not chosen[name]]
    if lacking:
        raise CommandExecutionError(
            f"returner highstate: mail needs {', '.join(lacking)} (below `highstate`)"
        )
    message = _message(chosen, text, verdict)
    server, port = str(chosen["smtp_server"]), int(chosen["smtp_port"])
    try:
        with smtplib.SMTP(server, port, timeout=_TIMEOUT) as smtp:
            if chosen["smtp_tls"]:
                smtp.starttls(context=client_context(verify=bool(opts.get("verify_ssl", True))))
            if chosen["smtp_username"] and chosen["smtp_password"]:
                smtp.login(chosen["smtp_username"], chosen["smtp_password"])
            smtp.send_message(message)
    # Errors of smtplib are also OSErrors.
    except OSError as exc:
        raise CommandExecutionError(
            f"returner highstate: cannot mail the report via {server} port {port}: {exc}"
        ) from exc


def _message(chosen: Mapping[str, Any], text: str, verdict: str) -> EmailMessage:
    recipients = chosen["smtp_recipients"]
    listed = recipients.split(",") if isinstance(recipients, str) else recipients
    message = EmailMessage()
    # A header must be one line, but values of grains can contain line breaks.
    message["Subject"] = " ".join(_with_grains(chosen[f"smtp_{verdict}_subject"]).split())
    message["From"] = chosen["smtp_sender"]
    message["To"] = ", ".join(str(each).strip() for each in listed)
    message.set_content(text, subtype=str(chosen["report_format"]))
    return message
