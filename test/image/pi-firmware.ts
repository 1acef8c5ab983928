/**
 * The firmware of a Raspberry Pi 4 as far as the tests need it: `pi-firmware.ts FOLDER`. At power-on and after each reset it reads
 * autoboot.txt from the SD card `disk.raw`, and starts QEMU's raspi4b with kernel, initrd, device tree and command line of the
 * partition that is named there. A guest that hands over the tryboot flag gets the other partition once. Where config.txt has
 * kernel_watchdog_timeout, a kernel that has panicked is reset. The agent of the tests talks over the first serial line, through the
 * socket `agent`. What the kernel says comes over the second one to `serial.log`.
 */
import { spawn } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { partitionsOf } from '../../image/pi/boot.ts'
import { inTools, runInTools } from '../../image/places.ts'

const [folder = ''] = process.argv.slice(2)
const disk = join(folder, 'disk.raw')
const files = join(folder, 'boot')
const log = join(folder, 'serial.log')

/** What QEMU says of a mailbox tag that it does not know: RPI_FIRMWARE_SET_REBOOT_FLAGS, by which the kernel asks for tryboot. */
const tryboot = /bcm2835_property: unhandled tag 0x00038064/
/** What a start of Linux prints there for each character at its console. */
const noise = /AUX_MU_/

/**
 * Devices that QEMU does not have: Linux crashes when it reads their registers. The second serial line can write, and its interrupt
 * is never satisfied when it is opened.
 */
const absent = [
  '/gpu',
  '/soc/serial@7e215040',
  '/emmc2-bus@fe000000/mmc@7e340000',
  ...['/soc/clock@7ef00000', '/soc/interrupt-controller@7ef00100', '/soc/hdmi@7ef00700'],
  ...['/soc/hdmi@7ef05700', '/soc/i2c@7ef04500', '/soc/i2c@7ef09500'],
]
/** When the bootloader was built, Unix seconds. */
const builtAt = 1_760_000_000

const run = (...command: string[]) => runInTools(command, { in: folder, quiet: true })

/** Copies a file out of a FAT partition, and returns its path. */
function copied(offset: number, name: string): string {
  const to = join(files, name)
  run('mcopy', '-n', '-i', `${disk}@@${offset}`, `::${name}`, to)
  return to
}

/** The settings of a file that count: those of `[all]`, and those of `[tryboot]` when the flag is set. */
function settings(file: string, isTryboot: boolean): Map<string, string> {
  let counts = true
  const found = new Map<string, string>()
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, section] = /^\[(.*)\]$/.exec(line) ?? []
    if (section !== undefined) counts = section === 'all' || (section === 'tryboot' && isTryboot)
    const [, name, value] = /^(\w+)[= ](.*)$/.exec(line) ?? []
    if (counts && name && value) found.set(name, value)
  }
  return found
}

/** Writes what the firmware says about the start into the device tree. */
function completeTree(tree: string, partition: number, isTryboot: boolean): void {
  for (const each of absent) run('fdtput', '-t', 's', tree, each, 'status', 'disabled')
  // QEMU puts the card where a Raspberry Pi 4 has its Wi-Fi.
  const wifi = '/soc/mmc@7e300000'
  run('fdtput', '-r', tree, `${wifi}/wifi@1`)
  for (const each of ['mmc-pwrseq', 'non-removable']) run('fdtput', '-d', tree, wifi, each)
  // Its serial line is the agent's.
  run('fdtput', '-r', tree, '/soc/serial@7e201000/bluetooth')
  const said = { partition, tryboot: Number(isTryboot), 'build-timestamp': builtAt }
  run('fdtput', '-c', tree, '/chosen/bootloader')
  for (const [name, value] of Object.entries(said))
    run('fdtput', '-t', 'u', tree, '/chosen/bootloader', name, String(value))
}

/** The length of what the kernels have said. */
const saidSoFar = () => statSync(log, { throwIfNoEntry: false })?.size ?? 0

/** Whether the kernel has panicked since the log had this length: it feeds no watchdog any more. */
const hasPanicked = (since: number) => readFileSync(log).subarray(since).includes('Kernel panic')

