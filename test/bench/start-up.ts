import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { nodeOptions, programs } from './appliance.ts'
import { filledHouse } from './filled-house.ts'
import { askOnce, requestText } from './load.ts'
import type { Line, Measure } from './measure.ts'
import { alternate } from './rounds.ts'
import { median, short, spread } from './statistics.ts'

const leastRounds = 7
/** After its first start a program is left alone for a while, and writes down what it has compiled. */
const untilCompiledMs = 4_000
const aims = { source: 3.5, bundled: 2.2 }

interface Started {
  /** Milliseconds from the spawn to each first answer. */
  health: number
  asked: number
}

/** From the start of the process to the first answers, on an existing database, with a warm compile cache. */
export const startUp: Measure = {
  name: 'start-up',
  async run({ rounds, size }) {
    const house = await filledHouse(size)
    const cache = mkdtempSync(join(tmpdir(), 'compile-cache-'))
    const health = requestText('GET', '/healthz', house.token)
    const list = requestText('GET', '/api/v2/units?page[size]=1', house.token)
    const warm = new Set<string>()
    const startOf = async (
      { pathname }: URL,
      argsOf: (port: number) => string[],
      options: string[] = [],
    ): Promise<Started> => {
      const port = await freePort()
      const begun = performance.now()
      const child = spawn(process.execPath, [...options, pathname, ...argsOf(port)], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, NODE_COMPILE_CACHE: cache },
      })
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
      await listening(port)
      await askOnce(port, health)
      const healthy = performance.now() - begun
      await askOnce(port, list)
      const asked = performance.now() - begun
      if (!warm.has(pathname)) await pause(untilCompiledMs)
      warm.add(pathname)
      child.kill('SIGTERM')
      await gone
      return { health: healthy, asked }
    }
    const serve = (port: number) => ['serve', '--listen', `127.0.0.1:${port}`, '--data', house.data]
    const constant = new URL('./constant-http.ts', import.meta.url)
    const contenders: Record<string, () => Promise<Started>> = {
      bare: () => startOf(constant, (port) => [String(port)]),
      source: () => startOf(programs.source, serve, nodeOptions),
    }
    if (existsSync(programs.bundled)) contenders.bundled = () => startOf(programs.bundled, serve, nodeOptions)
    const results = await alternate(rounds < leastRounds && rounds > 1 ? leastRounds : rounds, contenders)
    house.remove()
    rmSync(cache, { recursive: true })
    return (['source', 'bundled'] as const).flatMap((which) => {
      const found = results[which]
      if (!found) return [{ measure: `start ${which}`, ours: 'left out: npm run bundle first' }]
      return [
        lineOf(which, 'answer', found, results.bare!, 'health'),
        lineOf(which, 'authenticated answer', found, results.bare!, 'asked'),
      ]
    })
  },
}

function lineOf(
  which: 'source' | 'bundled',
  what: string,
  ours: Started[],
  bare: Started[],
  name: keyof Started,
): Line {
  const [mine, floor] = [ours, bare].map((each) => each.map((started) => started[name]))
  const ratio = median(mine!) / median(floor!)
  return {
    measure: `start to first ${what}, ${which === 'source' ? 'from source' : 'bundled'}`,
    ours: spread(mine!, 'ms'),
    constant: spread(floor!, 'ms'),
    ratio: short(ratio),
    aim: `${aims[which]} x node:http`,
    met: ratio <= aims[which],
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

/** Knocks every millisecond until somebody opens. */
async function listening(port: number): Promise<void> {
  const end = performance.now() + 30_000
  while (!(await opens(port))) {
    if (performance.now() > end) throw new Error('the server did not listen within 30 s')
    await pause(1)
  }
}

function opens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
