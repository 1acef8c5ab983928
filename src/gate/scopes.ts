/**
 * Every word a route may ask for. Beside it the scope it is a part of, or those: who holds a whole holds the part, so a
 * route asks for the smallest that will do, and narrows its answer for who does not hold the whole.
 */
const wholes = {
  'reservations.read': null,
  /** One reservation, by one of its exact numbers or by last name and arrival date; never a list to look through. */
  'reservations.find': 'reservations.read',
  'reservations.write': null,
  /** Back to Confirmed from NoShow or Canceled. */
  'reservations.reinstate': null,
  /** A unit for the stay, its status to InHouse, and the guests' details that a check-in asks for. */
  'stays.checkin': 'reservations.write',
  'stays.checkout': 'reservations.write',
  /** Sending a stay back changed. What of it may differ, the two above say. */
  'stays.update': ['stays.checkin', 'stays.checkout'],
  'profiles.read': null,
  /** The profiles of a stay that was found by its own numbers. */
  'profiles.read-own': 'profiles.read',
  'profiles.write': null,
  'profiles.write-own': 'profiles.write',
  'properties.read': null,
  'properties.write': null,
  'units.read': null,
  'units.write': null,
  'units.status': 'units.write',
  /** Setting the status Inspected. */
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
  /** Taking a unit out of sale for some days, and giving it back. */
  'units.block': 'availability.write',
  'payments.read': null,
  'payments.record': null,
  'payments.void': null,
  /** The merchant's copy of a receipt. */
  'payments.read-merchant': null,
  'keys.read': null,
  /** Making, copying, changing, erasing and revoking keys. */
  'keys.issue': null,
  /** The same for stays that are due or in house today. */
  'keys.issue-today': 'keys.issue',
  'keys.block': null,
  /** An original key for a unit in which another stay is in house. */
  'keys.override': null,
  'keys.read-pin': null,
  /** The PIN in the answer to its own making, and nowhere else. */
  'keys.read-pin-issued': 'keys.read-pin',
  'access-units.read': null,
  'access-units.write': null,
  'dispensers.read': 'dispensers.operate',
  'dispensers.operate': null,
  /** Counters, maintenance, and moving out a card that is no live key. */
  'dispensers.service': null,
  /** The names and states of controllers and dispensers, without their settings. */
  'devices.read': 'config.read',
  /** Looking for devices, and trying them with a test card. */
  'devices.commission': null,
  /** What a provider can do. */
  'extensions.read': 'extensions.invoke',
  'extensions.invoke': null,
  'events.read': null,
  /** Personal data in events. */
  'events.pii': null,
  'config.read': null,
  'config.write': null,
  /** The property management systems that are connected, without their credentials. */
  'upstream.read': 'config.read',
  /** Where the house and a PMS said differently, and whose word counts. */
  'sync-conflicts.read': null,
  'sync-conflicts.choose': null,
  /** Not under `config.*`: who sets up devices must not be able to make himself an administrator. */
  'tokens.manage': null,
  'tokens.read': 'tokens.manage',
  'tokens.write': 'tokens.manage',
  /** Not under `config.*` either: a backup holds all there is. */
  'backups.read': null,
  'backups.write': null,
  'simulate.run': null,
  'diagnostics.read': null,
  /** Stating date and time where no time server can. It takes config.write, too. */
  'clock.state': null,
  /** Whether the appliance is well. Every role may know. */
  'status.read': null,
  'audit.read': null,
  'reports.read': null,
  'privacy.erase': null,
} as const satisfies Record<string, string | readonly string[] | null>

export type Scope = keyof typeof wholes

export const scopes = Object.keys(wholes) as readonly Scope[]

type Family = Scope extends infer Word ? (Word extends `${infer Name}.${string}` ? Name : never) : never
type Held = Scope | `${Family}.*` | '*'

