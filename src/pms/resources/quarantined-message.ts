import { flag, instant, integer, oneOf, reference, text } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'

const quarantinedKinds = ['Reservation', 'Lease', 'Housekeeping', 'Unreadable', 'Page'] as const
export type QuarantinedKind = (typeof quarantinedKinds)[number]

/** The maximum number of characters kept of a message. */
export const longestPayload = 65_536

/**
 * A message of a PMS that the appliance could not process, with the reason. It blocks nothing, and waits for a person.
 */
export const quarantinedMessage = resource('quarantined-message', {
  base: '/api/config/v1',
  path: 'quarantined-messages',
  scopes: { read: 'upstream.read', write: 'config.write' },
  operations: ['list', 'read', 'remove'],
  fields: {
    configurationId: reference('pms-configuration', { required: true, readOnly: true }),
    kind: oneOf(quarantinedKinds, {
      required: true,
      readOnly: true,
      note: 'Unreadable: the message cannot be parsed. If it is retryable, its reservation is read again from the PMS. Page: a page of changes that cannot be used, and is requested again until it can.',
    }),
    externalId: text({ readOnly: true, max: 128, note: 'The externalId of its reservation.' }),
    pmsRevision: integer({ readOnly: true, note: 'The revision of that reservation at the PMS.' }),
    reason: text({ required: true, readOnly: true, max: 1000, multiline: true }),
    payload: text({
      required: true,
      readOnly: true,
      min: 0,
      max: longestPayload,
      multiline: true,
      filterable: false,
      scope: 'reservations.read',
      note: 'The message, at most 65,536 characters of it; of a page a JSON object with its cursor (`after`, null for the first page) and the beginning of the answer (`answer`). Visible only with the scope reservations.read.',
    }),
    size: integer({ required: true, readOnly: true, note: 'The length of the whole message in bytes.' }),
    retryable: flag({
      readOnly: true,
      default: false,
      note: 'Whether the message can be retried: it is stored completely, or can be read again.',
    }),
    attempts: integer({ readOnly: true, default: 1 }),
    lastTriedAt: instant({ readOnly: true }),
    /** The hash of the payload: a repetition of the same message is not stored again. */
    digest: text({ required: true, readOnly: true, hidden: true, max: 64 }),
  },
  indexes: [
    { fields: ['configurationId', 'digest'], unique: true, why: 'the same message is kept once' },
    {
      fields: ['configurationId', 'externalId'],
      where: 'externalId IS NOT NULL',
      why: 'what is settled by a newer revision of its reservation',
    },
  ],
})

export type QuarantinedMessage = Row<typeof quarantinedMessage.fields>
