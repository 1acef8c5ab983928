/**
 * Does the pieces of work in a house of its own, in virtual time, and prints what each cost as JSON. It runs with `probe.ts` in
 * each of its threads, and without the flight recorder, which writes by the clock and not by the request.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startAppliance } from '../appliance.ts'
import type { Counted } from './ceilings.ts'
import { piecesOf } from './pieces.ts'
import { begin, end } from './probe.ts'

const house = await startAppliance({ recorderMegabytes: 0 })
/** Long enough for what follows an answer: events and the search index. */
const settled = () => house.during(house.clock.sleep(120))
const frameBytes = 1024 + 24
/** Frames of the database's log that are in use; each is a page and its header. */
const logFrames = () => readFileSync(join(house.data, 'nightporter.db-shm')).readUInt32LE(16)

const counted: Record<string, Counted> = {}
for (const { name, ready, work } of await piecesOf(house)) {
  await ready?.()
  await settled()
  await begin()
  const frames = logFrames()
  await work()
  await settled()
  counted[name] = { ...(await end()), logBytes: Math.max(0, logFrames() - frames) * frameBytes }
}
process.stdout.write(JSON.stringify(counted), () => process.exit(0))
