import { command } from '../../resource/command.ts'
import { accessController } from '../resources/access-controller.ts'
import { type AlarmStates, keepFound } from './device-alarms.ts'

/** `busy`: a request's time ended while it waited in the queue. */
export type ControllerAlarm = 'offline' | 'busy'

const eventNames: Record<ControllerAlarm, { raised: string; over: string | null }> = {
  offline: { raised: 'controller.offline', over: 'controller.online' },
  busy: { raised: 'controller.busy-timeout', over: null },
}

/** Publishes each alarm of a controller once when it begins, and the end of `offline`. */
export const foundController = command(
  'controller/found',
  (tx, { controllerId, found }: { controllerId: string; found: AlarmStates<ControllerAlarm> }) => {
    const { raised, over } = keepFound(tx, accessController, tx.find(accessController, controllerId), found)
    const events = [
      ...raised.map((alarm) => eventNames[alarm as ControllerAlarm].raised),
      ...over.map((alarm) => eventNames[alarm as ControllerAlarm].over),
    ]
    for (const event of events) if (event) tx.journal(event, `controllers/${controllerId}`)
    return null
  },
)
