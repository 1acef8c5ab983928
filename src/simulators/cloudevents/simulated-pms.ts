import type { CloudEvent } from '../../events/cloud-event.ts'
import type { Clock } from '../../host/clock.ts'
import type * as of from '../../pms/adapters/cloudevents/messages/message-data.ts'
import type { MessageType, RequestType } from '../../pms/adapters/cloudevents/messages/messages.ts'
import { answerOffers } from './answer-offers.ts'
import { Book } from './book.ts'
import { chooseUnits } from './choose-units.ts'
import { answerExtension, type Callback } from './extensions.ts'
import {
  type Fault,
  type FaultKind,
  type FaultyRequest,
  notificationsWithFaults,
  type PmsMisbehaviour,
  takeFault,
} from './misbehaviour.ts'
import type { UnitsByType } from './units.ts'

interface SimulatedPmsOptions {
  clock: Clock
  units: UnitsByType
  /** The name of the PMS: lower-case letters and digits. */
  name?: string
  /** The version of the contract. Default: 2. */
  contract?: 1 | 2
}

export interface PmsRequest {
  type: RequestType
  data: object
}

export interface PmsReply {
  type: MessageType
  data: object
}

/** A reply, and the fault with which it is delivered. Without a reply the request was not executed. */
export interface SimulatedOutcome {
  reply: PmsReply | null
  deed: FaultKind | null
  fault: Fault | null
}

/** A PMS that implements the contract, without a carrier. It misbehaves as its `misbehaviour` says. */
export interface SimulatedPms {
  book: Book
  misbehaviour: PmsMisbehaviour
  /** All requests, in the order of arrival. */
  requests: { type: FaultyRequest; data: unknown }[]
  /** The events of the appliance, in the order of arrival; a repeated event is here twice. */
  received: CloudEvent[]
  callbacks: Callback[]
  answer(request: PmsRequest): Promise<SimulatedOutcome>
  /** Stores events of the appliance. */
  take(events: readonly CloudEvent[]): Promise<SimulatedOutcome>
  /** Calls the listener with the text of each unsolicited message, with its faults. Returns a function that ends this. */
  onNotification(listener: (text: string) => void): () => void
}

/** The numbers of requests and events that are remembered. */
const maxRequests = 10_000
const maxReceived = 100_000

/** A PMS with a book of reservations, which misbehaves when it is made to. It has no wire of its own. */
export function simulatedPms({
  clock,
  units,
  name = 'sim',
  contract = 2,
}: SimulatedPmsOptions): SimulatedPms {
  const book = new Book({ now: clock.now, name })
  const misbehaviour: PmsMisbehaviour = { faults: [], notifications: [], hostile: [] }
  const requests: SimulatedPms['requests'] = []
  const received: CloudEvent[] = []
  const callbacks: Callback[] = []
  let epoch = 0

  const replies: { [Type in RequestType]: (data: never) => PmsReply } = {
    'pms.changes.requested': (data: of.ChangesRequested) =>
      withEpoch(changesReply(book, misbehaviour, contract, data), epoch),
    'pms.reservations.offered': ({ offers }: of.ReservationsOffered) => ({
      type: 'pms.offers.answered',
      data: { answers: answerOffers(book, Object.keys(units), offers) },
    }),
    'pms.capabilities.requested': ({ requestId }: of.CapabilitiesRequested) => ({
      type: 'pms.capabilities.replied',
      data: { requestId, capabilities, ttlSeconds: 1_800 },
    }),
    'pms.unit-assignment.requested': (data: of.UnitAssignmentRequested) => ({
      type: 'pms.unit-assignment.replied',
      data: chooseUnits(book, units, data),
    }),
    'pms.extension.invoked': (data: of.ExtensionInvoked) => ({
      type: 'pms.extension.replied',
      data: answerExtension(data, units, callbacks),
    }),
  }

  async function outcomeOf(
    type: FaultyRequest,
    data: unknown,
    work: () => PmsReply,
  ): Promise<SimulatedOutcome> {
    requests.push({ type, data })
    if (requests.length > maxRequests) requests.shift()
    const fault = takeFault(misbehaviour, type)
    const deed = fault?.does ?? null
    if (deed === 'late') await clock.sleep(fault?.ms ?? 0)
    if (deed !== null && !executed.includes(deed)) return { reply: null, deed, fault }
    return { reply: work(), deed, fault }
  }

  function keep(events: readonly CloudEvent[]): PmsReply {
    received.push(...events)
    for (const { type, data } of events)
      if (type === 'system.restored') epoch = Math.max(epoch, Number((data as { epoch?: number }).epoch ?? 0))
    if (received.length > maxReceived) received.splice(0, received.length - maxReceived)
    return { type: 'pms.extension.replied', data: {} }
  }

  return {
    book,
    misbehaviour,
    requests,
    received,
    callbacks,
    answer: ({ type, data }) => outcomeOf(type, data, () => replies[type](data as never)),
    take: (events) => outcomeOf('events', events, () => keep(events)),
    onNotification: (listener) => book.onChange(notificationsWithFaults(misbehaviour, listener)),
  }
}

/** Tells an appliance that was replaced by a restored one that it was. */
function withEpoch({ type, data }: PmsReply, epoch: number): PmsReply {
  const isPage = type === 'pms.changes.replied' && epoch > 0
  return { type, data: isPage ? { ...data, epoch } : data }
}

function changesReply(
  book: Book,
  { hostile }: PmsMisbehaviour,
  contract: 1 | 2,
  { after = null, limit }: of.ChangesRequested,
): PmsReply {
  const page = book.changesAfter(after, limit)
  if (!page) {
    const reason = 'The cursor is of another time: ask without one.'
    return { type: 'pms.request.failed', data: { code: 'cursor-gone', reason } }
  }
  const changes = [...page.changes, ...hostile.splice(0)]
  return { type: 'pms.changes.replied', data: { ...page, changes, ...(contract === 2 && { contract }) } }
}

/** The faults with which a request is executed all the same. */
const executed: readonly FaultKind[] = ['cut-after', 'half', 'late', 'garbage', 'huge']

const capabilities: of.CapabilitiesReplied['capabilities'] = {
  flags: [
    'reservations.read',
    'reservations.write',
    'profiles.read',
    'units.assign',
    'payments.record',
    'sync.full',
    'sync.delta',
    'checkin',
    'checkout',
    'room-move',
    'webhooks',
  ],
  extensions: [
    { name: 'unit-types', methods: ['GET'], description: 'The unit types that are sold.' },
    { name: 'webhooks', methods: ['POST', 'DELETE'], description: 'Tells of changes at an address.' },
  ],
  rateLimit: null,
  timeZone: null,
}
