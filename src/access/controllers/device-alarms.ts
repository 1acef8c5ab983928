import type { Transaction } from '../../resource/command.ts'
import type { Resource } from '../../resource/resource.ts'

/** What is found of a device, by the words of its alarms: true for what is wrong. What is not known is left out. */
export type Found<Alarm extends string> = Partial<Record<Alarm, boolean>>

/** Whether it says other than the alarms that were told. */
export function isNews(alarms: readonly string[] | null | undefined, found: Found<string>): boolean {
  return Object.entries(found).some(([alarm, isWrong]) => isWrong !== (alarms ?? []).includes(alarm))
}

/** Keeps what is found with the device, so that nothing is told twice, and answers what of it is new and what is over. */
export function keepFound(
  tx: Transaction,
  resource: Resource,
  { id, alarms }: { id: string; alarms?: string[] | null },
  found: Found<string>,
): { raised: string[]; over: string[] } {
  const before = alarms ?? []
  const raised = Object.keys(found).filter((alarm) => found[alarm] && !before.includes(alarm))
  const over = before.filter((alarm) => found[alarm] === false)
  if (raised.length + over.length > 0)
    tx.patch(resource, id, { alarms: [...before.filter((alarm) => !over.includes(alarm)), ...raised] })
  return { raised, over }
}
