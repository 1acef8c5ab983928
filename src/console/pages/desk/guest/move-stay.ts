import { ApiError, type Resource, send } from '../../lib/server/api.ts'
import type { Key, Stay, Unit } from '../../lib/server/resources.ts'
import { freeUnits } from '../stay/free-units.ts'
import { readKeys, refusalOf, writeStay } from '../stay/stay.ts'
import { g } from '../stay/texts.ts'

interface Move {
  stay: Resource<Stay>
  /** The room that the guest leaves; null without one. */
  left: string | null
  to: Resource<Unit>
  /** The units of the stay, and its price where that changes too. */
  change: Partial<Stay>
  /** Called before the first card is revoked: from then on the guest needs a new card. */
  cardsEnd: () => void
}

/**
 * Moves a stay to another room. The box moves no stay whose room has a live key. The function therefore first asks
 * whether the keys are all that is in the way, then ends or moves them, then moves the stay. A key that the lock system changes
 * remotely is moved, and moved back if the stay cannot move. A revoked card still opens the old door until a newer
 * first card is used there, so the guest can always open one of the rooms. Throws ApiError and ChangedMeanwhile.
 */
export async function moveStay({ stay, left, to, change, cardsEnd }: Move): Promise<void> {
  if (!(await freeUnits(stay, to.attributes.unitTypeId)).some(({ id }) => id === to.id)) throw roomTaken()
  const refusal = await refusalOf(stay, change)
  // The box says it last: nothing else is in the way.
  if (refusal && refusal.code !== 'unit-change-refused') throw refusal
  // The keys on the screen may be outdated, so they are read again.
  const keys = await readKeys(stay.id)
  const opening = keys.filter(
    ({ attributes: { status, unitName } }) => status === 'live' && unitName === left,
  )
  const moved: Resource<Key>[] = []
  try {
    for (const each of opening) if (await isMoved(each, to.attributes.name)) moved.push(each)
    for (const each of opening.filter((one) => !moved.includes(one))) {
      cardsEnd()
      await send('DELETE', `/api/v2/access/keys/${each.id}`)
    }
    await writeStay(stay, change)
  } catch (error) {
    for (const each of moved) await isMoved(each, left ?? '')
    throw error
  }
}

/** Makes a key open another room. Returns false when that needs a new card. */
async function isMoved({ id }: Resource<Key>, newUnitName: string): Promise<boolean> {
  try {
    await send('POST', `/api/v2/access/keys/${id}/actions/move`, {
      body: { data: { type: 'key', attributes: { newUnitName } } },
      idempotencyKey: crypto.randomUUID(),
      timeoutMs: 60_000,
    })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'card-required') return false
    throw error
  }
}

const roomTaken = () =>
  new ApiError(409, [{ code: 'room-taken', title: g.value.roomTaken, detail: g.value.roomTakenWhy }], null)
