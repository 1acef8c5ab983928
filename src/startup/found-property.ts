import type { fillWithSample, SampleInput } from '../demo/sample-property.ts'
import { pmsConfiguration } from '../pms/resources/pms-configuration.ts'
import { settings } from '../reservation/resources/settings.ts'
import { type Assumable, assume } from '../reservation/values/assumed-settings.ts'
import { command } from '../resource/command.ts'
import type { PlainCommands } from '../resource/plain-commands.ts'
import { foundedMark } from '../store/founded.ts'

export interface FoundInput {
  /** The fingerprint of the vault's key. */
  fingerprint: string
  settings: Record<string, unknown>
  /** The settings that were assumed because the configuration does not contain them. */
  assumed: Assumable[]
  pms: Record<string, unknown>
  /** The sample property; null for an empty property. */
  sample: SampleInput | null
}

/**
 * Returns the command that makes the one property of a store and records the key's fingerprint, in one
 * transaction. A repeat does nothing.
 */
export function founding(plain: Pick<PlainCommands, 'create'>, fill: ReturnType<typeof fillWithSample>) {
  return command('found-property', (tx, { fingerprint, pms, sample, assumed, ...house }: FoundInput) => {
    if (tx.next(foundedMark(fingerprint)) > 1) return null
    plain.create.run(tx, { type: settings.type, attributes: house.settings })
    plain.create.run(tx, { type: pmsConfiguration.type, attributes: pms })
    assume(tx, assumed)
    if (sample) fill(tx, sample)
    return null
  })
}
