/**
 * Every scope, with the scope or scopes that contain it. A token with a containing scope also has the
 * contained one. A route therefore requires the smallest sufficient scope, and restricts its answer for
 * callers without the containing scope.
 */
const wholes = {
  'reservations.read': null,
  /** Find one reservation, by one of its exact numbers or by last name and arrival date. It gives no list. */
  'reservations.find': 'reservations.read',
  'reservations.write': null,
  /** Set a reservation from NoShow or Canceled back to Confirmed. */
  'reservations.reinstate': null,
  /**
   * Assign a unit to a stay, set its status to InHouse, and set the guests' details that a check-in needs.
   */
  'stays.checkin': 'reservations.write',
  'stays.checkout': 'reservations.write',
  /** Replace a stay. `stays.checkin` and `stays.checkout` decide which fields may differ. */
  'stays.update': ['stays.checkin', 'stays.checkout'],
  /** Read and finish the stays that a kiosk has handed over to the front desk. */
  'hand-overs.read': null,
  'hand-overs.write': null,
  /** Hand a stay over, and see the code for its guest. */
  'hand-overs.create': 'hand-overs.write',
  'profiles.read': null,
  /** Read the profiles of a stay that was found by its own numbers. */
  'profiles.read-own': 'profiles.read',
  'profiles.write': null,
  'profiles.write-own': 'profiles.write',
  'properties.read': null,
  'properties.write': null,
  'units.read': null,
  'units.write': null,
  'units.status': 'units.write',
  /** Set the status Inspected. */
  'units.inspect': null,
  'unit-types.read': 'units.read',
  'unit-types.write': 'units.write',
  'amenities.read': 'units.read',
  'amenities.write': 'units.write',
  'services.read': null,
  'services.write': null,
  'rate-plans.read': null,
  'rate-plans.write': null,
  'cancellation-policies.read': 'rate-plans.read',
  'cancellation-policies.write': 'rate-plans.write',
  'availability.read': null,
  'availability.write': null,
  /** Take a unit out of sale for some days, and return it. */
  'units.block': 'availability.write',
  'payments.read': null,
  'payments.record': null,
  'payments.void': null,
  /** Read the merchant's copy of a receipt. */
  'payments.read-merchant': null,
  'keys.read': null,
  /** Make, copy, change, erase and revoke keys. */
  'keys.issue': null,
  /** The same for stays that are due or in house today. */
  'keys.issue-today': 'keys.issue',
  'keys.block': null,
  /** Make an original key for a unit in which another stay is in house. */
  'keys.override': null,
  'keys.read-pin': null,
  /** See a PIN in the answer to the request that made it, and nowhere else. */
  'keys.read-pin-issued': 'keys.read-pin',
  'access-units.read': null,
  'access-units.write': null,
  'dispensers.read': 'dispensers.operate',
  'dispensers.operate': null,
  /** Set counters, do maintenance, and move out a card that is not a live key. */
  'dispensers.service': null,
  /** Read the names and states of controllers and dispensers, without their settings. */
  'devices.read': 'config.read',
  /** Search for devices, and try them with a test card. */
  'devices.commission': null,
  /** Read the capabilities of a provider. */
  'extensions.read': 'extensions.invoke',
  'extensions.invoke': null,
  'events.read': null,
  /** See personal data in events. */
  'events.pii': null,
  'config.read': null,
  'config.write': null,
  /** Read the connected property management systems, without their credentials. */
  'upstream.read': 'config.read',
  /** Read where property and PMS disagree, and choose which side wins. */
  'sync-conflicts.read': null,
  'sync-conflicts.choose': null,
  /** Outside `config.*`: a token that may set up devices must not be able to make an administrator. */
  'tokens.manage': null,
  'tokens.read': 'tokens.manage',
  'tokens.write': 'tokens.manage',
  /** Outside `config.*`, as tokens are. */
  'accounts.manage': null,
  'accounts.read': 'accounts.manage',
  'accounts.write': 'accounts.manage',
  /** Outside `config.*`: a backup contains all data. */
  'backups.read': null,
  'backups.write': null,
  'simulate.run': null,
  /** Read what is wrong with the appliance and what a person should do, and the judgement of the clock. */
  'diagnostics.read': null,
  /** Download what passed between the appliance and its devices. */
  'diagnostics.recordings': null,
  /** State date and time when no time server can. It needs config.write as well. */
  'clock.state': null,
  /** Read the health of the appliance. Every role has it. */
  'status.read': null,
  'audit.read': null,
  'reports.read': null,
  'privacy.erase': null,
} as const satisfies Record<string, string | readonly string[] | null>

/**
 * Scopes that a session has only for a few minutes after its person has entered the password or the passcode. Tokens are
 * not affected.
 */
const dangerous: ReadonlySet<string> = new Set<keyof typeof wholes>([
  'keys.override',
  'payments.void',
  'tokens.write',
  'accounts.write',
])

/** Whether a session needs a secret that was entered a moment ago for this scope. */
export function isDangerous(scope: string): boolean {
  return dangerous.has(scope)
}

export type Scope = keyof typeof wholes

export const scopes = Object.keys(wholes) as readonly Scope[]

