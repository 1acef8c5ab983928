import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Counted } from './ceilings.ts'

/** What each piece of work costs, by its name: in a process of its own with the probe in each thread. */
export async function workCounted(): Promise<Record<string, Counted>> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [fileURLToPath(new URL('./child.ts', import.meta.url))],
    {
      env: {
        ...process.env,
        NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${new URL('./probe.ts', import.meta.url).href}`,
      },
      maxBuffer: 1_000_000,
    },
  )
  return JSON.parse(stdout)
}
