import type { CardDispenser, CardPosition } from '../../devices/capability.ts'
import { DeviceFault } from '../../devices/fault.ts'
import type { Actor } from '../../resource/change.ts'
import type { Access } from '../access.ts'
import { awaitTaken, cardSeen, pauseOf } from '../cards/await-taken.ts'
import { uidText } from '../cards/card-in-field.ts'
import { wipe } from '../cards/clear-card.ts'
import type { Station } from '../cards/issue-card.ts'
import type { DispenserHandle } from '../equipment/handles.ts'
import type { Dispenser } from '../resources/dispenser.ts'
import { capturedCard, commandDispenser, returnedCard } from './dispenser-changes.ts'
import { failedAt } from './machine-health.ts'

const acceptsForMs = 60_000
const actor: Actor = { by: 'card-return', requestId: null }

/** What a returned card was found to be. `ours`: it holds nothing any more. `unread`: nobody can say. */
interface Read {
  uid: string | null
  found: 'ours' | 'foreign' | 'staff' | 'unread'
}

const unread: Read = { uid: null, found: 'unread' }

/**
 * Waits for one card that a guest pushes in, erases and captures it, and puts the dispenser back in service; after a
 * minute without a card as well. A card that is not ours, or one of the staff, goes back as it is. Rejects with what is no
 * device's failure.
 */
export async function acceptReturn(access: Access, handle: DispenserHandle, id: string): Promise<void> {
  const { monotonic, sleep } = handle.clock
  const until = monotonic() + acceptsForMs
  const mine = ++handle.acceptances
  const isAccepting = () =>
    handle.acceptances === mine && access.dispenserBy(id).commandedState === 'accepting'
  try {
    while (monotonic() < until && isAccepting()) {
      const card = await seenUnlessStarting(handle)
      if (card !== 'none' && card !== 'gate' && card !== 'unseen')
        return await takeIn(access, handle, access.dispenserBy(id))
      await sleep(pauseOf(access.dispenserBy(id).device), { ref: false })
    }
    if (handle.acceptances === mine) await handle.bay.use((machine) => machine.entry(false))
  } catch (error) {
    if (!(error instanceof DeviceFault)) throw error
    await failedAt(access, handle, error)
    // Its next start closes the entry, and settles what lies in the path.
    if (isAccepting() && handle.bay.state() === 'online') handle.bay.reset()
  } finally {
    if (isAccepting()) await backInService(access, id)
  }
}

/** Somebody may have it initialised meanwhile. */
async function seenUnlessStarting(handle: DispenserHandle): Promise<CardPosition | 'unseen'> {
  try {
    return await cardSeen(handle)
  } catch (error) {
    if (error instanceof DeviceFault && handle.restartAsked) return 'unseen'
    throw error
  }
}

/** The dispenser gives out cards again. */
export async function backInService({ door }: Pick<Access, 'door'>, dispenserId: string): Promise<void> {
  await door.write(commandDispenser, { dispenserId, state: 'active' }, { actor })
}

async function takeIn(access: Access, handle: DispenserHandle, row: Dispenser): Promise<void> {
  const { door, failed, controllerOf } = access
  const controller = controllerOf(row.id)
  await access.open.make(handle, async (machine) => {
    handle.activity = 'capturing'
    try {
      await machine.entry(false)
      const { uid, found } = controller ? await access.atEncoder(controller, erased).catch(orUnread) : unread
      const read = { dispenserId: row.id, found, erased: found === 'ours' }
      if (uid !== null) await door.write(returnedCard, { ...read, uid }, { actor })
      if (found === 'foreign' || found === 'staff') {
        if (await handBack(machine)) void awaitTaken(door, handle, row, null, { actor, failed, uid })
        return
      }
      await machine.move('capture')
      await door.write(capturedCard, { dispenserId: row.id, uid, returned: true }, { actor })
    } finally {
      handle.activity = null
    }
  })
}

/** An encoder that is away does not keep the card in the path. */
function orUnread(error: unknown): Read {
  if (error instanceof DeviceFault) return unread
  throw error
}

/** Whether the card now waits at the gate: not every machine drops one out. */
async function handBack(machine: CardDispenser): Promise<boolean> {
  const { card } = await machine.move(machine.positions.includes('eject') ? 'eject' : 'front')
  return card === 'gate'
}

/** Erases the card unless it is not for us to erase. What cannot be read is captured as it is. */
async function erased({ encoder, system, controller }: Station): Promise<Read> {
  let uid: string | null = null
  try {
    const card = await encoder.find()
    if (!card) return unread
    uid = uidText(card)
    const { defect, grant } = await system.read(encoder, card)
    if (defect === 'foreign') return { uid, found: 'foreign' }
    if (grant?.usage === 'Staff') return { uid, found: 'staff' }
    // Somebody wants to look at returned cards as they are: what is on them is blocked.
    if (controller.eraseBeforeReturn === false) return { uid, found: 'unread' }
    const { blank } = await wipe({ encoder, system }, uid)
    return { uid, found: blank ? 'ours' : 'unread' }
  } catch (error) {
    if (!(error instanceof DeviceFault)) throw error
    return { uid, found: error.code === 'card-incompatible' ? 'foreign' : 'unread' }
  }
}
