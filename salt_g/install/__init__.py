"""Installation of salt-g on a host as a service, and its removal: `salt-g install`.

Begin with `plan.py`: it inspects a host (`host.py`, reading only) and returns a list of steps (`steps.py`),
which are values and can be printed; `apply.py` carries them out. `removal.py` plans the removal of the files
listed in `manifest.py`. `services.py` and `settings.py` contain the texts of files, `program.py` finds the
running program.
"""
