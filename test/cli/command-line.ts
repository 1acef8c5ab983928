import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { program } from '../program.ts'

export const entry = fileURLToPath(program)

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs one command line to its end, as a shell would. */
export function run(...args: string[]): Promise<Ended> {
  return ended(spawned(args))
}

/** Runs it with further environment variables. */
export function runWith(environment: Record<string, string>, ...args: string[]): Promise<Ended> {
  return ended(spawned(args, environment))
}

export interface Running {
  /** Everything said on standard output up to the line that was waited for, and that line. */
  lines: string[]
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
}

/** Starts a command that stays, and waits until a line of its output matches; rejects when it ends before. */
export async function started(ready: RegExp, ...args: string[]): Promise<Running> {
  const child = spawned(args)
  const end = ended(child)
  const lines: string[] = []
  let rest = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout!.on('data', (bytes: Buffer) => {
      const parts = (rest + bytes).split('\n')
      rest = parts.pop()!
      lines.push(...parts)
      if (parts.some((line) => ready.test(line))) resolve()
    })
    void end.then(({ code, stderr }) => reject(new Error(`ended with ${code}: ${stderr}`)))
  })
  return { lines, stop: stopping(child, end) }
}

export interface Served extends Running {
  url: string
}

/** The appliance as `serve` runs it, on a free port. */
export async function served(data: string, ...options: string[]): Promise<Served> {
  const args = ['serve', '--listen', '127.0.0.1:0', '--data', data, ...options]
  const running = await started(/^nightporter listens on/, ...args)
  const [, url = ''] = /listens on (\S+)/.exec(running.lines.join('\n')) ?? []
  return { ...running, url }
}

export interface OutOfOrder extends Running {
  url: string
  /** Why, as it is said on standard error. */
  said: string
  /** Resolves when its standard output has it. */
  says(what: RegExp): Promise<void>
}

/** The appliance as `serve` runs it on data that it may not use; rejects when it ends. */
export async function outOfOrder(data: string, ...options: string[]): Promise<OutOfOrder> {
  const child = spawned(['serve', '--listen', '127.0.0.1:0', '--data', data, ...options])
  const end = ended(child)
  let said = ''
  let output = ''
  let heard = () => {}
  child.stdout!.on('data', (bytes: Buffer) => {
    output += bytes
    heard()
  })
  const says = (what: RegExp) =>
    new Promise<void>((resolve) => {
      heard = () => what.test(output) && resolve()
      heard()
    })
  await new Promise<void>((resolve, reject) => {
    child.stderr!.on('data', (bytes: Buffer) => {
      said += bytes
      if (/ shows this message\.\n$/.test(said)) resolve()
    })
    void end.then(({ code }) => reject(new Error(`ended with ${code}: ${said}`)))
  })
  const [, url = ''] = /^Meanwhile, (http\S+) shows this message/m.exec(said) ?? []
  return { lines: [], url, said, says, stop: stopping(child, end) }
}

function stopping(child: ChildProcess, end: Promise<Ended>) {
  return (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return end
  }
}

/** A new folder, and how to be rid of it. */
export function folder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'nightporter-command-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** The path of a data folder that is not there yet, whose folder is removed after the test. */
export function dataFolder(t: TestContext): string {
  const { path, remove } = folder()
  t.after(remove)
  return join(path, 'data with a space')
}

function spawned(args: string[], environment: Record<string, string> = {}): ChildProcess {
  const { NIGHTPORTER_TOKEN: _, NIGHTPORTER_URL: __, ...inherited } = process.env
  return spawn(process.execPath, [entry, ...args], {
    env: { ...inherited, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function ended(child: ChildProcess): Promise<Ended> {
  const code = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout!), text(child.stderr!)])
  return { code: await code, stdout, stderr }
}
