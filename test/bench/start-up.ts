import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ownPort } from '../own-port.ts'
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
  /** Milliseconds from the spawn to the first answer to a read. */
  asked: number
  /** And until writes are taken, too: the whole database has been checked. */
  ready: number
}

/** From the start of the process to the first answers, on an existing database, with a warm compile cache. */
export const startUp: Measure = {
  name: 'start-up',
  async run({ rounds, size }) {
    const house = await filledHouse(size)
    const cache = mkdtempSync(join(tmpdir(), 'compile-cache-'))
    const readiness = requestText('GET', '/readyz', house.token)
    const list = requestText('GET', '/api/v2/units?page[size]=1', house.token)
    const warm = new Set<string>()
    const startOf = async (
      { pathname }: URL,
      argsOf: (port: number) => string[],
      options: string[] = [],
    ): Promise<Started> => {
      const port = await ownPort()
      const begun = performance.now()
      const child = spawn(process.execPath, [...options, pathname, ...argsOf(port)], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, NODE_COMPILE_CACHE: cache },
      })
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
      await answered(port, list)
      const asked = performance.now() - begun
      await answered(port, readiness)
      const ready = performance.now() - begun
      if (!warm.has(pathname)) await pause(untilCompiledMs)
      warm.add(pathname)
      child.kill('SIGTERM')
      await gone
      return { asked, ready }
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
        lineOf(which, found, results.bare!),
        {
          measure: `start until ${size.toLocaleString('en')} reservations were checked and writes are taken, ${from(which)}`,
          ours: spread(
            found.map(({ ready }) => ready),
            'ms',
          ),
        },
      ]
    })
  },
}

function lineOf(which: 'source' | 'bundled', ours: Started[], bare: Started[]): Line {
  const [mine, floor] = [ours, bare].map((each) => each.map(({ asked }) => asked))
  const ratio = median(mine!) / median(floor!)
  return {
    measure: `start to first answer to a read, ${from(which)}`,
    ours: spread(mine!, 'ms'),
    constant: spread(floor!, 'ms'),
    ratio: short(ratio),
    aim: `${aims[which]} x node:http`,
    met: ratio <= aims[which],
  }
}

function from(which: 'source' | 'bundled'): string {
  return which === 'source' ? 'from source' : 'bundled'
}

/** Asks every millisecond until the answer is good: the appliance listens, and answers 503, while it opens its database. */
async function answered(port: number, request: string): Promise<void> {
  const end = performance.now() + 30_000
  for (;;) {
    const error = await askOnce(port, request).then(
      () => null,
      (failure: unknown) => failure,
    )
    if (error === null) return
    if (performance.now() > end) throw new Error('no good answer within 30 s', { cause: error })
    await pause(1)
  }
}
