import type { Transaction } from '../resource/change.ts'

/** Who writes on behalf of a PMS, which knows already what he does: `pms:` with the id of its configuration. */
export function teller(configurationId: string): string {
  return `pms:${configurationId}`
}

/** Whether a PMS tells what has happened there: it is kept even where the desk would be kept from a mistake. */
export function isTold({ actor }: Pick<Transaction, 'actor'>): boolean {
  return actor.by.startsWith('pms:')
}
