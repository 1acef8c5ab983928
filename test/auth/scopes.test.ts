import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Role, roles, scopesOf } from '../../src/auth/roles.ts'
import { grants, isScope, type Scope, scopes } from '../../src/auth/scopes.ts'

/** Every scope a role ends up with, wildcards and parts worked out. */
const granted: Record<Exclude<Role, 'admin'>, Scope[]> = {
  kiosk: [
    'reservations.find',
    'stays.checkin',
    'stays.checkout',
    'stays.update',
    'profiles.read-own',
    'profiles.write-own',
    'registrations.write-own',
    'hand-overs.create',
    'properties.read',
    'units.read',
    'unit-types.read',
    'amenities.read',
    'services.read',
    'payments.record',
    'keys.issue-today',
    'keys.read-pin-issued',
    'dispensers.read',
    'dispensers.operate',
    'devices.read',
    'status.read',
  ],
  frontdesk: [
    'hand-overs.read',
    'hand-overs.write',
    'hand-overs.create',
    'reservations.read',
    'reservations.find',
    'reservations.write',
    'reservations.reinstate',
    'stays.checkin',
    'stays.checkout',
    'stays.update',
    'profiles.read',
    'profiles.read-own',
    'profiles.write',
    'profiles.write-own',
    'registrations.read',
    'registrations.read-document',
    'registrations.write',
    'registrations.write-own',
    'properties.read',
    'units.read',
    'units.status',
    'units.block',
    'unit-types.read',
    'amenities.read',
    'services.read',
    'rate-plans.read',
    'cancellation-policies.read',
    'availability.read',
    'payments.read',
    'payments.record',
    'payments.void',
    'payments.settle',
    'keys.read',
    'keys.issue',
    'keys.issue-today',
    'keys.block',
    'keys.read-pin',
    'keys.read-pin-issued',
    'access-units.read',
    'dispensers.read',
    'dispensers.operate',
    'devices.read',
    'extensions.read',
    'events.read',
    'sync-conflicts.read',
    'sync-conflicts.choose',
    'status.read',
    'diagnostics.read',
    'clock.state',
  ],
  housekeeping: [
    'units.read',
    'units.status',
    'unit-types.read',
    'amenities.read',
    'events.read',
    'status.read',
  ],
  integrator: [
    'reservations.read',
    'reservations.find',
    'reservations.write',
    'reservations.reinstate',
    'stays.checkin',
    'stays.checkout',
    'stays.update',
    'profiles.read',
    'profiles.read-own',
    'profiles.write',
    'profiles.write-own',
    'properties.read',
    'units.read',
    'units.block',
    'upstream.read',
    'sync-conflicts.read',
    'unit-types.read',
    'amenities.read',
    'services.read',
    'services.write',
    'rate-plans.read',
    'rate-plans.write',
    'cancellation-policies.read',
    'cancellation-policies.write',
    'availability.read',
    'availability.write',
    'payments.read',
    'extensions.read',
    'extensions.invoke',
    'events.read',
    'status.read',
  ],
  installer: [
    'properties.read',
    'properties.write',
    'units.read',
    'units.write',
    'units.status',
    'unit-types.read',
    'unit-types.write',
    'amenities.read',
    'amenities.write',
    'access-units.read',
    'access-units.write',
    'dispensers.read',
    'dispensers.operate',
    'dispensers.service',
    'devices.read',
    'devices.commission',
    'extensions.read',
    'extensions.invoke',
    'config.read',
    'upstream.read',
    'config.write',
    'simulate.run',
    'events.read',
    'diagnostics.read',
    'diagnostics.recordings',
    'clock.state',
    'updates.read',
    'updates.install',
    'updates.hold',
    'status.read',
  ],
  auditor: ['audit.read', 'reports.read', 'events.read', 'status.read'],
  monitor: ['metrics.read', 'status.read', 'diagnostics.read'],
}

describe('roles', () => {
  for (const [role, expected] of Object.entries(granted) as [Role, Scope[]][])
    it(`${role} has these scopes and no others`, () =>
      assert.deepEqual(
        scopes.filter((scope) => grants(scopesOf(role), scope)),
        scopes.filter((scope) => expected.includes(scope)),
      ))

  it('admin has every scope', () =>
    assert.deepEqual(
      scopes.filter((scope) => !grants(scopesOf('admin'), scope)),
      [],
    ))

  it('have these names', () =>
    assert.deepEqual(roles, [
      'kiosk',
      'frontdesk',
      'housekeeping',
      'integrator',
      'installer',
      'auditor',
      'monitor',
      'admin',
    ]))

  it('contain only existing scopes', () => {
    for (const role of roles)
      for (const scope of scopesOf(role)) assert.ok(isScope(scope), `${role}: ${scope}`)
  })
})

describe('a scope', () => {
  const cases: [held: string[], needed: string, granted: boolean][] = [
    [['units.read'], 'units.read', true],
    [['units.read'], 'units.write', false],
    [['units.*'], 'units.inspect', true],
    [['units.*'], 'unit-types.read', true],
    [['unit-types.read'], 'units.read', false],
    [['unit-types.*'], 'units.read', false],
    [['reservations.read'], 'reservations.find', true],
    [['reservations.find'], 'reservations.read', false],
    [['reservations.write'], 'stays.checkin', true],
    [['stays.checkin'], 'stays.update', true],
    [['stays.checkout'], 'stays.update', true],
    [['reservations.write'], 'stays.update', true],
    [['stays.update'], 'stays.checkout', false],
    [['keys.issue-today'], 'keys.issue', false],
    [['config.*'], 'tokens.write', false],
    [['tokens.manage'], 'tokens.write', true],
    [[], 'units.read', false],
    [['*'], 'no-such.scope', true],
    [['units.*', 'no-such.scope'], 'no-such.scope', false],
    [['constructor'], 'constructor', false],
  ]
  for (const [held, needed, expected] of cases)
    it(`${needed} is ${expected ? '' : 'not '}granted by [${held}]`, () =>
      assert.equal(grants(held, needed), expected))

  for (const text of ['*', 'units.*', 'units.read', 'keys.issue-today'])
    it(`${text} is a valid scope`, () => assert.equal(isScope(text), true))
  for (const text of ['', '.*', 'unit.*', 'units', 'units.', 'units.all', 'toString', 'units.*.*'])
    it(`${JSON.stringify(text)} is not a valid scope`, () => assert.equal(isScope(text), false))
})
