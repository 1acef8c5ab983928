import { metaAnswer } from '../../jsonapi/document-answers.ts'
import type { Guests, ShownCard } from '../../jsonapi/guests.ts'
import type { Answer, Request } from '../../jsonapi/route.ts'
import { expectSeen, withoutDryRun } from '../../jsonapi/write-options.ts'
import { type Actor, command, type Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import type { Access, Property } from '../access.ts'
import { controllerBy } from '../lookups.ts'
import { type Key, key } from '../resources/key.ts'
import { cardRead } from './card-commands.ts'
import { cardOnEncoder, storedByUid } from './card-content.ts'
import { keysOnCard } from './keys-on-card.ts'

/**
 * Reads the card that a guest shows on the encoder of a kiosk, and adds it to the proof of that guest. Throws kiosk-scope for
 * every other card, without saying whose it is, and what `cardOnEncoder` throws.
 */
export async function shownCard(access: Access, request: Request): Promise<Answer> {
  const { actor } = withoutDryRun(request)
  expectSeen(request, controllerBy(access, request.params.controllerId ?? ''))
  const { provider, found, isByLockSystem } = await cardOnEncoder(access, request)
  const stored = isByLockSystem
    ? storedByUid(access, found)
    : await keyOnCard(access, provider.id, found, actor)
  const { guests } = request.caller
  if (!stored || !(await isOwnCard(access, guests, stored, { isReturned: false, actor })))
    throw new Problem('kiosk-scope', 'This is no card of the guest who has found the stay here.', {
      meta: { scope: 'keys.read', guest: 'desk' },
    })
  const { stayId, id: keyId, unitName } = stored
  return metaAnswer({ stayId, keyId, unitName })
}

/**
 * The key that was read on a card; null for none. One in doubt is live if the card holds it. Nobody's key ends because a card
 * holds it not: who shows a card may have chosen it.
 */
export async function keyOnCard(
  access: Property,
  providerId: string,
  { uid, credential }: { uid: string | null; credential: number | null },
  actor: Actor,
): Promise<Key | null> {
  if (uid === null || credential === null) return null
  const stored = () => keysOnCard(access, uid).find((each) => each.credential === credential) ?? null
  if (stored()?.status === 'unknown')
    await access.writer.execute(cardRead, { uid, providerId, credential }, { actor })
  return stored()
}

/** Whether a card is that of a guest who has given a proof, which it then adds to. `isReturned`: its key ends with it. */
export async function isOwnCard(
  { writer }: Pick<Property, 'writer'>,
  guests: Guests,
  row: Key,
  { isReturned, actor }: Pick<ShownCard, 'isReturned'> & { actor: Actor },
): Promise<boolean> {
  const { id: keyId, stayId } = row
  if (!stayId || !counts(row) || !guests.has(stayId)) return false
  await guests.showed(stayId, { keyId, isReturned })
  await writer.execute(noteShown, { keyId, stayId }, { actor })
  return true
}

/**
 * Whether the card of a key proves who its guest is. A copy does not: a kiosk makes it for who knows a number and a name. Nor does
 * a card that was lost, or that a newer original has ended. One whose time is over does, because its guest may leave late.
 */
function counts({ status, usage, original }: Key): boolean {
  return original && usage === 'Guest' && (status === 'live' || status === 'expired')
}

/** Whether a card that a guest has shown is one of the stay, and counts still, or was returned. */
export function hasShownCard(tx: Transaction, stayId: string, { keyId, isReturned }: ShownCard): boolean {
  if (tx.revision(key, keyId) === null) return false
  const row = tx.find(key, keyId)
  return row.stayId === stayId && (isReturned || counts(row))
}

/** Journals that a guest has shown a card at a kiosk. */
export const noteShown = command('card-shown', (tx, { keyId, stayId }: { keyId: string; stayId: string }) => {
  tx.journal('stay.card-shown', `stays/${stayId}`, { keyId })
  return null
})
