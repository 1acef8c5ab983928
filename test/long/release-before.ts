import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after } from 'node:test'
import { askAt } from '../appliance.ts'

/** The folder of this program. */
export const root = join(import.meta.dirname, '../..')

const git = (...args: string[]) =>
  execFileSync('git', ['-C', root, ...args], { maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] })

/** The commit of the release before this program; null where the history is not there. */
export function releaseBefore(): string | null {
  try {
    const found = git('log', '--format=%H', '--grep=^Release [0-9.]*$', 'HEAD~1').toString().split('\n')
    return found[0] || null
  } catch {
    return null
  }
}

/** The sources of a commit in a folder below `work`, with the packages of this one. */
export function unpacked(commit: string, work: string): string {
  const folder = join(work, 'sources')
  mkdirSync(folder)
  execFileSync('tar', ['x', '-C', folder], {
    input: git('archive', commit, 'src', 'drivers', 'package.json'),
  })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** A program of one of the releases. */
export interface House {
  ask(method: string, path: string, attributes?: object): Promise<{ status: number; text: string }>
  // biome-ignore lint/suspicious/noExplicitAny: two releases answer, each by its own description.
  read(path: string): Promise<any>
  stop(): Promise<void>
}

/** Starts the program in `folder` with a data folder. It is killed after the tests. */
export async function opened(folder: string, data: string): Promise<House> {
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin: { nightporter: string }
  }
  const program = join(folder, bin.nightporter)
  const child = spawn(process.execPath, [program, 'serve', '--listen', '127.0.0.1:0', '--data', data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  after(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const [line] = (await Promise.race([once(lines, 'line'), ended])) as [unknown]
  const url = /http:\S+/.exec(String(line))?.[0]
  assert.ok(url, `the program in ${folder} did not start: ${line}`)
  child.stdout.resume()
  const ask: House['ask'] = (method, path, attributes) =>
    askAt(url, method, path, attributes ? { body: attributes } : {})
  return {
    ask,
    read: async (path) => JSON.parse((await ask('GET', path)).text).data,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
