import { DeviceFault } from '../devices/fault.ts'
import type { Reader } from '../resource/keeper.ts'
import { Problem } from '../resource/problem.ts'
import type { Adapter } from './contract.ts'
import { type PmsConfiguration, pmsConfiguration } from './resources/pms-configuration.ts'

/** The vault's context of sealed credentials. */
export const credentialsContext = 'pms-configuration'

/** The configuration with this id. Throws not-found, and configuration-disabled. */
export function enabledConfiguration(reader: Reader, id: string): PmsConfiguration {
  const row = reader.row(pmsConfiguration, id)
  if (!row) throw new Problem('not-found', 'There is no PMS configuration with this id.')
  if (row.enabled === false) {
    throw new Problem(
      'configuration-disabled',
      `The PMS configuration ${row.name} is disabled. Enable it first.`,
    )
  }
  return row
}

/** The adapter that a configuration names. Throws unsupported-operation when this build does not have it. */
export function adapterOf(adapters: readonly Adapter[], { adapter }: PmsConfiguration): Adapter {
  const found = adapters.find(({ name }) => name === adapter)
  if (!found) throw new DeviceFault('unsupported-operation', `This build has no adapter ${adapter}.`)
  return found
}
