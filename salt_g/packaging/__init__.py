"""Distribution packages of salt-g: a Debian package, an RPM, a container image.

All have the same contents (`contents.py`): the frozen program of `onefile/`, links, units, pages. They are
built with the distributions' own tools, and without a container daemon. `build.py` is the command.
"""
