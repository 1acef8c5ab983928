import { localDate } from '../../host/zone.ts'
import { stay } from '../../reservation/resources/stay.ts'
import type { WriteOptions } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import type { Access, Machines, Property } from '../access.ts'
import { wipeCard } from '../cards/antenna.ts'
import { atEncoder } from '../cards/at-encoder.ts'
import { erasedCard } from '../cards/card-commands.ts'
import { uidText } from '../cards/card-in-field.ts'
import { readOnEncoder } from '../cards/read-card.ts'
import type { KeyOrder } from '../keys/key-order.ts'
import { isOpen } from '../keys/key-status.ts'
import { issueKey, type Trial, tryKey } from '../keys/make-key.ts'
import { orderOf } from '../keys/order-of.ts'
import { inTurn } from '../keys/pending/in-turn.ts'
import { revokeKey } from '../keys/pending/revoke-keys.ts'
import { readKeyRequest } from '../keys/routes/key-request.ts'
import { settingsOf } from '../lookups.ts'
import type { AccessController } from '../resources/access-controller.ts'
import { type Key, key } from '../resources/key.ts'
import { orNull } from './device-problem.ts'

/** The externalId of test keys. No stay has it. */
const testId = 'commissioning'

/** The longest time that a test key opens. */
const opensForMs = 15 * 60_000
const cardLiesMs = 2_000

/** Reads the card on the controller's encoder. Rejects with no-card after 2 s. */
export async function readTestCard(access: Access, controller: AccessController) {
  const content = await readOnEncoder(access, controller, cardLiesMs)
  const { format, blank, defect } = content
  return { uid: uidText(content), format, blank, defect }
}

/**
 * Makes a card for the unit, proves it, erases it, proves it blank, and captures it if a dispenser fed it. Its key is
 * never live. Rejects with the fault. The keys that it superseded are restored.
 */
export async function tryCard(
  access: Access,
  controller: AccessController,
  unitName: string,
  options: WriteOptions,
): Promise<Trial> {
  return tryKey(access, controller, await testOrder(access, controller, unitName), options)
}

/** Makes a key for a test at the door of the unit. It ends after 15 minutes or with `endTestKeys`. */
export async function makeDoorCard(
  access: Access,
  controller: AccessController,
  unitName: string,
  options: WriteOptions,
) {
  const { id } = await issueKey(access, controller, await testOrder(access, controller, unitName), options)
  const { uid = null, validUntil } = access.reader.row(key, id)!
  return { keyId: id, uid, validUntil: new Date(validUntil ?? 0).toISOString() }
}

/**
 * Ends every open test key of the controller: erased where its card lies on the encoder, blocked otherwise. A key that is
 * being made is completed first. Resolves with the ending of each.
 */
export async function endTestKeys(access: Access, controller: AccessController, options: WriteOptions) {
  await inTurn(access, controller, options, async () => {})
  const ended: { keyId: string; ending: 'erased' | 'blocked' }[] = []
  for (const row of testKeys(access, controller)) {
    const isErased = await erased(access, controller, row, options)
    if (!isErased) {
      const input = { keyId: row.id, as: 'blocked', reason: testId } as const
      await access.writer.execute(revokeKey, input, options)
      // A lock system that stores the rights receives the revocation at once.
      access.chase()
    }
    ended.push({ keyId: row.id, ending: isErased ? 'erased' : 'blocked' })
  }
  return ended
}

function testKeys({ reader }: Property, controller: AccessController): Key[] {
  const filters = [{ path: 'externalId', operator: 'eq' as const, value: testId }]
  const newestFirst = [{ path: 'createdAt', descending: true }]
  return reader
    .rows(key, { filters, sort: newestFirst, page: { size: 100 } })
    .filter(
      ({ status, controllerId }) =>
        controllerId === controller.id && isOpen(status) && status !== 'blocked' && status !== 'pendingWrite',
    )
}

/**
 * Erases the card on the encoder and resolves with whether it is blank. A card in a dispenser or elsewhere cannot be
 * erased.
 */
async function erased(
  access: Access,
  controller: AccessController,
  { uid }: Key,
  options: WriteOptions,
): Promise<boolean> {
  if (!uid || controller.dispenserId) return false
  const wiped = await orNull(() => atEncoder(access, controller, (station) => wipeCard(station, uid)))
  const { providerId } = controller
  if (wiped?.blank) await access.writer.execute(erasedCard, { uid, providerId, erased: true }, options)
  return wiped?.blank ?? false
}

async function testOrder(
  access: Property & Machines,
  controller: AccessController,
  unitName: string,
): Promise<KeyOrder> {
  refuseInhabited(access, unitName)
  const { timeZone } = settingsOf(access)
  const now = access.clock.now()
  const validFrom = now - 60_000
  const validUntil = now + opensForMs
  const body = {
    type: controller.keyType,
    unitName,
    original: true,
    startDate: localDate(validFrom, timeZone),
    endDate: localDate(validUntil, timeZone),
    externalId: testId,
  }
  const keyRequest = await readKeyRequest(body, controller)
  return orderOf(access, controller, keyRequest, { confirmed: null, window: { validFrom, validUntil } })
}

/**
 * Throws unit-occupied when a guest is in house in the unit: the first use of a test key would end the guest's keys.
 */
function refuseInhabited({ reader }: Property, unitName: string): void {
  const filters = [
    { path: 'status', operator: 'eq' as const, value: 'InHouse' },
    { path: 'units.name', operator: 'eq' as const, value: unitName },
  ]
  if (reader.rows(stay, { filters, sort: [], page: { size: 1 } }).length === 0) return
  throw new Problem('unit-occupied', 'A guest is in house in this unit. Choose a vacant unit for the test.', {
    pointer: '/unitName',
  })
}
