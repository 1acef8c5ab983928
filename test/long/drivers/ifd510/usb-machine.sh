#!/bin/sh
# Installs what real-usb.test.ts runs on, on Debian: QEMU, and a kernel that is unpacked and not installed. Says what failed,
# and ends, where the network gives nothing: each step has its time.
set -eu
. "$(dirname "$0")/../../../debian.sh"
kernel=/var/tmp/nightporter-kernel

fail() {
  echo "usb-machine.sh: $1" >&2
  exit 1
}

if [ ! -x /usr/bin/qemu-system-x86_64 ] || [ ! -x /bin/busybox ] || [ ! -x /lib/systemd/systemd-udevd ] ||
  ! ldconfig -p | grep -q libusb-1.0.so.0; then
  apt update || fail 'the lists of packages cannot be downloaded'
  apt install -y --no-install-recommends qemu-system-x86 busybox-static udev libusb-1.0-0 ||
    fail 'qemu-system-x86, busybox-static, udev and libusb-1.0-0 cannot be installed'
fi
if [ ! -d "$kernel/boot" ]; then
  apt update || fail 'the lists of packages cannot be downloaded'
  image=$(apt-cache depends linux-image-amd64 | awk '/Depends: linux-image/ { print $2; exit }')
  [ -n "$image" ] || fail 'there is no package linux-image-amd64'
  folder=$(mktemp -d -p /var/tmp)
  trap 'rm -rf "$folder"' EXIT
  cd "$folder"
  apt download "$image" || fail "$image cannot be downloaded"
  dpkg -x ./*.deb "$folder/kernel" || fail "$image cannot be unpacked"
  # At once, so that half a kernel is never taken for one.
  rm -rf "$kernel"
  mv "$folder/kernel" "$kernel"
fi
