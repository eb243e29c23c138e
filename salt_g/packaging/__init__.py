"""Distribution packages of salt-g: a Debian package, an RPM, a container image.

All have the same contents (`contents.py`): the frozen program of `onefile/`, links, units, manual pages. They
are built with the distributions' own tools, without a container daemon. Begin with `build.py`, the command.
"""
