import type { CardDispenser } from '../../devices/capability.ts'
import type { AccessController } from '../resources/access-controller.ts'
import type { Dispenser } from '../resources/dispenser.ts'
import { cardsInMaking } from './cards-in-making.ts'
import type { DispenserHandle, EncoderHandle } from './device-handle.ts'
import { deviceLines } from './device-lines.ts'
import { type Recover, startDispenser } from './dispenser-start.ts'
import { openDispensers } from './open-dispensers.ts'
import { openEncoders } from './open-encoders.ts'
import type { Workshop } from './workshop.ts'

const finishesWithinMs = 10_000

/** The open devices. A device whose configuration has changed is opened again. */
export interface Handles {
  dispenser(row: Dispenser): DispenserHandle
  /** Throws encoder-offline for a controller without a device. */
  encoder(row: AccessController): EncoderHandle
  /** Runs `work` alone at the machine. The next start of the machine waits for it before it recovers. */
  make<T>(handle: DispenserHandle, work: (machine: CardDispenser) => Promise<T>): Promise<T>
  /** Drops the handle of a dispenser and returns it; null when there was none. The next use connects again. */
  drop(dispenserId: string): DispenserHandle | null
  openDispensers(): DispenserHandle[]
  /** The handle of an open dispenser; null where it is not open. */
  dispenserAt(id: string): DispenserHandle | null
  encoderAt(id: string): EncoderHandle | null
  /** Closes all devices. Waits up to 10 s for cards that are being made. */
  close(): Promise<void>
}

/** Returns the handles without opening a device. `recover` runs at each start of a dispenser. */
export function handles(workshop: Workshop, recover: Recover): Handles {
  const lines = deviceLines(workshop)
  const making = cardsInMaking()
  const encoders = openEncoders(workshop, lines)
  const options = { workshop, lines, making, encoders, recover }
  const dispensers = openDispensers((row, left) => startDispenser(options, row, left))
  return {
    dispenser: dispensers.open,
    encoder: encoders.open,
    make: making.make,
    drop: dispensers.drop,
    openDispensers: dispensers.all,
    dispenserAt: dispensers.at,
    encoderAt: encoders.at,
    async close() {
      const enough = workshop.clock.sleep(finishesWithinMs, { ref: false })
      await Promise.race([making.allEnded(), enough])
      await Promise.all([dispensers.close(), encoders.close()])
    },
  }
}