/** What each role may do. Below each comment stands what the role needs for its day beyond its own list. */
const table = {
  kiosk: [
    'reservations.find',
    'stays.checkin',
    'stays.checkout',
    'payments.record',
    'keys.issue-today',
    'dispensers.operate',
    'profiles.write-own',
    // A profile is overwritten whole, so its writer has to read it first; and the guest is greeted by name.
    'profiles.read-own',
    // The guest has to see the PIN that was just made.
    'keys.read-pin-issued',
    // The names it shows: house, unit and unit type, booked services.
    'properties.read',
    'units.read',
    'services.read',
    // Which encoder and dispenser it stands on, and whether they work.
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
    // A pipe that burst tonight.
    'units.block',
    // Lists to choose from when booking, assigning and pricing.
    'properties.read',
    'units.read',
    'services.read',
    'rate-plans.read',
    'availability.read',
    // What was paid, and taking back what was recorded by mistake.
    'payments.read',
    'payments.void',
    // Which keys a stay has, which doors there are, where a card can be made, and what the lock system can do.
    'keys.read',
    'access-units.read',
    'devices.read',
    'extensions.read',
    // The console follows what happens.
    'events.read',
    // What the PMS said otherwise of a guest who stands there.
    'sync-conflicts.*',
    'status.read',
  ],
  housekeeping: [
    'units.read',
    'units.status',
    // A list of rooms that is right by itself.
    'events.read',
    'status.read',
  ],
  integrator: [
    'reservations.*',
    'availability.*',
    'rate-plans.*',
    'profiles.*',
    'units.read',
    // Services are products of the property management system, as rate plans are.
    'services.*',
    'properties.read',
    // Payments taken at the kiosk are booked on the guest's folio there.
    'payments.read',
    // Its own operations (sync, webhooks), and changes without asking again and again.
    'extensions.invoke',
    'events.read',
    'status.read',
    // Its own configuration, by whose id its operations are reached.
    'upstream.read',
    // Why the house did not take what it was told.
    'sync-conflicts.read',
  ],
  installer: [
    'config.*',
    'devices.*',
    'simulate.*',
    'diagnostics.read',
    // A hotel opens again after months, with a box whose clock stood still.
    'clock.state',
    'status.read',
    // The house is set up before anything can be mapped to it: property, units, locks.
    'properties.*',
    'units.read',
    'units.write',
    'access-units.*',
    // Lists of locks and encoders from the lock system.
    'extensions.invoke',
    // Refilling, clearing a jam, emptying the bin.
    'dispensers.*',
    // Whether devices come and go, and where others are told of what happens.
    'events.read',
  ],
  auditor: [
    'audit.read',
    'reports.read',
    // With audit.read, all that happens.
    'events.read',
    'status.read',
  ],
  admin: ['*'],
} as const satisfies Record<string, readonly Held[]>

export type Role = keyof typeof table

export const roles = Object.keys(table) as readonly Role[]

/** The scopes of a role, wildcards as they are. */
export function scopesOf(role: Role): readonly Held[] {
  return table[role]
}

/** Whether who holds `held` (words, `family.*`, `*`) may do what needs `needed`. An unknown need is granted to `*` alone. */
export function grants(held: readonly string[], needed: string): boolean {
  if (held.includes('*')) return true
  if (!isWord(needed)) return false
  const family = needed.slice(0, needed.indexOf('.'))
  if (held.includes(needed) || held.includes(`${family}.*`)) return true
  return [wholes[needed]].flat().some((whole) => whole !== null && grants(held, whole))
}

/** Every word that a token holds by this: those of a family, or `*` for all that there will ever be. */
export function wordsIn(held: string): readonly string[] {
  return held.endsWith('.*') ? scopes.filter((word) => word.startsWith(held.slice(0, -1))) : [held]
}

/** Whether who holds these holds all that a scope is a part of, so that his answers are not narrowed. */
export function holdsWhole(held: readonly string[], scope: string): boolean {
  const whole = isWord(scope) ? wholes[scope] : null
  return whole === null || [whole].flat().some((each) => grants(held, each))
}

/** Whether a token can hold this: a word, `family.*` of a family there is, or `*`. */
export function isScope(text: string): text is Held {
  if (text === '*' || isWord(text)) return true
  return text.endsWith('.*') && scopes.some((word) => word.startsWith(text.slice(0, -1)))
}

function isWord(text: string): text is Scope {
  return Object.hasOwn(wholes, text)
}
