#!/bin/sh
# salt-g @version@ in one file: this script, and behind its last line an archive of the program.
# The archive is unpacked once, below SALT_G_UNPACKED, else /var/cache/salt-g for root, else the user's own
# cache; nobody else may be able to write there.
digest=@digest@
if [ -n "$SALT_G_UNPACKED" ]; then top=$SALT_G_UNPACKED
elif [ "$(id -u)" = 0 ]; then top=/var/cache/salt-g
else top=${XDG_CACHE_HOME:-$HOME/.cache}/salt-g
fi
program=$top/$digest/salt-g
if ! [ -x "$program" ]; then
    users_umask=$(umask)
    umask 077
    if ! { mkdir -p "$top" && new=$(mktemp -d "$top/.unpacking-XXXXXX"); }; then
        echo "salt-g: this user cannot unpack it to $top: set SALT_G_UNPACKED to another directory" >&2
        exit 1
    fi
    trap 'rm -rf "$new"' EXIT
    trap 'exit 1' HUP INT TERM
    if ! tail -n +@lines@ "$0" | tar -x -z -f - -C "$new"; then
        echo "salt-g: cannot unpack to $new: is there room for 100 MiB? Or set SALT_G_UNPACKED to another directory" >&2
        exit 1
    fi
    chmod 700 "$new"
    # Another process may have unpacked the same archive first.
    mv -T "$new" "$top/$digest" 2>/dev/null || [ -e "$program" ] || exit 1
    trap - EXIT HUP INT TERM
    rm -rf "$new"
    umask "$users_umask"
    if ! [ -x "$program" ]; then
        echo "salt-g: nothing may be run below $top (mounted noexec?): set SALT_G_UNPACKED to another directory" >&2
        exit 1
    fi
fi
owner=$(stat -c '%u %a' "$top/$digest") || exit 1
case $owner in
    "$(id -u) 700" | "0 700" | "0 755") ;;
    *) echo "salt-g: $top/$digest is not this user's own (owner and mode are $owner): remove it" >&2; exit 1 ;;
esac
SALT_G_CALLED_AS=$0 exec "$program" "$@"
