#!/bin/sh
# Makes the folder of Debian programs that build and test the image, once: `tools.sh FOLDER`. Needs root and mmdebstrap.
# What the machine has installed itself, and which Debian it is, changes nothing in an image.
set -eu
tools=$1
mirror=${NIGHTPORTER_DEBIAN_MIRROR:-http://deb.debian.org}
packages=mkosi,systemd,systemd-repart,systemd-ukify,systemd-boot,systemd-boot-efi,systemd-container,udev,mmdebstrap,apt
packages=$packages,mtools,dosfstools,exfatprogs,e2fsprogs,erofs-utils,cryptsetup-bin,python3-cryptography,python3-pefile,rauc,openssl
packages=$packages,zstd,xz-utils,cpio,kmod,bubblewrap,uidmap,libcap2-bin,fdisk,diffutils,binutils,ca-certificates
packages=$packages,g++,g++-aarch64-linux-gnu,make,device-tree-compiler,debian-archive-keyring,qemu-system-x86,qemu-system-arm,qemu-utils,qemu-user,ovmf,qemu-efi-aarch64
[ "$(cat "$tools/.complete" 2>/dev/null)" != "$packages" ] || exit 0
rm -rf "$tools" "$tools.new"
mmdebstrap --mode=root --variant=apt --quiet \
  --aptopt='Acquire::Languages "none"' --aptopt='APT::Install-Recommends "false"' --aptopt='Acquire::Retries "3"' \
  --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
  --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt=force-unsafe-io \
  --include="$packages" \
  trixie "$tools.new" "deb $mirror/debian trixie main" "deb $mirror/debian-security trixie-security main"
echo "$packages" >"$tools.new/.complete"
mv "$tools.new" "$tools"
