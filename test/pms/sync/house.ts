import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginKey } from '../../../src/access/keys/begin-key.ts'
import { plain, reservations, shapeOf, stays, sync } from '../../../src/composition/api.ts'
import { type OpenStore, openStore } from '../../../src/composition/open-store.ts'
import { virtualClock } from '../../../src/host/virtual-clock.ts'
import { pmsActor } from '../../../src/pms/pms-actor.ts'
import { type SyncConflict, syncConflict } from '../../../src/pms/resources/sync-conflict.ts'
import { type SyncIntent, syncIntent } from '../../../src/pms/resources/sync-intent.ts'
import { type SyncOffer, syncOffer } from '../../../src/pms/resources/sync-offer.ts'
import { type SyncRecord, syncRecord } from '../../../src/pms/resources/sync-record.ts'
import type { Applied, ApplyInput } from '../../../src/pms/sync/inbound/apply.ts'
import { intentsIn } from '../../../src/pms/sync/outbound/intents.ts'
import { offeredValue } from '../../../src/pms/sync/outbound/offered-value.ts'
import type { SharedReservation } from '../../../src/pms/sync/shared-reservation.ts'
import { snapshot } from '../../../src/pms/sync/snapshot.ts'
import type { Offer, OfferAnswer } from '../../../src/pms/sync-contract.ts'
import { reservation } from '../../../src/reservation/resources/reservation.ts'
import { type Stay, stay } from '../../../src/reservation/resources/stay.ts'
import type { Command } from '../../../src/resource/command.ts'
import { program as entry } from '../../program.ts'
import { reservationFixture } from './reservation-samples.ts'
import { usual } from './shared-samples.ts'

/** 2026-07-01 14:00 in Lisbon. */
export const noon = Date.UTC(2026, 6, 1, 13, 0, 0)

const desk = { by: 'desk', requestId: null }
export const rights = { write: true, checkIn: true, checkOut: true, reinstate: true, overbook: false }