type Family = Scope extends infer Word ? (Word extends `${infer Name}.${string}` ? Name : never) : never
type Held = Scope | `${Family}.*` | '*'

/** The scopes of each role. A comment explains the scopes below it that are not obvious from the role. */
const table = {
  kiosk: [
    'reservations.find',
    'stays.checkin',
    'stays.checkout',
    'payments.record',
    'keys.issue-today',
    'dispensers.operate',
    'profiles.write-own',
    // A guest whom the kiosk cannot help goes to the front desk with a code.
    'hand-overs.create',
    // A profile is replaced whole, so its writer must read it first; the kiosk also greets the guest by name.
    'profiles.read-own',
    // The guest must see the PIN that was just made.
    'keys.read-pin-issued',
    // The names that the kiosk shows: property, unit and unit type, booked services.
    'properties.read',
    'units.read',
    'services.read',
    // The encoder and dispenser at which the kiosk stands, and whether they work.
    'devices.read',
    'status.read',
  ],
  frontdesk: [
    'reservations.*',
    'profiles.*',
    'keys.issue',
    'keys.read-pin',
    'keys.block',
    'units.status',
    'dispensers.operate',
    'payments.record',
    // A pipe may burst at night.
    'units.block',
    // Lists to choose from when booking, assigning and pricing.
    'properties.read',
    'units.read',
    'services.read',
    'rate-plans.read',
    'availability.read',
    // Payments, and voiding those that were recorded by mistake.
    'payments.read',
    'payments.void',
    // Guests whom a kiosk could not help.
    'hand-overs.*',
    // The keys of a stay, the doors, the encoders, and the capabilities of the lock system.
    'keys.read',
    'access-units.read',
    'devices.read',
    'extensions.read',
    // The console follows events.
    'events.read',
    // Conflicts with the PMS about a guest at the desk.
    'sync-conflicts.*',
    'status.read',
    // What is wrong at night, and what to do about it.
    'diagnostics.read',
  ],
  housekeeping: [
    'units.read',
    'units.status',
    // A list of units that updates itself.
    'events.read',
    'status.read',
  ],
  integrator: [
    'reservations.*',
    'availability.*',
    'rate-plans.*',
    'profiles.*',
    'units.read',
    // As rate plans, services are products of the property management system.
    'services.*',
    'properties.read',
    // Payments taken at the kiosk are posted to the guest's folio in the PMS.
    'payments.read',
    // Its own operations (sync, webhooks), and events instead of polling.
    'extensions.invoke',
    'events.read',
    'status.read',
    // Its own configuration, whose id is in the paths of its operations.
    'upstream.read',
    // Why the property did not accept what the PMS sent.
    'sync-conflicts.read',
  ],
  installer: [
    'config.*',
    'devices.*',
    'simulate.*',
    'diagnostics.*',
    // A hotel may reopen after months with a box whose clock has stopped.
    'clock.state',
    'status.read',
    // The property must be set up before anything can be mapped to it: property, units, locks.
    'properties.*',
    'units.read',
    'units.write',
    'access-units.*',
    // Lists of locks and encoders from the lock system.
    'extensions.invoke',
    // Refill, clear a jam, empty the bin.
    'dispensers.*',
    // Whether devices come and go, and the webhooks.
    'events.read',
  ],
  auditor: [
    'audit.read',
    'reports.read',
    // Together with audit.read: all events.
    'events.read',
    'status.read',
  ],
  admin: ['*'],
} as const satisfies Record<string, readonly Held[]>

export type Role = keyof typeof table

export const roles = Object.keys(table) as readonly Role[]

/** Returns the scopes of a role, with wildcards. */
export function scopesOf(role: Role): readonly Held[] {
  return table[role]
}

/** Whether the scopes `held` (words, `family.*`, `*`) grant `needed`. Only `*` grants an unknown scope. */
export function grants(held: readonly string[], needed: string): boolean {
  if (held.includes('*')) return true
  if (!isWord(needed)) return false
  const family = needed.slice(0, needed.indexOf('.'))
  if (held.includes(needed) || held.includes(`${family}.*`)) return true
  return [wholes[needed]].flat().some((whole) => whole !== null && grants(held, whole))
}

/**
 * Returns the scopes that a wildcard contains: those of its family; `*` stays `*`, because it also contains
 * future scopes.
 */
export function wordsIn(held: string): readonly string[] {
  return held.endsWith('.*') ? scopes.filter((word) => word.startsWith(held.slice(0, -1))) : [held]
}

/** Whether `held` grants a scope that contains `scope`, so that the answer is not restricted. */
export function holdsWhole(held: readonly string[], scope: string): boolean {
  const whole = isWord(scope) ? wholes[scope] : null
  return whole === null || [whole].flat().some((each) => grants(held, each))
}

/** Whether a token may have this scope: a word, `family.*` of an existing family, or `*`. */
export function isScope(text: string): text is Held {
  if (text === '*' || isWord(text)) return true
  return text.endsWith('.*') && scopes.some((word) => word.startsWith(text.slice(0, -1)))
}

function isWord(text: string): text is Scope {
  return Object.hasOwn(wholes, text)
}
