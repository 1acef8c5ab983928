import assert from 'node:assert/strict'
import type { Connection } from './connection.ts'

/** What the storm goes over: few units, so that everybody wants the same. */
export interface StormHouse {
  /** Unit types whose units are only booked. */
  booked: string[]
  /** A unit type of which upstream tells how many there are, and whose units are blocked. */
  told: string
  units: Map<string, string[]>
  serviceId: string
  /** Days from today on, for which everybody comes. */
  days: string[]
}

const unitsPerType = 14

export async function furnish({ ask }: Connection): Promise<StormHouse> {
  const made = async (path: string, body: unknown) => {
    const reply = await ask('POST', `/api/v2/${path}`, body)
    assert.equal(reply.status, 201, reply.text)
    return reply.body.data
  }
  const types = ['S1', 'S2', 'S3'].map((code) => ({ code, name: `Storm ${code}`, maxOccupancy: 4 }))
  const typeIds: string[] = (await made('batch/unit-types', types)).map(({ id }: { id: string }) => id)
  const units = new Map<string, string[]>()
  for (const unitTypeId of typeIds) {
    const batch = Array.from({ length: unitsPerType }, (_, index) => ({
      name: `${unitTypeId.slice(-4)}-${index}`,
      unitTypeId,
      status: 'Clean',
    }))
    units.set(
      unitTypeId,
      (await made('batch/units', batch)).map(({ id }: { id: string }) => id),
    )
  }
  const { id: serviceId } = await made('services', {
    code: 'S',
    name: 'Sauna',
    currencyCode: 'EUR',
    amountWithTax: 7.5,
    amountWithoutTax: 7,
    pricingType: 12,
    count: 1,
  })
  const [first = '', second = '', told = ''] = typeIds
  return {
    booked: [first, second],
    told,
    units,
    serviceId,
    days: Array.from({ length: 9 }, (_, day) => `2026-06-0${day + 1}`),
  }
}
