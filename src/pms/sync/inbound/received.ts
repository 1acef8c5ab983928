import { createHash } from 'node:crypto'
import { validate } from '../../../jsonapi/schemas/validate.ts'
import { closedObject, textOf } from '../../../reservation/values/value-schema.ts'
import type { JsonSchema } from '../../../resource/field.ts'
import { Problem } from '../../../resource/problem.ts'
import { longestPayload, type QuarantinedKind } from '../../resources/quarantined-message.ts'
import { mostLeased } from '../../resources/room-lease.ts'
import { type ChangePage, mostChanges, type PmsChange, type Refused } from '../../sync-contract.ts'
import { textOf as jsonOf, nextIn, UnreadableAnswer } from '../../unreadable-answer.ts'
import type { NewMessage } from '../quarantine/quarantine.ts'
import { sharedReservationSchema } from '../shared-reservation.ts'

/** A page as it came: what is in it has not been looked at yet. */
export interface ReceivedPage {
  changes: readonly unknown[]
  refused: readonly unknown[]
  /** The reservations are validated already. */
  isChecked?: boolean
  /** What was unreadable before is settled. */
  settlesUnreadable?: boolean
  cursor: string
  more: boolean
  /** The page cannot be used, but for its cursor: none of its changes are here. */
  unread?: UnreadableAnswer
}

const list = { type: 'array', maxItems: mostChanges }
/** The form of a page of changes. */
export const pageSchema: JsonSchema = {
  type: 'object',
  properties: {
    changes: list,
    refused: list,
    isChecked: { type: 'boolean' },
    settlesUnreadable: { type: 'boolean' },
    cursor: { type: 'string', minLength: 1, maxLength: 1_000 },
    more: { type: 'boolean' },
  },
  required: ['changes', 'refused', 'cursor', 'more'],
}

/** What an adapter has read of one reservation, in the form of it. Throws UnreadableAnswer for anything else. */
export async function checkedReading(
  name: string,
  answer: unknown,
): Promise<Pick<ReceivedPage, 'changes' | 'refused'>> {
  const { changes, refused } = (answer ?? {}) as Partial<ReceivedPage>
  return checkedPage(name, { changes, refused, cursor: 'none', more: false })
}

/** A page that has the form of one. Throws UnreadableAnswer for anything else: then it is not known what was to be in it. */
export async function checkedPage(name: string, answer: unknown): Promise<ReceivedPage> {
  try {
    await validate(pageSchema, answer)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const detail = `${name} sent a page of changes that cannot be used: ${error.message}`
    throw new UnreadableAnswer(detail, answer, { next: nextIn(answer), cause: error })
  }
  return answer as ChangePage
}

const revision = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
const day = { type: 'string', format: 'date' }
const externalId = textOf(1, 128)

/** The forms of the kinds of changes. */
export const changeSchemas: Record<PmsChange['is'], JsonSchema> = {
  reservation: closedObject(
    { is: {}, externalId, revision, changedAt: revision, value: sharedReservationSchema },
    ['is', 'externalId', 'revision'],
  ),
  lease: closedObject(
    {
      is: {},
      leaseId: textOf(1, 128),
      revision,
      unitNames: { type: 'array', maxItems: mostLeased, items: textOf(1, 60) },
      startDate: day,
      endDate: day,
      validUntil: revision,
    },
    ['is', 'leaseId', 'revision', 'unitNames', 'startDate', 'endDate', 'validUntil'],
  ),
  housekeeping: closedObject({ is: {}, unitName: textOf(1, 60), revision, status: textOf(1, 60) }, [
    'is',
    'unitName',
    'revision',
    'status',
  ]),
}

