import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DeviceFault } from '../../../src/devices/fault.ts'
import type { Offer } from '../../../src/pms/sync-contract.ts'
import { silence } from '../adapters/scripted-adapter.ts'
import { eventually, type LinkedHouse, openLinkedHouse } from './linked-house.ts'
import { reported } from './played-pms.ts'

let house: LinkedHouse
let unitTypeId: string
before(async () => {
  house = await openLinkedHouse()
  ;({ unitTypeId } = await house.rooms(30))
})
after(() => house.stop())

const outbox = async () => (await house.state()).outbox
const empty = () => eventually('an empty outbox', async () => (await outbox()) === 0)
const offersOf = (localId: string) => house.pms.offered.filter((offer) => offer.localId === localId)

/** A reservation that was made at the desk, and is in the PMS by now. */
async function booked(more: Record<string, unknown> = {}) {
  const made = await house.stay({
    startDate: '2026-07-01',
    endDate: '2026-07-03',
    units: [{ unitTypeId }],
    ...more,
  })
  const id = made.reservation.split('/').at(-1)!
  await eventually('the offer', () => offersOf(id).length > 0)
  await empty()
  const { externalId } = await house.attributes(made.reservation)
  return { ...made, reservationId: id, externalId: String(externalId) }
}

const patch = async (path: string, body: object) => {
  const reply = await house.ask('PATCH', path, { body })
  assert.equal(reply.status, 204, reply.text)
}

describe('What was made here', () => {
  it('is offered whole, and becomes the PMS’s own under its name', async () => {
    const { reservation, reservationId, externalId } = await booked({ comment: 'From the desk.' })
    const [offer] = offersOf(reservationId)
    assert.partialDeepStrictEqual(offer, {
      externalId: null,
      baseRevision: null,
      changed: [''],
      leaseIds: [],
    })
    assert.partialDeepStrictEqual(await house.attributes(reservation), {
      integrationId: house.configurationId,
    })
    assert.match(externalId, /^PMS-/)
    assert.equal(house.pms.value(externalId)?.stays[0]?.comment, 'From the desk.')
    assert.partialDeepStrictEqual((await house.attributes(reservation)).sync, { state: 'Synced' })
  })

  it('is sent again when it changes, based on what the PMS had, naming what differs', async () => {
    const { path, reservationId, externalId } = await booked()
    const had = house.pms.entries.get(externalId)?.revision
    await patch(path, { comment: 'Later.' })
    await eventually('the change', () => house.pms.value(externalId)?.stays[0]?.comment === 'Later.')
    const last = offersOf(reservationId).at(-1)
    assert.partialDeepStrictEqual(last, { externalId, baseRevision: had, changed: ['/stays/0/comment'] })
    await empty()
  })

  it('is sent when a guest of it, or a payment, changes', async () => {
    const profileId = await house.make('profiles', { firstName: 'Ida', lastName: 'Known' })
    const { reservation, externalId } = await booked({
      profiles: [{ id: profileId, role: 'PrimaryGuest' }],
      amount: { currency: 'EUR', amountWithTax: 300 },
    })
    await patch(`/api/v2/profiles/${profileId}`, { lastName: 'Wed' })
    await eventually(
      'the guest',
      () => house.pms.value(externalId)?.stays[0]?.guests?.[0]?.lastName === 'Wed',
    )
    const paid = await house.ask('POST', `${reservation}/actions/record-payment`, {
      body: { currency: 'EUR', amount: 30_000, brand: 'Cash' },
    })
    assert.equal(paid.status, 201, paid.text)
    await eventually('the payment', () => (house.pms.value(externalId)?.payments ?? []).length === 1)
    await empty()
  })

  it('is sent as canceled when it is deleted here', async () => {
    const { reservation, externalId } = await booked()
    assert.equal((await house.ask('DELETE', reservation)).status, 204)
    await eventually('the end', () => house.pms.value(externalId)?.stays[0]?.status === 'Canceled')
    await empty()
    await house.synchronise('pull')
    assert.equal(await house.reservation(externalId), undefined, 'it does not come back by the echo of that')
  })

  it('is sent when a stay of it goes', async () => {
    const { reservation, path, externalId } = await booked()
    const body = {
      startDate: '2026-07-05',
      endDate: '2026-07-06',
      status: 'Confirmed',
      personCount: { adults: 1 },
      reservationIds: [],
      units: [{ unitTypeId }],
    }
    const added = await house.ask('POST', `${reservation}/stays`, { body })
    assert.equal(added.status, 201, added.text)
    await eventually('two stays', () => house.pms.value(externalId)?.stays.length === 2)
    assert.equal((await house.ask('DELETE', path)).status, 204)
    await eventually('one stay', () => house.pms.value(externalId)?.stays.length === 1)
    await empty()
  })

  it('is not sent when the PMS itself has reported it', async () => {
    const offered = house.pms.offered.length
    house.pms.report('THEIRS', reported('THEIRS'))
    await house.synchronise('pull')
    await house.synchronise('push')
    assert.ok(await house.reservation('THEIRS'))
    assert.deepEqual(house.pms.offered.slice(offered), [])
    assert.equal(await outbox(), 0)
  })

  it('is not sent where nothing of it differs', async () => {
    const { path, reservationId } = await booked()
    const count = offersOf(reservationId).length
    await patch(path, { comment: 'There' })
    await eventually('sent', () => offersOf(reservationId).length > count)
    await empty()
    house.pms.next('push', silence)
    await patch(path, { comment: 'and back' })
    await eventually('offered in vain', () => house.pms.mishapsLeft() === 0)
    await patch(path, { comment: 'There' })
    await house.synchronise('push')
    await empty()
    assert.equal(
      house.pms.value((await house.attributes(path.replace(/\/stays.*/, ''))).externalId)?.stays[0]?.comment,
      'There',
    )
  })
})

