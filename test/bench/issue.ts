import { setTimeout as pause } from 'node:timers/promises'
import crt571 from '../../drivers/crt571/driver.ts'
import hkr1 from '../../drivers/hkr1/driver.ts'
import twn4 from '../../drivers/twn4/driver.ts'
import type { Grant } from '../../src/devices/capability.ts'
import { simulatedLobby } from '../../src/simulated-lobby.ts'
import { filledHouse, type House } from './filled-house.ts'
import { askOnce, requestText } from './load.ts'
import { flushMs } from './machine.ts'
import type { Line, Measure } from './measure.ts'
import { alternate } from './rounds.ts'
import { serverProcess } from './server-process.ts'
import { median, short, spread } from './statistics.ts'

const cards = 8
/** The guest takes the card at once; the appliance looks at the gate every 400 ms. */
const untilTakenMs = 500
const aimMs = 1
const lobbyServer = new URL('./lobby-server.ts', import.meta.url)
/** Real machines take their time; at no pace there is no time in which a flush could hide. */
const paces = { 'at no pace': 0, 'at a fifth of their time': 0.2 }

/** A key on a card, from the request to the answer, beside the same exchanges with the same devices and nothing else. */
export const issue: Measure = {
  name: 'issue',
  async run({ rounds }) {
    const lines: Line[] = []
    for (const [said, pace] of Object.entries(paces)) {
      const house = await filledHouse(10_000)
      const count = pace === 0 ? cards : 2
      const appliance = await serverProcess(lobbyServer, [house.data, String(pace)])
      const order = await orderFor(appliance.port, house)
      const wire = await wireAlone(pace)
      const results = await alternate(rounds, {
        ours: () => times(count, untilTakenMs, () => askOnce(appliance.port, order)),
        wire: () => times(count, 20, wire.issue),
      })
      wire.close()
      await appliance.stop()
      house.remove()
      const over = results.ours.map((each, round) => each - results.wire[round]!)
      const limit = aimMs + flushMs()
      lines.push({
        measure: `issuing a card, devices ${said}: over the wire's own time`,
        ours: `${spread(over, 'ms')} of ${short(median(results.ours))}`,
        constant: `wire ${spread(results.wire, 'ms')}`,
        aim: `${aimMs} ms + a flush`,
        met: median(over) <= limit,
      })
    }
    return lines
  },
}

/** Milliseconds of one piece of work, the middle of some. */
async function times(count: number, pauseMs: number, work: () => Promise<unknown>): Promise<number> {
  const took: number[] = []
  for (let index = 0; index < count; index++) {
    const started = performance.now()
    await work()
    took.push(performance.now() - started)
    await pause(pauseMs)
  }
  return median(took)
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

/** The devices' part alone: look, feed, find, write, read back, present. */
async function wireAlone(pace: number) {
  const lobby = simulatedLobby({ pocket: null, cards: 500, takenAfterMs: 0, pace })
  const open = (model: string) => ({ model, patience: 1, options: {} })
  const machine = crt571.open(lobby.connect('dispenser'), open('crt571'))
  const encoder = twn4.open(lobby.connect('encoder'), open('twn4'))
  const system = hkr1.open({ siteId: 1, keyId: 1, commonDoors: { Entrance: 0 } }, hkr1.generate())
  await machine.initialise('capture')
  let credential = 0
  return {
    async issue() {
      credential++
      await machine.status()
      await machine.move('encoder')
      const card = await encoder.find()
      await system.write(encoder, card!, grantOf(credential))
      await system.read(encoder, (await encoder.find())!)
      await encoder.off()
      await machine.move('front')
    },
    close() {
      machine.close()
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
