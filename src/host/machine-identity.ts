import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { dataFiles } from './data-files.ts'

/** Where a data folder is. Each text is confidential to the machine: store only digests. */
export interface Place {
  /** What distinguishes the machine from others; null where it has nothing of that kind. */
  machine: string | null
  /** The path of the folder. */
  path: string
  /** The number of its key file in the file system: another one in a copy, the same in a folder that was renamed. */
  file: string
}

/** Returns where a data folder is. */
export function placeOf(data: string): Place {
  const { ino } = statSync(join(data, dataFiles.key), { bigint: true })
  return { machine: machineIdentity(), path: realpathSync(data), file: String(ino) }
}

/** The id that the operating system gave this installation, and the serial number of a board such as a Raspberry Pi. */
const sources = ['etc/machine-id', 'sys/firmware/devicetree/base/serial-number']
/** In a container both belong to the image or to the host, and may change with each start. */
const containerMarks = ['.dockerenv', 'run/.containerenv']

/**
 * Returns what distinguishes this machine from others, and stays the same when it starts again; null where the machine has nothing
 * of that kind. It is confidential to the machine: store only a digest of it. `root` is the root of the file system.
 */
export function machineIdentity(root = '/'): string | null {
  if (containerMarks.some((mark) => existsSync(join(root, mark)))) return null
  const found = sources.map((source) => contentOf(join(root, source)))
  return found.some((each) => each !== '') ? found.join('\n') : null
}

function contentOf(file: string): string {
  try {
    // The serial number of a board ends with a zero byte.
    const text = readFileSync(file, 'utf8').replaceAll('\0', '').trim()
    return text === 'uninitialized' ? '' : text
  } catch {
    return ''
  }
}
