import type { JournalLine } from '../../resource/keeper.ts'

/** What lines of the journal are about, each id once. */
export interface Touched {
  reservations: string[]
  stays: string[]
  profiles: string[]
  payments: string[]
  units: string[]
  /** Something was set up that a message in quarantine may have lacked. */
  isSetUp: boolean
}

/** What happens to a stay and is nothing that a PMS is told of it. */
const untold = [
  'stay.unit-assignment-failed',
  'stay.handed-over',
  'stay.hand-over-finished',
  'stay.payment-in-doubt',
]

/** Kinds of what a message names or is read by, and the fields of each that it goes by; null for all. */
const setUp: Readonly<Record<string, readonly string[] | null>> = {
  unit: ['name', 'unitTypeId'],
  'unit-type': ['code'],
  'rate-plan': ['code', 'unitTypeId', 'startDate', 'endDate'],
  service: ['code'],
  settings: null,
  'pms-configuration': null,
}

/** Whether something is there now, or is called so now, that a message may have lacked. */
function isSetUp({ type, data }: JournalLine): boolean {
  const [kind = '', verb] = type.split('.')
  const fields = setUp[kind]
  if (fields === undefined || (verb !== 'created' && verb !== 'changed')) return false
  const changed = Array.isArray(data.changed) ? data.changed : []
  return verb === 'created' || fields === null || changed.some((name) => fields.includes(name))
}

/**
 * What has happened since, as far as a PMS may have to be told. What was written on behalf of `actor`, which is the PMS
 * itself, is known there.
 */
export function touchedIn(lines: readonly JournalLine[], actor: string): Touched {
  const of = (collection: string, isTold: (line: JournalLine) => boolean = () => true) => {
    const about = lines.filter(
      (line) => line.actor !== actor && line.subject.startsWith(`${collection}/`) && isTold(line),
    )
    return [...new Set(about.map(({ subject }) => subject.slice(collection.length + 1)))]
  }
  const gone = lines.filter((line) => line.type === 'stay.deleted' && line.actor !== actor)
  const owners = gone.flatMap(({ data }) =>
    typeof data.reservationId === 'string' ? [data.reservationId] : [],
  )
  return {
    reservations: [...new Set([...of('reservations'), ...owners])],
    stays: of('stays', ({ type }) => !untold.includes(type)),
    // Who has left long ago is forgotten here, and not there.
    profiles: of('profiles', ({ type }) => type !== 'profile.anonymized'),
    payments: of('payments'),
    // Of a unit a reservation says the name alone.
    units: of('units', ({ data }) => Array.isArray(data.changed) && data.changed.includes('name')),
    isSetUp: lines.some(isSetUp),
  }
}
