"""Minions that stock selects by compound targets. Runs in stock's Python.

    stock_targets.py DIRECTORY

Reads {"minions": {id: [grains, pillar]}, "nodegroups": ..., "targets": [text]} as JSON and writes, for each
target, the ids that run its jobs: those whose minion matches, if the master publishes the job at all.
"""

import json
import logging
import os
import sys

import salt.cache
import salt.config
import salt.loader
import salt.utils.minions


def prepared(directory, minions, nodegroups):
    """Return (the master's check of targets, {id: (matchers, settings)})."""
    master = salt.config.master_config(None)
    paths = {"cachedir": f"{directory}/cache", "pki_dir": f"{directory}/pki", "sock_dir": directory}
    master = {**master, **paths, "nodegroups": nodegroups}
    os.makedirs(f"{directory}/pki/minions")
    cache = salt.cache.factory(master)
    tables = {}
    for minion, (grains, pillar) in minions.items():
        with open(f"{directory}/pki/minions/{minion}", "w", encoding="utf-8") as file:
            file.write("key")
        cache.store("grains", minion, grains)
        cache.store("pillar", minion, pillar)
        opts = {"id": minion, "root_dir": directory, "conf_file": f"{directory}/{minion}"}
        opts = salt.config.apply_minion_config(opts)
        opts = {**opts, "grains": grains, "pillar": pillar, "nodegroups": nodegroups, "id": minion}
        tables[minion] = (salt.loader.matchers(opts), opts)
    return salt.utils.minions.CkMinions(master), tables


def matches(target, minion, table, opts):
    """Return whether a minion runs the job; a matcher that raises does not match."""
    try:
        return bool(table["compound_match.match"](target, opts=opts, minion_id=minion))
    except Exception:
        return False


def main():
    """Answer the request on standard input."""
    logging.disable(logging.CRITICAL)
    request = json.load(sys.stdin)
    check, tables = prepared(sys.argv[1], request["minions"], request["nodegroups"])
    answers = []
    for target in request["targets"]:
        meant = []
        if check.check_minions(target, "compound")["minions"]:
            meant = [minion for minion, place in tables.items() if matches(target, minion, *place)]
        answers.append(meant)
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
