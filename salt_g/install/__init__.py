"""Install salt-g on a host as a service, and take it away again: `salt-g install`.

Begin with `plan.py`: it looks at a host (`host.py`, reading only) and returns a list of steps (`steps.py`),
which are values and can be shown; `apply.py` carries them out. `removal.py` plans the way back from what
`manifest.py` knows to be ours. `services.py` and `settings.py` have the texts of files, `program.py` says
what runs now.
"""
