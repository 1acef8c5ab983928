import { localDate } from './host/zone.ts'
import type { Keeping } from './jsonapi/resource-routes.ts'
import { settings } from './reservation/resources/settings.ts'
import { loadSample, sampleCode, sampleGuest } from './sample-property.ts'

export interface House {
  isSample: boolean
  /** The confirmation number of a sample guest to be tried with; null when there is none. */
  sampleGuest(): string | null
}

const actor = { by: 'first-start', requestId: null }
const one = { filters: [], sort: [], page: { size: 1 } }

/**
 * Makes the settings of the property with the first start, and fills an empty store with the sample property where
 * that is wanted. Anything already there is left as it is.
 */
export async function foundHouse(
  keeping: Keeping,
  {
    sample,
    seal,
    now,
  }: { sample: boolean; seal: (text: string, context: string) => string; now: () => number },
): Promise<House> {
  const { reader, door, plain, resources } = keeping
  if (reader.rows(settings, one).length === 0) {
    const timeZone = sample ? 'Europe/Lisbon' : Intl.DateTimeFormat().resolvedOptions().timeZone
    const attributes = {
      timeZone,
      checkInTime: '15:00',
      checkOutTime: '11:00',
      country: sample ? 'PT' : 'US',
      ...(sample && { tenantId: 'demo' }),
    }
    await door.write(plain.create, { type: 'settings', attributes }, { actor })
    if (sample) await loadSample({ door, plain, seal, now, timeZone })
  }
  const filters = [{ path: 'code', operator: 'eq' as const, value: sampleCode }]
  const isSample = reader.rows(resources.get('property')!, { ...one, filters }).length > 0
  return {
    isSample,
    sampleGuest() {
      const [house] = isSample ? reader.rows(settings, one) : []
      return house ? sampleGuest(reader, localDate(now(), house.timeZone)) : null
    },
  }
}
