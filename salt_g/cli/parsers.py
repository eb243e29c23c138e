"""Option parsers of all subcommands, for completion and manual pages."""

from __future__ import annotations

import salt_g.cli.call.call_options as call_options
import salt_g.cli.cmd.attach as attach
import salt_g.cli.cmd.cmd_options as cmd_options
import salt_g.cli.cmd.cp_options as cp_options
import salt_g.cli.cmd.match as match
import salt_g.cli.cmd.plan as plan
import salt_g.cli.cmd.rollout as rollout
import salt_g.cli.completion_options as completion_options
import salt_g.cli.daemon.api as api
import salt_g.cli.daemon.master as master
import salt_g.cli.daemon.minion as minion
import salt_g.cli.fleet.audit as audit
import salt_g.cli.fleet.drift as drift
import salt_g.cli.fleet.history as history
import salt_g.cli.fleet.impact as impact
import salt_g.cli.fleet.lock as lock
import salt_g.cli.fleet.mailbox as mailbox
import salt_g.cli.key.key_options as key_options
import salt_g.cli.lint.lint as lint
import salt_g.cli.lint.lsp as lsp
import salt_g.cli.run.run_options as run_options
import salt_g.cli.setup.cluster as cluster
import salt_g.cli.setup.config as config
import salt_g.cli.setup.doctor as doctor
import salt_g.cli.setup.install_options as install_options
import salt_g.cli.setup.pip as pip
import salt_g.cli.setup.quickstart as quickstart
import salt_g.cli.setup.store as store
import salt_g.cli.setup.token as token
import salt_g.cli.ssh.ssh_options as ssh_options
import salt_g.cli.watch.event as event
import salt_g.cli.watch.top as top
from salt_g.cli.options import OptionParser


def parsers() -> dict[str, OptionParser]:
    """Return {subcommand: parser}."""
    return {
        "call": call_options.build_parser(),
        "cmd": cmd_options.build_parser(),
        "run": run_options.build_parser(),
        "ssh": ssh_options.build_parser(),
        "key": key_options.build_parser(),
        "attach": attach.build_parser(),
        "plan": plan.build_parser(),
        "rollout": rollout.build_parser(),
        "cp": cp_options.build_parser(),
        "event": event.build_parser(),
        "match": match.build_parser(),
        "top": top.build_parser(),
        "master": master.build_parser(),
        "minion": minion.build_parser(),
        "api": api.build_parser(),
        "config": config.build_parser(),
        "doctor": doctor.build_parser(),
        "lint": lint.build_parser(),
        "lsp": lsp.build_parser(),
        "mailbox": mailbox.build_parser(),
        "lock": lock.build_parser(),
        "audit": audit.build_parser(),
        "history": history.build_parser(),
        "impact": impact.build_parser(),
        "drift": drift.build_parser(),
        "quickstart": quickstart.build_parser(),
        "install": install_options.build_parser(),
        "pip": pip.build_parser(),
        "store": store.build_parser(),
        "cluster": cluster.build_parser(),
        "token": token.build_parser(),
        "completion": completion_options.build_parser(),
    }
