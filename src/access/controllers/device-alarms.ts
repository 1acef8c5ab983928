import { command, type Transaction } from '../../resource/command.ts'
import type { Resource } from '../../resource/resource.ts'
import { accessController } from '../resources/access-controller.ts'

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

/** `busy`: a request's time ended while it waited in the queue. */
export type ControllerAlarm = 'offline' | 'busy'

/** The events at the beginning and at the end of an alarm. */
const controllerEvents: Record<string, { raised: string; over?: string }> = {
  offline: { raised: 'controller.offline', over: 'controller.online' },
  busy: { raised: 'controller.busy-timeout' },
} satisfies Record<ControllerAlarm, object>

/** Publishes each alarm of a controller once when it begins, and the end of `offline`. */
export const foundController = command(
  'controller/found',
  (tx, { controllerId, found }: { controllerId: string; found: AlarmStates<ControllerAlarm> }) => {
    const { raised, over } = keepFound(tx, accessController, tx.find(accessController, controllerId), found)
    const events = [
      ...raised.map((alarm) => controllerEvents[alarm]?.raised),
      ...over.map((alarm) => controllerEvents[alarm]?.over),
    ]
    for (const event of events) if (event) tx.journal(event, `controllers/${controllerId}`)
    return null
  },
)
