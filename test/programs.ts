import { spawnSync } from 'node:child_process'

/** The programs that tests run beside ours, each with an argument at which it ends at once. */
const programs = {
  socat: ['socat', '-V'],
  openssl: ['openssl', 'version'],
  // Where Debian puts daemons, which is not on everybody's path.
  mosquitto: ['/usr/sbin/mosquitto', '-h'],
  qemu: ['qemu-system-x86_64', '--version'],
  busybox: ['busybox', 'true'],
  chromium: ['chromium', '--version'],
  curl: ['curl', '-V'],
  jq: ['jq', '--version'],
  python3: ['python3', '--version'],
  nft: ['nft', '--version'],
  'systemd-analyze': ['systemd-analyze', '--version'],
  minisign: ['minisign', '-v'],
  rauc: ['rauc', '--version'],
  'dbus-daemon': ['dbus-daemon', '--version'],
  mksquashfs: ['mksquashfs', '-version'],
  'espeak-ng': ['espeak-ng', '--version'],
  'speech-dispatcher': ['speech-dispatcher', '--version'],
} as const

/** The shell's number for what cannot be run, as of a program whose libraries are missing. */
const notRun = 126

/**
 * What to pass as a test's `skip`: false where all of these programs run here, or else the reason, which names the first that
 * does not.
 */
export function programMissing(...names: (keyof typeof programs)[]): string | false {
  const missing = names.find((name) => !runs(name))
  return missing ? `left out: ${missing} is not installed, or does not run` : false
}

function runs(name: keyof typeof programs): boolean {
  const [program, argument] = programs[name]
  const { error, status } = spawnSync(program, [argument])
  return !error && status !== null && status < notRun
}
