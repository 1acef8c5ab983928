import { setTimeout as pause } from 'node:timers/promises'
import { DeviceFault } from '../devices/fault.ts'
import type { Actor } from '../resource/change.ts'
import type { Access } from './access.ts'
import { uidText } from './card-in-field.ts'
import { wipe } from './clear-card.ts'
import type { DispenserHandle } from './handles.ts'
import type { Station } from './issue-card.ts'
import { erasedCard, patchDispenser } from './key-changes.ts'
import type { Dispenser } from './resources/dispenser.ts'

const acceptsForMs = 60_000
const lookEveryMs = 400
const actor: Actor = { by: 'card-return', requestId: null }

/**
 * Waits for one card that a guest pushes in, erases and captures it, and puts the dispenser back in service; after a
 * minute without a card as well. A card that is not ours goes back to the guest. Rejects with what is no device's
 * failure.
 */
export async function acceptReturn(access: Access, handle: DispenserHandle, id: string): Promise<void> {
  const deadline = access.now() + acceptsForMs
  try {
    while (access.now() < deadline && isAccepting(access, id)) {
      const { card } = await handle.bay.use((machine) => machine.status())
      if (card === 'encoder' && handle.guest === null)
        return await takeIn(access, handle, access.dispenserBy(id))
      await pause(lookEveryMs * Math.min(1, access.dispenserBy(id).device.patience ?? 1), undefined, {
        ref: false,
      })
    }
    await handle.bay.use((machine) => machine.entry(false))
  } catch (error) {
    if (!(error instanceof DeviceFault)) throw error
    // Its next start closes the entry, and captures what lies in the path.
    if (handle.bay.state() === 'online') handle.bay.reset()
  } finally {
    if (isAccepting(access, id)) await backInService(access, id)
  }
}

function isAccepting({ dispenserBy }: Access, id: string): boolean {
  return dispenserBy(id).commandedState === 'accepting'
}

/** The dispenser gives out cards again. */
export async function backInService({ door }: Pick<Access, 'door'>, dispenserId: string): Promise<void> {
  const values = { commandedState: 'active' }
  await door.write(patchDispenser, { dispenserId, values, event: 'dispenser.state-changed' }, { actor })
}

async function takeIn(access: Access, handle: DispenserHandle, row: Dispenser): Promise<void> {
  const controller = access.controllerOf(row.id)
  const uid = await access.open.make(handle, async (machine) => {
    handle.activity = 'capturing'
    try {
      await machine.entry(false)
      const found = controller ? await access.atEncoder(controller, erased) : ('unread' as const)
      if (found === 'foreign') await machine.move(machine.positions.includes('eject') ? 'eject' : 'front')
      else await machine.move('capture')
      return found
    } finally {
      handle.activity = null
    }
  })
  if (uid === 'foreign') return
  const { returned, captured, binCount } = row
  const values = {
    returned: (returned ?? 0) + 1,
    captured: (captured ?? 0) + 1,
    binCount: (binCount ?? 0) + 1,
  }
  await access.door.write(patchDispenser, { dispenserId: row.id, values }, { actor })
  if (uid !== 'unread') await access.door.write(erasedCard, { uid }, { actor })
}

/** The serial number of the card that was proven blank; what cannot be read is captured as it is. */
async function erased({ encoder, system }: Station): Promise<string | 'foreign' | 'unread'> {
  try {
    const card = await encoder.find()
    if (!card) return 'unread'
    if ((await system.read(encoder, card)).defect === 'foreign') return 'foreign'
    const { uid, blank } = await wipe({ encoder, system }, uidText(card))
    return blank && uid !== null ? uid : 'unread'
  } catch (error) {
    if (!(error instanceof DeviceFault)) throw error
    return error.code === 'card-incompatible' ? 'foreign' : 'unread'
  }
}
