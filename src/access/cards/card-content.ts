import { DeviceFault } from '../../devices/fault.ts'
import type { Keeping } from '../../jsonapi/resource-routes.ts'
import { type Answer, noContent, type Request } from '../../jsonapi/route.ts'
import { earnestOptions, writeOptions } from '../../jsonapi/write-options.ts'
import { Problem } from '../../resource/problem.ts'
import type { Access } from '../access.ts'
import { onlineSystem } from '../keys/issue-pin.ts'
import { expectSwitchedOn } from '../locks/switched-on.ts'
import type { AccessController } from '../resources/access-controller.ts'
import type { AccessProvider } from '../resources/access-provider.ts'
import { type Key, key } from '../resources/key.ts'
import { erasedCard, readCard } from './card-changes.ts'
import { awaitCard, uidText } from './card-in-field.ts'
import { keysOnCard } from './keys-on-card.ts'
import { lockCall } from './lock-system-maker.ts'
import { eraseAndRead } from './wipe-card.ts'

/** What was found on a card, by whoever read it. */
interface Snapshot {
  uid: string | null
  format: string | null
  blank: boolean
  lock: string | null
  validFrom: number | null
  validUntil: number | null
  /** Whether it is a key at all. */
  isKey: boolean
  stored: Key | null
  warnings: string[]
}

/** What lies on the encoder, beside what the store knows of it. */
export async function cardContent(keeping: Keeping, access: Access, request: Request): Promise<Answer> {
  const controller = access.controllerBy(request.params.controllerId ?? '')
  const provider = access.providerOf(controller)
  const { kind } = access.systems.of(provider)
  const seen =
    kind === 'online' ? await askedOf(access, controller) : await readFrom(access, controller, request)
  return answerOf(keeping, access, provider, seen)
}

async function readFrom(access: Access, controller: AccessController, request: Request): Promise<Snapshot> {
  const content = await access.atEncoder(controller, async ({ encoder, system }) => {
    const card = await awaitCard(access.clock, encoder, patienceOf(controller))
    const found = await system.read(encoder, card)
    await encoder.off()
    return found
  })
  const uid = uidText(content)
  const { providerId } = controller
  const credential = content.grant?.credential ?? null
  const options = writeOptions(request)
  if (keysOnCard(access, uid, 'unknown').length > 0)
    await access.door.write(readCard, { uid, providerId, credential }, options)
  const stored = keyOn(access, uid, credential)
  const isKey = content.grant !== null
  return {
    uid,
    format: content.format,
    blank: content.blank,
    lock: content.grant?.lock ?? null,
    validFrom: content.grant?.validFrom ?? null,
    validUntil: content.grant?.validUntil ?? null,
    isKey,
    stored,
    warnings: warningsOf(content.defect, isKey, stored),
  }
}

/** A lock system reads its own cards. */
async function askedOf(access: Access, controller: AccessController): Promise<Snapshot> {
  expectSwitchedOn(access.providerOf(controller))
  const system = onlineSystem(access, controller)
  if (!system.read)
    throw new DeviceFault('unsupported-operation', `${controller.name}: its lock system reads no cards.`)
  const read = system.read
  const content = await access.inLine(controller, () =>
    read(controller.externalCode ?? null, lockCall(access.clock, controller)),
  )
  const { uid, blank, found, remarks } = content
  const stored = found && uid !== null ? (keysOnCard(access, uid)[0] ?? null) : null
  return {
    uid,
    format: null,
    blank,
    lock: found?.locks[0] ?? null,
    validFrom: found?.validFrom ?? null,
    validUntil: found?.validUntil ?? null,
    isKey: found !== null,
    stored,
    warnings: [...remarks, ...warningsOf(null, found !== null && uid !== null, stored)],
  }
}

function answerOf({ speaker }: Keeping, access: Access, provider: AccessProvider, seen: Snapshot): Answer {
  const { stored, isKey, warnings, lock } = seen
  const unitName = (provider.unitMapping ?? []).find(({ externalCode }) => externalCode === lock)?.unitName
  const document = stored && access.reader.document(key, stored.id, speaker.shape(key))
  return {
    status: 200,
    text: `{"data":${document?.text ?? 'null'},"meta":${JSON.stringify({
      card: {
        uid: seen.uid,
        format: seen.format,
        blank: seen.blank,
        decodedUnitName: unitName ?? null,
        decodedFrom: instantText(seen.validFrom),
        decodedUntil: instantText(seen.validUntil),
      },
      matchesStore: isKey ? stored !== null && stored.status === 'live' : stored === null,
      warnings,
    })}}`,
  }
}

function keyOn(access: Access, uid: string, credential: number | null): Key | null {
  if (credential === null) return null
  return keysOnCard(access, uid).find((row) => row.credential === credential) ?? null
}

function warningsOf(defect: string | null, isKey: boolean, stored: Key | null): string[] {
  if (defect === 'foreign') return ['The card holds something that is not ours.']
  if (defect === 'damaged') return ['The card holds a damaged key; no lock will accept it.']
  if (!isKey) return []
  if (!stored) return ['The key on the card is not known here.']
  return stored.status === 'live' ? [] : [`The key on the card is ${stored.status} here.`]
}

/** Erases what lies on the encoder, and reads it back. A card of another property stays as it is. */
export async function eraseCard(access: Access, request: Request): Promise<Answer> {
  const options = earnestOptions(request)
  const controller = access.controllerBy(request.params.controllerId ?? '')
  if (access.systems.of(access.providerOf(controller)).kind === 'online')
    throw new DeviceFault('unsupported-operation', `${controller.name}: its lock system erases no cards.`)
  const uid = await access.atEncoder(controller, async ({ encoder, system }) => {
    const card = await awaitCard(access.clock, encoder, patienceOf(controller))
    const { defect, grant } = await system.read(encoder, card)
    if (defect === 'foreign' || grant?.usage === 'Staff')
      throw new Problem('foreign-card', 'The card is no guest card of this house; it was left as it is.')
    if (!(await eraseAndRead({ encoder, system }, card)))
      throw new DeviceFault('card-verify-failed', 'The card was not blank when it was read back.')
    await encoder.off()
    return uidText(card)
  })
  await access.door.write(erasedCard, { uid, providerId: controller.providerId, erased: true }, options)
  return noContent()
}

/** A hand may need a while to lay the card down; inside a dispenser it is there or it is not. */
function patienceOf({ dispenserId, timeoutMs }: AccessController): number {
  return dispenserId ? 1_000 : Math.max(500, (timeoutMs ?? 18_000) - 3_000)
}

function instantText(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString()
}
