import type { Actor } from '../../../resource/command.ts'
import { type Filter, first, having } from '../../../resource/query.ts'
import type { Access, Property, Work } from '../../access.ts'
import { accessController } from '../../resources/access-controller.ts'
import { type Key, key } from '../../resources/key.ts'
import { changeInPlace } from './change-in-place.ts'
import { inTurn, isBusy } from './in-turn.ts'
import { keepKey } from './online-commands.ts'
import { revokeKey } from './revoke-keys.ts'

const actor: Actor = { by: 'key-chase', requestId: null }
/** The caller of the change may repeat it first. */
const waitsMs = 30_000
const dayMs = 86_400_000

/**
 * The provider's live keys with a change whose outcome is unknown, that was stored more than 30 s ago, and whose
 * controller is idle.
 */
export function unfinishedChanges(access: Property & Work, providerId: string): Key[] {
  const { reader, clock } = access
  const waiting: Filter = { path: 'changeAskedAt', operator: 'lt', value: clock.now() - waitsMs }
  const rows = reader.rows(key, first([...having({ providerId, status: 'live' }), waiting]))
  return rows.filter(({ controllerId }) => controllerId && !isBusy(access, controllerId))
}

/**
 * Repeats a change at the lock system. If the wanted end is more than a day ago, the key is revoked instead. Rejects with
 * unit-occupied where the guard of the doors refuses the change now, and a person must decide.
 */
export async function finishChange(access: Access, row: Key): Promise<void> {
  const { reader, writer, clock } = access
  const { id, changeAsked, changeAskedAt } = row
  const controller = reader.row(accessController, row.controllerId ?? '')
  if (!controller || !changeAsked) return
  const { to } = changeAsked
  // A lock system refuses a window that was over long ago. The clock is reliable here, so the key is revoked.
  const over = { keyId: id, as: 'invalidated', reason: 'end-in-past' } as const
  if (to.validUntil < clock.now() - dayMs && clock.mayForget())
    return void (await writer.execute(revokeKey, over, { actor }))
  await inTurn(access, controller, { actor }, () => {
    // Another request may have finished the change meanwhile.
    const isOpen = reader.row(key, id)?.changeAskedAt === changeAskedAt
    if (!isOpen) return writer.execute(keepKey, { keyId: id }, { actor })
    return changeInPlace(access, controller, { keyId: id, values: to, confirmed: null }, { actor })
  })
}
