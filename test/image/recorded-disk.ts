import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { inTools, runInTools } from '../../image/places.ts'

/** A mounted file system of which all writes to its disk are recorded. */
export interface RecordedDisk {
  /** Where it is mounted. */
  mount: string
  /** The file with all writes, which grows. */
  log: string
  /** Unmounts it, and ends the recording. */
  close(): Promise<void>
}

/** Makes an ext4 file system as a box mounts it, on a disk that QEMU's blklogwrites records from the first write on. */
export async function recordedDisk(folder: string, bytes: number): Promise<RecordedDisk> {
  const inFolder = (name: string) => join(folder, name)
  const [base, log, disk, mount] = ['base.raw', 'writes.log', 'disk', 'mount'].map(inFolder)
  mkdirSync(mount!, { recursive: true })
  for (const file of [base!, log!, disk!]) writeFileSync(file, '')
  truncateSync(base!, bytes)
  const recorded = 'driver=blklogwrites,node-name=recorded,file=base,log=log,log-super-update-interval=1'
  const [program = '', ...line] = inTools([
    'qemu-storage-daemon',
    ...['--blockdev', `driver=file,node-name=base,filename=${base}`],
    ...['--blockdev', `driver=file,node-name=log,filename=${log}`],
    ...['--blockdev', recorded],
    ...['--export', `type=fuse,id=disk,node-name=recorded,mountpoint=${disk},writable=on`],
  ])
  const daemon = spawn(program, line, { stdio: ['ignore', 'ignore', 'inherit'] })
  // It has mounts of its own, which are seen through its process.
  const seen = `/proc/${daemon.pid}/root${disk}`
  await until(daemon, () => statSync(seen, { throwIfNoEntry: false })?.size === bytes)
  const among = (...command: string[]) =>
    execFileSync('nsenter', ['-m', '-t', String(daemon.pid), ...command], { encoding: 'utf8' }).trim()
  among('mkfs.ext4', '-q', '-F', disk!)
  const device = among('losetup', '--find', '--show', disk!)
  execFileSync('mount', ['-o', 'noatime', device, mount!])
  return {
    mount: mount!,
    log: log!,
    async close() {
      execFileSync('umount', [mount!])
      execFileSync('losetup', ['-d', device])
      const over = once(daemon, 'exit')
      daemon.kill()
      await over
    },
  }
}

async function until(daemon: ChildProcess, isThere: () => boolean): Promise<void> {
  for (const end = Date.now() + 300_000; !isThere(); await pause(100))
    if (daemon.exitCode !== null || Date.now() > end) throw new Error('The recorded disk did not start.')
}

/** Repairs the file system of an image as a start does, and copies a folder of it into `to`. Throws when it cannot be repaired. */
export function copiedFrom(image: string, folder: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to)
  // 1: repaired.
  runInTools(['sh', '-c', 'e2fsck -fy "$0" || [ $? = 1 ]', image], { quiet: true })
  runInTools(['debugfs', '-R', `rdump ${folder} ${to}`, image], { quiet: true })
  if (!existsSync(join(to, folder))) throw new Error(`${folder} is not in ${image}.`)
}
