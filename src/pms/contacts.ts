import type { DeviceFault } from '../devices/fault.ts'
import type { Reader } from '../resource/keeper.ts'
import type { Adapter } from './contract.ts'
import { type PmsConfiguration, pmsConfiguration } from './resources/pms-configuration.ts'

/** The state of the contact with one PMS. */
export interface PmsContact {
  configurationId: string
  name: string
  /** `unknown` until the first request; a PMS without a network connection is always `connected`. */
  state: 'connected' | 'disconnected' | 'unknown' | 'disabled'
  /** Unix milliseconds of its last answer; null when it has not answered since the start. */
  lastContactAt: number | null
  /** The reason why its last request had no answer. */
  fault: string | null
}

interface LastContact {
  lastContactAt: number | null
  fault: string | null
}

const maxContacts = 200

/** Records for every PMS when it answered last, and whether its last request was answered. */
export function contacts({
  reader,
  adapters,
  now,
}: {
  reader: Reader
  adapters: readonly Adapter[]
  now: () => number
}) {
  const kept = new Map<string, LastContact>()

  function record(configurationId: string, fault: DeviceFault | null): void {
    const before = kept.get(configurationId)
    if (!before && kept.size >= maxContacts) kept.clear()
    const lastContactAt = fault ? (before?.lastContactAt ?? null) : now()
    kept.set(configurationId, { lastContactAt, fault: fault?.message ?? null })
  }

  function contactOf(row: PmsConfiguration): PmsContact {
    const { lastContactAt = null, fault = null } = kept.get(row.id) ?? {}
    return { configurationId: row.id, name: row.name, state: stateOf(row), lastContactAt, fault }
  }

  function stateOf({ id, enabled, adapter }: PmsConfiguration): PmsContact['state'] {
    if (enabled === false) return 'disabled'
    const known = kept.get(id)
    if (known) return known.fault === null ? 'connected' : 'disconnected'
    const found = adapters.find(({ name }) => name === adapter)
    return found?.transports.length === 0 ? 'connected' : 'unknown'
  }

  /** The contacts of all configurations. */
  function states(): PmsContact[] {
    return reader.rows(pmsConfiguration, { filters: [], sort: [], page: { size: 1_000 } }).map(contactOf)
  }

  return { record, states }
}
