import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import mqtt from 'mqtt'
import type { Mosquitto } from '../pms/adapters/cloudevents/mqtt/mosquitto.ts'

/** What a broker has spent at a moment. */
export interface Reading {
  /** Packets of any kind, both ways. */
  packets: number
  /** Those that carry a message. */
  messages: number
  bytes: number
  connections: number
  /** Resident memory, bytes. */
  resident: number
  /** Of processor time. */
  cpuMs: number
}

const counters = {
  packets: ['messages/received', 'messages/sent'],
  messages: ['publish/messages/received', 'publish/messages/sent'],
  bytes: ['bytes/received', 'bytes/sent'],
  connections: ['clients/connected'],
}
/** How often the broker counts. */
const countedEveryMs = 1_000

/** Reads the broker's own counters. What a reading costs the broker is told by two in a row, and is taken off. */
export async function brokerMeter(broker: Mosquitto, login: object) {
  const first = await readOnce(broker, login)
  const second = await readOnce(broker, login)
  let readings = 2

  async function read(): Promise<Reading> {
    const found = await readOnce(broker, login)
    const off = (name: 'packets' | 'messages' | 'bytes') =>
      found[name] - readings * (second[name] - first[name])
    readings++
    return { ...found, packets: off('packets'), messages: off('messages'), bytes: off('bytes') }
  }

  return { read }
}

async function readOnce(broker: Mosquitto, login: object): Promise<Reading> {
  await sleep(2 * countedEveryMs)
  const said = new Map<string, number>()
  const topics = Object.values(counters).flat()
  const client = mqtt.connect(broker.url, { protocolVersion: 5, ...login })
  const all = Promise.withResolvers<void>()
  client.on('message', (topic, payload) => {
    said.set(topic.replace('$SYS/broker/', ''), Number(String(payload)))
    if (said.size === topics.length) all.resolve()
  })
  await client.subscribeAsync(
    topics.map((name) => `$SYS/broker/${name}`),
    { qos: 0 },
  )
  await all.promise
  await client.endAsync()
  const sum = (names: readonly string[]) => names.reduce((total, name) => total + (said.get(name) ?? 0), 0)
  const counted = Object.fromEntries(Object.entries(counters).map(([name, names]) => [name, sum(names)]))
  return { ...counted, resident: residentOf(broker.pid), cpuMs: cpuMsOf(broker.pid) } as unknown as Reading
}

function residentOf(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) * 1024
}

function cpuMsOf(pid: number): number {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const numbers = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return (Number(numbers[11]) + Number(numbers[12])) * 10
}
