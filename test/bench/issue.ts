import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import crt571 from '../../drivers/crt571/driver.ts'
import { machine, simulateCrt571 } from '../../drivers/crt571/simulator/simulator.ts'
import hkr1 from '../../drivers/hkr1/driver.ts'
import twn4 from '../../drivers/twn4/driver.ts'
import { reader, simulateTwn4 } from '../../drivers/twn4/simulator/simulator.ts'
import { simulatedLobby } from '../../src/demo/simulated-lobby.ts'
import type { Grant } from '../../src/devices/capability.ts'
import { openWire, parseAddress } from '../../src/devices/wires/wire.ts'
import { systemClock } from '../../src/host/clock.ts'
import { blankCards } from '../../src/simulators/devices/simulated-card.ts'
import { filledHouse, type House } from './filled-house.ts'
import { askOnce, requestText } from './load.ts'
import { flushMs } from './machine.ts'
import type { Line, Measure } from './measure.ts'
import { type PacedLine, type Passed, pacedLine } from './paced-wire.ts'
import { alternate } from './rounds.ts'
import { serverProcess } from './server-process.ts'
import { median, short, spread } from './statistics.ts'

const baudRate = 9_600
/** A TWN4 answers most commands for a card within so many milliseconds. */
const encoderMs = 5
const cards = { atOnce: 8, paced: 1 }
/** An appliance runs for months: so many cards are made before any is counted. How long the first take is told besides. */
const cardsBefore = 60
/** The guest takes the card at once; the appliance looks at the gate every 400 ms, over a slow line for longer. */
const untilTakenMs = { atOnce: 500, paced: 1_500 }
/** How often a card is asked for again where that look came late. */
const mostRefusals = 10
/** Besides the flushes of its commits. */
const addedAimMs = 3
const flushes = 4
const ratioAim = 1.15
const lobbyServer = new URL('./lobby-server.ts', import.meta.url)

/**
 * A key on a card, from the request to the answer: what the appliance adds where devices take no time, and how long all of it
 * takes beside bytes and motions that cannot be had faster.
 */
export const issue: Measure = {
  name: 'issue',
  async run({ rounds }) {
    return [...(await atOnce(rounds)), await onSlowLines()]
  },
}

async function atOnce(rounds: number): Promise<Line[]> {
  const house = await filledHouse(10_000)
  const appliance = await serverProcess(lobbyServer, [house.data])
  const order = await orderFor(appliance.port, house)
  const lobby = simulatedLobby({ clock: systemClock, pocket: null, cards: 500, takenAfterMs: 0, pace: 0 })
  const wire = await devicesAlone(lobby.connect('dispenser'), lobby.connect('encoder'))
  const ours = (count: number) => times(count, untilTakenMs.atOnce, () => issued(appliance.port, order))
  // As far apart as ours, and in the middle between two of them: what a processor forgets between two cards is not what the
  // appliance adds.
  const alone = (count: number) => times(count, untilTakenMs.atOnce, wire.issue)
  const both = async (count: number) => {
    const begun = ours(count)
    await pause(untilTakenMs.atOnce / 2)
    return { wire: await alone(count), ours: await begun }
  }
  const first = await both(cards.atOnce)
  await both(cardsBefore - cards.atOnce)
  const rest = await alternate(rounds, { both: () => both(cards.atOnce) })
  const results = {
    ours: rest.both.map((each) => each.ours),
    wire: rest.both.map((each) => each.wire),
  }
  wire.close()
  await appliance.stop()
  house.remove()
  const over = results.ours.map((each, round) => each - results.wire[round]!)
  const what = 'issuing a card, devices at no pace: what the appliance adds'
  const limit = addedAimMs + flushes * flushMs()
  return [
    {
      measure: what,
      ours: `${spread(over, 'ms')} of ${short(median(results.ours))}`,
      constant: `drivers alone ${spread(results.wire, 'ms')}`,
      aim: `${addedAimMs} ms and ${flushes} flushes`,
      met: median(over) <= limit,
    },
    {
      measure: `${what} to its first ${cards.atOnce} cards since it was started`,
      ours: `${short(first.ours - first.wire)} ms of ${short(first.ours)}`,
      constant: `drivers alone ${short(first.wire)} ms`,
    },
  ]
}

/** Dispenser and encoder at the ends of serial lines, and in their own time. */
async function slowLobby() {
  const dispenser = machine({
    clock: systemClock,
    stack: blankCards(200, null, 'classic'),
    takenAfterMs: 0,
    pace: 1,
  })
  const encoder = reader({ clock: systemClock, antenna: dispenser, pace: encoderMs })
  const lines = {
    dispenser: await pacedLine(baudRate, (wire) => simulateCrt571(wire, dispenser)),
    encoder: await pacedLine(baudRate, (wire) => simulateTwn4(wire, encoder)),
  }
  return { ...lines, both: Object.values(lines) }
}

