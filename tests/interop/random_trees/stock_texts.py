"""Stock's complete run, from top files to results, in one long process with parts of `stock_states.py`.

    stock_texts.py CONFIG_FILE

A request {"test": bool, "settings": {...}} is answered with {"pillar": mapping, "low": low chunks or errors,
"results": what `state.apply` returns}; one that has `templates` with what each text renders to (by
`slsutil.renderer`, with jinja and yaml), or the text of its error. {"exception": text} if stock raised one.
"""

import sys

import salt.pillar
import stock_states


def run(machine, request):
    """Answer a request in this process."""
    if "templates" in request:
        return [rendered(machine, text) for text in request["templates"]]
    for opts in all_opts(machine):
        opts.update(request["settings"])
    return run_tops(machine)


def rendered(machine, text):
    """Return the rendered template, or the text of its error."""
    try:
        return machine.state.functions["slsutil.renderer"](string=text, default_renderer="jinja|yaml")
    except Exception as exc:
        return f"failed: {exc}"


def run_tops(machine):
    """Return compiled pillar, low data and results."""
    # When this program started, it compiled the pillar of whichever tree was there.
    set_pillar(machine, {})
    compiled = salt.pillar.Pillar(
        machine.opts,
        machine.opts["grains"],
        machine.opts["id"],
        machine.opts["saltenv"],
        functions=machine.state.functions,
        pillarenv=machine.opts["pillarenv"],
    ).compile_pillar()
    set_pillar(machine, compiled)
    if "_errors" in compiled:
        return {"pillar": compiled}
    machine.push_active()
    low = machine.compile_low_chunks()
    machine.building_highstate, machine.iorder = type(machine.building_highstate)(), 10000
    return {"pillar": compiled, "low": low, "results": machine.call_highstate()}


def tables(machine):
    """Return the tables of plugins."""
    state = machine.state
    return [
        one if hasattr(one, "opts") else one._dict
        for one in (state.functions, state.states, state.rend, state.utils)
    ]


def all_opts(machine):
    """Return each mapping of settings."""
    packed = [table.pack["__opts__"] for table in tables(machine) if "__opts__" in table.pack]
    return [machine.opts, machine.state.opts, *(table.opts for table in tables(machine)), *packed]


def set_pillar(machine, pillar):
    """Make everything see a pillar."""
    for opts in all_opts(machine):
        opts["pillar"] = pillar
    for table in tables(machine):
        table.pack["__pillar__"] = pillar


if __name__ == "__main__":
    stock_states.serve(sys.argv[1], run)
