import type { Transaction } from '../../resource/command.ts'
import type { Reader } from '../../resource/keeper.ts'

/** The settings that the first start assumes where nobody states them. */
export const assumable = ['timeZone', 'country'] as const
export type Assumable = (typeof assumable)[number]

/** The country of a property while it is not known. CLDR uses this code for an unknown region. */
export const unknownCountry = 'ZZ'

/** Records that nobody has stated these settings. */
export function assume(tx: Transaction, names: readonly Assumable[]): void {
  for (const name of names) tx.next(counterOf(name))
}

/** Records that a person has stated the settings among these attributes, with whatever values. */
export function confirm(tx: Transaction, attributes: Record<string, unknown>): void {
  for (const name of assumable)
    if (attributes[name] !== undefined) tx.forget(counterOf(name), counterOf(name))
}

/** Returns the settings that nobody has stated. */
export function assumedSettings(reader: Reader): Assumable[] {
  return assumable.filter((name) => reader.counter(counterOf(name)) > 0)
}

function counterOf(name: Assumable): string {
  return `assumed-setting/${name}`
}