/** A house with a real store and writer, a PMS that it is in step with, two unit types and their units. */
export async function openSyncHouse() {
  const data = mkdtempSync(join(tmpdir(), 'nightporter-sync-'))
  const clock = virtualClock(noon)
  const store: OpenStore = await openStore({ data }, entry, clock)
  await store.ready
  const { reader, writer } = store.store
  let revision = 0
  let providerId: string | undefined

  const write = <Input, Output>(what: Command<Input, Output>, input: Input, by = desk) =>
    writer.execute(what, input, { actor: by })
  const create = async (type: string, attributes: Record<string, unknown>) =>
    (await write(plain.create, { type, attributes })).id

  await create('settings', {
    timeZone: 'Europe/Lisbon',
    checkInTime: '15:00',
    checkOutTime: '11:00',
    country: 'PT',
  })
  const configurationId = await create('pms-configuration', { name: 'Our PMS', adapter: 'standalone' })
  await write(sync.openLink, { configurationId, lends: false })
  const typeIds: Record<string, string> = {}
  const unitIds: Record<string, string> = {}
  for (const [code, names] of Object.entries({ DBL: ['211', '212', '213', '214', '215'], STE: ['401'] })) {
    typeIds[code] = await create('unit-type', { code, name: code, maxOccupancy: 2 })
    for (const name of names) {
      unitIds[name] = await create('unit', { name, unitTypeId: typeIds[code], status: 'Clean' })
    }
  }
  await create('rate-plan', {
    code: 'BAR',
    name: 'Best',
    unitTypeId: typeIds.DBL,
    startDate: '2026-01-01',
    endDate: '2027-12-31',
  }).catch(() => null)

  /** The PMS reports a reservation, in the next revision unless another is said. Throws why it cannot be applied. */
  async function report(
    value: SharedReservation | null,
    more: Partial<ApplyInput['change']> & Pick<Partial<ApplyInput>, 'policy' | 'direction'> = {},
  ) {
    const { policy = usual, direction = 'Both', ...change } = more
    const externalId = change.externalId ?? value?.externalId ?? 'R1'
    const [outcome] = await write(
      sync.applyChanges,
      {
        configurationId,
        policy,
        direction,
        changes: [
          {
            is: 'reservation',
            revision: ++revision,
            changedAt: clock.now(),
            ...change,
            externalId,
            value,
          },
        ],
      },
      { by: pmsActor(configurationId), requestId: null },
    )
    if (!outcome || 'reason' in outcome) throw new Error(outcome?.reason)
    return outcome as Applied
  }

  const recordOf = (reservationId: string): SyncRecord =>
    reader.rows(syncRecord, {
      filters: [{ path: 'reservationId', operator: 'eq', value: reservationId }],
      sort: [],
      page: { size: 1 },
    })[0] as SyncRecord
  const staysOf = (reservationId: string): Stay[] =>
    reader.rows(stay, {
      filters: [{ path: 'reservationId', operator: 'eq', value: reservationId }],
      sort: [],
      page: { size: 100 },
    })
  const conflictsOf = (reservationId: string): SyncConflict[] =>
    reader.rows(syncConflict, {
      filters: [{ path: 'reservationId', operator: 'eq', value: reservationId }],
      sort: [],
      page: { size: 100 },
    })
  /** What was changed here and is not at the PMS. */
  const intentsOf = (reservationId: string): SyncIntent[] =>
    reader.rows(syncIntent, {
      filters: [{ path: 'reservationId', operator: 'eq', value: reservationId }],
      sort: [],
      page: { size: 100 },
    })
  /** The reservation as it is here. */
  const here = (reservationId: string): SharedReservation => snapshot(reader, reservationId)!
  /** What the house would send to the PMS. */
  const offered = (reservationId: string): SharedReservation =>
    offeredValue({
      base: recordOf(reservationId)?.base ?? null,
      here: here(reservationId),
      intents: intentsIn(intentsOf(reservationId)),
      accepts: null,
    }).value

  /** What is sent to the PMS of a reservation. */
  async function message(reservationId: string): Promise<Offer | null> {
    const offers = await write(sync.takeOffers, { configurationId, limit: 100, accepts: null })
    return offers.find(({ localId }) => localId === reservationId) ?? null
  }

  /** The PMS answers what it was sent of a reservation. */
  async function answer({ localId: reservationId, id: offerId }: Offer, answer: OfferAnswer) {
    const rules = { configurationId, policy: usual, direction: 'Both' } as const
    return write(sync.settleOffer, { ...rules, reservationId, offerId, answer })
  }

  /** The desk changes a stay. */
  async function change(reservationId: string, fields: Record<string, unknown>, index = 0) {
    const stayId = staysOf(reservationId)[index]!.id
    return write(stays.updateStay, { reservationId, stayId, stay: fields, whole: false, rights })
  }

  /** The PMS reports a new reservation; its id here. */
  async function arrives(value: SharedReservation = reservationFixture()): Promise<string> {
    const { reservationId, is } = await report(value)
    assert.equal(is, 'inserted')
    return reservationId!
  }

  return {
    configurationId,
    typeIds,
    unitIds,
    reader,
    write,
    create,
    report,
    change,
    arrives,
    reservations,
    recordOf,
    intentsOf,
    /** What waits for the PMS. */
    offersOf: (reservationId: string): SyncOffer[] =>
      reader.rows(syncOffer, {
        filters: [{ path: 'reservationId', operator: 'eq', value: reservationId }],
        sort: [],
        page: { size: 10 },
      }),
    staysOf,
    conflictsOf,
    offered,
    message,
    answer,
    here,
    resource: (type: string) => store.store.resources.get(type)!,
    unit: (name: string) => reader.row(store.store.resources.get('unit')!, unitIds[name]!)!,
    row: (id: string) => reader.row(reservation, id)!,
    /** What the reservation's document says of its sync. */
    shownSync(id: string) {
      const document = reader.document(reservation, id, shapeOf(reservation))
      const { sync } = JSON.parse(document!.text).attributes
      return sync as { state: string; pmsRevision: string | null }
    },
    /** Lines of the journal about a subject, oldest first. */
    journal: (subject: string) => reader.journal(0, 100_000).filter((line) => line.subject === subject),
    elapse: clock.advance,
    /** A live key of a stay, as if a card had been made. */
    async cardFor(stayId: string, unitName: string): Promise<string> {
      providerId ??= await create('access-provider', { name: 'Locks', driver: 'simulator', connection: {} })
      const dates = { startDate: '2026-07-01', endDate: '2026-07-04' }
      const key = {
        ...dates,
        original: true,
        unitName,
        providerId,
        keyType: 'keyCard',
        stayId,
        status: 'live',
      }
      return create('key', key)
    },
    /** The store is asked for an original key of a stay, as before a card is made. */
    async keyAsked({ startDate, endDate, externalId }: Stay, unitName: string): Promise<void> {
      const provider = await create('access-provider', {
        name: unitName,
        driver: 'simulator',
        connection: {},
      })
      const controllerId = await create('access-controller', {
        name: `${unitName} ${provider}`.slice(0, 60),
        providerId: provider,
        kind: 'encoder',
        keyType: 'keyCard',
        driver: 'simulator',
        connection: {},
      })
      const request = {
        type: 'keyCard',
        usage: 'Guest',
        externalId,
        unitName,
        original: true,
        startDate,
        endDate,
      }
      const nothing = { dispenserId: null, confirmed: null, replaces: null, opensAt: null }
      const lists = { extraLocks: [], authorizations: [], pins: [] }
      const order = {
        ...nothing,
        ...lists,
        request,
        providerId: provider,
        controllerId,
        lock: unitName,
        keyType: 'keyCard',
      }
      const rules = { maxCopies: 9, countsItself: false, freshPin: false, isOfStay: true, isPlaced: false }
      await write(beginKey as Command<unknown, unknown>, {
        ...order,
        ...rules,
        validFrom: clock.now(),
        validUntil: clock.now() + 86_400_000,
      })
    },
    async stop() {
      await store.close()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

export type SyncHouse = Awaited<ReturnType<typeof openSyncHouse>>
