import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { noLimits } from '../no-limits.ts'
import { appliance } from './appliance.ts'
import { requestText } from './load.ts'
import type { Line, Measure } from './measure.ts'
import { windowOn } from './rounds.ts'
import { serverProcess } from './server-process.ts'
import { median, short, spread } from './statistics.ts'
import type { Measured } from './sync.ts'

const changesAim = 2_000
const waitAim = 50
/** Of the bare route beside it: by it one can see how fast the machine was at that hour. */
const [connections, answerBytes] = [16, 2_000]
const carriers = ['http', 'mqtt'] as const
const ratioAims = { new: 0.4, changed: 0.4, unchanged: 1.2 }

interface CaughtUp {
  /** Changes a second, of which all are on the disk. */
  loaded: number
  changed: number
  /** Milliseconds in which 99 of 100 local requests were answered meanwhile. */
  reads: number
  writes: number
}

/** What a PMS in a process of its own has changed, taken in while guests are looked up and served. */
export const sync: Measure = {
  name: 'sync',
  async run({ rounds, seconds, size }) {
    const koa = await serverProcess(new URL('./constant-koa.ts', import.meta.url), [String(answerBytes)])
    const constant = async () => {
      const next = () => requestText('GET', '/one/1', 'constant')
      return (await windowOn(koa, { connections, seconds, next })).perSecond
    }
    const count = Math.max(500, Math.round(size / 40))
    const lines: Line[] = []
    for (const carrier of carriers) {
      const all: CaughtUp[] = []
      const beside: number[] = []
      for (let round = 0; round < rounds; round++) {
        beside.push(await constant())
        all.push(await caughtUp(carrier, count))
      }
      lines.push(...linesOf(carrier.toUpperCase(), count, all, beside))
    }
    await koa.stop()
    return [...lines, ...ratioLines(rounds, count)]
  },
}

/** Of plain SQL that stores the same documents in the same run, by CPU time, without a wire. */
function ratioLines(rounds: number, count: number): Line[] {
  const program = fileURLToPath(new URL('./sync.ts', import.meta.url))
  const runs = Array.from({ length: rounds }, () => {
    const printed = execFileSync(process.execPath, [program, String(count)], { encoding: 'utf8' })
    return JSON.parse(printed.trim().split('\n').at(-1)!) as Measured
  })
  const kinds = ['new', 'changed', 'unchanged'] as const
  return kinds.map((kind): Line => {
    const ratio = median(runs.map(({ ratios }) => ratios[kind]))
    return {
      measure: `PMS: ${count} ${kind} reservations against plain SQL with the same documents, by CPU time`,
      ours: `${short(runs[0]!.statements[kind])} statements each`,
      ratio: short(ratio),
      aim: `>= ${ratioAims[kind]}`,
      met: ratio >= ratioAims[kind],
    }
  })
}

async function caughtUp(carrier: (typeof carriers)[number], count: number): Promise<CaughtUp> {
  const data = mkdtempSync(join(tmpdir(), 'nightporter-bench-sync-'))
  writeFileSync(join(data, 'nightporter.json'), JSON.stringify({ rateLimits: noLimits }))
  const program = new URL('./pms-process.ts', import.meta.url)
  const pms = await serverProcess(program, [carrier, String(count)])
  const house = await appliance(data)
  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${house.port}${path}`, {
      method,
      headers: { Authorization: 'Bearer demo', ...(body && { 'Content-Type': 'application/vnd.api+json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`)
    return text === '' ? null : JSON.parse(text)
  }
  try {
    const { id } = (await ask('GET', '/api/v2/reservations?page[size]=1')).data[0]
    const beside = local(ask, id)
    const connection =
      carrier === 'http'
        ? { baseUrl: `http://127.0.0.1:${pms.port}` }
        : { broker: `mqtt://127.0.0.1:${pms.port}` }
    const begun = performance.now()
    const made = await ask('POST', '/api/config/v1/pms-configurations', {
      name: 'Bench',
      adapter: 'cloudevents',
      transport: carrier,
      connection,
    })
    const configuration = `/api/config/v1/pms-configurations/${made.data.id}`
    const taken = async (from: number, least: number) => {
      for (;;) {
        const { pullCursor, inboxLag } = (await ask('GET', `${configuration}/sync`)).data.attributes
        const number = Number(pullCursor?.split('.').at(-1) ?? 0)
        if (number >= least && inboxLag === 0) return (count * 1_000) / (performance.now() - from)
        await setTimeout(20)
      }
    }
    const loaded = await taken(begun, count)
    const again = performance.now()
    process.kill(pms.pid, 'SIGUSR2')
    await setTimeout(100)
    await ask('POST', `${configuration}/actions/pull`)
    const changed = await taken(again, 2 * count)
    return { loaded, changed, ...(await beside.stop()) }
  } finally {
    await Promise.all([house.stop(), pms.stop()])
    rmSync(data, { recursive: true, force: true })
  }
}

/** Somebody who reads one reservation after the other, and somebody who writes to it now and then. */
function local(ask: (method: string, path: string, body?: object) => Promise<unknown>, id: string) {
  const path = `/api/v2/reservations/${id}`
  const waits = { reads: [] as number[], writes: [] as number[] }
  let isOver = false
  const again = async (kind: keyof typeof waits, pauseMs: number, work: (at: number) => Promise<unknown>) => {
    for (let at = 0; !isOver; at++) {
      const begun = performance.now()
      await work(at)
      waits[kind].push(performance.now() - begun)
      await setTimeout(pauseMs)
    }
  }
  const running = Promise.all([
    again('reads', 5, () => ask('GET', path)),
    again('writes', 20, (at) => ask('PATCH', path, { comment: `Served ${at}.` })),
  ])
  return {
    async stop() {
      isOver = true
      await running
      return { reads: p99(waits.reads), writes: p99(waits.writes) }
    },
  }
}

function p99(waits: readonly number[]): number {
  const sorted = waits.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN
}

function linesOf(
  carrier: string,
  count: number,
  all: readonly CaughtUp[],
  constant: readonly number[],
): Line[] {
  const rate = (name: 'loaded' | 'changed', what: string): Line => {
    const values = all.map((each) => each[name])
    return {
      measure: `PMS over ${carrier}: ${count} reservations ${what}, on the disk`,
      ours: spread(values, '/s'),
      constant: `${short(median([...constant]))} requests/s`,
      ratio: short(median(values) / median([...constant])),
      aim: `>= ${changesAim}/s`,
      met: median(values) >= changesAim,
    }
  }
  const wait = (name: 'reads' | 'writes', what: string): Line => {
    const values = all.map((each) => each[name])
    return {
      measure: `PMS over ${carrier}: ${what} beside it, p99`,
      ours: spread(values, 'ms'),
      aim: `< ${short(waitAim)} ms`,
      met: median(values) < waitAim,
    }
  }
  return [
    rate('loaded', 'that are new'),
    rate('changed', 'that were changed'),
    wait('reads', 'GET'),
    wait('writes', 'PATCH'),
  ]
}
