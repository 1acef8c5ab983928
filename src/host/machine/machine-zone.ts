import { isZone } from '../zone.ts'

/** Returns the IANA time zone of this machine; UTC where the machine names none. */
export function machineZone(): string {
  // Node yields undefined for a zone that it does not know.
  const name: string | undefined = Intl.DateTimeFormat().resolvedOptions().timeZone
  return name !== undefined && isZone(name) ? name : 'UTC'
}

/** Returns the country (ISO 3166-1 alpha-2) of an IANA time zone; null for a zone of no country or of several, such as UTC. */
export function countryOfZone(zone: string): string | null {
  // Many machines run on UTC, and to look through all countries takes longer than the rest of a first start.
  if (isSame(zone, 'UTC')) return null
  const found = new Set(regions().filter((region) => zonesOf(region).some((each) => isSame(each, zone))))
  const [country] = found
  return country !== undefined && found.size === 1 ? country : null
}

const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')

/** Every region code that stands for itself. Codes of former countries stand for their successors. */
function regions(): string[] {
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  return codes.filter((code) => new Intl.Locale(`und-${code}`).region === code)
}

function zonesOf(region: string): string[] {
  return new Intl.Locale(`und-${region}`).getTimeZones() ?? []
}

/** Whether two names mean one zone, such as Asia/Calcutta and Asia/Kolkata. */
function isSame(one: string, other: string): boolean {
  if (one === other) return true
  const epoch = Temporal.Instant.fromEpochMilliseconds(0)
  return epoch.toZonedDateTimeISO(one).equals(epoch.toZonedDateTimeISO(other))
}