async function onSlowLines(): Promise<Line> {
  const house = await filledHouse(10_000)
  const appliance = await serverProcess(lobbyServer, [house.data])
  const [near, apart] = [await slowLobby(), await slowLobby()]
  await plugIn(appliance.port, house, near)
  const order = await orderFor(appliance.port, house)
  const alone = await devicesAlone(await wireTo(apart.dispenser), await wireTo(apart.encoder))
  // A card takes seconds here, of which a round differs by 1 %: one is enough.
  const results = await alternate(1, {
    ours: () => ratios(near.both, () => issued(appliance.port, order)),
    drivers: () => ratios(apart.both, alone.issue),
  })
  alone.close()
  await appliance.stop()
  for (const line of [...near.both, ...apart.both]) line.close()
  house.remove()
  const parts = results.ours.map(({ least, bytes }) => ({ least, bytes }))
  const ratio = median(results.ours.map((each) => each.ratio))
  return {
    measure: `issuing a card at ${baudRate} baud, to its ${short(median(parts.map((each) => each.bytes)))} bytes and the devices' own times`,
    ours: `${spread(
      results.ours.map((each) => each.took),
      'ms',
    )} to ${short(median(parts.map((each) => each.least)))}`,
    constant: `drivers alone ${spread(
      results.drivers.map((each) => each.ratio),
      'x',
    )}`,
    ratio: short(ratio),
    aim: `${ratioAim} x`,
    met: ratio <= ratioAim,
  }
}

interface Taken {
  took: number
  /** What bytes and devices alone need, milliseconds. */
  least: number
  bytes: number
  ratio: number
}

/** The middle of some cards, each beside what passed on the lines from its request to its answer. */
async function ratios(lines: readonly PacedLine[], work: () => Promise<unknown>): Promise<Taken> {
  const taken: Taken[] = []
  for (let index = 0; index < cards.paced; index++) {
    for (const line of lines) line.passed()
    const started = performance.now()
    await work()
    const took = performance.now() - started
    const passed = lines.map((line) => line.passed())
    const sum = (of: (each: Passed) => number) => passed.reduce((total, each) => total + of(each), 0)
    const least = sum(({ wireMs, deviceMs }) => wireMs + deviceMs)
    taken.push({ took, least, bytes: sum(({ bytes }) => bytes), ratio: took / least })
    await pause(untilTakenMs.paced)
  }
  return taken.toSorted((one, other) => one.ratio - other.ratio)[taken.length >> 1]!
}

/** Milliseconds of one piece of work, the middle of some. */
async function times(count: number, pauseMs: number, work: () => Promise<unknown>): Promise<number> {
  const took: number[] = []
  let refusals = 0
  while (took.length < count) {
    const started = performance.now()
    try {
      await work()
      took.push(performance.now() - started)
    } catch (error) {
      if (!String(error).includes('dispenser-busy-with-guest') || ++refusals > mostRefusals) throw error
    }
    await pause(pauseMs)
  }
  return median(took)
}

/** Asks for a card. Rejects when the answer is none: a refusal is quick, and measures nothing. */
async function issued(port: number, order: string): Promise<void> {
  const answer = await askOnce(port, order)
  if (!answer.includes('"status":"live"')) throw new Error(`no card was made: ${answer.slice(0, 500)}`)
}

/** Puts the sample property's devices at the ends of these lines, and waits until they have started. */
async function plugIn(
  port: number,
  { token }: House,
  lines: { dispenser: PacedLine; encoder: PacedLine },
): Promise<void> {
  const devices = {
    dispensers: { driver: 'crt571', path: lines.dispenser.address },
    'access-controllers': { driver: 'twn4', path: lines.encoder.address },
  }
  for (const [kind, device] of Object.entries(devices)) {
    const path = `/api/config/v1/${kind}`
    const { data } = JSON.parse(await askOnce(port, requestText('GET', path, token))) as {
      data: { id: string }[]
    }
    await askOnce(port, requestText('PATCH', `${path}/${data[0]!.id}`, token, JSON.stringify({ device })))
  }
}

async function wireTo({ address }: PacedLine): Promise<Duplex> {
  const parsed = parseAddress(address)
  if ('problem' in parsed) throw new Error(parsed.problem)
  return openWire(parsed.address, { clock: systemClock })
}

async function orderFor(port: number, { token }: House): Promise<string> {
  const found = await askOnce(port, requestText('GET', '/api/config/v1/access-controllers', token))
  const [controller] = (JSON.parse(found) as { data: { id: string }[] }).data
  const today = Date.now()
  const date = (days: number) => new Date(today + days * 86_400_000).toISOString().slice(0, 10)
  const attributes = {
    type: 'keyCard',
    unitName: '101',
    original: true,
    startDate: date(0),
    endDate: date(2),
  }
  const path = `/api/v2/access/controllers/${controller!.id}/key`
  return requestText('POST', path, token, JSON.stringify(attributes))
}

/** The drivers' part alone: look, feed, find, write, read back, present. */
async function devicesAlone(dispenserWire: Duplex, encoderWire: Duplex) {
  const open = (model: string) => ({ model, patience: 1, options: {}, clock: systemClock })
  const dispenser = crt571.open(dispenserWire, open('crt571'))
  const encoder = twn4.open(encoderWire, open('twn4'))
  const system = hkr1.open({ siteId: 1, keyId: 1, commonDoors: { Entrance: 0 } }, hkr1.generate())
  await dispenser.initialise('capture')
  let credential = 0
  return {
    async issue() {
      credential++
      await dispenser.status()
      await dispenser.move('encoder')
      const card = await encoder.find()
      await system.write(encoder, card!, grantOf(credential))
      await system.read(encoder, (await encoder.find())!)
      await encoder.off()
      await dispenser.move('front')
    },
    close() {
      dispenser.close()
      encoder.close()
    },
  }
}

function grantOf(credential: number): Grant {
  const validFrom = Math.floor(Date.now() / 1000) * 1000
  return {
    lock: '101',
    sequence: credential,
    copy: false,
    usage: 'Guest',
    authorizations: ['Entrance'],
    validFrom,
    validUntil: validFrom + 2 * 86_400_000,
    credential,
  }
}
