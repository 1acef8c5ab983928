import { randomUUID } from 'node:crypto'
import { DeviceFault } from '../../../../devices/fault.ts'
import type { Clock } from '../../../../host/clock.ts'
import type { SharedReservation } from '../../../sync/shared-reservation.ts'
import type { Carrier } from '../carrier.ts'
import type { ChangesReplied, OffersAnswered, WireAnswer, WireOffer } from '../messages/message-data.ts'
import { changesRepliedSchema, offersAnsweredSchema } from '../messages/message-schemas.ts'
import type { Exchanges, RequestType } from '../messages/messages.ts'
import { readChanges } from '../messages/read-change.ts'
import { schemaErrors } from '../messages/read-message.ts'
import { type CheckedPage, expect, type Scene, Unmet } from './check.ts'

export interface SceneOptions {
  carrier: Pick<Carrier, 'request'>
  clock: Clock
  /** A unit type that the PMS sells. */
  unitTypeCode: string
  unitName: string | null
  /** The longest time for one answer. */
  timeoutMs: number
}

/** A request and its answer, as texts for the report. */
export interface Exchange {
  sent: string
  came: string
}

/** A scene, and the exchanges of the check that is made; each check begins with none. */
export interface OpenScene {
  scene: Scene
  exchanges: Exchange[]
}

const mostPages = 1_000
/** The exchanges of one check that the report has. */
const mostNoted = 20
const actor = { by: 'check-pms', requestId: null }

/** The requests of the checks to one PMS. */
export function openScene({ carrier, clock, unitTypeCode, unitName, timeoutMs }: SceneOptions): OpenScene {
  const exchanges: Exchange[] = []

  async function ask<Type extends RequestType>(type: Type, data: Exchanges[Type]['data']): Promise<unknown> {
    const noted = { sent: `${type} ${JSON.stringify(data)}`, came: '' }
    if (exchanges.length < mostNoted) exchanges.push(noted)
    try {
      const reply = await carrier.request(type, data, { signal: clock.timeout(timeoutMs), actor })
      noted.came = JSON.stringify(reply)
      return reply
    } catch (error) {
      if (error instanceof DeviceFault) noted.came = `${error.message} (${error.vendorCode ?? error.code})`
      throw error
    }
  }

  async function page(after: string | null, limit = 500): Promise<CheckedPage> {
    const reply = await ask('pms.changes.requested', { after, limit })
    const wrong = await schemaErrors(changesRepliedSchema, reply, 'the page')
    if (wrong !== null) throw new Unmet(wrong)
    const { changes: raw, cursor, more, contract = 1 } = reply as ChangesReplied
    own.contract = contract
    expect(raw.length <= limit, `The page has ${raw.length} changes; ${limit} were asked for.`)
    const { changes, refused } = await readChanges(raw)
    if (refused[0]) throw new Unmet(`A message of the page is invalid: ${refused[0].reason}`)
    expect(!more || cursor !== after, 'There is more, but the cursor does not move.')
    return { changes, cursor, more }
  }

  async function allAfter(after: string | null, limit = 500) {
    const changes: CheckedPage['changes'] = []
    let cursor = after
    for (let count = 0; count < mostPages; count++) {
      const next = await page(cursor, limit)
      changes.push(...next.changes)
      cursor = next.cursor
      if (!next.more) return { changes, cursor }
    }
    throw new Unmet(`After ${mostPages} pages there is still more.`)
  }

  async function offer(...offers: WireOffer[]): Promise<WireAnswer[]> {
    const reply = await ask('pms.reservations.offered', { offers })
    const wrong = await schemaErrors(offersAnsweredSchema, reply, 'the answer')
    if (wrong !== null) throw new Unmet(wrong)
    const { answers } = reply as OffersAnswered
    return offers.map(({ id }) => {
      const found = answers.filter((each) => each.id === id)
      expect(found.length === 1, `The offer ${id} has ${found.length} answers.`)
      return found[0]!
    })
  }

  const own: Scene = {
    ask,
    page,
    allAfter,
    offer,
    newOffer: (reservation, more) => newOffer(own.contract, reservation, more),
    newReservation: (comment) => newReservation(clock.now(), unitTypeCode, comment),
    now: clock.now,
    contract: 1,
    cursor: null,
    unitName,
    made: null,
  }
  return { scene: own, exchanges }
}

function newOffer(
  contract: Scene['contract'],
  reservation: SharedReservation,
  more: Partial<WireOffer> = {},
): WireOffer {
  const localId = reservation.localId ?? randomUUID()
  const steps = { intents: [], facts: [] }
  return {
    id: randomUUID(),
    localId,
    externalId: reservation.externalId,
    baseRevision: null,
    reservation,
    changed: [''],
    leaseIds: [],
    ...(contract === 2 && steps),
    ...more,
  }
}

function newReservation(now: number, unitTypeCode: string, comment: string): SharedReservation {
  const day = (days: number) => new Date(now + days * 86_400_000).toISOString().slice(0, 10)
  const guest = {
    localId: randomUUID(),
    role: 'PrimaryGuest',
    firstName: 'Check',
    lastName: 'Pms',
  } as const
  return {
    externalId: null,
    localId: randomUUID(),
    comment,
    stays: [
      {
        externalId: null,
        localId: randomUUID(),
        status: 'Confirmed',
        startDate: day(365),
        endDate: day(367),
        personCount: { adults: 1 },
        units: [{ unitTypeCode, unitName: null }],
        guests: [guest],
      },
    ],
  }
}