describe('What happens while changes are fetched', () => {
  it('is sent meanwhile', async () => {
    const { path, externalId } = await booked()
    let isFetching = false
    let wasFetching: boolean | null = null
    house.pms.next('pull', async (work) => {
      isFetching = true
      await eventually('the offer', () => wasFetching !== null)
      isFetching = false
      return work()
    })
    house.pms.decide(() => {
      wasFetching ??= isFetching
      return null
    })
    house.pms.news().poke()
    await eventually('the pull', () => isFetching)
    await patch(path, { comment: 'Meanwhile.' })
    await eventually('the change', () => house.pms.value(externalId)?.stays[0]?.comment === 'Meanwhile.')
    assert.equal(wasFetching, true)
    house.pms.decide(() => null)
    await empty()
  })
})

describe('An offer', () => {
  const lost = async (work: () => Promise<unknown>) => {
    await work()
    throw new DeviceFault('adapter-timeout', 'The answer was lost.')
  }

  it('whose answer is lost is sent again under the same id, and carried out once', async () => {
    const { path, reservationId, externalId } = await booked()
    const before = offersOf(reservationId).length
    const { revision } = house.pms.entries.get(externalId)!
    house.pms.next('push', lost)
    await patch(path, { comment: 'Once.' })
    await eventually('the first time', () => house.pms.mishapsLeft() === 0)
    await house.synchronise('push')
    await empty()
    const [first, second] = offersOf(reservationId).slice(before) as [Offer, Offer]
    assert.equal(first.id, second.id)
    assert.deepEqual(first.value, second.value)
    assert.equal(house.pms.entries.get(externalId)?.revision, revision + 1)
  })

  it('whose answer is lost is no word of the PMS against what the desk has changed since', async () => {
    const { path, reservation, reservationId, externalId } = await booked({ comment: 'Before.' })
    house.pms.next('push', lost)
    const first = { comment: 'First.', endDate: '2026-07-04', personCount: { adults: 2 } }
    await patch(path, first)
    await eventually('the first time', () => house.pms.mishapsLeft() === 0)
    // Somebody over there goes on from what he sees.
    const { stays } = house.pms.value(externalId)!
    house.pms.report(externalId, {
      ...house.pms.value(externalId)!,
      stays: [{ ...stays[0]!, personCount: { adults: 3 } }],
    })
    await patch(path, { comment: 'Second.', endDate: '2026-07-05' })
    await house.synchronise('pull')
    await empty()
    const [stay] = house.pms.value(externalId)!.stays
    const both = { comment: 'Second.', endDate: '2026-07-05', personCount: { adults: 3 } }
    assert.partialDeepStrictEqual(stay, both)
    assert.partialDeepStrictEqual((await house.attributes(reservation)).stays, [both])
    assert.equal(house.count('SELECT count(*) FROM sync_conflict WHERE reservationId = ?', reservationId), 0)
  })

  it('whose first answer is lost is what the PMS has made of it, and not another’s', async () => {
    house.pms.next('push', lost)
    const made = await house.stay({
      startDate: '2026-07-01',
      endDate: '2026-07-03',
      units: [{ unitTypeId }],
      comment: 'First.',
    })
    await eventually('the first time', () => house.pms.mishapsLeft() === 0)
    await patch(made.path, { comment: 'Second.' })
    await house.synchronise('pull')
    await empty()
    const { externalId } = await house.attributes(made.reservation)
    assert.equal(house.pms.value(String(externalId))?.stays[0]?.comment, 'Second.')
    const { body } = await house.ask('GET', made.reservation)
    assert.equal(body.data.attributes.stays[0].comment, 'Second.')
  })

  for (const [when, answers] of [
    ['before it is sent again', 1],
    ['before the PMS has reported it', 2],
  ] as const)
    it(`of what was made and deleted here is not left there when its answer is lost, ${when}`, async () => {
      house.pms.next('push', ...Array(answers).fill(lost))
      const made = await house.stay({
        startDate: '2026-07-01',
        endDate: '2026-07-03',
        units: [{ unitTypeId }],
      })
      const localId = made.reservation.split('/').at(-1)!
      await eventually('the first time', () => offersOf(localId).length > 0)
      assert.equal((await house.ask('DELETE', made.reservation)).status, 204)
      if (answers > 1) await house.synchronise('pull')
      await eventually('the end', async () => {
        await house.ask('POST', `${house.configuration}/actions/push`)
        const kept = [...house.pms.entries.values()].filter(({ value }) => value?.localId === localId)
        return kept.length > 0 && kept.every(({ value }) => value?.stays[0]?.status === 'Canceled')
      })
      await empty()
    })

  it('of what changes while it is on its way is sent as it was, and then anew', async () => {
    const { path, reservationId, externalId } = await booked()
    const before = offersOf(reservationId).length
    house.pms.next('push', async (work) => {
      await patch(path, { comment: 'Second.' })
      return lost(work)
    })
    await patch(path, { comment: 'First.' })
    await eventually('the first time', () => house.pms.mishapsLeft() === 0)
    await house.synchronise('push')
    await eventually('the second', () => house.pms.value(externalId)?.stays[0]?.comment === 'Second.')
    await empty()
    const ids = offersOf(reservationId)
      .slice(before)
      .map(({ id }) => id)
    assert.equal(ids[0], ids[1])
    assert.equal(new Set(ids).size, 2)
  })

  it('that is outdated is merged and sent anew', async () => {
    const { path, externalId } = await booked()
    const value = house.pms.value(externalId)!
    house.pms.report(externalId, { ...value, stays: [{ ...value.stays[0]!, endDate: '2026-07-04' }] })
    await patch(path, { comment: 'Ours.' })
    await eventually('both', () => {
      const [stay] = house.pms.value(externalId)?.stays ?? []
      return stay?.comment === 'Ours.' && stay.endDate === '2026-07-04'
    })
    assert.partialDeepStrictEqual(await house.attributes(path), { comment: 'Ours.', endDate: '2026-07-04' })
    await empty()
  })

  it('that the PMS has deleted is sent as canceled with what has changed here since', async () => {
    const { path, reservation, externalId } = await booked({ amount: { currency: 'EUR', amountWithTax: 90 } })
    house.pms.report(externalId, null)
    await house.synchronise('pull')
    assert.equal((await house.attributes(path)).status, 'Canceled')
    assert.equal(house.pms.value(externalId), null)
    await patch(reservation, { comment: 'He wants his deposit back.' })
    await eventually(
      'the comment',
      () => house.pms.value(externalId)?.comment === 'He wants his deposit back.',
    )
    assert.deepEqual(
      house.pms.value(externalId)?.stays.map(({ status }) => status),
      ['Canceled'],
    )
    await empty()
  })

  it('of a guest is sent as well while his stay is not long over', async () => {
    const profiles = [{ role: 'PrimaryGuest', firstName: 'Ada', lastName: 'Lovelac' }]
    const { path, externalId } = await booked({ profiles })
    await patch(path, { status: 'Canceled' })
    await eventually('canceled', () => house.pms.value(externalId)?.stays[0]?.status === 'Canceled')
    await empty()
    const [guest] = (await house.attributes(path)).profiles
    await patch(`/api/v2/profiles/${guest.id}`, { lastName: 'Lovelace' })
    await eventually(
      'the name',
      () => house.pms.value(externalId)?.stays[0]?.guests?.[0]?.lastName === 'Lovelace',
    )
  })

  it('that is called outdated by a PMS which has nothing newer is not sent for ever', async () => {
    const { path, reservationId, externalId } = await booked()
    const known = house.pms.entries.get(externalId)!
    house.pms.decide((offer) =>
      offer.localId === reservationId
        ? { is: 'outdated', change: { is: 'reservation', externalId, changedAt: null, ...known } }
        : null,
    )
    const conflicts = Number((await house.state()).conflicts)
    await patch(path, { comment: 'In vain.' })
    await eventually('a conflict', async () => Number((await house.state()).conflicts) > conflicts)
    const count = offersOf(reservationId).length
    await house.synchronise('pull')
    assert.equal(offersOf(reservationId).length, count)
    assert.equal((await house.attributes(path)).comment, 'In vain.')
    house.pms.decide(() => null)
    await house.synchronise('push')
    await empty()
  })

  it('of money that is refused says how much it was', async () => {
    const { path, reservationId } = await booked({ amount: { currency: 'EUR', amountWithTax: 90 } })
    house.pms.decide((offer) =>
      offer.localId === reservationId ? { is: 'refused', reason: 'The folio is closed.' } : null,
    )
    const body = { currency: 'EUR', amount: 4_550, brand: 'Visa' }
    const paid = await house.ask('POST', `${path}/actions/record-payment`, { body })
    assert.equal(paid.status, 201, paid.text)
    const conflicts = `/api/config/v1/sync-conflicts?filter[reservationId]=${reservationId}`
    await eventually('sent', async () => {
      const { data } = (await house.ask('GET', conflicts)).body
      return data.some(({ attributes }: { attributes: { sentence: string } }) =>
        attributes.sentence.includes('45.50 EUR by Visa'),
      )
    })
    house.pms.decide(() => null)
    await house.synchronise('push')
    await empty()
  })

  it('that is refused waits with the reason, and is sent again when it has changed or when somebody wants that', async () => {
    const { path, reservationId, externalId } = await booked()
    house.pms.decide((offer) =>
      offer.localId === reservationId ? { is: 'refused', reason: 'The folio is closed.' } : null,
    )
    await patch(path, { comment: 'No.' })
    await eventually('a conflict', async () => Number((await house.state()).conflicts) > 0)
    const count = offersOf(reservationId).length
    await house.synchronise('pull')
    assert.deepEqual([offersOf(reservationId).length, await outbox()], [count, 1])
    await house.synchronise('push')
    assert.equal(offersOf(reservationId).length, count + 1)
    house.pms.decide(() => null)
    await patch(path, { comment: 'Yes.' })
    await eventually('the change', () => house.pms.value(externalId)?.stays[0]?.comment === 'Yes.')
    await empty()
  })

  it('that is answered with another reservation changes neither, and is sent again', async () => {
    const mine = await booked()
    const other = await booked({ startDate: '2026-08-01', endDate: '2026-08-03' })
    const { revision } = house.pms.entries.get(other.externalId)!
    const change = {
      is: 'reservation' as const,
      externalId: other.externalId,
      revision: revision + 1_000,
      changedAt: null,
      value: null,
    }
    for (const answer of [
      { is: 'accepted' as const, externalId: other.externalId, revision: revision + 1_000 },
      { is: 'outdated' as const, change },
    ]) {
      house.pms.next('push', async () => [answer])
      await patch(mine.path, { comment: answer.is })
      await eventually('the answer', () => house.pms.mishapsLeft() === 0)
      await house.synchronise('push')
      await empty()
      assert.equal(house.pms.value(mine.externalId)?.stays[0]?.comment, answer.is)
      assert.equal((await house.attributes(mine.reservation)).externalId, mine.externalId)
      assert.equal((await house.attributes(other.path)).status, 'Confirmed')
    }
  })

  it('that the PMS cannot bear keeps back no other', async () => {
    const both = [await booked(), await booked(), await booked()]
    const poison = both[1]!.reservationId
    house.pms.next(
      'push',
      ...Array(8).fill(async (work: () => Promise<unknown>, input: Offer[]) => {
        if (input.some(({ localId }) => localId === poison)) throw new DeviceFault('vendor-error', 'E500')
        return work()
      }),
    )
    for (const { path } of both) await patch(path, { comment: 'Together.' })
    await eventually('the others', () =>
      [both[0]!, both[2]!].every(
        ({ externalId }) => house.pms.value(externalId)?.stays[0]?.comment === 'Together.',
      ),
    )
    assert.notEqual(house.pms.value(both[1]!.externalId)?.stays[0]?.comment, 'Together.')
    house.pms.next('push')
    await eventually('the last', async () => {
      await house.ask('POST', `${house.configuration}/actions/push`)
      return house.pms.value(both[1]!.externalId)?.stays[0]?.comment === 'Together.'
    })
    await empty()
  })

  const rubbish: [what: string, answer: unknown][] = [
    ['nothing', undefined],
    ['too few', []],
    ['a word', ['fine']],
    ['no revision', [{ is: 'accepted', externalId: 'X' }]],
  ]
  for (const [what, answer] of rubbish) {
    it(`that is answered with ${what} stays in the outbox`, async () => {
      const { path, externalId } = await booked()
      house.pms.next('push', async () => answer)
      await patch(path, { comment: what })
      await eventually('the answer', () => house.pms.mishapsLeft() === 0)
      await eventually('sent again', async () => {
        await house.ask('POST', `${house.configuration}/actions/push`)
        return house.pms.value(externalId)?.stays[0]?.comment === what
      })
      await empty()
    })
  }
})

describe('What has happened here', () => {
  it('is sent as events, each once, in order', async () => {
    await booked()
    await eventually('the events', async () => (await house.state()).eventsBehind === 0)
    const sequences = house.pms.events.map((event) => (event as { sequence?: string }).sequence!)
    assert.ok(sequences.length > 10)
    assert.deepEqual(sequences, [...new Set(sequences)].sort())
    assert.ok(house.pms.events.some(({ type }) => type === 'reservation.created'))
  })

  it('is sent again from the last that was confirmed', async () => {
    const before = house.pms.events.length
    house.pms.next('publish', async (work) => {
      await work()
      throw new DeviceFault('adapter-timeout', 'Not confirmed.')
    })
    await booked()
    await eventually('the first time', () => house.pms.mishapsLeft() === 0)
    await house.synchronise('push')
    await eventually('the events', async () => (await house.state()).eventsBehind === 0)
    const ids = house.pms.events.slice(before).map(({ id }) => id)
    assert.ok(new Set(ids).size < ids.length, 'some were sent twice')
    const all = house.count(
      `SELECT count(*) FROM journal WHERE type = 'reservation.created' AND sequence > (SELECT publishedTo FROM sync_link)`,
    )
    assert.equal(all, 0)
  })
})
