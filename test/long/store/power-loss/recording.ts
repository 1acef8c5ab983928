import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { entry } from '../../../cli/command-line.ts'

/** One thing that a program has asked the system to do with a file of a folder, by the file's name; `''` is the folder itself. */
export type DiskCall =
  | { is: 'create'; name: string; empties: boolean }
  | { is: 'write'; name: string; offset: number; bytes: Buffer }
  | { is: 'truncate'; name: string; size: number }
  | { is: 'rename'; name: string; to: string }
  | { is: 'unlink'; name: string }
  /** `began`: the calls before this one are on the disk now. */
  | { is: 'sync'; name: string; began: number }

/** `at`: Unix milliseconds, with fractions. */
export type Recorded = DiskCall & { at: number }

const calls = 'openat,pwrite64,write,ftruncate,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat'

/** Why nothing can be recorded here; null when it can. */
export function cannotRecord(): string | null {
  const tried = spawnSync('strace', ['-f', '--seccomp-bpf', '-e', 'trace=fsync', 'true'])
  if (tried.error) return 'strace is not installed'
  return tried.status === 0 ? null : 'strace may not look at other programs here'
}

/** Runs the appliance on a folder, does the work with it, stops it, and gives all that it did with the files of the folder. */
export async function recorded(
  data: string,
  log: string,
  work: (url: string) => Promise<void>,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Recorded[]> {
  const program = [process.execPath, entry, 'serve', '--listen', '127.0.0.1:0', '--data', data]
  const how = ['-f', '--seccomp-bpf', '-y', '-xx', '-ttt', '-s', '4000000', '-e', `trace=${calls}`, '-o', log]
  const child = spawn('strace', [...how, '--', ...program], { stdio: ['ignore', 'pipe', 'inherit'], env })
  const over = once(child, 'exit')
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  while (!/listens on (\S+)/.test(said))
    await Promise.race([pause(50), over.then(() => Promise.reject(new Error(said)))])
  await work(/listens on (\S+)/.exec(said)![1]!)
  // It passes the signal on to none but itself: the appliance is told by its own number, the first in the log.
  process.kill(Number(/^\d+/.exec(readFileSync(log, 'utf8'))![0]), 'SIGTERM')
  await over
  return parsed(readFileSync(log, 'latin1'), data)
}

/** In the order in which the calls began; a flush, in that of its end. */
function parsed(log: string, data: string): Recorded[] {
  const found: Recorded[] = []
  /** Flushes under way, by thread. */
  const flushing = new Map<string, { name: string; began: number }>()
  const offsets = new Map<string, number>()
  for (const line of log.split('\n')) {
    const [, thread = '', seconds = '', call = '', rest = ''] =
      /^(\d+) +([\d.]+) (?:<\.\.\. )?(\w+)(.*)$/.exec(line) ?? []
    const at = Number(seconds) * 1_000
    if (rest.startsWith(' resumed>')) {
      const flush = flushing.get(thread)
      if (flush && / = 0$/.test(rest)) found.push({ at, is: 'sync', ...flush })
      flushing.delete(thread)
      continue
    }
    // Failed: nothing was done.
    if (/ = -1 /.test(rest)) continue
    const names = namesIn(rest, data)
    const [name] = names
    if (name === undefined) continue
    if (call === 'openat' && rest.includes('O_CREAT')) {
      found.push({ at, is: 'create', name, empties: rest.includes('O_TRUNC') })
      offsets.set(name, 0)
    } else if (call === 'pwrite64' || call === 'write') {
      const [, text = '', offset] = /^\(\d+<[^>]*>, "([^"]*)"(?:, \d+, (\d+))?/.exec(rest) ?? []
      const bytes = Buffer.from(text.replaceAll('\\x', ''), 'hex')
      const where = offset === undefined ? (offsets.get(name) ?? 0) : Number(offset)
      if (offset === undefined) offsets.set(name, where + bytes.length)
      found.push({ at, is: 'write', name, offset: where, bytes })
    } else if (call === 'ftruncate') {
      found.push({ at, is: 'truncate', name, size: Number(/, (\d+)/.exec(rest)![1]) })
    } else if (call.startsWith('rename')) {
      found.push({ at, is: 'rename', name, to: names[1]! })
    } else if (call.startsWith('unlink')) {
      found.push({ at, is: 'unlink', name })
    } else if (call === 'fsync' || call === 'fdatasync') {
      const flush = { name, began: found.length }
      if (rest.includes('<unfinished')) flushing.set(thread, flush)
      else found.push({ at, is: 'sync', ...flush })
    }
  }
  return found
}

/** The names of files of the folder itself that a line is about, in their order. What is shared memory is gone with the power. */
function namesIn(rest: string, data: string): string[] {
  // What is written stands between quotes as well, and is longer than any path.
  const paths = rest.matchAll(/[<"]((?:\\x[0-9a-f]{2}){1,400})[>"]/g)
  return [...paths]
    .map(([, text = '']) => Buffer.from(text.replaceAll('\\x', ''), 'hex').toString('latin1'))
    .flatMap((path) =>
      path === data ? [''] : path.startsWith(`${data}/`) ? [path.slice(data.length + 1)] : [],
    )
    .filter((name) => !name.includes('/') && !/-shm$|\.lock/.test(name))
}

/** Where the log of a recording lies. */
export function logIn(folder: string): string {
  return join(folder, 'calls.log')
}
