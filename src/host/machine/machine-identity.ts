import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dataFiles } from '../files/data-files.ts'
import { deviceName } from './disk-wear.ts'

/** What distinguishes a machine from others, and stays the same when it starts again. Null where it has nothing of that kind. */
export interface MachineIdentity {
  /** The id that the operating system gave this installation. */
  machine: string | null
  /** The serial number of a board such as a Raspberry Pi. */
  board: string | null
}

/** Where a data folder is. Each text is confidential to the machine: store only digests. */
export interface Place extends MachineIdentity {
  /** The number that the maker gave the card or disk; null where that is not known. A copy is on another one. */
  medium: string | null
  /** The path of the folder. */
  path: string
  /** The number of its key file in the file system: another one in a copy, the same in a folder that was renamed. */
  file: string
}

/** Returns where a data folder is. */
export function placeOf(data: string): Place {
  const { ino, dev } = statSync(join(data, dataFiles.key), { bigint: true })
  return { ...machineIdentity(), medium: mediumOf(dev), path: realpathSync(data), file: String(ino) }
}

/** In a container the numbers belong to the image or to the host, and may change with each start. */
const containerMarks = ['.dockerenv', 'run/.containerenv', 'var/run/secrets/kubernetes.io']

/** Returns what distinguishes this machine from others. `root` is the root of the file system. */
export function machineIdentity(root = '/'): MachineIdentity {
  if (containerMarks.some((mark) => existsSync(join(root, mark)))) return { machine: null, board: null }
  return {
    machine: contentOf(join(root, 'etc/machine-id')),
    board: contentOf(join(root, 'sys/firmware/devicetree/base/serial-number')),
  }
}

/** Returns the number of the card or disk of a device number of the kernel; null where the kernel knows none, as in most virtual machines. */
export function mediumOf(device: bigint, root = '/'): string | null {
  try {
    const block = realpathSync(join(root, 'sys/dev/block', deviceName(device)))
    const disk = existsSync(join(block, 'partition')) ? dirname(block) : block
    // Of a memory card, of an NVMe disk, and of a SATA disk.
    const found = ['cid', 'serial', 'wwid'].map((name) => contentOf(join(disk, 'device', name)))
    return found.find((each) => each !== null) ?? null
  } catch {
    return null
  }
}

function contentOf(file: string): string | null {
  try {
    // The serial number of a board ends with a zero byte.
    const text = readFileSync(file, 'utf8').replaceAll('\0', '').trim()
    return text === 'uninitialized' || /^0*$/.test(text) ? null : text
  } catch {
    return null
  }
}
