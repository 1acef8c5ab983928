/**
 * Every scope, with the scope or scopes that contain it. A token with a containing scope also has the
 * contained one. A route therefore requires the smallest sufficient scope, and restricts its answer for
 * callers without the containing scope.
 */
const wholes = {
  'reservations.read': null,
  /**
   * Find single stays, by an exact number or by last name and arrival date, and read those whose guest has given a proof.
   * It gives no list.
   */
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
  /** Read the registrations of guests. */
  'registrations.read': null,
  /** See in a registration the number of the document and the signature, and download the registrations of a day. */
  'registrations.read-document': null,
  'registrations.write': null,
  /** Register the guest of a stay that was found. It reads nothing. */
  'registrations.write-own': 'registrations.write',
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
  /** Void payments, and record refunds. */
  'payments.void': null,
  /** State by hand how a payment ended whose terminal does not say so. */
  'payments.settle': null,
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
  /** Replace the whole property by a backup. */
  'backups.restore': null,
  'simulate.run': null,
  /** Read the problems of the appliance with their remedies, and the judgement of the clock. */
  'diagnostics.read': null,
  /** Download the recorded traffic between the appliance and its devices. */
  'diagnostics.recordings': null,
  /** Confirm the time that the appliance shows, or state another one. The latter needs config.write as well. */
  'clock.state': null,
  /** Read the health of the appliance. Every role has it. */
  'status.read': null,
  /** Read the metrics of the appliance, for a program that watches it. */
  'metrics.read': null,
  /** Read the version, the newer one that is offered, and how the newest update has ended. */
  'updates.read': null,
  /** Begin an update, which restarts the box, and confirm the trial of one. */
  'updates.install': null,
  /** Postpone the updates that the box would install automatically. */
  'updates.hold': 'updates.install',
  /** Open the support console on the screen of the box. */
  'support.open': null,
  'audit.read': null,
  'reports.read': null,
  'privacy.erase': null,
} as const satisfies Record<string, string | readonly string[] | null>

export type Scope = keyof typeof wholes

export const scopes = Object.keys(wholes) as readonly Scope[]

type Family = Scope extends infer Word ? (Word extends `${infer Name}.${string}` ? Name : never) : never
/** What a role or a token may hold: a scope, all scopes of a family, or all. */
export type HeldScope = Scope | `${Family}.*` | '*'

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
export function isScope(text: string): text is HeldScope {
  if (text === '*' || isWord(text)) return true
  return text.endsWith('.*') && scopes.some((word) => word.startsWith(text.slice(0, -1)))
}

function isWord(text: string): text is Scope {
  return Object.hasOwn(wholes, text)
}
