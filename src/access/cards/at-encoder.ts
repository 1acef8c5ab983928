import type { CardEncoder, CardLockSystem } from '../../devices/capability.ts'
import type { Access } from '../access.ts'
import { resetIfStuck } from '../dispensers/machine-health.ts'
import { dispenserBy, providerOf } from '../lookups.ts'
import type { AccessController } from '../resources/access-controller.ts'

/** An encoder of ours with the lock system it writes for. */
export interface Station {
  encoder: CardEncoder
  system: CardLockSystem
  /** Knows which card was made at the desk last. */
  desk: { issued: string | null }
}

/** The controller's encoder for one piece of work, alone, with the card in front of it. Waits for its turn. */
export function atEncoder<T>(
  access: Access,
  controller: AccessController,
  work: (station: Station) => Promise<T>,
): Promise<T> {
  return access.lines.inLine(controller, () =>
    onEncoder(access, controller, (station) => {
      // Who reads or erases the card that lies there means that card.
      station.desk.issued = null
      return work(station)
    }),
  )
}

/** The same for whoever has his turn already. */
export async function onEncoder<T>(
  access: Access,
  controller: AccessController,
  work: (station: Station) => Promise<T>,
): Promise<T> {
  const { devices, systems, recovered } = access
  await recovered
  const system = systems.card(providerOf(access, controller))
  // An encoder on the line of its dispenser is there when that one is.
  if (controller.dispenserId) devices.dispenser(dispenserBy(access, controller.dispenserId))
  const desk = devices.encoder(controller)
  const { bay } = desk
  try {
    return await bay.use((encoder) => work({ encoder, system, desk }))
  } catch (error) {
    resetIfStuck(bay, 'encoder', error)
    throw error
  }
}
