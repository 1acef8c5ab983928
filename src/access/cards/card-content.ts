import { DeviceFault } from '../../devices/fault.ts'
import type { Store } from '../../jsonapi/resource-routes.ts'
import type { Answer, Request } from '../../jsonapi/route.ts'
import { noContent, withoutDryRun, writeOptions } from '../../jsonapi/write-options.ts'
import { Problem } from '../../resource/problem.ts'
import type { Access, Property } from '../access.ts'
import { keysOnCard, keyWritten } from '../keys/life/keys-on-card.ts'
import { controllerBy, providerOf } from '../lookups.ts'
import { expectSwitchedOn, isOnline } from '../providers/lock-system-of.ts'
import type { AccessController } from '../resources/access-controller.ts'
import { doorsWithLock } from '../resources/door.ts'
import { type Key, key } from '../resources/key.ts'
import { eraseAndRead } from './antenna.ts'
import { atEncoder } from './at-encoder.ts'
import { cardRead, erasedCard } from './card-commands.ts'
import { awaitCard, uidText } from './card-in-field.ts'
import { type FoundOnCard, handTakesMs, readCard } from './read-card.ts'

/**
 * Reads the card on the encoder of a controller. Rejects with no-card, and with unsupported-operation where the
 * lock system reads no cards.
 */
export async function cardOnEncoder(access: Access, controller: AccessController) {
  const provider = providerOf(access, controller)
  const isByLockSystem = access.systems.of(provider).kind === 'online'
  if (isByLockSystem) expectSwitchedOn(provider)
  const found = await readCard(access, controller)
  if (!found)
    throw new DeviceFault('unsupported-operation', `${controller.name}: its lock system cannot read cards.`)
  return { provider, found, isByLockSystem }
}

/** Reads the card on the encoder. The answer contains the content and the stored key. */
export async function cardContent(store: Store, access: Access, request: Request): Promise<Answer> {
  const controller = controllerBy(access, request.params.controllerId ?? '')
  const { provider, found, isByLockSystem } = await cardOnEncoder(access, controller)
  const stored = isByLockSystem
    ? storedByUid(access, found)
    : await storedByNumber(access, provider.id, found, request)
  const [door] = found.lock === null ? [] : doorsWithLock(access.reader, provider.id, found.lock)
  const document = stored && access.reader.document(key, stored.id, store.serializer.shape(key))
  const meta = {
    card: {
      uid: found.uid,
      format: found.format,
      blank: found.blank,
      decodedUnitName: door?.name ?? null,
      decodedFrom: instantText(found.validFrom),
      decodedUntil: instantText(found.validUntil),
    },
    matchesStore: found.isKey ? stored?.status === 'live' : stored === null,
    warnings: warningsOf(found, stored),
  }
  return { status: 200, text: `{"data":${document?.text ?? 'null'},"meta":${JSON.stringify(meta)}}` }
}

/** The newest key stored for the card, where the lock system has read the card: it reports only the serial number. */
export function storedByUid(access: Property, { uid, isKey }: FoundOnCard): Key | null {
  return isKey && uid !== null ? (keysOnCard(access, uid)[0] ?? null) : null
}

/**
 * The stored key with the credential on the card, where this appliance has read the card. Unknown keys of the card are
 * resolved by this read, except where the card refuses the keys of the appliance: a card that is moved refuses them too.
 */
async function storedByNumber(
  access: Property,
  providerId: string,
  { uid, credential, defect }: FoundOnCard,
  request: Request,
): Promise<Key | null> {
  const options = writeOptions(request)
  if (uid === null) return null
  if (defect !== 'foreign' && keysOnCard(access, uid, 'unknown').length > 0)
    await access.writer.execute(cardRead, { uid, providerId, credential }, options)
  return credential === null ? null : keyWritten(access, uid, credential)
}

function warningsOf({ uid, isKey, defect, remarks }: FoundOnCard, stored: Key | null): string[] {
  if (defect === 'foreign') return ['The card holds data of another system.']
  if (defect === 'damaged') return ['The card holds a damaged key, which no lock accepts.']
  if (!isKey || uid === null) return [...remarks]
  if (!stored) return [...remarks, 'The key on the card is not known to this appliance.']
  return stored.status === 'live'
    ? [...remarks]
    : [...remarks, `The key on the card is stored as ${stored.status}.`]
}

/**
 * Erases the card on the encoder and reads it back. Rejects with foreign-card for a card of the staff or of another
 * property, which stays as it is, and with card-verify-failed when the card is not blank afterwards.
 */
export async function eraseCard(access: Access, request: Request): Promise<Answer> {
  const options = withoutDryRun(request)
  const controller = controllerBy(access, request.params.controllerId ?? '')
  if (isOnline(access, controller))
    throw new DeviceFault('unsupported-operation', `${controller.name}: its lock system cannot erase cards.`)
  const uid = await atEncoder(access, controller, async ({ encoder, system }) => {
    const card = await awaitCard(access.clock, encoder, handTakesMs(controller))
    const { defect, grant } = await system.read(encoder, card)
    if (defect === 'foreign' || grant?.usage === 'Staff')
      throw new Problem('foreign-card', 'The card is not a guest card of this property. It was not changed.')
    if (!(await eraseAndRead({ encoder, system }, card)))
      throw new DeviceFault(
        'card-verify-failed',
        'The card was not blank after it was erased. Erase it again or discard it.',
      )
    await encoder.off()
    return uidText(card)
  })
  await access.writer.execute(erasedCard, { uid, providerId: controller.providerId, erased: true }, options)
  return noContent()
}

function instantText(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString()
}
