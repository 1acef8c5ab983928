import type { HeldScope } from './scopes.ts'

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
    'registrations.write-own',
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
    'registrations.*',
    'keys.issue',
    'keys.read-pin',
    'keys.block',
    'units.status',
    'dispensers.operate',
    'payments.record',
    // Night: a pipe may burst.
    'units.block',
    // Lists to choose from when booking, assigning and pricing.
    'properties.read',
    'units.read',
    'services.read',
    'rate-plans.read',
    'availability.read',
    // Payments, voiding payments that were recorded by mistake, and settling those whose terminal is dead.
    'payments.read',
    'payments.void',
    'payments.settle',
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
    // To confirm the time that the appliance shows. Another time needs config.write too.
    'clock.state',
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
    'updates.*',
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
  // A program that watches boxes: their metrics and their health, and nothing of the hotel.
  monitor: ['metrics.read', 'status.read', 'diagnostics.read'],
  admin: ['*'],
} as const satisfies Record<string, readonly HeldScope[]>

export type Role = keyof typeof table

export const roles = Object.keys(table) as readonly Role[]

/** Returns the scopes of a role, with wildcards. */
export function scopesOf(role: Role): readonly HeldScope[] {
  return table[role]
}

/** The rights of a token or an account. */
export interface Held {
  role: Role
  scopes?: readonly string[] | null | undefined
}

/** Returns the scopes of a token or an account, with wildcards: those of its role, and its further ones. */
export function scopesHeld({ role, scopes }: Held): string[] {
  return [...scopesOf(role), ...(scopes ?? [])]
}
