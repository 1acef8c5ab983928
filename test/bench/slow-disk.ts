import { appliance } from './appliance.ts'
import { createsIn } from './create.ts'
import { filledHouse } from './filled-house.ts'
import { requestText } from './load.ts'
import { flushMs } from './machine.ts'
import type { Line, Measure, Setting } from './measure.ts'
import { alternate, windowOn } from './rounds.ts'
import { noCompiler, type SlowFlush, slowFlush } from './slow-flush.ts'
import { median, short, spread } from './statistics.ts'

const addedMs = 20
const creating = 64
const share = 0.88
const reading = 8
/** Readers who rest leave the machine some room: when it is busy throughout, its scheduler is measured. */
const restMs = 3
const writing = 8
const p99Aim = 1.5

/** Creating and reading on a disk like a slow card, whose every flush takes 20 ms more. */
export const slowDisk: Measure = {
  name: 'slow-disk',
  async run(setting) {
    const disk = slowFlush()
    if (!disk) return [{ measure: `with ${addedMs} ms added to every flush`, ours: noCompiler }]
    try {
      return await onSlowDisk(disk, setting)
    } finally {
      disk.remove()
    }
  },
}

async function onSlowDisk(disk: SlowFlush, { rounds, seconds, size }: Setting): Promise<Line[]> {
  const house = await filledHouse(size)
  const ours = await appliance(house.data, { env: disk.env })
  const next = createsIn(house)
  const known = house.ids
    .slice(0, 1_000)
    .map((id) => requestText('GET', `/api/v2/reservations/${id}`, house.token))
  let turn = 0
  const read = () => known[turn++ % known.length]!
  const create = (connections: number, delay: number) => {
    disk.delay(delay)
    return windowOn(ours, { connections, seconds, next })
  }
  const reads = () => windowOn(ours, { connections: reading, seconds, next: read, restMs })
  const results = await alternate(rounds, {
    fast: () => create(creating, 0),
    slow: () => create(creating, addedMs),
    quiet: reads,
    busy: async () => {
      const [window] = await Promise.all([reads(), create(writing, addedMs)])
      return window
    },
  })
  await ours.stop()
  house.remove()
  const rate = results.slow.map(({ perSecond }) => perSecond)
  const workMs = 1000 / median(results.fast.map(({ perSecond }) => perSecond))
  const bound = (creating * 1000) / (addedMs + flushMs() + creating * workMs)
  const p99 = { quiet: results.quiet.map((each) => each.p99), busy: results.busy.map((each) => each.p99) }
  const slower = median(p99.busy) / median(p99.quiet)
  return [
    {
      measure: `create, a second at ${creating} connections, ${addedMs} ms added to a flush`,
      ours: spread(rate, ''),
      constant: `${short(bound)} = ${creating} / (flush + ${creating} x ${short(workMs)} ms)`,
      ratio: short(median(rate) / bound),
      aim: `${share} of that`,
      met: median(rate) >= share * bound,
    },
    {
      measure: `GET one, p99 while ${writing} connections create, to p99 alone`,
      ours: spread(p99.busy, 'ms'),
      constant: `alone ${spread(p99.quiet, 'ms')}`,
      ratio: short(slower),
      aim: `${p99Aim} x`,
      met: slower <= p99Aim,
    },
  ]
}
