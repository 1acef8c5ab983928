import { DeviceFault } from '../../../src/devices/fault.ts'
import type { CloudEvent } from '../../../src/events/cloud-event.ts'
import type { SharedReservation, SharedStay } from '../../../src/pms/sync/shared-reservation.ts'
import type {
  ChangePage,
  Offer,
  OfferAnswer,
  PmsChange,
  ReservationChange,
  SyncNotifications,
  SyncSide,
} from '../../../src/pms/sync-contract.ts'

type Call = 'pull' | 'push' | 'publish'
/** Does the call itself, before or after which anything may go wrong. */
type Mishap = (work: () => Promise<unknown>, input: unknown) => Promise<unknown>

interface Entry {
  revision: number
  value: SharedReservation | null
}

/**
 * A PMS in memory that keeps to what the contract asks of the other side, but for what a test has go wrong. What it
 * has is what the house is compared with.
 */
export function playedPms({ pageSize = 10, lends = false }: { pageSize?: number; lends?: boolean } = {}) {
  const entries = new Map<string, Entry>()
  const log: unknown[] = []
  const refusedLog: { at: number; reason: string; payload: string; size: number }[] = []
  const answered = new Map<string, OfferAnswer>()
  const events: CloudEvent[] = []
  const offered: Offer[] = []
  const pulled: (string | null)[] = []
  const mishaps: Record<Call, Mishap[]> = { pull: [], push: [], publish: [] }
  let cut: string | null = null
  let revisions = 0
  let named = 0
  /** Those who follow; the house may be kept in step by several configurations. */
  const followers = new Set<SyncNotifications>()
  let decide: (offer: Offer) => OfferAnswer | null = () => null

  /** The clerk over there has changed it, or has made it. */
  function report(externalId: string, value: SharedReservation | null): ReservationChange {
    const change: ReservationChange = {
      is: 'reservation',
      externalId,
      revision: ++revisions,
      changedAt: null,
      value,
    }
    entries.set(externalId, { revision: change.revision, value })
    log.push(change)
    return change
  }

  /** Something that is not in any order, or no change at all. */
  function send(...changes: unknown[]): void {
    log.push(...changes)
  }

  const place = (cursor: string | null) => (cursor === null ? 0 : Number(cursor))

  const sync: SyncSide = {
    lends,
    pull: (cursor) =>
      mishapIn('pull', cursor, async (): Promise<ChangePage> => {
        pulled.push(cursor)
        const from = place(cursor)
        const to = Math.min(log.length, from + pageSize)
        const refused = refusedLog.filter(({ at }) => at >= from && at < Math.max(to, from + 1))
        return {
          changes: log.slice(from, to) as PmsChange[],
          refused: refused.map(({ at: _, ...each }) => each),
          cursor: String(to),
          more: to < log.length,
        }
      }) as Promise<ChangePage>,
    push: (offers) =>
      mishapIn('push', offers, async () => {
        offered.push(...offers)
        return offers.map(answerTo)
      }) as Promise<OfferAnswer[]>,
    publish: (published) =>
      mishapIn('publish', published, async () => {
        events.push(...published)
      }) as Promise<void>,
    follow(listener) {
      followers.add(listener)
      return () => {
        followers.delete(listener)
      }
    },
  }

  function answerTo(offer: Offer): OfferAnswer {
    const before = answered.get(offer.id)
    if (before) return before
    const answer = decide(offer) ?? carriedOut(offer)
    if (answer.is === 'accepted') answered.set(offer.id, answer)
    return answer
  }

  function carriedOut(offer: Offer): OfferAnswer {
    const externalId = offer.externalId ?? `PMS-${++named}`
    const known = entries.get(externalId)
    if (known && known.revision !== offer.baseRevision) {
      return { is: 'outdated', change: { is: 'reservation', externalId, changedAt: null, ...known } }
    }
    const stays = offer.value.stays.map(
      (stay, index): SharedStay => ({ ...stay, externalId: stay.externalId ?? `${externalId}/${index + 1}` }),
    )
    const { revision } = report(externalId, { ...offer.value, externalId, stays })
    return { is: 'accepted', externalId, revision, value: { ...offer.value, externalId, stays } }
  }

  async function mishapIn(call: Call, input: unknown, work: () => Promise<unknown>): Promise<unknown> {
    if (cut !== null) throw new DeviceFault('adapter-timeout', cut)
    const mishap = mishaps[call].shift()
    return mishap ? mishap(work, input) : work()
  }

  return {
    sync,
    entries,
    log,
    events,
    offered,
    pulled,
    report,
    send,
    /** Reported with the page at which it would stand. */
    refuse: (reason: string, payload: string) =>
      refusedLog.push({ at: log.length, reason, payload, size: Buffer.byteLength(payload) }),
    /** The next calls of this kind go as they are said here. */
    next: (call: Call, ...how: Mishap[]) => mishaps[call].push(...how),
    mishapsLeft: () => Object.values(mishaps).flat().length,
    /** Answers offers instead of the rules; null is by the rules. */
    decide(by: (offer: Offer) => OfferAnswer | null) {
      decide = by
    },
    news: () => [...followers].at(-1)!,
    /** Nothing gets through until it is mended; the line says so by itself. */
    cut(reason = 'The cable is out.') {
      cut = reason
      for (const news of followers) news.line('down', reason)
    },
    /** Nothing says so: who asks gets no answer. */
    fallSilent(reason = 'Nobody answers.') {
      cut = reason
    },
    mend() {
      cut = null
      for (const news of followers) news.line('up', null)
    },
    isFollowed: () => followers.size > 0,
    /** The value it has of a reservation. */
    value: (externalId: string) => entries.get(externalId)?.value ?? null,
  }
}

export type PlayedPms = ReturnType<typeof playedPms>

/** A reservation with one stay, as a PMS reports it. */
export function reported(
  externalId: string,
  stay: Partial<SharedStay> = {},
  more: Partial<SharedReservation> = {},
): SharedReservation {
  return {
    externalId,
    stays: [
      {
        externalId: `${externalId}/1`,
        status: 'Confirmed',
        startDate: '2026-07-01',
        endDate: '2026-07-03',
        personCount: { adults: 1 },
        units: [{ unitTypeCode: 'DBL', unitName: null }],
        guests: [{ role: 'PrimaryGuest', firstName: 'Ada', lastName: `Guest ${externalId}` }],
        comment: null,
        guestComment: null,
        ...stay,
      },
    ],
    ...more,
  }
}
