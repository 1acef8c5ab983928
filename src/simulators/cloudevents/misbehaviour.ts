import type { Message } from '../../pms/adapters/cloudevents/messages/envelope.ts'
import type { RequestType } from '../../pms/adapters/cloudevents/messages/messages.ts'

/**
 * What a PMS or its line can do instead of answering. `cut-before` and `cut-after`: the connection ends before or after
 * the request is executed; `half`: it ends in the middle of the answer; `silence`: no answer ever comes.
 */
export const faultKinds = [
  'cut-before',
  'cut-after',
  'half',
  'silence',
  'late',
  'garbage',
  'huge',
  'busy',
  'too-many',
  'unauthorized',
  'forbidden',
  'fail',
  'redirect',
] as const
export type FaultKind = (typeof faultKinds)[number]

/** An unsolicited message is lost, sent twice, sent after the next one, or sent in part. */
type NotificationFault = 'lose' | 'twice' | 'after-the-next' | 'garbage'

export type FaultyRequest = RequestType | 'events' | 'token'

export interface Fault {
  /** The request that it strikes; `*` is any. */
  at: FaultyRequest | '*'
  does: FaultKind
  /** How often it strikes. Default: once. */
  times?: number
  /** The delay of `late`. */
  ms?: number
  /** Sent with `busy` and `too-many`; left out when absent. */
  retryAfterSeconds?: number
  /** Called when it strikes. */
  taken?(): void
}

/** The faults to come: a plain object that a test or a person changes. */
export interface PmsMisbehaviour {
  faults: Fault[]
  /** One for each of the next unsolicited messages. */
  notifications: NotificationFault[]
  /** Added to the next page of changes. */
  hostile: unknown[]
}

/** The first fault that fits a request, which is used up; null for none. */
export function takeFault({ faults }: PmsMisbehaviour, request: FaultyRequest): Fault | null {
  const index = faults.findIndex(({ at }) => at === request || at === '*')
  const fault = faults[index]
  if (!fault) return null
  if ((fault.times ?? 1) <= 1) faults.splice(index, 1)
  else fault.times = (fault.times ?? 1) - 1
  fault.taken?.()
  return fault
}

/** Returns a function that passes each message to the listener as text, with the next fault. */
export function notificationsWithFaults(
  { notifications }: PmsMisbehaviour,
  listener: (text: string) => void,
): (message: Message) => void {
  let held: string | null = null
  return (message) => {
    const fault = notifications.shift() ?? null
    const text = JSON.stringify(message)
    if (fault === 'lose') return
    if (fault === 'after-the-next') {
      held = text
      return
    }
    listener(fault === 'garbage' ? text.slice(0, text.length / 2) : text)
    if (fault === 'twice') listener(text)
    if (held !== null) listener(held)
    held = null
  }
}
