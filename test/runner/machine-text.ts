import { spawnSync } from 'node:child_process'
import { statfsSync } from 'node:fs'
import { cpus, freemem, loadavg, release } from 'node:os'

/** What a reader of a red run has to know of the machine, in two lines. */
export function machineText(): string {
  const chromium = spawnSync('chromium', ['--version'], { encoding: 'utf8', timeout: 5_000 }).stdout?.trim()
  const load = loadavg().map((each) => each.toFixed(1))
  return [
    `${new Date().toISOString()}, Node ${process.version}, ${chromium || 'no Chromium'}, Linux ${release()}`,
    `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown processor'}, load ${load.join(' ')}, free: ${gigabytes(freemem())} of memory, ${gigabytes(freeShared())} of shared memory`,
  ].join('\n')
}

const gigabytes = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GiB`

function freeShared(): number {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize
  } catch {
    return 0
  }
}
