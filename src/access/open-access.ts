import type { Store } from '../jsonapi/resource-routes.ts'
import type { Access, Machines, Property } from './access.ts'
import { recoverDesk, recoverDispenser } from './cards/recover-dispenser.ts'
import { backInService } from './dispensers/routes/dispenser-control.ts'
import { handles } from './handles/handles.ts'
import type { Workshop } from './handles/workshop.ts'
import { completeDoors } from './keys/doors/complete-doors.ts'
import { workLines } from './keys/orders/work-lines.ts'
import { chase } from './keys/pending/chase.ts'
import { linkWaitingKeys } from './keys/stay/link-keys.ts'
import { allOf } from './lookups.ts'
import { lockSystems } from './providers/lock-systems.ts'
import { accessController } from './resources/access-controller.ts'
import { dispenser } from './resources/dispenser.ts'

interface AccessOptions extends Pick<Property, 'background' | 'failed'> {
  store: Store
  workshop: Workshop
  /** The names of the drivers by which a PMS orders keys. */
  ways: readonly string[]
}

/** Returns the access module without opening a device: `start` or the first use opens it. */
export function openAccess({ store, workshop, ways, background, failed }: AccessOptions) {
  const { reader, writer } = store
  const property: Property = { reader, writer, clock: workshop.clock, background, failed }
  const recovered = Promise.withResolvers<void>()
  const access: Access = {
    ...property,
    workshop,
    systems: lockSystems({ ...property, workshop }),
    // A dispenser recovers its cards at each start.
    devices: handles(workshop, (handle, machine) => recoverDispenser(access, handle, machine)),
    lines: workLines(),
    recovered: recovered.promise,
    chase: () => chasing.poke(),
    attempts: (keyId) => chasing.attempts(keyId),
    askNow: (keyId) => chasing.askNow(keyId),
  }
  const chasing = chase(access)
  return {
    access,
    /** Recovers the unfinished issuances of an earlier run, and opens every configured device. */
    async start(): Promise<void> {
      const actor = { by: 'key-chase', requestId: null }
      // Before any other command writes a key.
      await writer.execute(completeDoors, null, { actor })
      await recoverDesk(property)
      await writer.execute(linkWaitingKeys, { ways }, { actor })
      recovered.resolve()
      await openDevices(access)
      chasing.start()
    },
    /** Finishes the cards that are being made, within 10 s, and closes the devices and lock systems. */
    async close(): Promise<void> {
      const chased = chasing.stop()
      await access.devices.close()
      await access.systems.close()
      await chased
    },
  }
}

async function openDevices(access: Machines): Promise<void> {
  const { devices } = access
  // The job that waited for a returned card ended with the earlier run.
  for (const row of allOf(access, dispenser))
    if (row.commandedState === 'accepting') await backInService(access, row.id)
  for (const row of allOf(access, dispenser)) devices.dispenser(row)
  for (const row of allOf(access, accessController)) if (row.device?.path) devices.encoder(row)
}
