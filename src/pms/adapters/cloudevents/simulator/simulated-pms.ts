import type { CloudEvent } from '../../../../events/cloud-event.ts'
import type { Clock } from '../../../../host/clock.ts'
import type * as of from '../messages/message-data.ts'
import type { MessageType, RequestType } from '../messages/messages.ts'
import { answerOffers } from './answer-offers.ts'
import { type Book, book } from './book.ts'
import { type Asked, type Deed, type Fault, type Misbehaviour, takeFault } from './misbehaviour.ts'
import type { UnitsByType } from './units.ts'

interface SimulatedPmsOptions {
  clock: Clock
  units: UnitsByType
  /** Of the PMS: lower-case letters and digits. */
  name?: string
}

export interface PmsRequest {
  type: RequestType
  data: object
}

export interface PmsReply {
  type: MessageType
  data: object
}

/** What is answered, and what the line is to do with it; without a reply nothing was carried out. */
export interface Outcome {
  reply: PmsReply | null
  deed: Deed | null
  fault: Fault | null
}

/** Where the PMS was asked to tell of changes. */
interface Callback {
  callbackUrl: string
  secret: string
}

/** A PMS that speaks the contract: it knows no carrier, and does as its `misbehaviour` says. */
export interface SimulatedPms {
  book: Book
  misbehaviour: Misbehaviour
  /** Whatever is asked, in order. */
  asked: { type: Asked; data: unknown }[]
  /** What the house told of itself, in the order of arrival; twice what was told twice. */
  received: CloudEvent[]
  callbacks: Callback[]
  answer(request: PmsRequest): Promise<Outcome>
  /** Takes events of the house. Resolves when they are kept. */
  take(events: readonly CloudEvent[]): Promise<Outcome>
  /** What it tells by itself, as text: what misbehaves says here how. Until the returned function is called. */
  onNews(listener: (text: string) => void): () => void
}

/** Questions remembered. */
const mostAsked = 10_000
const mostReceived = 100_000
const mostCallbacks = 20

export function simulatedPms({ clock, units, name = 'sim' }: SimulatedPmsOptions): SimulatedPms {
  const kept = book({ now: clock.now, name })
  const misbehaviour: Misbehaviour = { faults: [], news: [], hostile: [] }
  const asked: SimulatedPms['asked'] = []
  const received: CloudEvent[] = []
  const callbacks: Callback[] = []

  const answering: { [Type in RequestType]: (data: never) => PmsReply } = {
    'pms.changes.requested': changesOf,
    'pms.reservations.offered': ({ offers }: of.ReservationsOffered) => ({
      type: 'pms.offers.answered',
      data: { answers: answerOffers(kept, Object.keys(units), offers) },
    }),
    'pms.capabilities.requested': ({ requestId }: of.CapabilitiesAsked) => ({
      type: 'pms.capabilities.replied',
      data: { requestId, capabilities, ttlSeconds: 1_800 },
    }),
    'pms.unit-assignment.requested': (data: of.UnitAssignmentRequested) => ({
      type: 'pms.unit-assignment.replied',
      data: unitsFor(data),
    }),
    'pms.extension.invoked': (data: of.ExtensionInvoked) => ({
      type: 'pms.extension.replied',
      data: extension(data),
    }),
  }

  function changesOf({ after = null, limit }: of.ChangesRequested): PmsReply {
    const page = kept.changesAfter(after, limit)
    if (!page) {
      const reason = 'The cursor is of another time: ask without one.'
      return { type: 'pms.request.failed', data: { code: 'cursor-gone', reason } }
    }
    const changes = [...page.changes, ...misbehaviour.hostile.splice(0)]
    return { type: 'pms.changes.replied', data: { ...page, changes } }
  }

  /** The first units of the types that nobody of its book has on these nights. */
  function unitsFor({
    unitTypeCodes,
    startDate,
    endDate,
  }: of.UnitAssignmentRequested): of.UnitAssignmentReplied {
    const taken = new Set(
      [...kept.reservations.values()]
        .flatMap(({ value }) => value?.stays ?? [])
        .filter((stay) => stay.startDate < endDate && startDate < stay.endDate)
        .flatMap((stay) => stay.units?.flatMap(({ unitName }) => unitName ?? []) ?? []),
    )
    const chosen: string[] = []
    for (const code of unitTypeCodes) {
      const free = units[code]?.find((unitName) => !taken.has(unitName))
      if (free === undefined) return { is: 'none-eligible', reason: `All units of ${code} are taken.` }
      taken.add(free)
      chosen.push(free)
    }
    return { is: 'chosen', unitNames: chosen }
  }

  function extension({ name: wanted, method, body }: of.ExtensionInvoked): of.ExtensionReplied {
    const extensions: Record<string, () => of.ExtensionReplied> = {
      'GET unit-types': () => ({
        is: 'answered',
        payload: Object.entries(units).map(([code, names]) => ({ code, quantity: names.length })),
      }),
      'POST webhooks': () => registered(body as Partial<Callback> | null),
      'DELETE webhooks': () => ({ is: 'answered', payload: { removed: callbacks.splice(0).length } }),
    }
    return extensions[`${method} ${wanted}`]?.() ?? { is: 'not-implemented' }
  }

  function registered(body: Partial<Callback> | null): of.ExtensionReplied {
    const { callbackUrl, secret } = body ?? {}
    if (!callbackUrl || !secret) return { is: 'refused', reason: 'callbackUrl and secret are required.' }
    const others = callbacks.filter((each) => each.callbackUrl !== callbackUrl).slice(0, mostCallbacks - 1)
    callbacks.splice(0, callbacks.length, ...others, { callbackUrl, secret })
    return { is: 'answered', payload: { callbackUrl } }
  }

  async function outcomeOf(type: Asked, data: unknown, work: () => PmsReply): Promise<Outcome> {
    asked.push({ type, data })
    if (asked.length > mostAsked) asked.shift()
    const fault = takeFault(misbehaviour, type)
    const deed = fault?.does ?? null
    if (deed === 'late') await clock.sleep(fault?.ms ?? 0)
    if (deed !== null && undone.includes(deed)) return { reply: null, deed, fault }
    return { reply: work(), deed, fault }
  }

  function onNews(listener: (text: string) => void): () => void {
    let held: string | null = null
    return kept.onChange((message) => {
      const deed = misbehaviour.news.shift() ?? null
      const text = JSON.stringify(message)
      if (deed === 'lose') return
      if (deed === 'after-the-next') {
        held = text
        return
      }
      listener(deed === 'garbage' ? text.slice(0, text.length / 2) : text)
      if (deed === 'twice') listener(text)
      if (held !== null) listener(held)
      held = null
    })
  }

  return {
    book: kept,
    misbehaviour,
    asked,
    received,
    callbacks,
    answer: ({ type, data }) => outcomeOf(type, data, () => answering[type](data as never)),
    take: (events) =>
      outcomeOf('events', events, () => {
        received.push(...events)
        if (received.length > mostReceived) received.splice(0, received.length - mostReceived)
        return { type: 'pms.extension.replied', data: {} }
      }),
    onNews,
  }
}

/** Deeds before which nothing was carried out. */
const undone: readonly Deed[] = [
  'cut-before',
  'silence',
  'busy',
  'too-many',
  'unauthorized',
  'forbidden',
  'fail',
  'redirect',
]

const capabilities: of.CapabilitiesTold['capabilities'] = {
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
