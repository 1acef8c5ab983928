import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../../../src/host/clock.ts'

/** Where `usb-machine.sh` puts a kernel; or that of the machine itself. */
const kernels = ['/var/tmp/nightporter-kernel', '/']
const programs = ['/usr/bin/qemu-system-x86_64', '/bin/busybox', '/lib/systemd/systemd-udevd']

/** What an installed box has for its devices. */
const rules = fileURLToPath(new URL('../../../../systemd/60-nightporter.rules', import.meta.url))

/** In the order in which they are loaded; what a kernel has built in is not there as a file. */
const modules = [
  'drivers/virtio/virtio_ring',
  'drivers/virtio/virtio',
  'drivers/virtio/virtio_pci_legacy_dev',
  'drivers/virtio/virtio_pci_modern_dev',
  'drivers/virtio/virtio_pci',
  'fs/netfs/netfs',
  'fs/fscache/fscache',
  'net/9p/9pnet',
  'net/9p/9pnet_virtio',
  'fs/9p/9p',
  'drivers/usb/common/usb-common',
  'drivers/usb/core/usbcore',
  'drivers/usb/usbip/usbip-core',
  'drivers/usb/usbip/vhci-hcd',
  'drivers/hid/hid',
  'drivers/hid/usbhid/usbhid',
]

/** The root of this machine for reading, with folders of its own for what a kernel shows. */
const init = `#!/bin/busybox sh
b=/bin/busybox
$b mkdir -p /proc /sys /dev /root
$b mount -t proc p /proc
$b mount -t sysfs s /sys
$b mount -t devtmpfs d /dev
for module in /m/*; do $b insmod $module || echo "cannot load $module"; done
$b mount -t 9p -o trans=virtio,version=9p2000.L,ro,msize=262144,cache=loose root /root
for folder in proc sys dev; do $b mount --move /$folder /root/$folder; done
$b mount -t tmpfs t /root/run
$b mkdir -p /root/run/udev/rules.d
$b cp /root/etc/group /root/run/group
$b echo nightporter:x:4242: >> /root/run/group
$b mount -o bind /root/run/group /root/etc/group
$b cp /rules /root/run/udev/rules.d/60-nightporter.rules
$b chroot /root /bin/busybox ip link set lo up
$b chroot /root /lib/systemd/systemd-udevd --daemon
# What is below /tmp stays as it is: the checkout may lie there.
$b chroot /root /bin/busybox env TMPDIR=/run $($b cat /program)
echo "the program ended with $?"
$b poweroff -f
`

interface Kernel {
  image: string
  folder: string
}

/** A kernel that can have USB devices plugged in by a program; null where it or a program to run it on is missing. */
export function usbKernel(): Kernel | null {
  if (process.arch !== 'x64' || !programs.every((program) => existsSync(program))) return null
  for (const root of kernels) {
    const [host] = globSync('lib/modules/*/kernel/drivers/usb/usbip/vhci-hcd.ko', { cwd: root })
    const version = host?.split('/')[2]
    const image = join(root, `boot/vmlinuz-${version}`)
    if (version && existsSync(image)) return { image, folder: join(root, 'lib/modules', version, 'kernel') }
  }
  return null
}

/**
 * Runs a program of this machine on a kernel of its own, which sees this machine's files and cannot write to them.
 * Resolves with what it printed, the kernel's words among it, at the latest after `withinMs`.
 */
export async function onUsbMachine(kernel: Kernel, program: string[], withinMs: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-usb-'))
  const disk = join(folder, 'initrd')
  writeFileSync(disk, archive(filesFor(kernel, program)))
  const machine = spawn(programs[0]!, [
    ...[
      '-accel',
      'tcg,thread=multi',
      '-cpu',
      'Nehalem',
      '-m',
      '768',
      '-smp',
      '2',
      '-nodefaults',
      '-no-reboot',
    ],
    ...['-display', 'none', '-serial', 'stdio', '-kernel', kernel.image, '-initrd', disk],
    ...['-append', 'console=ttyS0 quiet loglevel=4 panic=-1'],
    ...['-virtfs', 'local,path=/,mount_tag=root,security_model=none,readonly=on,multidevs=remap'],
  ])
  const tooLong = systemClock.setTimeout(() => machine.kill('SIGKILL'), withinMs)
  let said = ''
  for (const output of [machine.stdout, machine.stderr]) {
    output.on('data', (bytes: Buffer) => {
      said += bytes.toString()
    })
  }
  await new Promise((resolve) => machine.once('close', resolve))
  tooLong.cancel()
  rmSync(folder, { recursive: true })
  return said.replaceAll('\r', '')
}

interface File {
  path: string
  bytes: Uint8Array
}

function filesFor({ folder }: Kernel, program: string[]): File[] {
  const found = modules.map((name) => join(folder, `${name}.ko`)).filter((path) => existsSync(path))
  return [
    { path: 'init', bytes: Buffer.from(init) },
    { path: 'program', bytes: Buffer.from(program.join(' ')) },
    { path: 'rules', bytes: readFileSync(rules) },
    { path: 'bin/busybox', bytes: readFileSync('/bin/busybox') },
    ...found.map((path, index) => ({
      path: `m/${String(index).padStart(2, '0')}-${basename(path)}`,
      bytes: readFileSync(path),
    })),
  ]
}

/** The kernel's own kind of archive (cpio "newc"): of each file a head in hex, its name and its bytes, in steps of 4. */
function archive(files: File[]): Buffer {
  const folders = ['bin', 'm'].map((path) => entry(path, 0o040755, new Uint8Array(0)))
  const entries = files.map(({ path, bytes }) => entry(path, 0o100755, bytes))
  return Buffer.concat([...folders, ...entries, entry('TRAILER!!!', 0, new Uint8Array(0))])
}

let lastNumber = 0

function entry(path: string, kind: number, bytes: Uint8Array): Buffer {
  const numbers = [++lastNumber, kind, 0, 0, 1, 0, bytes.length, 0, 0, 0, 0, path.length + 1, 0]
  const head = `070701${numbers.map((number) => number.toString(16).padStart(8, '0')).join('')}${path}\0`
  return Buffer.concat([stepsOf4(Buffer.from(head)), stepsOf4(bytes)])
}

function stepsOf4(bytes: Uint8Array): Buffer {
  return Buffer.concat([bytes], Math.ceil(bytes.length / 4) * 4)
}
