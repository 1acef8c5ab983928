#!/bin/sh
# Runs a command among the Debian programs of tools.sh: `in-tools.sh TOOLS FOLDER... -- COMMAND...`. Beside them it sees only
# these folders, under their own names. In a mount namespace of its own, with a real change of the root, because mkosi makes
# further ones. The network is the machine's.
set -eu
tools=$1
shift
folders=
while [ "$1" != -- ]; do
  folders="$folders $1"
  shift
done
shift
exec unshare -m --propagation private sh -euc '
  tools=$0 folders=$1 here=$PWD
  shift
  mount --rbind "$tools" "$tools"
  for each in /proc /sys /dev $folders; do
    mkdir -p "$tools$each"
    mount --rbind "$each" "$tools$each"
  done
  mount -t tmpfs tmpfs "$tools/run"
  cp -L /etc/resolv.conf "$tools/etc/resolv.conf" 2>/dev/null || :
  mkdir -p "$tools/.old"
  cd "$tools"
  pivot_root . .old
  cd /
  umount -l /.old
  cd "$here" 2>/dev/null || cd /
  exec env -i HOME=/root TERM=dumb LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin ${SOURCE_DATE_EPOCH:+SOURCE_DATE_EPOCH=$SOURCE_DATE_EPOCH} "$@"
' "$tools" "$folders" "$@"
