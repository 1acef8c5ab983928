import { cardsInMaking } from './cards-in-making.ts'
import { deviceLines } from './device-lines.ts'
import { type Recover, startDispenser } from './dispenser-start.ts'
import { openDispensers } from './open-dispensers.ts'
import { openEncoders } from './open-encoders.ts'
import type { Workshop } from './workshop.ts'

const finishesWithinMs = 10_000

/** The open devices. A device whose configuration has changed is opened again. */
export type Handles = ReturnType<typeof handles>

/** Returns the handles without opening a device. `recover` runs at each start of a dispenser. */
export function handles(workshop: Workshop, recover: Recover) {
  const lines = deviceLines(workshop)
  const making = cardsInMaking()
  const encoders = openEncoders(workshop, lines)
  const options = { workshop, lines, making, encoders, recover }
  const dispensers = openDispensers((row, left) => startDispenser(options, row, left))
  return {
    dispenser: dispensers.open,
    /** Throws encoder-offline for a controller without a device. */
    encoder: encoders.open,
    /** Runs `work` alone at the machine. The next start of the machine waits for it before it recovers. */
    make: making.make,
    /** Drops the handle of a dispenser and returns it; null when there was none. The next use connects again. */
    drop: dispensers.drop,
    openDispensers: dispensers.all,
    /** The handle of an open dispenser; null where it is not open. */
    dispenserAt: dispensers.at,
    encoderAt: encoders.at,
    /** The controllers whose encoders are open. */
    openEncoders: encoders.ids,
    /** Closes the encoder of a controller. The next use connects again. */
    dropEncoder: encoders.drop,
    /** Closes all devices. Waits up to 10 s for cards that are being made. */
    async close(): Promise<void> {
      const enough = workshop.clock.sleep(finishesWithinMs, { ref: false })
      await Promise.race([making.allEnded(), enough])
      await Promise.all([dispensers.close(), encoders.close()])
    },
  }
}