let agent: Socket | null = null
let toGuest: NodeJS.WritableStream | null = null
/** What the guest has not been sent yet. Linux loses what comes faster than it reads at this line. */
let waiting = Buffer.alloc(0)
setInterval(() => {
  toGuest?.write(waiting.subarray(0, 512))
  waiting = waiting.subarray(512)
}, 200)

/** Starts the machine, and resolves with whether it asked for tryboot, when it has reset. */
function start(isTryboot: boolean): Promise<boolean> {
  rmSync(files, { recursive: true, force: true })
  mkdirSync(files)
  const places = partitionsOf(disk).map((each) => each.start * 512)
  const { boot_partition: named = '1' } = Object.fromEntries(
    settings(copied(places[0]!, 'autoboot.txt'), isTryboot),
  )
  const partition = Number(named)
  const from = places[partition - 1]!
  const config = settings(copied(from, 'config.txt'), isTryboot)
  const kernel = copied(from, config.get('kernel')!)
  const initrd = copied(from, config.get('initramfs')!.split(' ')[0]!)
  const tree = copied(from, 'bcm2711-rpi-4-b.dtb')
  const line = readFileSync(copied(from, 'cmdline.txt'), 'utf8').trim()
  completeTree(tree, partition, isTryboot)
  truncateSync(initrd, Math.ceil(statSync(initrd).size / 4) * 4)
  appendFileSync(initrd, readFileSync(join(folder, 'credentials.cpio')))
  // The time is in the place of a clock with a battery, or of a time server.
  const extra = [
    readFileSync(join(folder, 'command-line'), 'utf8'),
    'earlycon=uart8250,mmio32,0xfe215040 keep_bootcon console=tty0',
    `systemd.clock_usec=${Date.now() * 1_000}`,
  ].join(' ')
  writeFileSync(join(folder, 'started'), `${partition}\n`, { flag: 'a' })
  // With a thread for each processor, the four stood still together for minutes, and a trial ended meanwhile. Its time goes by the
  // instructions that it has run, so that a trial is not over before the version has started where other programs want to run.
  const [program = '', ...rest] = inTools([
    ...['nice', '-n', '5', 'qemu-system-aarch64', '-machine', 'raspi4b', '-accel', 'tcg,thread=single'],
    ...['-icount', 'shift=1,sleep=on'],
    ...['-nodefaults', '-display', 'none', '-no-reboot', '-d', 'unimp'],
    ...['-kernel', kernel, '-initrd', initrd, '-dtb', tree, '-append', `${line} ${extra}`],
    ...['-drive', `if=sd,id=disk,format=raw,file=${disk}`],
    ...['-chardev', 'stdio,id=agent,signal=off', '-serial', 'chardev:agent'],
    ...['-chardev', `file,id=serial,path=${log},append=on`, '-serial', 'chardev:serial'],
    ...['-chardev', `socket,id=control,path=${join(folder, 'control')},server=on,wait=off`],
    ...['-mon', 'chardev=control,mode=control'],
  ])
  const saidBefore = saidSoFar()
  const child = spawn(program, rest, { stdio: 'pipe' })
  toGuest = child.stdin
  waiting = Buffer.alloc(0)
  child.stdin.on('error', () => {})
  child.stdout.on('data', (bytes: Buffer) => agent?.write(bytes))
  let hasAsked = false
  createInterface(child.stderr).on('line', (text) => {
    if (tryboot.test(text)) hasAsked = true
    if (!noise.test(text)) console.log(text)
  })
  const watchdog = setInterval(() => {
    if (config.has('kernel_watchdog_timeout') && hasPanicked(saidBefore)) child.kill()
  }, 15_000)
  return new Promise((resolve) =>
    child.once('close', () => {
      clearInterval(watchdog)
      resolve(hasAsked)
    }),
  )
}

rmSync(join(folder, 'agent'), { force: true })
createServer((socket) => {
  agent = socket
  socket
    .on('error', () => {})
    .on('data', (bytes: Buffer) => {
      waiting = Buffer.concat([waiting, bytes])
    })
}).listen(join(folder, 'agent'))
for (let isTryboot = false; ; isTryboot = await start(isTryboot))
  console.log(`start with ${isTryboot ? 'tryboot' : 'the default'}`)
