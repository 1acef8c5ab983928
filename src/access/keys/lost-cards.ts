import type { Request } from '../../jsonapi/route.ts'
import { answersSince } from '../../resource/answers-since.ts'
import type { Document, IdempotencyMark } from '../../resource/command.ts'
import type { Reader } from '../../resource/keeper.ts'
import type { Property } from '../access.ts'
import { runOfKey } from '../cards/run-of-key.ts'
import { type Key, key } from '../resources/key.ts'

type Lost = Pick<Property, 'reader' | 'clock'>

/** What the same request was answered before, unless the card of that answer never reached a hand. */
export function answeredBefore(access: Lost, { idempotency }: Request): Document | null {
  if (idempotency) forgetLostCards(access, idempotency)
  return (idempotency?.answered?.output ?? null) as Document | null
}

/**
 * A card that never reached a hand is no answer to who asks again: the request is then a new one, kept under a mark of
 * its own, and the gate does not call its answer a replay.
 */
function forgetLostCards({ reader, clock }: Lost, mark: IdempotencyMark): void {
  const { key: asked } = mark
  while (mark.answered && isLost(reader, (mark.answered.output as Document).id)) {
    mark.key = `${asked}#${(mark.answered.output as Document).id}`
    const again = reader.answered(mark.key, answersSince(clock))
    if (again) mark.answered = again
    else delete mark.answered
  }
}

/** The machine took the card of the key back before anybody had it, and nobody has revoked the key since. */
export function cameToNobody(reader: Reader, { id, keyType, status, revokedAs }: Key): boolean {
  const hasEnded = status === 'removed' || status === 'blocked'
  return keyType === 'keyCard' && hasEnded && !revokedAs && isLost(reader, id)
}

/** Its key is not live, and nobody has taken the card: what happened to a key in a guest's hand is another matter. */
function isLost(reader: Reader, keyId: string): boolean {
  if (reader.row(key, keyId)?.status === 'live') return false
  const run = runOfKey({ reader }, keyId)
  // A PIN has no card, and was told with its answer.
  return run !== null && run.ending !== 'taken' && run.ending !== 'handed'
}
