import type { Resources } from '../resource/path.ts'
import type { Resource } from '../resource/resource.ts'

/** What events of one family are about: `stay` of `stay.checked-in`. */
export interface EventKind {
  /** Who holds this may hear of it. */
  scope: string
  /** The type of the resource it is about; null where it is about none. */
  resource: Resource | null
  /** The path outside, where the journal says it with another. */
  subject?: { from: string; to: string } | undefined
}

interface OwnKind {
  scope: string
  /** The type of the resource it is about. */
  about: string | null
  subject?: EventKind['subject']
}

const conflict: OwnKind = { scope: 'sync-conflicts.read', about: 'sync-conflict' }

/** Families, and types, that are not named as the resource they are about. */
const own: Record<string, OwnKind> = {
  'access-provider.connection-refused': { scope: 'devices.read', about: 'access-provider' },
  availability: { scope: 'availability.read', about: 'unit-type' },
  card: { scope: 'dispensers.read', about: 'dispenser' },
  controller: { scope: 'devices.read', about: 'access-controller' },
  dispenser: { scope: 'devices.read', about: 'dispenser' },
  key: { scope: 'keys.read', about: 'key', subject: { from: 'access/keys', to: 'keys' } },
  'key-service.connection-refused': { scope: 'devices.read', about: 'key-service' },
  pms: { scope: 'upstream.read', about: 'pms-configuration' },
  'pms.conflict-detected': conflict,
  'pms.conflict-resolved': conflict,
  system: { scope: 'status.read', about: null },
  'system.authentication-failed': { scope: 'audit.read', about: null },
}

/** Who may look through all of a resource may hear what becomes of it. */
const scopeOf = ({ scopes }: Resource) => scopes.list ?? scopes.read

/** Finds what a type of event is about; null for what is not told outside: families nobody knows, and what has no operations. */
export function eventKinds(resources: Resources): (type: string) => EventKind | null {
  const known = new Map<string, EventKind | null>()

  function find(type: string): EventKind | null {
    const family = familyOf(type)
    const declared = [type, family]
      .map((name) => (Object.hasOwn(own, name) ? own[name] : undefined))
      .find(Boolean)
    const resource = resources.get(declared?.about ?? family)
    if (declared) return { ...declared, resource: resource ?? null }
    return resource && resource.operations.length > 0 ? { scope: scopeOf(resource), resource } : null
  }

  return (type) => {
    if (!known.has(type)) known.set(type, find(type))
    return known.get(type) ?? null
  }
}

function familyOf(type: string): string {
  return type.slice(0, type.indexOf('.'))
}

/** Members of a journal line's data that leave the house, beside its revision and what changed; of a whole family, or of a type. */
const told: Record<string, readonly string[]> = {
  key: ['status', 'proof'],
  card: ['keyId', 'keys'],
  'stay.unit-assigned': ['unitId'],
  'stay.unit-unassigned': ['unitId'],
  'stay.unit-assignment-failed': ['code'],
  'unit.status-changed': ['from', 'to'],
  'availability.changed': ['startDate', 'endDate'],
  'access-provider.connection-refused': ['address', 'reason'],
  'key-service.connection-refused': ['address', 'reason'],
  'dispenser.state-changed': ['state', 'commandedState'],
  'dispenser.recovered': ['from'],
  'pms.sync-completed': [
    'startDate',
    'endDate',
    'reservations',
    'stays',
    'received',
    'applied',
    'ignored',
    'quarantined',
    'offered',
    'accepted',
    'outdated',
    'refused',
    'published',
  ],
  'pms.connection-refused': ['address', 'reason'],
  'pms.conflict-detected': ['configurationId', 'reservationId', 'group', 'reason'],
  'pms.conflict-resolved': ['configurationId', 'reservationId', 'state'],
  'pms.capabilities.requested': [
    'requestId',
    'configurationId',
    'adapter',
    'adapterVersion',
    'interfaceVersion',
    'replyTo',
    'deadline',
  ],
  'pms.capabilities.replied': ['requestId', 'capabilities', 'ttlSeconds', 'errorCode'],
  'system.authentication-failed': ['failures', 'addresses'],
  'system.started': ['version'],
  'system.clock-implausible': ['judgement', 'machineTime', 'knownTime'],
  'system.clock-stated': ['time', 'machineTime', 'knownTime'],
  'system.backup-completed': ['bytes', 'reason'],
  'system.restored': ['takenAt', 'after'],
}

/** What of a line's data may be told of an event of this type. */
export function toldOf(type: string, data: Record<string, unknown>): Record<string, unknown> {
  const members = [...(told[familyOf(type)] ?? []), ...(told[type] ?? [])]
  return Object.fromEntries(members.flatMap((name) => (name in data ? [[name, data[name]]] : [])))
}

/** The fields that follow from the word alone, where the line does not list them. */
const implied: Record<string, readonly string[]> = {
  'reservation.canceled': ['status'],
  'stay.checked-in': ['status'],
  'stay.check-in-reverted': ['status'],
  'stay.checked-out': ['status'],
  'stay.canceled': ['status'],
  'stay.no-show': ['status'],
  'stay.unit-assigned': ['units'],
  'stay.unit-unassigned': ['units'],
  'unit.status-changed': ['status'],
}

/** The names of the fields that have changed; empty where that is not said, and for what was made or is gone. */
export function changedBy(type: string, { changed, status }: Record<string, unknown>): string[] {
  if (Array.isArray(changed)) return changed.filter((name) => typeof name === 'string')
  return [...(implied[type] ?? (type.startsWith('key.') && status !== undefined ? ['status'] : []))]
}
