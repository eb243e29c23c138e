"""`salt-g TARGET state.apply … test=True --save NAME`: save a test run as a plan on the master."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from salt_g.cli import exit_codes
from salt_g.cli.cmd.job_output import JobOutput
from salt_g.cli.cmd.job_request import why_malformed
from salt_g.cli.cmd.plan import TIMEOUT, asked
from salt_g.cli.cmd.plan_lines import summary_lines
from salt_g.cli.stdio import notices
from salt_g.client.jobs import CREDENTIALS
from salt_g.client.publishing import NO_MINIONS, JobRequest, publish_load, read_reply
from salt_g.loader.job_arguments import split_arguments
from salt_g.loader.test_runs import is_test_run

if TYPE_CHECKING:
    from salt_g.cli.cmd.job_request import JobCall
    from salt_g.shapes.loads import Load


def run(call: JobCall) -> int:
    """Run the test, print the returns and the plan's summary; return the exit code."""
    job, options, opts, client, extra, record = call
    problem = _problem(job, options)
    if problem:
        print(f"salt-g cmd: {problem}", file=sys.stderr)
        return exit_codes.USAGE
    load = publish_load(job, extra, opts=opts, user=client.user, timeout=TIMEOUT)
    load.update({"cmd": "plan_save", "name": options.save})
    reply = asked(client, load, follow=True)
    published = read_reply(reply)
    if published is None:
        print(NO_MINIONS, file=notices(opts))
        if why := why_malformed(job, options, opts):
            print(f"salt-g cmd: {why}", file=sys.stderr)
        return exit_codes.NOBODY
    record.begin(jid=published.jid, fun=job.fun, target=job.tgt, minions=published.minions)
    code = JobOutput(options, opts, client, record).follow(job.fun, published)
    close: Load = {"cmd": "plan_close", "plan": reply["load"]["plan"], "user": client.user}
    close["kwargs"] = {name: value for name, value in extra.items() if name in CREDENTIALS}
    plan = asked(client, close)["plan"]
    for line in summary_lines(plan):
        print(line, file=notices(opts))
    return code or (exit_codes.FAILED if plan["refused"] else exit_codes.OK)


def _problem(job: JobRequest, options: argparse.Namespace) -> str:
    """Return why a job cannot be saved as a plan, or ''; the master checks the function."""
    if options.batch or options.subset or options.is_async:
        return "--save cannot be combined with --batch, --subset or --async"
    if not is_test_run(str(job.fun), split_arguments(list(job.arg))[1]):
        return f"--save needs test=True: {job.fun} … test=True --save NAME"
    return ""
