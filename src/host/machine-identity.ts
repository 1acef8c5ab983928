import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

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
