import type { CardDispenser, CardPosition } from '../../devices/capability.ts'
import { DeviceFault } from '../../devices/fault.ts'
import type { Actor } from '../../resource/command.ts'
import type { Machines, Property } from '../access.ts'
import { type Antenna, antennaIn } from '../cards/antenna.ts'
import { captureCard } from '../cards/capture-card.ts'
import { cardSeen, lookInPath, pauseOf } from '../cards/card-seen.ts'
import { watchGate } from '../cards/gate.ts'
import { type LyingCard, nothingSeen } from '../cards/wipe-card.ts'
import type { DispenserHandle } from '../controllers/device-handle.ts'
import { controllerIn, dispenserBy } from '../lookups.ts'
import type { Dispenser } from '../resources/dispenser.ts'
import { commandDispenser, returnedCard } from './dispenser-changes.ts'
import { failedAt } from './machine-health.ts'

const acceptsForMs = 60_000
const retriedAfterMs = 1_000
const actor: Actor = { by: 'card-return', requestId: null }

/**
 * Waits for one card that a guest pushes in, erases and captures it, and puts the dispenser back in service; after a
 * minute without a card as well. A card that is not ours, or one of the staff, goes back as it is. Rejects with what is no
 * device's failure.
 */
export async function acceptReturn(
  access: Property & Machines,
  handle: DispenserHandle,
  id: string,
): Promise<void> {
  const { monotonic, sleep } = handle.clock
  const until = monotonic() + acceptsForMs
  const mine = ++handle.acceptances
  const isAccepting = () =>
    handle.acceptances === mine && dispenserBy(access, id).commandedState === 'accepting'
  try {
    while (monotonic() < until && isAccepting()) {
      const card = await seenUnlessStarting(handle)
      if (card !== 'none' && card !== 'gate' && card !== 'unseen')
        return await takeIn(access, handle, dispenserBy(access, id), isAccepting)
      await sleep(pauseOf(dispenserBy(access, id).device), { ref: false })
    }
    if (handle.acceptances === mine) await handle.bay.use((machine) => machine.entry(false))
  } catch (error) {
    if (!(error instanceof DeviceFault)) throw error
    await failedAt(access, handle, error)
    // Its next start closes the entry, and settles what lies in the path.
    if (isAccepting() && handle.bay.state() === 'online') handle.bay.reset()
  } finally {
    await endAcceptance(access, handle, id, isAccepting)
  }
}

/** The dispenser serves guests again; while the disk refuses to keep that, it is tried every second. */
async function endAcceptance(
  access: Property,
  { clock }: DispenserHandle,
  id: string,
  isAccepting: () => boolean,
): Promise<void> {
  while (isAccepting()) {
    try {
      return await backInService(access, id)
    } catch (error) {
      access.failed(error)
      await clock.sleep(retriedAfterMs, { ref: false })
    }
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
export async function backInService(
  { writer }: Pick<Property, 'writer'>,
  dispenserId: string,
): Promise<void> {
  await writer.execute(commandDispenser, { dispenserId, state: 'active' }, { actor })
}

/** The card at the antenna. One that is not ours goes back to whoever pushed it in. */
async function takeIn(
  access: Property & Machines,
  handle: DispenserHandle,
  row: Dispenser,
  isAccepting: () => boolean,
): Promise<void> {
  const { writer, devices } = access
  const antenna = antennaIn(access, row.id)
  await devices.make(handle, async (machine) => {
    // Somebody may have sent it elsewhere before this had its turn.
    const place = await lookInPath(handle, machine)
    if (!isAccepting() || handle.guest || place === 'none' || place === 'gate') return
    handle.activity = 'capturing'
    try {
      await machine.entry(false)
      const { uid, kind } = await lookThere(antenna)
      if (uid !== null)
        await writer.execute(returnedCard, { dispenserId: row.id, uid, found: foundAs[kind] }, { actor })
      if (kind === 'foreign' || kind === 'staff') {
        if (await handBack(machine)) void watchGate(access, handle, row, { runId: null, uid })
        return
      }
      await captureCard(writer, {
        handle,
        machine,
        card: place,
        antenna,
        seenUid: uid,
        isReturned: true,
        // Somebody wants to look at returned cards as they are: what is on them is blocked.
        keepsContent: controllerIn(access, row.id)?.eraseBeforeReturn === false,
        actor,
      })
    } finally {
      handle.activity = null
    }
  })
}

const foundAs = { guest: 'ours', staff: 'staff', foreign: 'foreign', unread: 'unread' } as const

/** An encoder that is away does not keep the card in the path. */
async function lookThere(antenna: Antenna | null): Promise<LyingCard> {
  if (!antenna || !(await antenna.isReady())) return nothingSeen
  return antenna.look()
}

/** Whether the card now waits at the gate: not every machine drops one out. */
async function handBack(machine: CardDispenser): Promise<boolean> {
  const { card } = await machine.move(machine.positions.includes('eject') ? 'eject' : 'front')
  return card === 'gate'
}
