import { command, type Transaction } from '../../resource/command.ts'
import type { Resource } from '../../resource/resource.ts'
import { accessController } from '../resources/access-controller.ts'

/** The state of a device by alarm: true for an active alarm. An unknown state is left out. */
export type AlarmStates<Alarm extends string> = Partial<Record<Alarm, boolean>>

/** Whether the state differs from the stored alarms. */
export function isNews(alarms: readonly string[] | null | undefined, found: AlarmStates<string>): boolean {
  return Object.entries(found).some(([alarm, isWrong]) => isWrong !== (alarms ?? []).includes(alarm))
}

/** Stores the alarms, so that none is published twice. Returns those that began and those that ended. */
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

/** `busy`: a request's time ended while it waited in the queue. */
export type ControllerAlarm = 'offline' | 'busy'

/** Publishes each alarm of a controller once when it begins, and the end of `offline`. */
export const foundController = command(
  'controller/found',
  (tx, { controllerId, found }: { controllerId: string; found: AlarmStates<ControllerAlarm> }) => {
    const { raised, over } = keepFound(tx, accessController, tx.find(accessController, controllerId), found)
    const subject = `controllers/${controllerId}`
    for (const alarm of raised)
      tx.journal(alarm === 'busy' ? 'controller.busy-timeout' : `controller.${alarm}`, subject)
    if (over.includes('offline')) tx.journal('controller.online', subject)
    return null
  },
)
