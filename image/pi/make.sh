#!/bin/sh
# `make.sh OUTPUT MIRROR SOURCE`: the files for the Raspberry Pi that mkosi does not install, from the packages of Debian for which
# its configuration asks: device trees, the firmware of the Pi 4, and the module that hands a restart's word `tryboot` to the
# firmware, compiled for the kernel of the image. Runs among the Debian programs of ../tools.sh. Fails when one is missing.
set -eu
output=$1 mirror=$2 source=$3
rm -rf "$output"
mkdir -p "$output/apt/lists/partial" "$output/apt/archives/partial" "$output/files" "$output/module"
cd "$output/apt"
sed "s|http://deb.debian.org|$mirror|" "$source/image/mkosi/mkosi.profiles/pi/mkosi.sandbox/etc/apt/sources.list.d/pi.sources" \
  >pi.sources
sed -i 's/^Components: main$/Components: main non-free-firmware/' pi.sources
: >status
cat >apt.conf <<END
Dir::State "$PWD"; Dir::State::lists "$PWD/lists"; Dir::State::status "$PWD/status"; Dir::Cache "$PWD";
Dir::Etc::sourcelist "$PWD/pi.sources"; Dir::Etc::sourceparts "-";
Dir::Etc::preferencesparts "$source/image/mkosi/mkosi.profiles/pi/mkosi.sandbox/etc/apt/preferences.d";
APT::Architecture "arm64"; APT::Architectures { "arm64"; "amd64"; }; APT::Sandbox::User "root";
Acquire::Languages "none"; Acquire::Retries "3";
END
export APT_CONFIG=$PWD/apt.conf
apt-get update --quiet=2
headers=$(apt-cache depends linux-headers-arm64:arm64 | sed -n 's/.*Depends: \(linux-headers-[0-9].*-arm64\).*/\1/p')
kernel=${headers#linux-headers-}
version=${kernel%-arm64}
[ -n "$version" ] || { echo "Debian's kernel for arm64 has other packages than expected." >&2; exit 1; }
firmware=$(apt-cache madison raspi-firmware | sed -n '1s/^[^|]*| *\([^ ]*\).*/\1/p')
apt-get download --quiet=2 "$headers:arm64" "linux-headers-$version-common" "linux-kbuild-$version:$(dpkg --print-architecture)" \
  "linux-base-$kernel:arm64" "raspi-firmware=$firmware"
for each in *.deb; do
  dpkg-deb -x "$each" unpacked
done
trees=unpacked/usr/lib/modules/$kernel/dtb/broadcom
# As the firmware calls them: it knows a Compute Module 4, and the second stepping of the Pi 5, by other names than kernel.org.
for each in bcm2711-rpi-4-b bcm2711-rpi-400 bcm2711-rpi-cm4-io:bcm2711-rpi-cm4 bcm2712-rpi-5-b bcm2712-d-rpi-5-b:bcm2712d0-rpi-5-b; do
  cp "$trees/${each%:*}.dtb" "$output/files/${each#*:}.dtb"
done
cp unpacked/usr/lib/raspi-firmware/start4.elf unpacked/usr/lib/raspi-firmware/fixup4.dat "$output/files/"
cp unpacked/usr/share/doc/raspi-firmware/copyright "$output/copyright"
cp "$source"/image/pi/tryboot/* "$output/module/"
common=$PWD/unpacked/usr/src/linux-headers-$version-common objects=$PWD/unpacked/usr/src/$headers
make -C "$objects" -f "$common/Makefile" "KBUILD_OUTPUT=$objects" "M=$output/module" "KCFLAGS=-ffile-prefix-map=$output=" CONFIG_DEBUG_INFO_BTF_MODULES= --silent modules
aarch64-linux-gnu-strip --strip-debug "$output/module/nightporter_tryboot.ko"
modinfo -F vermagic "$output/module/nightporter_tryboot.ko" | grep -q "^$kernel "
printf '{"kernel":"%s","firmware":"%s"}\n' "$kernel" "$firmware" >"$output/versions.json"
rm -rf "$output/apt"
