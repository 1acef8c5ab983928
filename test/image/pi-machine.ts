import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runInTools } from '../../image/places.ts'
import { credentialsOf, type MachineOptions, patience } from './command-line.ts'

/** Gives the credentials of the initrd on to the system, as documented by systemd. */
const unit = `[Unit]
DefaultDependencies=no
Before=initrd-switch-root.target
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'mkdir -p /run/credentials && cp -r /credentials-of-test /run/credentials/@initrd'
`

/**
 * QEMU has no timer behind the registers of this watchdog: it resets the machine as soon as it is started. A restart of the machine
 * starts it too.
 */
const withoutWatchdog = 'systemd.watchdog_sec=off'
const noWatchdogAtRestart = `[Service]
ExecStartPre=busctl set-property org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.systemd1.Manager RebootWatchdogUSec t 0
ExecStartPre=busctl set-property org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.systemd1.Manager KExecWatchdogUSec t 0
`

/**
 * The command line of a Raspberry Pi with its files in `folder`. It has neither a network nor USB. Credentials of systemd come
 * into it in files that its firmware appends to the initrd.
 */
export function piCommandLine(folder: string, { image, credentials = {} }: MachineOptions): string[] {
  if (image) rmSync(join(folder, 'started'), { force: true })
  const tree = join(folder, 'credentials')
  rmSync(tree, { recursive: true, force: true })
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), text)
  }
  const all = { ...credentialsOf(credentials), 'systemd.unit-dropin.test-agent.service': noWatchdogAtRestart }
  for (const [name, text] of Object.entries(all)) put(`credentials-of-test/${name}`, text)
  put('etc/systemd/system/credentials-of-test.service', unit)
  put('etc/systemd/system/initrd.target.d/credentials.conf', '[Unit]\nWants=credentials-of-test.service\n')
  const archive = 'find . -mindepth 1 | cpio --quiet -o -H newc >../credentials.cpio'
  runInTools(['sh', '-euc', archive], { in: tree, quiet: true })
  writeFileSync(join(folder, 'command-line'), `${patience} ${withoutWatchdog}`)
  return [process.execPath, join(import.meta.dirname, 'pi-firmware.ts'), folder]
}
