import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { appliance } from '../bench/appliance.ts'
import { noLimits } from '../no-limits.ts'
import type { Mosquitto } from '../pms/adapters/cloudevents/mqtt/mosquitto.ts'

/** A box of a hotel of its own: the real program, with the sample hotel. */
export interface Box {
  url: string
  propertyId: string
  /** Has it kept in step with the PMS at the broker. */
  link(broker: Mosquitto, password: string): Promise<void>
  /** Resolves when it has a reservation of this name. */
  has(externalId: string): Promise<Stay>
  /** Gives the guest a unit, checks him in and makes his card. */
  checkIn(stay: Stay): Promise<void>
  stop(): Promise<void>
}

interface Stay {
  reservationId: string
  id: string
}

export async function openBox(): Promise<Box> {
  const data = mkdtempSync(join(tmpdir(), 'nightporter-'))
  writeFileSync(join(data, 'nightporter.json'), JSON.stringify({ rateLimits: noLimits }))
  const { port, stop } = await appliance(data)
  const url = `http://127.0.0.1:${port}`

  // biome-ignore lint/suspicious/noExplicitAny: what a server answers is looked into freely here.
  async function ask(method: string, path: string, body?: object): Promise<any> {
    const headers = { Authorization: 'Bearer demo', 'Content-Type': 'application/json' }
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }

  /** Until the guest before has taken his card. */
  async function patiently(method: string, path: string, body: object): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        await ask(method, path, body)
        return
      } catch (error) {
        if (tries === 60 || !String(error).includes('dispenser-busy-with-guest')) throw error
        await new Promise((resolve) => setTimeout(resolve, 1_000))
      }
    }
  }

  const first = async (path: string) => {
    try {
      return (await ask('GET', path)).data[0].id as string
    } catch (error) {
      await stop()
      throw error
    }
  }
  const propertyId = await first('/api/v2/properties')
  const controllerId = await first('/api/config/v1/access-controllers')

  async function stayOf(externalId: string): Promise<Stay | null> {
    const { data } = await ask('GET', `/api/v2/reservations?filter[externalId]=${externalId}`)
    return data[0] ? { reservationId: data[0].id, id: data[0].attributes.stays[0].id } : null
  }

  return {
    url,
    propertyId,
    async link(broker, password) {
      await ask('POST', '/api/config/v1/pms-configurations', {
        name: 'PMS of the chain',
        adapter: 'cloudevents',
        transport: 'mqtt',
        connection: { broker: broker.url, serverCa: broker.ca },
        credentials: { username: propertyId, password },
      })
    },
    async has(externalId) {
      for (let tries = 0; tries < 600; tries++) {
        const stay = await stayOf(externalId)
        if (stay) return stay
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error(`${externalId} has not come`)
    },
    async checkIn({ reservationId, id }) {
      const path = `/api/v2/reservations/${reservationId}/stays/${id}`
      await ask('POST', `${path}/unit-assignment`)
      await ask('PATCH', path, { status: 'InHouse' })
      const { units, startDate, endDate } = (await ask('GET', path)).data.attributes
      await patiently('POST', `/api/v2/access/controllers/${controllerId}/key`, {
        type: 'keyCard',
        unitName: units[0].unitName,
        original: true,
        startDate,
        endDate,
        externalId: id,
      })
    },
    async stop() {
      await stop()
      rmSync(data, { recursive: true, force: true })
    },
  }
}
