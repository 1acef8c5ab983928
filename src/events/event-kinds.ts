import type { Resources } from '../resource/path.ts'
import type { Resource } from '../resource/resource.ts'

/** The resource and the scope of one family of events, such as `stay` of `stay.checked-in`. */
export interface EventKind {
  /** The scope for receiving the events. */
  scope: string
  /** The resource of the events; null for events without a resource. */
  resource: Resource | null
  /** The public path, when the journal uses another one. */
  subject?: { from: string; to: string } | undefined
}

interface OwnKind {
  scope: string
  /** The type of the event's resource. */
  about: string | null
  subject?: EventKind['subject']
}

/** Everybody reads in the status whether a PMS is there. */
const line: OwnKind = { scope: 'status.read', about: 'pms-configuration' }
const conflict: OwnKind = { scope: 'sync-conflicts.read', about: 'sync-conflict' }

/** Families and types whose name is not the type of their resource. */
const own: Record<string, OwnKind> = {
  'access-provider.connection-refused': { scope: 'devices.read', about: 'access-provider' },
  availability: { scope: 'availability.read', about: 'unit-type' },
  card: { scope: 'dispensers.read', about: 'dispenser' },
  controller: { scope: 'devices.read', about: 'access-controller' },
  dispenser: { scope: 'devices.read', about: 'dispenser' },
  key: { scope: 'keys.read', about: 'key', subject: { from: 'access/keys', to: 'keys' } },
  'key-service.connection-refused': { scope: 'devices.read', about: 'key-service' },
  pms: { scope: 'upstream.read', about: 'pms-configuration' },
  'pms.connected': line,
  'pms.disconnected': line,
  'pms.conflict-detected': conflict,
  'pms.conflict-resolved': conflict,
  system: { scope: 'status.read', about: null },
  'system.authentication-failed': { scope: 'audit.read', about: null },
}

/** The scope for listing a resource is also the scope for its events. */
const scopeOf = ({ scopes }: Resource) => scopes.list ?? scopes.read

/**
 * Returns a function that finds the kind of an event type. It returns null for types that are not published:
 * unknown families, and resources without operations.
 */
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

/**
 * The members of a journal line's data that are published in addition to revision and changed fields, by
 * family or by type.
 */
const publishedMembers: Record<string, readonly string[]> = {
  key: ['status', 'proof'],
  'key.override-used': ['otherKeyId'],
  card: ['keyId', 'keys'],
  'stay.changed': ['values'],
  'stay.unit-assigned': ['unitId'],
  'stay.unit-unassigned': ['unitId'],
  'stay.unit-assignment-failed': ['code'],
  'stay.handed-over': ['handOverId', 'failure', 'step', 'language'],
  'stay.hand-over-finished': ['handOverId'],
  'stay.released': ['until'],
  'stay.guest-registered': ['registrationId', 'profileId'],
  'help-call.made': ['kioskName', 'failure', 'step', 'language', 'stayId'],
  'help-call.taken': ['kioskName', 'stayId'],
  'stay.card-shown': ['keyId'],
  'stay.payment-in-doubt': ['terminalPaymentId', 'amount', 'currency'],
  'stay.payment-settled-by-hand': ['terminalPaymentId', 'charged', 'amount', 'currency'],
  'unit.status-changed': ['from', 'to'],
  'unit.blocked': ['startDate', 'endDate'],
  'unit.unblocked': ['startDate', 'endDate'],
  'availability.changed': ['startDate', 'endDate'],
  'access-provider.connection-refused': ['address', 'reason'],
  'access-provider.lock-replaced': ['unitName'],
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
  'webhook.events-expired': ['count'],
  'webhook.events-dropped': ['count'],
  'system.authentication-failed': ['failures', 'addresses'],
  'system.started': ['version'],
  'system.clock-implausible': ['judgement', 'machineTime', 'knownTime'],
  'system.clock-stated': ['time', 'machineTime', 'knownTime'],
  'system.backup-completed': ['bytes', 'reason'],
  'system.backup-target-failed': ['name', 'problem'],
  'system.backup-target-well': ['name'],
  'system.certificate-changed': ['source', 'fingerprint', 'endsAt', 'newAuthority'],
  'system.setup-applied': ['changes'],
  'system.update-requested': ['action', 'version'],
  'system.update-finished': ['result', 'from', 'to', 'slot', 'seconds', 'reason'],
  'system.network-requested': ['action', 'address'],
  'system.support-opened': ['endsAt'],
  'system.restored': ['takenAt', 'after', 'epoch'],
  'system.fenced': ['epoch', 'seen'],
  'system.handed-over': ['epoch', 'seen'],
  'system.epoch-raised': ['epoch'],
}

/** Returns the members of a line's data that an event of this type publishes. */
export function publishedData(type: string, data: Record<string, unknown>): Record<string, unknown> {
  const members = [...(publishedMembers[familyOf(type)] ?? []), ...(publishedMembers[type] ?? [])]
  return Object.fromEntries(members.flatMap((name) => (name in data ? [[name, data[name]]] : [])))
}

/** The changed fields that follow from the type, for lines that do not list them. */
const implied: Record<string, readonly string[]> = {
  'reservation.canceled': ['status'],
  'stay.checked-in': ['status'],
  'stay.check-in-reverted': ['status'],
  'stay.checked-out': ['status'],
  'stay.canceled': ['status'],
  'stay.check-out-reverted': ['status'],
  'stay.no-show': ['status'],
  'stay.reinstated': ['status'],
  'stay.unit-assigned': ['units'],
  'stay.unit-unassigned': ['units'],
  'unit.status-changed': ['status'],
  'unit.blocked': ['maintenance'],
  'unit.unblocked': ['maintenance'],
}

/**
 * Returns the names of the changed fields; empty when they are not recorded, and for created and deleted
 * resources.
 */
export function changedBy(type: string, { changed, status }: Record<string, unknown>): string[] {
  if (Array.isArray(changed)) return changed.filter((name) => typeof name === 'string')
  return [...(implied[type] ?? (type.startsWith('key.') && status !== undefined ? ['status'] : []))]
}
