import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { appliance, programs } from './appliance.ts'
import { createsIn } from './create.ts'
import { filledHouse } from './filled-house.ts'
import { pageOf } from './list-page.ts'
import { requestText } from './load.ts'
import type { Line, Measure } from './measure.ts'
import { alternate, type Window, windowOn } from './rounds.ts'
import { type ServerProcess, serverProcess } from './server-process.ts'
import { median, short, spread } from './statistics.ts'

const connections = 64
const days = 2_000
const idleMs = 5_000
const waitAim = 2
const memoryAim = 1.6
const delayAimMs = 20

/** 64 clients at once: how long they wait beside bare Koa and SQLite, and what they cost in memory and in delays. */
export const crowd: Measure = {
  name: 'crowd',
  async run({ rounds, seconds, size }) {
    const house = await filledHouse(size)
    const ours = await delayed(house.data)
    const bare = await serverProcess(new URL('./koa-sqlite.ts', import.meta.url), [house.data])
    await pause(idleMs)
    const idleMb = ours.server.residentMb()
    let turn = 0
    const idAt = () => house.ids[(turn++ * 7_919) % house.ids.length]!
    const get = (path: string) => requestText('GET', path, house.token)
    const load = (server: ServerProcess, next: () => string) => () =>
      windowOn(server, { connections, seconds, next })
    const results = await alternate(rounds, {
      one: load(ours.server, () => get(`/api/v2/reservations/${idAt()}`)),
      bareOne: load(bare, () => get(`/one/${idAt()}`)),
      list: load(ours.server, () => pageOf(turn++ % days, house)),
      bareList: load(bare, () => get(`/day/${turn++ % days}`)),
    })
    const creating = load(ours.server, createsIn(house))
    const delays: number[] = []
    for (let round = 0; round < rounds; round++) {
      await ours.worstDelayMs()
      await creating()
      delays.push(await ours.worstDelayMs())
    }
    const busyMb = ours.server.residentMb()
    const afterMb = await restedMb(ours.server, memoryAim * idleMb)
    await Promise.all([ours.server.stop(), bare.stop()])
    ours.remove()
    house.remove()
    return [
      waited('GET one, any', results.one, results.bareOne),
      waited('list page of 10, any day', results.list, results.bareList),
      {
        measure: `resident memory within a minute after ${connections} connections asked and created, to idle`,
        ours: `${short(afterMb)} MB, at once ${short(busyMb)} MB`,
        constant: `idle ${short(idleMb)} MB`,
        ratio: short(afterMb / idleMb),
        aim: `${memoryAim} x idle`,
        met: afterMb <= memoryAim * idleMb,
      },
      {
        measure: `longest delay of the main thread while ${connections} connections create`,
        ours: spread(delays, 'ms'),
        aim: `${delayAimMs} ms`,
        met: median(delays) <= delayAimMs,
      },
    ]
  },
}

/** Resident memory of an idle server as soon as it is at most `aimMb`, or after a minute. */
async function restedMb(server: ServerProcess, aimMb: number): Promise<number> {
  const until = performance.now() + 60_000
  while (performance.now() < until && server.residentMb() > aimMb) await pause(2_000)
  return server.residentMb()
}

function waited(what: string, ours: Window[], bare: Window[]): Line {
  const [mine, floor] = [ours, bare].map((windows) => windows.map(({ p99 }) => p99))
  const ratio = median(mine!) / median(floor!)
  return {
    measure: `${what}, ${connections} connections: p99`,
    ours: spread(mine!, 'ms'),
    constant: `Koa + SQLite ${spread(floor!, 'ms')}`,
    ratio: short(ratio),
    aim: `${waitAim} x Koa + SQLite`,
    met: ratio <= waitAim,
  }
}

/** The bundle, or the source where there is none, with a probe of its main thread's delays. */
async function delayed(data: string) {
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-delay-'))
  const file = join(folder, 'delay')
  const server = await appliance(data, {
    program: existsSync(programs.bundled) ? programs.bundled : programs.source,
    env: {
      NODE_OPTIONS: `--import=${new URL('./loop-delay.ts', import.meta.url).href}`,
      LOOP_DELAY_FILE: file,
    },
  })
  return {
    server,
    /** Milliseconds of the longest delay since this was asked last. */
    async worstDelayMs(): Promise<number> {
      rmSync(file, { force: true })
      process.kill(server.pid, 'SIGUSR2')
      let said = ''
      while (said === '') {
        await pause(10)
        if (existsSync(file)) said = readFileSync(file, 'utf8')
      }
      return Number(said)
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}
