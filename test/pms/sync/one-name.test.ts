import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { plain } from '../../../src/composition/api.ts'
import { wireOffer } from '../../../src/pms/adapters/cloudevents/offers.ts'
import { pmsActor } from '../../../src/pms/pms-actor.ts'
import type { SharedReservation } from '../../../src/pms/sync/shared-reservation.ts'
import { profile } from '../../../src/reservation/resources/profile.ts'
import fc from '../../seed.ts'
import { openSyncHouse, type SyncHouse } from './house.ts'
import { guestFixture, reservationFixture } from './reservation-samples.ts'

/** What a PMS writes where a guest has no first name, one of them drawn from the seed of the tests. */
const signs = ['', '-', '.', '–', ' ', '\u00A0', '\u200B']
const [drawn = ''] = fc.sample(
  fc.string({ unit: fc.constantFrom(...'-._*/?'), minLength: 2, maxLength: 5 }),
  1,
)

let house: SyncHouse
before(async () => {
  house = await openSyncHouse()
})
after(() => house.stop())

let count = 0
/** A reservation of a guest with one name, as a PMS reports it. */
function single(firstName: string, name: string, more: object = {}): SharedReservation {
  const guest = guestFixture({
    externalId: `${name}-G`,
    firstName,
    lastName: `Aulia ${name}`,
    gender: null,
    ...more,
  })
  const stay = { externalId: `${name}-S`, units: [{ unitTypeCode: 'DBL' }], guests: [guest] }
  return reservationFixture({ externalId: name }, stay)
}
const guestOf = (id: string) => house.here(id).stays[0]!.guests![0]!
const storedName = (id: string) => house.reader.row(profile, guestOf(id).localId!)!.firstName
const byPms = () => ({ by: pmsActor(house.configurationId), requestId: null })
const rename = (id: string, attributes: Record<string, string>, by?: ReturnType<typeof byPms>) =>
  house.write(plain.patch, { type: 'profile', id: guestOf(id).localId!, attributes }, by)

/** A guest whom an earlier version has stored with a hyphen, on both sides. */
async function olderGuest(name: string): Promise<string> {
  const id = await house.arrives(single('', name))
  await rename(id, { firstName: '-' }, byPms())
  const { id: recordId, base } = house.recordOf(id)
  base!.stays[0]!.guests![0]!.firstName = '-'
  await house.write(plain.patch, { type: 'sync-record', id: recordId, attributes: { base } }, byPms())
  assert.equal(storedName(id), '-')
  return id
}

describe('A guest with one name', () => {
  for (const sign of [...signs, drawn])
    it(`is stored without a first name where the PMS writes ${JSON.stringify(sign)}`, async () => {
      const id = await house.arrives(single(sign, `IN-${++count}`))
      assert.equal(storedName(id), '')
      assert.equal(house.recordOf(id).state, 'Synced')
    })

  for (const sign of [...signs, drawn])
    it(`of an earlier version is the same where the PMS writes ${JSON.stringify(sign)}, while the desk changes the title`, async () => {
      const name = `OLD-${++count}`
      const id = await olderGuest(name)
      await rename(id, { title: 'Dr' })
      const pms = single(sign, name, { languageCode: 'id' })
      await house.report(pms)
      assert.deepEqual(house.conflictsOf(id), [])
      assert.deepEqual([guestOf(id).title, guestOf(id).languageCode, guestOf(id).firstName], ['Dr', 'id', ''])
      assert.equal(house.here(id).stays[0]!.guests!.length, 1)
    })

  it('of an earlier version who is given a first name here is no conflict', async () => {
    const name = `NAMED-${++count}`
    const id = await olderGuest(name)
    await rename(id, { firstName: 'Siti' })
    await house.report(single('', name, { languageCode: 'id' }))
    assert.deepEqual(house.conflictsOf(id), [])
    assert.equal(storedName(id), 'Siti')
  })

  it('loses a first name that the PMS takes away', async () => {
    const name = `LOST-${++count}`
    const id = await house.arrives(single('Siti', name))
    await house.report(single('-', name))
    assert.equal(storedName(id), '')
  })

  it('goes to a PMS of the open contract with a hyphen, and comes back without a change', async () => {
    const name = `ROUND-${++count}`
    const id = await house.arrives(single('-', name))
    await rename(id, { title: 'Dr' })
    const offer = (await house.message(id))!
    assert.equal(offer.value.stays[0]!.guests![0]!.firstName, '')
    for (const contract of [1, 2] as const) {
      const { reservation, intents = [] } = wireOffer(offer, contract)
      const sent = [reservation.stays[0]!, ...intents.flatMap(({ from, to }) => [from, to])]
      for (const { guests = [] } of sent) for (const { firstName } of guests) assert.equal(firstName, '-')
    }
    const value = wireOffer(offer, 1).reservation
    await house.answer(offer, { is: 'accepted', externalId: name, revision: 1_000, value })
    assert.equal(await house.message(id), null)
    await house.report(value, { revision: 1_001 })
    assert.deepEqual(house.conflictsOf(id), [])
    assert.deepEqual([storedName(id), guestOf(id).title], ['', 'Dr'])
    assert.equal(house.recordOf(id).state, 'Synced')
  })

  for (const sign of signs)
    it(`is called by that name in the sentence of a conflict, not by ${JSON.stringify(sign)}`, async () => {
      const name = `TOLD-${++count}`
      const id = await house.arrives(single(sign, name))
      await house.change(id, { comment: 'Here.' })
      await house.report({
        ...single(sign, name),
        stays: [{ ...single(sign, name).stays[0]!, comment: 'There.' }],
      })
      assert.match(house.conflictsOf(id)[0]!.sentence!, new RegExp(`the comment of Aulia ${name} to`))
    })
})
