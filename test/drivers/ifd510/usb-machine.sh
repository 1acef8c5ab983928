#!/bin/sh
# Installs what real-usb.test.ts runs on, on Debian: QEMU, and a kernel that is unpacked and not installed.
set -eu
kernel=/var/tmp/nightporter-kernel
if [ ! -x /usr/bin/qemu-system-x86_64 ] || [ ! -x /bin/busybox ] || [ ! -x /lib/systemd/systemd-udevd ] ||
  ! ldconfig -p | grep -q libusb-1.0.so.0; then
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends qemu-system-x86 busybox-static udev libusb-1.0-0 >/dev/null
fi
if [ ! -d "$kernel/boot" ]; then
  apt-get update -qq
  image=$(apt-cache depends linux-image-amd64 | awk '/Depends: linux-image/ { print $2; exit }')
  folder=$(mktemp -d)
  (cd "$folder" && apt-get download -qq "$image" 2>/dev/null && dpkg -x ./*.deb "$kernel")
  rm -r "$folder"
fi
