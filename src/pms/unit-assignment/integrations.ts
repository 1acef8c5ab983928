import type { DeviceFault } from '../../devices/fault.ts'
import type { Reader } from '../../resource/keeper.ts'
import type { Adapter } from '../contract.ts'
import { type PmsConfiguration, pmsConfiguration } from '../resources/pms-configuration.ts'
import type { Session } from '../session.ts'
import { sharingPms } from '../sharing-pms.ts'
import type { Integrations } from './integration.ts'
import { allotmentIntegration, pmsIntegration } from './integration-with.ts'

interface IntegrationsOptions {
  reader: Reader
  adapters: readonly Adapter[]
  sessionOf(row: PmsConfiguration): Session
  /** Called when an adapter reports that its PMS cannot be reached. */
  unreachable(configurationId: string, fault: DeviceFault): void
  /** Whether the appliance synchronises with the PMS of this configuration. */
  isLinked(configurationId: string): boolean
}

/** Finds the PMS that assigns the units of a reservation, or whose allotment limits them. */
export function integrations(options: IntegrationsOptions): Integrations {
  const { reader, adapters } = options
  return {
    integrationOf({ integrationId }) {
      const shared = sharingPms(reader, integrationId)
      const id = integrationId ?? (shared?.lends ? shared.configurationId : null)
      const row = id ? reader.row(pmsConfiguration, id) : null
      if (!row) return null
      const adapter = adapters.find(({ name }) => name === row.adapter)
      if (adapter && !assignsUnits(adapter, row)) return shared?.lends ? allotmentIntegration(row) : null
      return pmsIntegration(row, {
        sessionOf: () => options.sessionOf(row),
        unreachable: (fault) => options.unreachable(row.id, fault),
        isLinked: () => options.isLinked(row.id),
      })
    },
  }
}

function assignsUnits(adapter: Adapter, row: PmsConfiguration): boolean {
  return adapter.assignsUnitsOf?.(row) ?? adapter.assignsUnits
}
