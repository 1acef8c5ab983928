import { type Description, exactly } from '../../jsonapi/description.ts'
import { metaAnswer } from '../../jsonapi/document-answers.ts'
import type { Guests, ShownCard } from '../../jsonapi/guests.ts'
import type { Answer, Request } from '../../jsonapi/route.ts'
import { textOrNull, uuid } from '../../jsonapi/schemas/words.ts'
import { expectSeen, withoutDryRun } from '../../jsonapi/write-options.ts'
import { type Actor, command } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import type { Access, Property } from '../access.ts'
import { provesGuest } from '../keys/kiosk-keys.ts'
import { keyWritten } from '../keys/life/keys-on-card.ts'
import { controllerBy } from '../lookups.ts'
import type { Key } from '../resources/key.ts'
import { cardRead } from './card-commands.ts'
import { cardOnEncoder, storedByUid } from './card-content.ts'

/**
 * Reads the card that a guest shows on the encoder of a kiosk, and adds it to the proof of that guest. Throws kiosk-scope for
 * every other card, without saying whose it is, and what `cardOnEncoder` throws.
 */
export async function shownCard(access: Access, request: Request): Promise<Answer> {
  const { actor } = withoutDryRun(request)
  const controller = controllerBy(access, request.params.controllerId ?? '')
  expectSeen(request, controller)
  const { provider, found, isByLockSystem } = await cardOnEncoder(access, controller)
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
 * The key that was read on a card; null for none. One in doubt is live if the card holds it. No key ends because the card does not
 * hold it: who shows a card may have chosen it.
 */
export async function keyOnCard(
  access: Property,
  providerId: string,
  { uid, credential }: { uid: string | null; credential: number | null },
  actor: Actor,
): Promise<Key | null> {
  if (uid === null || credential === null) return null
  if (keyWritten(access, uid, credential)?.status === 'unknown')
    await access.writer.execute(cardRead, { uid, providerId, credential }, { actor })
  return keyWritten(access, uid, credential)
}

/** Whether a card is that of a guest who has given a proof, which it then adds to. `isReturned`: its key ends with it. */
export async function isOwnCard(
  { writer }: Pick<Property, 'writer'>,
  guests: Guests,
  row: Key,
  { isReturned, actor }: Pick<ShownCard, 'isReturned'> & { actor: Actor },
): Promise<boolean> {
  const { id: keyId, stayId } = row
  if (!stayId || !provesGuest(row) || !guests.has(stayId)) return false
  await guests.showed(stayId, { keyId, isReturned })
  await writer.execute(noteShown, { keyId, stayId }, { actor })
  return true
}

/** Journals that a guest has shown a card at a kiosk. */
export const noteShown = command('card-shown', (tx, { keyId, stayId }: { keyId: string; stayId: string }) => {
  tx.journal('stay.card-shown', `stays/${stayId}`, { keyId })
  return null
})

export const shownCardSays = {
  id: 'showCard',
  summary: 'Show the card of a guest to a kiosk',
  notes: `Reads the card on the encoder. If it is the original of a stay whose guest has given a proof at this client, it adds to that
proof: the guest may then have another original, and may check out. The card stays as it is.`,
  answers: {
    200: { schema: exactly({ meta: exactly({ stayId: uuid, keyId: uuid, unitName: textOrNull }) }) },
  },
  trial: false,
  problems: [
    'controller-not-found',
    'kiosk-scope',
    'dispenser-busy-with-guest',
    'unknown-parameter',
    'revision-mismatch',
  ],
  device: true,
} satisfies Description
