import type { DeviceFault } from '../devices/fault.ts'
import { adapterOf, credentialsContext } from './configurations.ts'
import type { Adapter, ApplianceServices } from './contract.ts'
import { type PmsConfiguration, pmsConfiguration } from './resources/pms-configuration.ts'
import { openSession, type Session } from './session.ts'

interface SessionsOptions {
  adapters: readonly Adapter[]
  appliance: ApplianceServices
  /** Opens credentials that were sealed for a context. */
  unseal(sealed: string, context: string): string
  /** Called at the end of each request to an adapter: null for an answer of any kind, or the fault. */
  requestEnded(configurationId: string, fault: DeviceFault | null): void
}

/** The open adapters, one for each configuration in use. */
interface Sessions {
  /**
   * The session of a configuration. It is opened again when the configuration has changed, and when the adapter is
   * stuck. Throws unsupported-operation when this build does not have the adapter.
   */
  of(row: PmsConfiguration): Session
  close(configurationId: string): void
  closeAll(): void
}

/** Opens each adapter when it is first needed. */
export function adapterSessions({ adapters, appliance, unseal, requestEnded }: SessionsOptions): Sessions {
  const { reader, failed } = appliance
  const open = new Map<string, Session>()

  function of(row: PmsConfiguration): Session {
    const before = open.get(row.id)
    if (before?.revision === row.revision && !before.isStuck()) return before
    before?.close()
    closeRemoved()
    const session = opened(row)
    open.set(row.id, session)
    return session
  }

  function opened(row: PmsConfiguration): Session {
    const credentials = row.credentials ? JSON.parse(unseal(row.credentials, credentialsContext)) : {}
    return openSession(
      adapterOf(adapters, row),
      { configuration: row, credentials, appliance },
      { failed, requestEnded: (fault) => requestEnded(row.id, fault) },
    )
  }

  function closeRemoved(): void {
    for (const id of open.keys()) if (reader.idOf(pmsConfiguration, id) === null) close(id)
  }

  function close(configurationId: string): void {
    open.get(configurationId)?.close()
    open.delete(configurationId)
  }

  return {
    of,
    close,
    closeAll() {
      for (const id of open.keys()) close(id)
    },
  }
}
