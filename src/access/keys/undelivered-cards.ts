import { exactly } from '../../jsonapi/description.ts'
import { created } from '../../jsonapi/resource-routes.ts'
import type { Answer, Request } from '../../jsonapi/route.ts'
import { momentOrNull } from '../../jsonapi/schemas/words.ts'
import { answersSince } from '../../resource/answers-since.ts'
import type { Document, IdempotencyMark } from '../../resource/command.ts'
import type { Reader } from '../../resource/keeper.ts'
import { nullable } from '../../resource/schema.ts'
import type { Property } from '../access.ts'
import { settingsOf } from '../lookups.ts'
import { accessController } from '../resources/access-controller.ts'
import { cardEnds, cardSteps, isReceived } from '../resources/card-run.ts'
import { dispenser, presentSecondsOf } from '../resources/dispenser.ts'
import { type Key, key } from '../resources/key.ts'
import { runOfKey } from './life/keys-on-card.ts'
import { beginnings, beginsBy } from './orders/key-window.ts'

type Lost = Pick<Property, 'reader' | 'clock'>

/** The earlier answer to the same request; null when there is none, or when no one received the card of that answer. */
export function answeredBefore(access: Lost, { idempotency }: Pick<Request, 'idempotency'>): Document | null {
  if (idempotency) forgetLostCards(access, idempotency)
  return (idempotency?.answered?.output ?? null) as Document | null
}

/**
 * Drops the earlier answer if no one received its card. The request is then a new one, stored under an idempotency
 * key of its own, and its answer is not marked as a replay.
 */
function forgetLostCards({ reader, clock }: Lost, mark: IdempotencyMark): void {
  const { key: requested } = mark
  while (mark.answered && isLost(reader, (mark.answered.output as Document).id)) {
    mark.key = `${requested}#${(mark.answered.output as Document).id}`
    const again = reader.answered(mark.key, answersSince(clock))
    if (again) mark.answered = again
    else delete mark.answered
  }
}

const beginsSchema = {
  enum: beginnings,
  description:
    'What the start of the key comes from: its `startTime`; the check-in time of the property; or `inHouse`: without a `startTime`, a key of today begins at once where its guest is in house before that time.',
} as const

/** The schema of the members of `meta` in the answer to a request for the key of a stay. */
export const keyMeta = exactly({ begins: beginsSchema })

/** The members of `meta` in the answer to a request for a key. */
export function beginsOf(access: Property, { id }: Document): { begins?: (typeof beginnings)[number] } {
  const made = access.reader.row(key, id)
  const at = made?.controllerId ? access.reader.row(accessController, made.controllerId) : null
  return made ? { begins: beginsBy(made, settingsOf(access), at ?? {}) } : {}
}

/** The schema of the members of `meta` in the answer to a request for a card. */
export const cardMeta = exactly({
  begins: beginsSchema,
  card: nullable(
    exactly({
      where: {
        enum: [...cardSteps, ...cardEnds],
        description:
          'Where the card is at the time of this answer, also of a repeated one: `presented` at the gate, `taken` by the guest, `handed` over at an encoder.',
      },
      until: { ...momentOrNull, description: 'When a card at the gate is taken back.' },
    }),
  ),
})

/** The answer to a request for a card, with where the card is now; null for a PIN. */
export function cardAnswer(access: Property, document: Document): Answer {
  const { reader } = access
  const begins = beginsOf(access, document)
  const run = runOfKey({ reader }, document.id)
  if (!run) return created(key, document, { ...begins, card: null })
  const { step, ending, dispenserId, presentedAt } = run
  const machine = dispenserId ? reader.row(dispenser, dispenserId) : null
  const takenBackAt = (presentedAt ?? 0) + presentSecondsOf(machine) * 1_000
  const until = step === 'presented' ? new Date(takenBackAt).toISOString() : null
  return created(key, document, { ...begins, card: { where: ending ?? step, until } })
}

/** Whether the machine captured the card of the key before anybody had it, and no request has revoked the key since. */
export function wasUndelivered(reader: Reader, { id, keyType, status, revokedAs }: Key): boolean {
  const hasEnded = status === 'removed' || status === 'blocked'
  return keyType === 'keyCard' && hasEnded && !revokedAs && isLost(reader, id)
}

/** Whether the key is not live and no one received its card. A card that a guest received is not lost. */
function isLost(reader: Reader, keyId: string): boolean {
  if (reader.row(key, keyId)?.status === 'live') return false
  const run = runOfKey({ reader }, keyId)
  // A PIN has no card: the answer contains it.
  return run !== null && !isReceived(run)
}
