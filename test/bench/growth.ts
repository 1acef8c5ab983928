import { setTimeout as pause } from 'node:timers/promises'
import { appliance } from './appliance.ts'
import { createsIn } from './create.ts'
import { dayOf, filledHouse, type House } from './filled-house.ts'
import { requestText } from './load.ts'
import type { Line, Measure } from './measure.ts'
import { alternate, windowOn } from './rounds.ts'
import type { ServerProcess } from './server-process.ts'
import { median, short, spread } from './statistics.ts'

const connections = 16
/** Days with arrivals in both. */
const days = 1_900
const idleMs = 10_000
/** Reservations of two stays each. */
const sizes = { small: 10_000, great: 500_000 }
const aims = { reads: 1.2, creates: 1.4, memory: 1.3 }

/** What the same requests cost in a small and in a great property. */
export const growth: Measure = {
  name: 'growth',
  async run({ rounds, seconds, greatSize }) {
    if (greatSize === null) return []
    const small = await opened(await filledHouse(sizes.small))
    const great = await opened(await filledHouse(sizes.great))
    await pause(idleMs)
    const memory = { small: small.server.residentMb(), great: great.server.residentMb() }
    const lines: Line[] = []
    for (const [what, { aim, next, at }] of Object.entries(asked)) {
      const load = (opened: Opened) => {
        const requests = next(opened)
        return () => windowOn(opened.server, { connections: at, seconds, next: requests })
      }
      const results = await alternate(rounds, { small: load(small), great: load(great) })
      const [before, after] = [results.small, results.great].map((windows) => windows.map(({ cpu }) => cpu))
      lines.push(lineOf(`${what}: CPU`, before!, after!, 'us', aim))
    }
    lines.push(lineOf('resident memory, idle', [memory.small], [memory.great], 'MB', aims.memory))
    for (const { server, house } of [small, great]) {
      await server.stop()
      house.remove()
    }
    return lines
  },
}

interface Opened {
  server: ServerProcess
  house: House
  /** The next of its requests that create. */
  create: () => string
}

async function opened(house: House): Promise<Opened> {
  return { house, server: await appliance(house.data), create: createsIn(house) }
}

/** Requests by their names, each with its connections: no two in a row are about the same rows. */
const asked: Record<string, { aim: number; at: number; next(opened: Opened): () => string }> = {
  'GET one, any': {
    aim: aims.reads,
    at: connections,
    next: ({ house: { ids, token } }) =>
      turning((turn) =>
        requestText('GET', `/api/v2/reservations/${ids[(turn * 7_919) % ids.length]}`, token),
      ),
  },
  'list page of 10, arrivals since any day': {
    aim: aims.reads,
    at: connections,
    next: ({ house: { token } }) =>
      turning((turn) => requestText('GET', arrivalsSince(dayOf((turn * 37) % days)), token)),
  },
  'a stay by externalId': {
    aim: aims.reads,
    at: connections,
    next: ({ house: { token } }) =>
      turning((turn) =>
        requestText('GET', `/api/v2/stays?filter[externalId]=bench-${(turn * 7_919) % sizes.small}-0`, token),
      ),
  },
  'a durable create, 1 connection': { aim: aims.creates, at: 1, next: ({ create }) => create },
  'a durable create, 64 connections': { aim: aims.creates, at: 64, next: ({ create }) => create },
}

function arrivalsSince(day: string): string {
  return `/api/v2/reservations?filter[arrival][gte]=${day}&sort=arrival`
}

function turning(request: (turn: number) => string): () => string {
  let turn = 0
  return () => request(turn++)
}

function lineOf(what: string, small: number[], great: number[], unit: string, aim: number): Line {
  const ratio = median(great) / median(small)
  return {
    measure: `${what}, ${(sizes.great * 2).toLocaleString('en')} stays to ${(sizes.small * 2).toLocaleString('en')}`,
    ours: spread(great, unit),
    constant: `the small one ${spread(small, unit)}`,
    ratio: short(ratio),
    aim: `${aim} x`,
    met: ratio <= aim,
  }
}
