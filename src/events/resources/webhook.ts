import { languages } from '../../jsonapi/locales/language.ts'
import type { Transaction } from '../../resource/command.ts'
import { sealed, texts } from '../../resource/compound.ts'
import { flag, instant, integer, oneOf, text, uuid } from '../../resource/fields.ts'
import { invalidValue } from '../../resource/problem.ts'
import { type Row, resource, type Writing } from '../../resource/resource.ts'
import { uuidText } from '../../resource/uuid-sql.ts'
import { typePattern } from '../event-filter.ts'
import { forgetTallies } from '../lost-events.ts'
import { isForPhone, phoneTypes } from '../phone-events.ts'
import { webhookDelivery } from './webhook-delivery.ts'

/** 24 to 64 bytes, as Standard Webhooks requires. */
const secretPattern = '^whsec_(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{2,3}={1,2})?$'

const mostWebhooks = 50

const fields = {
  url: text({
    required: true,
    max: 2000,
    note: 'https, or http to an address of the local network. Redirects are not followed.',
  }),
  types: texts({
    min: 1,
    default: ['*'],
    note: 'The event types that it receives: `stay.checked-in`, a whole family such as `stay.*`, or `*`.',
  }),
  enabled: flag({ default: true, note: 'Events that happen while it is disabled are not delivered later.' }),
  format: oneOf(['event', 'message'], {
    default: 'event',
    note: `\`message\`: a sentence in plain text for a phone, with the headers Title, Priority and Tags of ntfy. Only some types have one: ${phoneTypes.map((type) => `\`${type}\``).join(', ')}. It needs the scope status.read, and names a room where the scopes allow to read stays.`,
  }),
  language: oneOf(languages, { default: 'en', note: 'The language of the messages.' }),
  accessToken: sealed(
    {
      type: 'string',
      pattern: '^[\\x21-\\x7e]{1,500}$',
      $comment: 'printable ASCII characters without a space, at most 500',
    },
    { note: 'Sent as `Authorization: Bearer`, for a receiver that asks for it.' },
  ),
  payload: oneOf(['thin', 'full'], {
    default: 'thin',
    note: '`full` adds the resource of the event, as it is at the delivery. It needs the scope events.pii.',
  }),
  secret: sealed(
    { type: 'string', pattern: secretPattern, $comment: '`whsec_` and 24 to 64 bytes in base64' },
    { note: '`whsec_` and 24 to 64 bytes in base64. Default: a new random secret. It is shown only once.' },
  ),
  previousSecret: sealed({ type: 'string' }, { hidden: true, readOnly: true }),
  previousUntil: instant({
    readOnly: true,
    note: 'Until when deliveries are also signed with the secret before the last rotation.',
  }),
  hears: texts({
    readOnly: true,
    max: 100,
    note: 'The scopes of the token that created or last changed it. It receives the events that these scopes allow, as far as the token still has them. When the token is gone it is disabled.',
  }),
  /** The token or the account that created or last changed it: it receives no more than this may read now. */
  makerId: uuid({ hidden: true, readOnly: true }),
  switchedOffBecause: text({ readOnly: true, note: 'Why the appliance has disabled it.' }),
  /** The newest journal line when it was enabled. A different number means that it starts anew. */
  beginsAt: integer({ hidden: true, readOnly: true, unremarked: true }),
  waiting: integer({
    computed:
      "SELECT count(*) FROM webhook_delivery WHERE webhook_delivery.webhookId = webhook.rid AND webhook_delivery.state = 'waiting'",
    note: 'Deliveries that have failed and will be retried, and later ones that wait for them.',
  }),
  dead: integer({
    computed:
      "SELECT count(*) FROM webhook_delivery WHERE webhook_delivery.webhookId = webhook.rid AND webhook_delivery.state = 'dead'",
    note: 'Deliveries in the state `dead`.',
  }),
}

/** A subscription of a receiver to events, by the Standard Webhooks rules. */
export const webhook = resource('webhook', {
  base: '/api/config/v1',
  path: 'webhooks',
  example: { url: 'https://pms.example/hooks/nightporter', types: ['reservation.*', 'stay.checked-in'] },
  scopes: { read: 'config.read', write: 'config.write' },
  operations: ['list', 'read', 'remove'],
  fields,
  rules: {
    write: [typesAreTypes, typesHaveSentences, notTooMany, marksBeginning],
    written: [beginsNow],
    remove: [deliveriesGoWithIt],
  },
})

export type Webhook = Row<typeof webhook.fields>

/**
 * Returns the name of a webhook's cursor: up to this journal line every event is delivered, or kept as a
 * delivery. The journal keeps the lines after it.
 */
export function cursorName(webhookId: string): string {
  return `${cursors.from}${webhookId}`
}

export const cursors = { from: 'journal-cursor/webhook/', to: 'journal-cursor/webhook0' }

/** SQL for the name of the cursor of a row of the table `webhook`. */
export const cursorNameSql = `'${cursors.from}' || ${uuidText('webhook.id')}`

/** Returns the journal line of a webhook's cursor; 0 without one. */
export function cursorOf(tx: Transaction, webhookId: string): number {
  const name = cursorName(webhookId)
  return tx.counters(name, name).get(name) ?? 0
}

/** Moves the place in the journal up to which a webhook has its deliveries. */
export function setCursor(tx: Transaction, webhookId: string, sequence: number): void {
  const before = cursorOf(tx, webhookId)
  if (sequence !== before) tx.add(cursorName(webhookId), sequence - before)
}

function typesAreTypes({ after }: Writing<typeof fields>): void {
  const isType = new RegExp(typePattern)
  const strange = after.types?.find((type) => !isType.test(type))
  if (strange === undefined) return
  const expected = 'types of events such as stay.checked-in, stay.* or *'
  throw invalidValue('/types', `types: expected ${expected}.`, { expected })
}

function typesHaveSentences({ after }: Writing<typeof fields>): void {
  const strange = after.format === 'message' ? after.types?.find((type) => !isForPhone(type)) : undefined
  if (strange === undefined) return
  const expected = phoneTypes.join(', ')
  throw invalidValue(
    '/types',
    `No event of ${strange} has a message for a phone. These have one: ${expected}.`,
    {
      expected,
    },
  )
}

function notTooMany({ tx, before }: Writing<typeof fields>): void {
  if (before !== null || tx.count('SELECT count(*) FROM webhook') < mostWebhooks) return
  throw invalidValue('/url', `There are ${mostWebhooks} webhooks at most.`, { limit: mostWebhooks })
}

type Written = Writing<typeof fields>

const isSwitchedOn = ({ before, after }: Written) =>
  after.enabled !== false && (before === null || before.enabled === false)
const newestLine = ({ tx }: Written) => tx.count('SELECT coalesce(max(sequence), 0) FROM journal')

function marksBeginning(written: Written): void {
  if (isSwitchedOn(written)) written.after.beginsAt = newestLine(written)
}

/** Events from before a webhook was created, or while it was disabled, are not delivered. */
function beginsNow(written: Written): void {
  if (isSwitchedOn(written)) setCursor(written.tx, written.id, newestLine(written))
}

function deliveriesGoWithIt({ tx, id }: Writing<typeof fields>): void {
  const ofIt = () => tx.select(webhookDelivery, [{ path: 'webhookId', operator: 'eq', value: id }])
  for (let rows = ofIt(); rows.length > 0; rows = ofIt())
    for (const row of rows) tx.remove(webhookDelivery, row.id)
  tx.forget(cursorName(id), cursorName(id))
  forgetTallies(tx, id)
}
