import { loadSample } from './api.ts'
import { lockDrivers } from './drivers.ts'
import { localDate } from './host/zone.ts'
import type { Keeping } from './jsonapi/resource-routes.ts'
import { settings } from './reservation/resources/settings.ts'
import { type SampleInput, sampleGuest, sampleMark } from './sample-property.ts'
import { pmsConfiguration } from './upstream/resources/pms-configuration.ts'
import { standalone } from './upstream/standalone/standalone.ts'

export interface House {
  isSample: boolean
  /** The confirmation number of a sample guest to be tried with; null when there is none. */
  sampleGuest(): string | null
}

const actor = { by: 'first-start', requestId: null }
const one = { filters: [], sort: [], page: { size: 1 } }

/**
 * Makes the settings of the property and its PMS configuration with the first start, and fills an empty store with the
 * sample property where that is wanted. Anything already there is left as it is.
 */
export async function foundHouse(
  keeping: Keeping,
  {
    sample,
    seal,
    now,
  }: { sample: boolean; seal: (text: string, context: string) => string; now: () => number },
): Promise<House> {
  const { reader, door, plain } = keeping
  if (reader.rows(settings, one).length === 0) {
    if (sample) await door.write(loadSample, sampleInput(seal, now()), { actor })
    else await door.write(plain.create, { type: 'settings', attributes: emptyHouse() }, { actor })
  }
  // Houses that were founded before a PMS could be configured get this one too.
  if (reader.rows(pmsConfiguration, one).length === 0) {
    await door.write(plain.create, { type: pmsConfiguration.type, attributes: ownPms }, { actor })
  }
  const isSample = reader.counter(sampleMark) > 0
  return {
    isSample,
    sampleGuest() {
      const [house] = isSample ? reader.rows(settings, one) : []
      return house ? sampleGuest(reader, localDate(now(), house.timeZone)) : null
    },
  }
}

/** Until another is configured, the house itself is its PMS. */
const ownPms = { name: 'This house', adapter: standalone.name }

const hours = { checkInTime: '15:00', checkOutTime: '11:00' }

/** What a house is taken for until somebody says otherwise. */
function emptyHouse() {
  return { ...hours, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, country: 'US' }
}

function sampleInput(seal: (text: string, context: string) => string, now: number): SampleInput {
  const timeZone = 'Europe/Lisbon'
  const [locks] = lockDrivers
  return {
    settings: { ...hours, timeZone, country: 'PT', tenantId: 'demo' },
    lockDriver: locks!.name,
    credentials: seal(JSON.stringify(locks!.generate()), 'access-provider'),
    today: localDate(now, timeZone),
  }
}
