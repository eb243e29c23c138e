"""Text of `salt-g --help` and of `salt-g` without arguments."""

from __future__ import annotations

import sys

import salt_g.cli.exit_codes as exit_codes

#: Text of `--help`.
TEXT = """\
Usage: salt-g TARGET FUNCTION [ARGUMENT ...]   run an execution function on minions
       salt-g FUNCTION [ARGUMENT ...]          run an execution function on this machine
       salt-g SUBCOMMAND [WORD ...]

subcommands:
  cmd         run an execution function on minions, with all options (stock: salt)
  call        run an execution function on this machine, with all options (stock: salt-call)
  run         run a function on the master, orchestrate (stock: salt-run)
  ssh         run an execution function on hosts without a minion (stock: salt-ssh)
  match       print the minions that a target matches; with --explain also why
  attach      follow a job that is running: its returns, and the steps of its states
  mailbox     list and drop jobs that wait for minions which are away (cmd --when-back)
  lock        lock minions against changes, with a reason and an end; list, drop
  history     what state runs changed at a path, when, where, by whom and why
  drift       what somebody else changed on minions, as state runs found it
  impact      which minions read a file, pillar or grain in their last state run
  audit       verify the log of decisions about rights
  plan        show, approve and apply plans: test runs kept by the master (--save)
  rollout     list, show, pause, resume and stop jobs that run in waves (cmd --rollout)
  cp          copy files to minions (stock: salt-cp)
  event       print the events of the master as they arrive
  top         watch the master: jobs, minions, queues, delays
  key         list, accept, reject and delete minions' keys (stock: salt-key)
  master      the master, in the foreground (stock: salt-master)
  minion      a minion, in the foreground (stock: salt-minion)
  api         the HTTP API of the master, in the foreground (stock: salt-api)
  config      print the effective settings and the origin of each
  doctor      check this host's master or minion, and advise what to do
  lint        find errors in state trees, without a minion
  lsp         the language server for SLS files, which editors start
  install     make this host a master or a minion, as a service; --uninstall
  pip         install Salt extensions for salt-g
  token       create, list and revoke tokens for programs that use the HTTP API
  store       move a master's data to a PostgreSQL server, or back
  cluster     show the masters that share a database, forget one that is gone for good
  quickstart  start a temporary master and minions on this host, to try salt-g
  completion  print the completion script for bash, zsh or fish

options:
  --version               print the version
  -V, --versions-report   print the versions of salt-g, Python and the libraries in use
  -h, --help              print this text; see also `salt-g SUBCOMMAND --help`

examples:
  salt-g '*' test.ping
  salt-g -G os:Debian state.apply web test=True
  salt-g test.ping
  salt-g cmd.run 'uptime'
  salt-g grains.item os osrelease
  salt-g state.apply test=True
  salt-g sys.doc pkg.install
"""


def main(words: list[str]) -> int:
    """Print the overview; without arguments print to standard error and return a usage error's code."""
    asked = bool(words)
    print(TEXT, end="", file=sys.stdout if asked else sys.stderr)
    return exit_codes.OK if asked else exit_codes.USAGE
