import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { FiasRecord } from '../../../drivers/fias/record.ts'
import { idle } from '../../access/house-with-doors.ts'
import fc from '../../seed.ts'
import { guestOf } from '../adapters/fias/guests.ts'
import { eventually } from '../sync/linked-house.ts'
import { type FiasHouse, keyWindow, openFiasHouse } from './fias-house.ts'

let house: FiasHouse
let made = 0
before(async () => {
  house = await openFiasHouse(4)
})
beforeEach(async () => {
  await idle(house.doors)
  made = house.lobby.dispenser.taken.length
})
after(() => house.stop())

type Fields = Record<string, string>

/** A guest in a room of the sample property. */
async function guestIn(number: string, room: string): Promise<Fields> {
  house.desk.checkIn(guestOf(number, room))
  await eventually('the guest is here', async () => (await house.statusOf(number)) === 'InHouse')
  return { 'G#': number, RN: room }
}

const order = (fields: Fields): Fields => ({ KC: '1', WS: 'FRONT1', KT: 'N', ...keyWindow, ...fields })

/** Posts orders in one piece, and returns AS of so many answers, or of all that come. */
async function answersTo(orders: [id: string, fields: Fields][], count: number): Promise<string[]> {
  house.foreign.post(...orders)
  const answers: string[] = []
  while (answers.length < count) {
    const answer: FiasRecord | string = await house.during(house.foreign.next(130_000))
    if (typeof answer === 'string') break
    answers.push(answer.fields.AS ?? '')
  }
  await idle(house.doors)
  return answers
}

/** The cards that were made meanwhile open only this room. */
function expectCardsOf(room: string): void {
  for (const card of house.lobby.dispenser.taken.slice(made)) {
    for (const other of ['301', '302', '303', '304', '305']) {
      const answer = house.doors.present(card, other)
      assert.equal(/^opened/.test(answer) && other !== room, false, `${answer} at ${other}`)
    }
  }
}

/** Nothing was made, and the guest of 301 is where he was. */
async function expectNone(answers: readonly string[]): Promise<void> {
  assert.ok(
    answers.every((answer) => answer === 'UR' || answer === 'BY'),
    answers.join(),
  )
  await house.expectNoHarm(made)
}

describe('Key orders over FIAS', () => {
  it('that are doubled make cards of that guest only, and each is answered', async () => {
    const guest = await guestIn('K1', '302')
    const answers = await answersTo(Array(2).fill(['KR', order(guest)]), 2)
    assert.equal(answers.length, 2)
    assert.ok(answers.includes('OK'), answers.join())
    assert.ok(house.lobby.dispenser.taken.length - made <= 2)
    expectCardsOf('302')
    assert.match(house.doors.present(house.lobby.dispenser.taken.at(-1)!, '302'), /^opened/)
    await house.expectNoHarm(house.lobby.dispenser.taken.length)
  })

  it('that come faster than keys can be made are answered, and the next one is carried out', async () => {
    const guest = await guestIn('K2', '303')
    const answers = await answersTo(Array(10_000).fill(['KR', order(guest)]), 16)
    assert.ok(answers.length >= 16 && answers.includes('BY'), answers.join())
    await eventually('a key', async () => (await house.order('KR', guest)) === 'OK')
    await idle(house.doors)
    assert.ok(house.lobby.dispenser.taken.length - made <= 20)
    expectCardsOf('303')
    await house.expectNoHarm(house.lobby.dispenser.taken.length)
  })

  for (const [what, fields] of [
    ['of a stranger for an occupied room', { 'G#': 'STRANGER', RN: '301' }],
    ['of no guest for an occupied room', { RN: '301' }],
    ['of an empty number for an occupied room', { 'G#': ' ', RN: '301' }],
    ['of a number of 1,500 characters', { 'G#': 'x'.repeat(1_500), RN: '301' }],
    ['for a room that does not exist', { 'G#': 'R1', RN: '9999' }],
    ['for no room', { 'G#': 'R1' }],
    ['at an encoder that does not exist', { 'G#': 'R1', RN: '301', KC: '77' }],
    ['of no kind', { 'G#': 'R1', RN: '301', KT: '?' }],
    ['until a date that is none', { 'G#': 'R1', RN: '301', GD: '260230' }],
    ['until a time that is none', { 'G#': 'R1', RN: '301', DT: '25:61' }],
    ['for further rooms of others', { 'G#': 'STRANGER', RN: '305', SI: '301;302' }],
  ] as const satisfies [string, Fields][]) {
    it(`${what} make none`, async () => {
      await expectNone(await answersTo([['KR', order(fields)]], 1))
    })
  }

  it('to end the keys of a stranger end no key of a guest', async () => {
    const before = await keys()
    for (const fields of [
      { 'G#': 'STRANGER', RN: '301' },
      { 'G#': 'R1', RN: '304' },
      { 'G#': 'R1', RN: '9999' },
    ])
      await answersTo([['KD', order(fields)]], 1)
    assert.deepEqual(await keys(), before)
    await house.expectNoHarm(made)
  })

  it('with any text in any field make no key for the room of another guest', async () => {
    const names = fc.constantFrom('KC', 'KT', 'G#', 'GA', 'GD', 'DT', 'SI', 'KO', 'WS')
    const drawn = fc.dictionary(names, fc.string({ minLength: 1, maxLength: 20 }), { maxKeys: 5 })
    for (const fields of fc.sample(drawn, 20)) {
      if (fields['G#'] === 'R1') continue
      const [answer] = await answersTo([['KR', { ...order({ RN: '301', 'G#': 'STRANGER' }), ...fields }]], 1)
      await expectNone([answer ?? 'none'])
    }
  })
})

/** The keys of the guest who is in house from the beginning. */
async function keys(): Promise<string[]> {
  const { body } = await house.ask('GET', '/api/v2/access/keys?filter[externalId]=R1')
  return body.data.map(({ attributes }: { attributes: { status: string } }) => attributes.status)
}
