"""Shell script that prints the facts of a host, in POSIX sh with the tools of small systems.

`_facts.py` converts its output of `name=value` lines to grains. The shell itself reads one-line files,
because a process for each would be most of the script's cost on the host.
"""

SCRIPT = r"""
say() { printf '%s=%s\n' "$1" "$2"; }
first() {
    line=
    [ -r "$2" ] && IFS= read -r line <"$2" 2>/dev/null
    say "$1" "$line"
}
set -- $(uname -snrm)
say kernel "$1"
say nodename "$2"
say kernelrelease "$3"
say cpuarch "$4"
say kernelversion "$(uname -v)"
say fqdn "$(hostname -f 2>/dev/null || hostname 2>/dev/null)"
for file in /etc/os-release /usr/lib/os-release; do
    [ -r "$file" ] || continue
    sed -n "s/^\([A-Z_]*\)=[\"']\{0,1\}\(.*[^\"']\)[\"']\{0,1\}\$/os-release.\1=\2/p" "$file"
    break
done
[ -r /etc/debian_version ] && first debian_version /etc/debian_version
[ -r /etc/redhat-release ] && first redhat_release /etc/redhat-release
[ -r /etc/machine-id ] && first machine_id /etc/machine-id
sed -n 's/^MemTotal: *\([0-9]*\).*/mem_kib=\1/p; s/^SwapTotal: *\([0-9]*\).*/swap_kib=\1/p' \
    /proc/meminfo 2>/dev/null
say num_cpus "$(getconf _NPROCESSORS_ONLN 2>/dev/null || grep -c '^processor' /proc/cpuinfo)"
sed -n '/^model name/{s/^[^:]*: */cpu_model=/p;q;}' /proc/cpuinfo 2>/dev/null
sed -n '/^flags/{s/^[^:]*: */cpu_flags=/p;q;}' /proc/cpuinfo 2>/dev/null
[ -d /run/systemd/system ] && say booted systemd
first init /proc/1/comm
say uid "$(id -u)"
say gid "$(id -g)"
say username "$(id -un)"
say groupname "$(id -gn)"
say home "$HOME"
say path "$PATH"
shell=${SHELL:-/bin/sh}
# Users of services often have none that runs commands.
case ${shell##*/} in nologin|false) shell=/bin/sh ;; esac
[ -x "$shell" ] || shell=/bin/sh
say shell "$shell"
say dpkg_arch "$(dpkg --print-architecture 2>/dev/null)"
for name in sys_vendor product_name product_serial product_uuid bios_version bios_vendor board_name; do
    first "dmi.$name" "/sys/class/dmi/id/$name"
done
if command -v systemd-detect-virt >/dev/null 2>&1; then
    say detect_virt "$(systemd-detect-virt 2>/dev/null)"
elif grep -q '^flags.* hypervisor' /proc/cpuinfo 2>/dev/null; then
    say hypervisor yes
fi
[ -e /.dockerenv ] && say container docker
[ -e /run/.containerenv ] && say container podman
for net in /sys/class/net/*; do
    [ -e "$net/address" ] && first "mac.${net##*/}" "$net/address"
done
if command -v ip >/dev/null 2>&1; then
    ip -o addr show 2>/dev/null | awk '{ sub("/.*", "", $4); print $3 "." $2 "=" $4 }'
    ip route show default 2>/dev/null |
        awk '{ for (i = 1; i < NF; i++) if ($i == "via") print "gateway=" $(i + 1) }'
elif command -v ifconfig >/dev/null 2>&1; then
    ifconfig -a 2>/dev/null | awk '/^[^ ]/ { name = $1; sub(":$", "", name) }
        $1 == "inet" || $1 == "inet6" { sub("addr:", "", $2); sub("/.*", "", $2); print $1 "." name "=" $2 }'
fi
awk '/^nameserver/ { print "nameserver=" $2 }' /etc/resolv.conf 2>/dev/null
for name in /sys/block/*/queue/rotational; do
    [ -e "$name" ] || continue
    disk=${name#/sys/block/}
    first "disk.${disk%%/*}" "$name"
done
if command -v getenforce >/dev/null 2>&1; then say selinux "$(getenforce)"; fi
command -v python3 >/dev/null 2>&1 && say python "$(command -v python3)"
exit 0
"""
