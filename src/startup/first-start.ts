import { foundProperty } from '../composition/api.ts'
import { lockDrivers } from '../composition/drivers.ts'
import type { OpenStore } from '../composition/open-store.ts'
import type { Config } from '../config.ts'
import { sampleGuest, sampleMark } from '../demo/sample-property.ts'
import { countryOfZone, machineZone } from '../host/machine/machine-zone.ts'
import type { Vault } from '../host/vault.ts'
import { localDate } from '../host/zone.ts'
import { standalone } from '../pms/adapters/standalone/standalone.ts'
import { zoneOf } from '../reservation/resources/house.ts'
import { type Assumable, assumable, unknownCountry } from '../reservation/values/assumed-settings.ts'
import { presentCountry } from '../resource/values/country-code.ts'
import type { FoundInput } from './found-property.ts'

export type StartedProperty = Awaited<ReturnType<typeof firstStart>>

/** The settings of a new property in the configuration; null for a setting that it does not contain. */
type Stated = Pick<Config, Assumable>

const actor = { by: 'first-start', requestId: null }

/**
 * Completes the first start: settings, the PMS configuration, and the sample property if it is wanted. The next start
 * completes an interrupted first start. A completed one is left unchanged.
 */
export async function firstStart(
  { store: { reader, writer }, folder }: Pick<OpenStore, 'store' | 'folder'>,
  { sample, now, timeZone, country }: { sample: boolean; now: () => number } & Stated,
) {
  if (!folder.isFounded) {
    const { fingerprint, seal } = folder.vault
    const stated = { timeZone, country: country === null ? null : presentCountry(country) }
    const house = sample ? sampleHouse(seal, now(), stated) : emptyHouse(stated)
    await writer.execute(foundProperty, { fingerprint, pms: ownPms, ...house }, { actor })
    folder.founded()
  }
  const isSample = reader.counter(sampleMark) > 0
  return {
    isSample,
    /** Returns the confirmation number of a sample guest; null without one. */
    sampleGuest(): string | null {
      return isSample ? sampleGuest(reader, localDate(now(), zoneOf(reader))) : null
    },
  }
}

/** The PMS configuration of a new property: the property is its own PMS until another is configured. */
const ownPms = { name: 'This house', adapter: standalone.name }

const hours = { checkInTime: '15:00', checkOutTime: '11:00' }

/**
 * Returns the settings of an empty property. Without a configured time zone it uses the machine's. Without a configured
 * country it uses the country of the time zone.
 */
function emptyHouse(stated: Stated): Pick<FoundInput, 'settings' | 'assumed' | 'sample'> {
  const timeZone = stated.timeZone ?? machineZone()
  const country = stated.country ?? countryOfZone(timeZone) ?? unknownCountry
  const assumed = assumable.filter((name) => stated[name] === null)
  return { settings: { ...hours, timeZone, country }, assumed, sample: null }
}

function sampleHouse(
  seal: Vault['seal'],
  now: number,
  stated: Stated,
): Pick<FoundInput, 'settings' | 'assumed' | 'sample'> {
  const timeZone = stated.timeZone ?? 'Europe/Lisbon'
  const [locks] = lockDrivers
  return {
    settings: { ...hours, timeZone, country: stated.country ?? 'PT', tenantId: 'demo' },
    assumed: [],
    sample: {
      lockDriver: locks!.name,
      credentials: seal(JSON.stringify(locks!.generate()), 'access-provider'),
      today: localDate(now, timeZone),
    },
  }
}
