"""One-file program with salt-g, Python and the core's libraries: `python -m salt_g.onefile.build`.

PyInstaller freezes the program into a directory (`freezing.py`); `build.py` appends it as an archive to
`launcher.sh`, which unpacks it once for each user and version and runs it.
"""
