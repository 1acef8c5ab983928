import type { Transaction } from '../../resource/command.ts'
import type { Resource } from '../../resource/resource.ts'

/** The state of a device by alarm: true for an active alarm. An unknown state is left out. */
export type AlarmStates<Alarm extends string> = Partial<Record<Alarm, boolean>>

/** Whether the state differs from the stored alarms. */
export function isNews(alarms: readonly string[] | null | undefined, found: AlarmStates<string>): boolean {
  return Object.entries(found).some(([alarm, isWrong]) => isWrong !== (alarms ?? []).includes(alarm))
}

/**
 * Stores the alarms with the device, so that none is published twice. Returns the alarms that began and those that
 * ended.
 */
export function keepFound(
  tx: Transaction,
  resource: Resource,
  { id, alarms }: { id: string; alarms?: string[] | null },
  found: AlarmStates<string>,
): { raised: string[]; over: string[] } {
  const before = alarms ?? []
  const raised = Object.keys(found).filter((alarm) => found[alarm] && !before.includes(alarm))
  const over = before.filter((alarm) => found[alarm] === false)
  if (raised.length + over.length > 0)
    tx.patch(resource, id, { alarms: [...before.filter((alarm) => !over.includes(alarm)), ...raised] })
  return { raised, over }
}
