import type { BayEvent } from '../../devices/bay/bay-event.ts'
import { command, type Writer } from '../../resource/command.ts'
import type { Workshop } from '../controllers/workshop.ts'
import { accessProvider } from '../resources/access-provider.ts'
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

/** Returns a function that logs the events of a line and journals refused connections. */
export function listenerLog(
  { writer, workshop, failed }: { writer: Writer; workshop: Workshop; failed(error: unknown): void },
  listener: Listener,
  id: string,
): (event: BayEvent) => void {
  return (event) => {
    workshop.log(event)
    const { what, visitor } = event
    if (what !== 'refused' || !visitor) return
    const input = { listener, id, address: visitor.address, reason: visitor.why }
    writer.execute(refusedConnection, input, { actor: { by: 'listener', requestId: null } }).catch(failed)
  }
}
