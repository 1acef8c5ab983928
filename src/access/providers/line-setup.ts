import type { LockSetup } from '../../devices/lock-system.ts'
import type { MaskOf } from '../../recorder/recorded-line.ts'
import { command, type Writer } from '../../resource/command.ts'
import type { Workshop } from '../handles/workshop.ts'
import { type AccessProvider, accessProvider } from '../resources/access-provider.ts'
import { keyService } from '../resources/key-service.ts'

/** The configurations that may listen for connections. */
type Listener = 'access-provider' | 'key-service'

interface Refused {
  listener: Listener
  id: string
  address: string
  reason: string
}

/** Records a refused connection in the journal, so that the front desk learns of it. */
export const refusedConnection = command(
  'listener/refused',
  (tx, { listener, id, address, reason }: Refused): null => {
    const { path } = listener === 'key-service' ? keyService : accessProvider
    tx.journal(`${listener}.connection-refused`, `${path}/${id}`, { address, reason })
    return null
  },
)

/** A configured lock system or key service. */
type Configured = Pick<AccessProvider, 'id' | 'name' | 'connection'>

/** The description of a lock system or a key service in a recording. */
export function recordedAs({ name }: Pick<Configured, 'name'>, driver: { name: string }) {
  return { bay: name, capability: 'lock-system', driver: driver.name, model: driver.name } as const
}

/**
 * Returns what a driver is opened with for its line to a lock system or a foreign PMS. Its wires are recorded where
 * there is a recorder, and its refused connections are also recorded in the journal.
 */
export function lineSetup(
  { writer, workshop, failed }: { writer: Writer; workshop: Workshop; failed(error: unknown): void },
  listener: Listener,
  row: Configured,
  driver: { name: string; mask?: MaskOf | undefined },
): Pick<LockSetup, 'name' | 'connection' | 'openWire' | 'clock' | 'log'> {
  const { id, name, connection } = row
  return {
    name,
    connection,
    async openWire(path, options) {
      const wire = await workshop.openWire(path, options)
      const about = { ...recordedAs(row, driver), path, baudRate: options.baudRate }
      return workshop.recorder?.line(about, driver.mask, wire).wire ?? wire
    },
    clock: workshop.clock,
    log(event) {
      workshop.log(event)
      const { what, visitor } = event
      if (what !== 'refused' || !visitor) return
      const input = { listener, id, address: visitor.address, reason: visitor.why }
      writer.execute(refusedConnection, input, { actor: { by: 'listener', requestId: null } }).catch(failed)
    },
  }
}
