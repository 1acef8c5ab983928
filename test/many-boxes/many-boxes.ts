import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/host/clock.ts'
import { mqttCarrier } from '../../src/pms/adapters/cloudevents/mqtt/mqtt-carrier.ts'
import { serveMqtt } from '../../src/simulators/cloudevents/mqtt-server.ts'
import { type SimulatedPms, simulatedPms } from '../../src/simulators/cloudevents/simulated-pms.ts'
import { sampleUnits, unitsIn } from '../../src/simulators/cloudevents/units.ts'
import { type Mosquitto, noMosquitto, startMosquitto } from '../pms/adapters/cloudevents/mqtt/mosquitto.ts'
import { type Box, openBox } from './box.ts'
import { brokerMeter, type Reading } from './broker-meter.ts'

const help = `node test/many-boxes/many-boxes.ts [--boxes 3] [--idle SECONDS] [--check-ins N] [--lines N] [--stay]

One Mosquitto with TLS, passwords and the access list beside this file; so many boxes, each the real program with a hotel
of its own; and a PMS with a book for each. Says what a box costs the broker.
--idle       how long it is looked at while nothing happens (180)
--check-ins  how many guests check in at each box (10)
--lines      how many boxes' lines are opened besides, for the memory of one (300)
--stay       then leaves everything running until Ctrl-C`

const { values } = parseArgs({
  options: {
    boxes: { type: 'string', default: '3' },
    idle: { type: 'string', default: '180' },
    'check-ins': { type: 'string', default: '10' },
    lines: { type: 'string', default: '300' },
    stay: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help || noMosquitto) {
  console.log(values.help ? help : `${noMosquitto}: apt-get install mosquitto openssl`)
  process.exit(values.help ? 0 : 1)
}

/** When everything that follows from something has passed. */
const settledMs = 5_000
const [idleSeconds, checkIns, lineCount] = [
  Number(values.idle),
  Number(values['check-ins']),
  Number(values.lines),
]
const actor = { by: 'bench', requestId: null }
const opened = new AsyncDisposableStack()
try {
  await measure()
} finally {
  await opened.disposeAsync()
}

async function measure(): Promise<void> {
  const boxes: Box[] = []
  for (let n = 0; n < Number(values.boxes); n++) {
    boxes.push(await openBox())
    opened.defer(boxes[n]!.stop)
  }
  const lines = Array.from({ length: lineCount }, () => randomUUID())
  const users = [...boxes.map(({ propertyId }) => propertyId), ...lines, 'pms', 'spy']
  const passwords = Object.fromEntries(users.map((user) => [user, randomUUID()]))
  const broker = await startMosquitto(passwords)
  opened.defer(broker.close)
  const loginOf = (username: string) => ({ username, password: passwords[username]!, ca: broker.ca })
  const meter = await brokerMeter(broker, loginOf('spy'))
  const books = new Map<string, SimulatedPms>()
  const pmsOf = (house: string) => {
    const made = simulatedPms({ clock: systemClock, units: unitsIn(sampleUnits)! })
    books.set(house, made)
    return made
  }
  const pms = await serveMqtt({ url: broker.url, login: loginOf('pms'), clock: systemClock, pmsOf })
  opened.defer(pms.close)
  console.log(`Mosquitto at ${broker.url}, a PMS, and the boxes ${boxes.map(({ url }) => url).join(', ')}`)

  const alone = await meter.read()
  for (const box of boxes) await box.link(broker, passwords[box.propertyId]!)
  await systemClock.sleep(settledMs)
  show('a box comes and gets in step', spent(alone, await meter.read()), boxes.length)

  const before = await meter.read()
  await systemClock.sleep(idleSeconds * 1_000)
  const idle = spent(before, await meter.read())
  show('an hour of a box in which nothing happens', idle, (boxes.length * idleSeconds) / 3_600)

  const start = await meter.read()
  const started = performance.now()
  const guestsOf = async (box: Box) => {
    const { book } = books.get(`nightporter/v1/${box.propertyId}`)!
    for (let n = 0; n < checkIns; n++) await box.checkIn(await box.has(book.make(booking()).externalId))
  }
  await Promise.all(boxes.map(guestsOf))
  await systemClock.sleep(settledMs)
  const whole = spent(start, await meter.read())
  const meanwhile = (performance.now() - started) / 1_000 / idleSeconds
  const added = mapped(whole, (value, name) => value - idle[name] * meanwhile)
  show('a guest, from his booking to his card', added, boxes.length * checkIns)

  const few = await meter.read()
  const carriers = lines.map((propertyId) => lineOf(propertyId, broker, passwords[propertyId]!))
  opened.defer(async () => void (await Promise.all(carriers.map((carrier) => carrier.close()))))
  for (const carrier of carriers) await carrier.publish([], { signal: AbortSignal.timeout(30_000), actor })
  const many = await meter.read()
  const each = (many.resident - few.resident) / lines.length / 1_024
  console.log(
    `memory of the broker: ${(alone.resident / 1e6).toFixed(1)} MB alone, and ${each.toFixed(1)} KiB for each of ${lines.length} more lines over TLS, of ${many.connections} connections`,
  )
  if (!values.stay) return
  console.log('Ctrl-C ends it.')
  await new Promise<void>((resolve) => process.once('SIGINT', () => resolve()))
}

/** The line of a box, without the box. */
function lineOf(propertyId: string, broker: Mosquitto, password: string) {
  return mqttCarrier({
    configurationId: randomUUID(),
    connection: { broker: broker.url, serverCa: broker.ca },
    credentials: { username: propertyId, password },
    heartbeatSeconds: 60,
    timeoutMs: 30_000,
    source: () => `urn:property:${propertyId}`,
    epoch: () => 1,
    clock: systemClock,
  })
}

function booking() {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const guest = { role: 'PrimaryGuest', firstName: 'Sofía', lastName: 'García' } as const
  const stay = {
    externalId: null,
    status: 'Confirmed',
    startDate: day(0),
    endDate: day(2),
    units: [{ unitTypeCode: 'DBL', unitName: null }],
    guests: [guest],
  } as const
  return { externalId: null, stays: [{ ...stay, units: [...stay.units], guests: [...stay.guests] }] }
}

function spent(from: Reading, until: Reading): Reading {
  return mapped(until, (value, name) => value - from[name])
}

function show(what: string, { packets, messages, bytes, cpuMs }: Reading, count: number): void {
  const per = (value: number, digits = 0) => (value / count).toFixed(digits)
  console.log(
    `${what}: ${per(packets)} packets, ${per(messages)} of them messages, ${per(bytes / 1_000, 1)} kB, ${per(cpuMs, 1)} ms of CPU`,
  )
}

function mapped(reading: Reading, change: (value: number, name: keyof Reading) => number): Reading {
  const entries = Object.entries(reading) as [keyof Reading, number][]
  return Object.fromEntries(entries.map(([name, value]) => [name, change(value, name)])) as unknown as Reading
}
