import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readField } from '../../../../drivers/fias/read-field.ts'
import { virtualClock } from '../../../../src/host/virtual-clock.ts'
import { GuestFeed } from '../../../../src/pms/adapters/fias/guest-feed.ts'
import type { ChangePage, ReservationChange } from '../../../../src/pms/sync-contract.ts'
import fc from '../../../seed.ts'
import { guestOf } from './guests.ts'

type Guests = Map<string, string>

/** Stands still. */
const clock = virtualClock(1_000)

const rooms = ['101', '102', '103']
const number = fc.constantFrom('1', '2', '3', '4')
const room = fc.constantFrom(...rooms)

/** What happens: at the PMS, on the line, or that the house asks. */
const deed = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('in' as const), number, room }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('move' as const), number, room }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('out' as const), number }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('twice' as const), number }) },
  { weight: 8, arbitrary: fc.record({ does: fc.constantFrom('cut', 'restart', 'flush', 'pull', 'pull') }) },
)

/** A house that keeps what is newer, whatever comes, and a feed that receives from a PMS without a wire between them. */
function played() {
  const guests: Guests = new Map()
  const kept = new Map<string, ReservationChange>()
  let cursor: string | null = null
  let isLinked = false
  let feed = opened()

  function opened() {
    const inHouse = () =>
      [...kept.values()].filter(isInHouse).map(({ externalId, value }) => {
        const [stay] = value?.stays ?? []
        const place = stay?.units?.[0]?.unitName ?? ''
        const members = (stay?.guests ?? []).map((guest) => guest.externalId?.slice(2) ?? '')
        const nothing = { lastName: null, firstName: null, title: null, languageCode: null, group: null }
        const dates = { arrival: '2026-06-01', departure: '2026-06-03', shares: null }
        const remembered = members.map((each) => ({
          ...nothing,
          ...dates,
          number: each,
          room: place,
          isRemembered: true as const,
        }))
        return { stay: { id: externalId, room: place, members }, guests: remembered }
      })
    const made = new GuestFeed({
      name: 'PMS',
      localStays: {
        inHouse,
        has: (id) => kept.get(id) !== undefined,
        isOccupiedByOther: () => false,
        unitTypeCode: () => 'DBL',
      },
      clock,
      readField,
      swaps: true,
      settleMs: 60_000,
      silentMs: 60_000,
      waitMs: 60_000,
      longestMs: 1_800_000,
      swapBegun() {},
      async ask() {
        made.record({ id: 'DS', fields: {} })
        for (const [each, place] of guests)
          made.record({ id: 'GI', fields: guestOf(each, place, { GS: 'Y' }) })
        made.record({ id: 'DE', fields: {} })
      },
      failed: (error) => {
        throw error
      },
    })
    made.follow({ changes: (page) => page.previous === cursor && keep(page), poke() {}, line() {} })
    return made
  }

  function keep({ changes, cursor: next }: ChangePage): void {
    for (const change of changes) {
      if (change.is !== 'reservation') continue
      if (change.revision > (kept.get(change.externalId)?.revision ?? 0)) kept.set(change.externalId, change)
    }
    cursor = next
  }

  function tell(id: string, fields: Record<string, string>): void {
    if (isLinked) feed.record({ id, fields })
  }

  async function pull(): Promise<void> {
    if (!isLinked) feed.linked()
    isLinked = true
    for (let more = true; more; ) {
      const page = await feed.pull(cursor, new AbortController().signal)
      keep(page)
      more = page.more
    }
  }

  return {
    guests,
    kept,
    pull,
    cut() {
      isLinked = false
      feed.cut('pulled out')
    },
    restart() {
      isLinked = false
      feed.close()
      feed = opened()
    },
    flush: () => feed.flush(),
    close: () => feed.close(),
    in(each: string, place: string) {
      if (guests.has(each)) return
      guests.set(each, place)
      tell('GI', guestOf(each, place, { GS: 'Y' }))
    },
    move(each: string, place: string) {
      const RO = guests.get(each)
      if (RO === undefined) return
      guests.set(each, place)
      tell('GC', guestOf(each, place, { GS: 'Y', RO }))
    },
    out(each: string) {
      const RN = guests.get(each)
      if (RN === undefined) return
      guests.delete(each)
      tell('GO', { 'G#': each, RN, GS: 'Y' })
    },
    twice(each: string) {
      const RN = guests.get(each)
      if (RN !== undefined) tell('GI', guestOf(each, RN, { GS: 'Y' }))
    },
  }
}

function isInHouse({ value }: ReservationChange): boolean {
  return value?.stays[0]?.status === 'InHouse'
}

it('a house agrees with its PMS in the end, whatever was cut, said twice or restarted in between', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { maxLength: 40 }), async (deeds) => {
      const house = played()
      // Somebody is in house all the time: a swap without guests is not believed.
      house.in('9', 'suite')
      for (const each of deeds) {
        if (each.does === 'in' || each.does === 'move') house[each.does](each.number, each.room)
        else if (each.does === 'out' || each.does === 'twice') house[each.does](each.number)
        else await house[each.does as 'cut' | 'restart' | 'flush' | 'pull']()
      }
      await house.pull()
      house.close()
      const lived = [...house.kept.values()].filter(isInHouse).flatMap(({ value }) => {
        const [stay] = value?.stays ?? []
        return (stay?.guests ?? []).map((guest) => `${guest.externalId} ${stay?.units?.[0]?.unitName}`)
      })
      const known = [...house.guests].map(([each, place]) => `G#${each} ${place}`)
      assert.deepEqual(lived.sort(), known.sort())
      const taken = [...house.kept.values()]
        .filter(isInHouse)
        .map(({ value }) => value?.stays[0]?.units?.[0]?.unitName)
      assert.equal(new Set(taken).size, taken.length, 'a room has one stay')
    }),
    { numRuns: 500 },
  )
})
