import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  blankCards,
  cardFromImage,
  cardImage,
  type Technology,
} from '../../src/simulators/devices/simulated-card.ts'
import { when } from '../drivers/encoder-calls.ts'
import { type HouseWithDesk, houseWithDesk } from './house-with-desk.ts'
import { idle, serve } from './house-with-doors.ts'

/** Each kind of card, what the interface calls it, and a command that writes to it. */
const kinds: [technology: Technology, format: string, write: string][] = [
  ['classic', 'Mifare1K', 'writeBlock'],
  ['ultralight', 'MifareUltralight', 'writePage'],
  ['ntag', 'MifareUltralight', 'writeNtag'],
  ['desfire', 'Desfire', 'writeFile'],
]

let house: HouseWithDesk
before(async () => {
  house = await houseWithDesk({ timeoutMs: 2_000 })
})
after(() => house.stop())

const atDesk = `/api/v2/access/controllers/`
const read = async () => (await house.ask('GET', `${atDesk}${house.desk.controllerId}/key`)).body
const post = (unitName: string) =>
  house.ask('POST', `${atDesk}${house.desk.controllerId}/key`, {
    body: { type: 'keyCard', unitName, original: true, startDate: '2026-06-01', endDate: '2026-06-03' },
  })

for (const [index, [technology, format, write]] of kinds.entries()) {
  const unitName = String(101 + index)
  const blank = () => blankCards(1, null, technology)[0]!

  describe(`a card of the kind ${technology}`, () => {
    it('comes out of the dispenser, and opens the door', async () => {
      await idle(house)
      house.lobby.dispenser.stack.unshift(blank())
      const { id, card } = await serve(house, unitName)
      assert.equal(card.technology, technology)
      const key = await house.key(id)
      assert.equal(key.status, 'live')
      assert.equal(key.cardFormat, format)
      assert.equal(house.present(card, unitName), 'opened-newer')
      assert.equal(house.present(cardFromImage(cardImage(card)), unitName), 'opened', 'out of its file too')
    })

    it('is written, read, written anew and erased at a desk', async () => {
      house.desk.card = blank()
      assert.equal((await read()).meta.card.blank, true)
      const first = await post(unitName)
      assert.equal(first.status, 201, first.text)
      const { data, meta } = await read()
      assert.equal(data.id, first.body.data.id)
      assert.equal(meta.card.format, format)
      assert.equal(meta.card.decodedUnitName, unitName)
      const second = await post(unitName)
      assert.equal(second.status, 201, second.text)
      assert.equal(house.present(house.desk.card, unitName), 'opened-newer')
      assert.equal((await house.ask('DELETE', `${atDesk}${house.desk.controllerId}/key`)).status, 204)
      assert.equal(house.present(house.desk.card, unitName), 'no-key')
      assert.equal((await read()).meta.card.blank, true)
    })

    it('that is torn off the desk while it is written opens nothing, and is in doubt', async () => {
      const card = blank()
      house.desk.card = card
      const lift = () => {
        house.desk.card = null
      }
      house.desk.encoder.misbehaviours.push({ ...when(write, lift), skip: 1 })
      const { body } = await post(unitName)
      assert.deepEqual(body.meta, { errorCode: 'card-removed', outcomeUnknown: true })
      assert.notEqual(house.present(card, unitName).slice(0, 6), 'opened')
      house.desk.card = card
      const again = await post(unitName)
      assert.equal(again.status, 201, again.text)
      assert.equal(house.present(card, unitName), 'opened-newer')
    })
  })
}
