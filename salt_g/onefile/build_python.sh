#!/bin/sh
# Builds CPython from Debian's source package $1 of the suite $2 (mirror $3) into $4 with $5 processes at a time.
# Runs as root in the root directory of an older Debian (old_debian.py).
set -eu
package=$1 suite=$2 mirror=$3 prefix=$4 processes=$5
export LC_ALL=C

# Signed by the keys that the older Debian has: its keyring knows the suites after it.
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" \
    >/etc/apt/sources.list.d/python-source.list
mkdir -p /build/python
cd /build/python
apt-get --quiet update
apt-get --quiet source --download-only "$package"
tar -x -f "$package"_*.orig.tar.gz
tar -x -f "$package"_*.debian.tar.xz
cd Python-*/
# Security fixes are needed; Debian's other changes, *.diff, are about its own layout of directories.
grep -E '^CVE-|\.patch$' ../debian/patches/series | while read -r name; do
    patch --strip=1 --batch --forward --silent <"../debian/patches/$name"
done
# With these fixes pyexpat uses headers of the core, of which it is a part in Debian's build.
sed -i "s/Extension('pyexpat',/Extension('pyexpat', extra_compile_args=['-DPy_BUILD_CORE_MODULE'],/" setup.py
# The fixes of expat itself are in the system's library. PyInstaller packs the shared library of Python.
./configure --quiet --prefix="$prefix" --enable-shared --with-system-expat --with-ensurepip=no \
    --disable-test-modules \
    LDFLAGS="-Wl,-rpath,$prefix/lib"
make --silent -j "$processes"
make --silent install >/dev/null
# A part that could not be built is only reported by the build, not an error of it.
"$prefix/bin/python3" -c 'import _decimal, _elementtree, _uuid, bz2, ctypes, curses, hashlib, lzma, pyexpat, zlib'
"$prefix/bin/python3" -c 'import multiprocessing.shared_memory, readline, sqlite3, ssl, zoneinfo'
rm -r /build/python
apt-get clean
