import type { CardPosition } from '../../devices/capability.ts'
import { DeviceFault } from '../../devices/fault.ts'
import type { Actor } from '../../resource/command.ts'
import type { Machines, Property } from '../access.ts'
import { antennaIn, nothingSeen } from '../cards/antenna.ts'
import { captureCard } from '../cards/capture-card.ts'
import { cardSeen, lookInPath, pauseOf } from '../cards/card-seen.ts'
import { watchGate } from '../cards/watch-gate.ts'
import type { DispenserHandle } from '../controllers/device-handle.ts'
import { controllerIn, dispenserBy } from '../lookups.ts'
import type { Dispenser } from '../resources/dispenser.ts'
import { commandDispenser, returnedCard } from './dispenser-commands.ts'
import { failedAt } from './machine-health.ts'

const acceptsForMs = 60_000
const retriedAfterMs = 1_000
const actor: Actor = { by: 'card-return', requestId: null }

/**
 * Waits up to a minute for one card that a guest returns, erases and captures it, and puts the dispenser back in
 * service. A foreign card and a staff card are handed back unchanged. Rejects only with an error that is no
 * DeviceFault.
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
    // The next start closes the entry and recovers a card in the path.
    if (isAccepting() && handle.bay.state() === 'online') handle.bay.reset()
  } finally {
    await endAcceptance(access, handle, id, isAccepting)
  }
}

/** Puts the dispenser back in service. While the store cannot write, it is retried every second. */
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

/** Resolves with the position of the card; `unseen` while a requested restart runs. */
async function seenUnlessStarting(handle: DispenserHandle): Promise<CardPosition | 'unseen'> {
  try {
    return await cardSeen(handle)
  } catch (error) {
    if (error instanceof DeviceFault && handle.restartRequested) return 'unseen'
    throw error
  }
}

/** Sets the dispenser to active. */
export async function backInService(
  { writer }: Pick<Property, 'writer'>,
  dispenserId: string,
): Promise<void> {
  await writer.execute(commandDispenser, { dispenserId, state: 'active' }, { actor })
}

/** Captures the returned card. A foreign or staff card is handed back. */
async function takeIn(
  access: Property & Machines,
  handle: DispenserHandle,
  row: Dispenser,
  isAccepting: () => boolean,
): Promise<void> {
  const { writer, devices } = access
  const antenna = antennaIn(access, row.id)
  await devices.make(handle, async (machine) => {
    // Another request may have moved the card meanwhile.
    const place = await lookInPath(handle, machine)
    if (!isAccepting() || handle.guest || place === 'none' || place === 'gate') return
    handle.activity = 'capturing'
    try {
      await machine.entry(false)
      // An encoder that does not answer does not keep the card in the path.
      const { uid, kind } = antenna && (await antenna.isReady()) ? await antenna.look() : nothingSeen
      const found = kind === 'guest' ? 'ours' : kind
      if (uid !== null) await writer.execute(returnedCard, { dispenserId: row.id, uid, found }, { actor })
      if (kind === 'foreign' || kind === 'staff') {
        const { card } = await machine.move(machine.positions.includes('eject') ? 'eject' : 'front')
        // Some machines drop the card at once.
        if (card === 'gate') void watchGate(access, handle, row, { runId: null, uid })
        return
      }
      await captureCard(writer, {
        handle,
        machine,
        card: place,
        antenna,
        seenUid: uid,
        isReturned: true,
        // The configuration keeps the content of returned cards for inspection; their keys are blocked.
        keepsContent: controllerIn(access, row.id)?.eraseBeforeReturn === false,
        actor,
      })
    } finally {
      handle.activity = null
    }
  })
}
