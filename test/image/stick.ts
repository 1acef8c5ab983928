import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { cache, inTools, runInTools } from '../../image/places.ts'
import type { Machine } from './machine.ts'

/** The first partition begins at 1 MiB. */
const partition = (image: string) => ['-i', `${image}@@1M`]

/** How a stick is formatted: as small ones are sold, as large ones are, and two ways in which the box cannot use it. */
export type StickFormat = 'fat' | 'exfat' | 'ext4' | 'none'

/** The type of the partition, and the command that formats a file of its size. FAT is made in place. */
const formats: Record<Exclude<StickFormat, 'none'>, { type: string; program: string | null }> = {
  fat: { type: 'c', program: null },
  exfat: { type: '7', program: 'mkfs.exfat -q' },
  ext4: { type: '83', program: 'mke2fs -q -t ext4' },
}

/**
 * Makes the image of a USB stick with one partition, and the files of `folder` on it where it is given: a FAT stick only. Returns
 * its path.
 */
export function newStick(
  name: string,
  { megabytes, format = 'fat', folder }: { megabytes: number; format?: StickFormat; folder?: string },
): string {
  const image = join(cache, 'machines', `${name}.img`)
  const run = (script: string, ...rest: string[]) =>
    runInTools(['sh', '-euc', script, image, ...rest], { quiet: true })
  rmSync(image, { force: true })
  execFileSync('truncate', ['-s', `${megabytes}M`, image])
  if (format === 'none') return image
  const { type, program } = formats[format]
  run('echo "start=2048, type=$1" | sfdisk -q "$0"', type)
  if (program) {
    const copied = 'dd if="$0.part" of="$0" bs=1M seek=1 conv=notrunc,sparse status=none; rm "$0.part"'
    run(`truncate -s "$1M" "$0.part"; ${program} "$0.part" >/dev/null; ${copied}`, String(megabytes - 1))
    return image
  }
  runInTools(['mformat', ...partition(image), '-F', '-T', String((megabytes - 1) * 2_048), '::'])
  if (folder) run('mcopy -s -i "$0@@1M" "$1"/* ::', folder)
  return image
}

/** A text file on a FAT stick; null where there is none yet. */
export function textOn(image: string, name: string): string | null {
  if (!existsSync(image)) return null
  const [program = '', ...line] = inTools(['mtype', ...partition(image), `::${name}`])
  try {
    return execFileSync(program, line, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return null
  }
}

/** Copies a folder of a FAT stick into `to`. */
export function copyFrom(image: string, folder: string, to: string): void {
  runInTools(['mcopy', '-s', ...partition(image), `::${folder}`, to])
}

/** Plugs a stick into a USB socket of a machine. */
export async function plugIn(box: Machine, image: string): Promise<void> {
  const file = { driver: 'file', filename: image }
  await box.control('blockdev-add', { driver: 'raw', 'node-name': 'stick', file })
  await box.control('device_add', {
    driver: 'usb-storage',
    bus: 'usb.0',
    id: 'stick',
    drive: 'stick',
    removable: true,
  })
}

/** Pulls the stick out. */
export async function pullOut(box: Machine): Promise<void> {
  await box.control('device_del', { id: 'stick' })
  await box.shell('while ls /dev/disk/by-id/usb-QEMU* >/dev/null 2>&1; do sleep 1; done')
  // The machine sees it first; QEMU lets go of the file a moment later.
  for (let tries = 0; ; tries++)
    try {
      await box.control('blockdev-del', { 'node-name': 'stick' })
      return
    } catch (error) {
      if (tries === 100 || !(error as Error).message.endsWith('is in use')) throw error
      await pause(200)
    }
}