/** A change that has the form of one. Throws validation-failed that names the field and what was expected. `isChecked`: a report has it. */
export async function checkedChange(raw: unknown, isChecked = false): Promise<PmsChange> {
  const is = (raw as { is?: unknown } | null)?.is
  const schema =
    typeof is === 'string' && Object.hasOwn(changeSchemas, is) ? changeSchemas[is as PmsChange['is']] : null
  if (!schema)
    throw new Problem('validation-failed', 'is must be one of reservation, lease, housekeeping.', {
      pointer: '/is',
    })
  if (!isChecked || is !== 'reservation') await validate(schema, raw)
  const change = raw as PmsChange
  return change.is === 'reservation'
    ? { ...change, changedAt: change.changedAt ?? null, value: change.value ?? null }
    : change
}

type Message = Omit<NewMessage, 'configurationId'>

const kinds = new Map<unknown, QuarantinedKind>([
  ['reservation', 'Reservation'],
  ['lease', 'Lease'],
  ['housekeeping', 'Housekeeping'],
])

/** A change that could not be applied, as it is quarantined with the reason. */
export function messageOf(raw: unknown, reason: string): Message {
  const { is, externalId, revision } = (raw ?? {}) as Record<string, unknown>
  const text = jsonOf(raw)
  const kind = kinds.get(is) ?? 'Unreadable'
  const isWhole = Buffer.byteLength(text) <= longestPayload
  return {
    ...kept(text),
    kind,
    externalId: typeof externalId === 'string' && externalId !== '' ? externalId.slice(0, 128) : null,
    pmsRevision: Number.isSafeInteger(revision) ? Number(revision) : null,
    reason: sentence(reason),
    retryable: kind !== 'Unreadable' && isWhole,
  }
}

/** What an adapter could not understand, as it is quarantined with the reason. */
export function refusedMessageOf(raw: unknown): Message {
  const { reason, payload: sent, size, externalId: named, isPassing } = (raw ?? {}) as Partial<Refused>
  const externalId = typeof named === 'string' && named !== '' ? named.slice(0, 128) : null
  const { payload, ...rest } = kept(typeof sent === 'string' ? sent : jsonOf(raw))
  return {
    ...rest,
    payload: harmless(payload),
    ...(Number.isSafeInteger(size) && Number(size) >= 0 && { size: Number(size) }),
    kind: 'Unreadable',
    externalId,
    pmsRevision: null,
    reason: sentence(typeof reason === 'string' ? reason : 'The message cannot be parsed.'),
    retryable: isPassing === true && externalId !== null,
  }
}

/** What `payload` of a quarantined page says, as JSON. */
export interface KeptPage {
  /** The cursor with which the page was requested. */
  after: string | null
  /** The beginning of what came. */
  answer: string
}

/** A page of changes that could not be used, as it is quarantined: one message for each digest. */
export function pageMessageOf(after: string | null, page: UnreadableAnswer, digest: string): Message {
  return {
    kind: 'Page',
    externalId: null,
    pmsRevision: null,
    reason: sentence(page.message),
    payload: JSON.stringify({ after, answer: harmless(page.text) } satisfies KeptPage),
    size: page.size,
    retryable: true,
    digest,
  }
}

/** The digest of the quarantined page after this cursor. */
export const pageDigest = (after: string | null): string => digestOf(`page ${JSON.stringify(after)}`)
/** The digest of the page at which a PMS with pages without end was left. */
export const endlessDigest = digestOf('pages without end')

function kept(text: string): Pick<Message, 'payload' | 'size' | 'digest'> {
  return { payload: cut(text, longestPayload), size: Buffer.byteLength(text), digest: digestOf(text) }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** At most so many bytes. A character that was cut in two leaves a mark of three. */
function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  return Buffer.from(text)
    .subarray(0, bytes - 2)
    .toString('utf8')
}

/** Nothing in it that a screen would obey. */
function harmless(text: string): string {
  return text.toWellFormed().replace(/[^\P{Cc}\t\n\r]/gu, '\uFFFD')
}

function sentence(reason: string): string {
  return harmless(cut(reason, 1_000)) || 'The PMS gave no reason.'
}
