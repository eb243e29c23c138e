"""Coverage-guided input for one fuzz test: `python tests/fuzz/guided.py test_wire test_messages 60`.

The arguments are a file, a test of it that needs no fixture, and seconds. Needs atheris
(`pip install atheris`), which nothing else of the project does, so it is no dependency.
"""

import importlib
import logging
import sys

import atheris


def main():
    """Fuzz until the time is over or there is a finding, which is printed and saved as `crash-*`."""
    module, test, seconds = sys.argv[1:]
    logging.disable(logging.CRITICAL)
    with atheris.instrument_imports(include=["salt_g"]):
        found = getattr(importlib.import_module(module), test)
    atheris.Setup(
        [
            sys.argv[0],
            f"-max_total_time={seconds}",
            "-max_len=4096",
            "-verbosity=0",
            "-print_final_stats=1",
        ],
        found.hypothesis.fuzz_one_input,
    )
    atheris.Fuzz()


if __name__ == "__main__":
    main()
