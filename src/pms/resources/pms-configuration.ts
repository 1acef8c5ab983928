import { hasSameAddresses } from '../../jsonapi/kept-credentials.ts'
import type { Transaction } from '../../resource/command.ts'
import { json, sealed, valueObject } from '../../resource/compound.ts'
import { flag, integer, oneOf, text } from '../../resource/fields.ts'
import { Problem } from '../../resource/problem.ts'
import { type Resource, type Row, resource, type Writing } from '../../resource/resource.ts'
import { type ConflictPolicy, conflictPolicySchema, defaultOwners } from './conflict-policy.ts'
import { housekeepingRecord } from './housekeeping-record.ts'
import { pmsWebhook } from './pms-webhook.ts'
import { quarantinedMessage } from './quarantined-message.ts'
import { roomLease } from './room-lease.ts'
import { linkIn, syncLink } from './sync-link.ts'
import { syncOffer } from './sync-offer.ts'

export const transports = ['mqtt', 'http'] as const
export type Transport = (typeof transports)[number]

const fields = {
  name: text({ required: true }),
  adapter: text({
    required: true,
    max: 60,
    note: 'An adapter of this build: see `GET /adapters`. It defines the members of `connection` and `credentials`.',
  }),
  enabled: flag({ default: true }),
  transport: oneOf(transports, { note: 'None for an adapter without a connection.' }),
  direction: oneOf(['FromPms', 'ToPms', 'Both'], { default: 'Both' }),
  conflictPolicy: valueObject<Partial<ConflictPolicy>>(conflictPolicySchema, {
    default: {},
    note: 'The side whose value counts for a field group that both sides have changed.',
  }),
  heartbeatSeconds: integer({ min: 5, max: 3600, default: 60 }),
  timeoutMs: integer({
    min: 100,
    max: 60_000,
    default: 10_000,
    note: 'How long to wait for one answer of the adapter.',
  }),
  connection: json<Record<string, unknown>>({ type: 'object' }, { default: {} }),
  credentials: sealed({ type: 'object' }),
}

/** The configuration of a PMS with which reservations are synchronised. A reservation names its PMS as `integrationId`. */
export const pmsConfiguration = resource('pms-configuration', {
  base: '/api/config/v1',
  path: 'pms-configurations',
  scopes: { read: 'upstream.read', write: 'config.write' },
  operations: ['list', 'read', 'remove'],
  example: { name: 'Our PMS', adapter: 'standalone' },
  fields,
  rules: {
    write: [policyIsWhole],
    remove: [nobodyNamesIt, webhooksGoWithIt, linkGoesWithIt],
    written: [anotherPmsIsFetchedAnew],
  },
})

export type PmsConfiguration = Row<typeof pmsConfiguration.fields>

/** A field group without a setting has its default. */
function policyIsWhole({ after }: Writing<typeof fields>): void {
  after.conflictPolicy = { ...defaultOwners, ...after.conflictPolicy }
}

/**
 * The cursor is of the PMS that gave it. Where the configuration may name another PMS now, everything is fetched once more; what
 * is known already changes nothing.
 */
function anotherPmsIsFetchedAnew({ tx, id, before, after }: Writing<typeof fields>): void {
  const isSame =
    before?.adapter === after.adapter &&
    before.transport === after.transport &&
    hasSameAddresses(before.connection, after.connection)
  if (!before || isSame) return
  const link = linkIn(tx, id)
  if (link) tx.patch(syncLink, link.id, { pullCursor: null, inStepAt: null })
}

function nobodyNamesIt({ tx, id }: Writing<typeof fields>): void {
  const count = tx.count(
    'SELECT count(*) FROM (SELECT 1 FROM reservation WHERE integrationId = ? LIMIT 1000)',
    id,
  )
  if (count === 0) return
  throw new Problem(
    'resource-referenced',
    `Still in use: reservations that refer to this pms-configuration: ${count}.`,
    {
      meta: { by: 'reservation', count },
    },
  )
}

function webhooksGoWithIt({ tx, id }: Writing<typeof fields>): void {
  for (const each of webhooksOf(tx, id)) tx.remove(pmsWebhook, each.id)
}

/** Deletes the state of the link. Rows are deleted page by page, because `select` returns a limited number. */
function linkGoesWithIt({ tx, id }: Writing<typeof fields>): void {
  const ofIt = { path: 'configurationId', operator: 'eq', value: id } as const
  for (const each of [syncLink, syncOffer, quarantinedMessage, roomLease, housekeepingRecord] as const) {
    for (
      let rows = tx.select(each as Resource, [ofIt]);
      rows.length > 0;
      rows = tx.select(each as Resource, [ofIt])
    ) {
      for (const row of rows) tx.remove(each as Resource, row.id)
    }
  }
}

/** The registered callback addresses of a configuration, in the order of registration. */
export function webhooksOf(tx: Transaction, configurationId: string) {
  return tx.select(pmsWebhook, [{ path: 'configurationId', operator: 'eq', value: configurationId }])
}
