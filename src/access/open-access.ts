import type { Store } from '../jsonapi/resource-routes.ts'
import type { Access, Machines, Property, Work } from './access.ts'
import { recoverDesk, recoverDispenser } from './cards/recover-dispenser.ts'
import { handles } from './controllers/handles.ts'
import type { Workshop } from './controllers/workshop.ts'
import { backInService } from './dispensers/dispenser-control.ts'
import { completeDoors } from './keys/complete-doors.ts'
import { chase } from './keys/pending/chase.ts'
import { linkWaitingKeys } from './keys/stay/link-keys.ts'
import { workLines } from './keys/work-lines.ts'
import { allOf, settingsOf } from './lookups.ts'
import { lockSystems } from './providers/lock-systems.ts'
import { accessController } from './resources/access-controller.ts'
import { dispenser } from './resources/dispenser.ts'

interface AccessOptions {
  store: Store
  workshop: Workshop
  /** Reports an error that is no DeviceFault and for which no caller waits. */
  failed(error: unknown): void
}

/** Returns the access module without opening a device: `start` or the first use opens it. */
export function openAccess({ store, workshop, failed }: AccessOptions) {
  const { reader, writer } = store
  const property: Property = { reader, writer, clock: workshop.clock, failed }
  const machines = openMachines(property, workshop)
  const recovered = Promise.withResolvers<void>()
  const work: Work = {
    lines: workLines(),
    recovered: recovered.promise,
    chase: () => chasing.poke(),
    attempts: (keyId) => chasing.attempts(keyId),
    askNow: (keyId) => chasing.askNow(keyId),
  }
  const access: Access = { ...property, ...machines, ...work }
  const chasing = chase(access)
  return {
    access,
    /** Recovers the unfinished issuances of an earlier run, and opens every configured device. */
    async start(): Promise<void> {
      await recoverDesk(property)
      const actor = { by: 'key-chase', requestId: null }
      await writer.execute(completeDoors, null, { actor })
      await writer.execute(linkWaitingKeys, null, { actor })
      recovered.resolve()
      await openDevices(access)
      chasing.start()
    },
    /** Finishes the cards that are being made, within 10 s, and closes the devices and lock systems. */
    async close(): Promise<void> {
      const chased = chasing.stop()
      await machines.devices.close()
      await machines.systems.close()
      await chased
    },
  }
}

/** The devices and lock systems, which open at their first use. A dispenser recovers its cards at each start. */
function openMachines(property: Property, workshop: Workshop): Machines {
  const systems = lockSystems({ ...property, workshop }, () => settingsOf(property).timeZone)
  const machines: Machines = {
    workshop,
    systems,
    devices: handles(workshop, (handle, machine) =>
      recoverDispenser({ ...property, ...machines }, handle, machine),
    ),
  }
  return machines
}

async function openDevices(access: Property & Machines): Promise<void> {
  const { devices } = access
  // The job that waited for a returned card ended with the earlier run.
  for (const row of allOf(access, dispenser))
    if (row.commandedState === 'accepting') await backInService(access, row.id)
  for (const row of allOf(access, dispenser)) devices.dispenser(row)
  for (const row of allOf(access, accessController)) if (row.device?.path) devices.encoder(row)
}
