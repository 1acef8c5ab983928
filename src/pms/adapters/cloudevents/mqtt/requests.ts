import { randomBytes } from 'node:crypto'
import type { IPublishPacket } from 'mqtt'
import { DeviceFault } from '../../../../devices/fault.ts'
import type { Clock } from '../../../../host/clock.ts'
import type { Call } from '../../../call.ts'
import type { ExtensionInvoked } from '../messages/message-data.ts'
import type { Exchanges, RequestType } from '../messages/messages.ts'
import { readReply } from '../messages/read-reply.ts'
import type { MqttConnection, Outgoing } from './connection.ts'
import { asFault, lineFault } from './reasons.ts'

/** Requests that wait for their replies, on any connection. */
interface PendingRequests {
  /** Resolves with the data of the reply; rejects with a DeviceFault. */
  send(request: Request, connection: MqttConnection, call: Call): Promise<unknown>
  /** Delivers a reply to its request; false when there is none. */
  replied(packet: IPublishPacket): boolean
  /** The broker has lost the session: replies to earlier requests were lost with it. */
  sessionLost(): void
  close(): void
}

interface Request {
  type: RequestType
  /** True when the PMS may change something after it has received the request. */
  mayChange: boolean
  message: Outgoing
}

interface Pending {
  type: RequestType
  mayChange: boolean
  answer: PromiseWithResolvers<unknown>
  /** True when the broker has acknowledged the request. */
  isTaken: boolean
}

const maxPending = 64

/** Each request waits for its reply for `patienceMs`, or until the signal of its call is aborted. */
export function pendingRequests(clock: Clock, patienceMs: number): PendingRequests {
  const waiting = new Map<string, Pending>()

  async function send({ type, mayChange, message }: Request, connection: MqttConnection, call: Call) {
    if (waiting.size >= maxPending) throw tooMany(type)
    const correlationData = randomBytes(16)
    const name = correlationData.toString('hex')
    const entry: Pending = { type, mayChange, answer: Promise.withResolvers(), isTaken: false }
    waiting.set(name, entry)
    try {
      const properties = { ...message.properties, correlationData }
      void transmit(entry, connection, { ...message, properties }, call.signal)
      return await orSilent(entry, AbortSignal.any([call.signal, clock.timeout(patienceMs)]))
    } finally {
      waiting.delete(name)
    }
  }

  async function transmit(
    entry: Pending,
    connection: MqttConnection,
    message: Outgoing,
    signal: AbortSignal,
  ) {
    const { answer, type, mayChange } = entry
    try {
      if ((await connection.publish(message, signal)) === 'nobody') answer.reject(nobodyListens(type))
      entry.isTaken = true
    } catch (error) {
      answer.reject(asFault(error, mayChange))
    }
  }

  function replied({ properties, payload }: IPublishPacket): boolean {
    const name = properties?.correlationData?.toString('hex') ?? ''
    const entry = waiting.get(name)
    if (!entry) return false
    waiting.delete(name)
    entry.answer.resolve(readReply(entry.type, Buffer.from(payload)))
    return true
  }

  function failAll(which: (entry: Pending) => boolean, reason: string): void {
    for (const entry of waiting.values()) {
      if (which(entry)) entry.answer.reject(lineFault(reason, entry.mayChange))
    }
  }

  return {
    send,
    replied,
    sessionLost: () => failAll(({ isTaken }) => isTaken, 'it has forgotten where replies are to go'),
    close: () => failAll(() => true, 'it was closed'),
  }
}

/** The answer, or the fault for a missing answer. */
async function orSilent({ answer, type, mayChange }: Pending, signal: AbortSignal): Promise<unknown> {
  const silent = () =>
    answer.reject(
      new DeviceFault('adapter-timeout', `The PMS has not replied to ${type} in time.`, {
        outcomeUnknown: mayChange,
      }),
    )
  signal.addEventListener('abort', silent)
  if (signal.aborted) silent()
  try {
    return await answer.promise
  } finally {
    signal.removeEventListener('abort', silent)
  }
}

function tooMany(type: RequestType): DeviceFault {
  return new DeviceFault(
    'adapter-timeout',
    `${maxPending} requests already wait for a reply, so ${type} is not sent.`,
  )
}

/** The broker reports in its acknowledgement that no subscriber exists. */
function nobodyListens(type: RequestType): DeviceFault {
  return new DeviceFault('adapter-timeout', `No PMS has subscribed to ${type} at the broker.`)
}

/** Whether a PMS that has received this request may have changed something. */
export function mayChange<Type extends RequestType>(type: Type, data: Exchanges[Type]['data']): boolean {
  if (type === 'pms.extension.invoked') return (data as ExtensionInvoked).method !== 'GET'
  return type === 'pms.reservations.offered' || type === 'pms.unit-assignment.requested'
}
