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

/** Every open device, each under the configuration it was opened with; a changed one is opened anew. */
export interface Handles {
  dispenser(row: Dispenser): DispenserHandle
  /** Throws encoder-offline for a controller without a device. */
  encoder(row: AccessController): EncoderHandle
  /** The machine for one card, alone; its next start recovers nothing before this has ended. */
  make<T>(handle: DispenserHandle, work: (machine: CardDispenser) => Promise<T>): Promise<T>
  /** Drops the handle of a dispenser, and gives it; the next use connects anew. Null when there was none. */
  drop(dispenserId: string): DispenserHandle | null
  openDispensers(): DispenserHandle[]
  /** Those that are open, without opening any. */
  dispenserAt(id: string): DispenserHandle | null
  encoderAt(id: string): EncoderHandle | null
  /** A card in the making is finished first, if that does not take too long. */
  close(): Promise<void>
}

/** Opens no device by itself. `recover` puts right what an earlier start of a dispenser has left behind. */
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
