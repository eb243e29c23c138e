"""RPM package, built by rpmbuild from staged contents.

rpm itself refuses a downgrade, except with `--oldpackage` or `dnf downgrade`.
Source: the RPM reference manual (spec format, scriptlets).
"""

from __future__ import annotations

import pathlib
import platform
import shutil
import subprocess

from salt_g.packaging import scripts
from salt_g.packaging.contents import TOP, PackageFile, stage
from salt_g.packaging.metadata import Metadata

_ZSH = "/usr/share/zsh/site-functions"
_STOCK = " ".join(
    ("salt", *(f"salt-{name}" for name in ("master", "minion", "api", "cloud", "ssh", "syndic")))
)


def build(
    directory: pathlib.Path, program: pathlib.Path, scratch: pathlib.Path, metadata: Metadata
) -> pathlib.Path:
    """Build the package in `directory` from the frozen program; return its path.

    Raises subprocess.CalledProcessError if rpmbuild fails, with its output.
    """
    root, top = scratch / "rpm-contents", scratch / "rpmbuild"
    made = stage(root, program, _ZSH)
    spec = scratch / "salt-g.spec"
    spec.write_text(_spec(metadata, root, made))
    words = ["rpmbuild", "-bb", "--quiet", "--define", f"_topdir {top}", str(spec)]
    subprocess.run(words, check=True, capture_output=True, text=True)
    (package,) = top.glob("RPMS/*/*.rpm")
    return pathlib.Path(shutil.copy(package, directory))


def _spec(metadata: Metadata, root: pathlib.Path, made: list[PackageFile]) -> str:
    listed = "\n".join(_listed(file) for file in made)
    return f"""\
# The contents are finished: nothing is compiled, stripped or scanned for requirements.
%global debug_package %{{nil}}
%global _build_id_links none
%global __os_install_post %{{nil}}
# Readable by each rpm that is still in use.
%global _binary_payload w6.gzdio
Name: salt-g
Version: {metadata.version}
Release: 1
Summary: {metadata.summary}
License: {metadata.license}
URL: {metadata.url}
Packager: {metadata.maintainer}
BuildArch: {platform.machine()}
AutoReqProv: no
Requires: glibc >= {metadata.glibc}
Conflicts: {_STOCK}

%description
{metadata.description}

%install
mkdir -p %{{buildroot}}
cp -a {root}/. %{{buildroot}}/

%files
%defattr(-,root,root,-)
{TOP}
{listed}

%post
{scripts.SET_UP}{scripts.LABEL}
# Once files that only the earlier version had are gone.
%posttrans
{scripts.RESTART_RUNNING}
%preun
if [ "$1" = 0 ]; then
{scripts.STOP}fi

%postun
if [ "$1" = 0 ]; then
{scripts.RELOAD}fi
"""


def _listed(file: PackageFile) -> str:
    return f"%config(noreplace) {file.path}" if file.is_config else file.path
