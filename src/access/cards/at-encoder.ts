import type { Access } from '../access.ts'
import { resetIfStuck } from '../dispensers/machine-health.ts'
import { dispenserBy, providerOf } from '../lookups.ts'
import type { AccessController } from '../resources/access-controller.ts'
import type { Near } from './antenna.ts'

/** An encoder of this appliance in use. */
export interface Station extends Near {
  /** The serial number of the card that this encoder issued last, until that card is lifted. */
  desk: { issued: string | null }
}

/** Runs `work` alone at the encoder, after the jobs queued before it. Rejects with encoder-busy for a full queue. */
export function atEncoder<T>(
  access: Access,
  controller: AccessController,
  work: (station: Station) => Promise<T>,
): Promise<T> {
  return access.lines.counted(controller, () =>
    onEncoder(access, controller, (station) => {
      // A read or an erase also applies to the card that was issued last and still lies on the encoder.
      station.desk.issued = null
      return work(station)
    }),
  )
}

/** Like `atEncoder`, for a caller whose turn in the controller's queue has come. */
export async function onEncoder<T>(
  access: Access,
  controller: AccessController,
  work: (station: Station) => Promise<T>,
): Promise<T> {
  const { devices, systems, recovered } = access
  await recovered
  const system = systems.card(providerOf(access, controller))
  // The dispenser is opened first, because an encoder inside it may be on the same line.
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
