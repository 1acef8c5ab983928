import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { reader, simulateTwn4 } from '../../drivers/twn4/simulator/simulator.ts'
import {
  blankCards,
  cardFromImage,
  cardImage,
  type SimulatedCard,
  type Technology,
} from '../../src/simulators/devices/simulated-card.ts'
import { when } from '../drivers/encoder-calls.ts'
import { testClock } from '../test-clock.ts'
import { type HouseWithDoors, houseWithDoors, idle, serve } from './house-with-doors.ts'
import { sockets } from './sockets.ts'

/** Each kind of card, what the interface calls it, and a command that writes to it. */
const kinds: [technology: Technology, format: string, write: string][] = [
  ['classic', 'Mifare1K', 'writeBlock'],
  ['ultralight', 'MifareUltralight', 'writePage'],
  ['ntag', 'MifareUltralight', 'writeNtag'],
  ['desfire', 'Desfire', 'writeFile'],
]

/** What lies on the encoder of the desk. */
let onDesk: SimulatedCard | null = null
const clock = testClock({ always: false })
const encoder = reader({ clock, antenna: { cards: () => (onDesk ? [onDesk] : []) } })
const plugs = sockets()
let house: HouseWithDoors
let desk: string

before(async () => {
  house = await houseWithDoors({ clock })
  const path = await plugs.plugIn((wire) => simulateTwn4(wire, encoder))
  const body = {
    name: 'Desk',
    providerId: house.providerId,
    kind: 'encoder',
    keyType: 'keyCard',
    device: { driver: 'twn4', path, patience: 1 },
    timeoutMs: 2_000,
  }
  const { status, text, body: made } = await house.ask('POST', '/api/config/v1/access-controllers', { body })
  assert.equal(status, 201, text)
  desk = made.data.id
})
after(async () => {
  await house.stop()
  plugs.close()
})

const atDesk = `/api/v2/access/controllers/`
const read = async () => (await house.ask('GET', `${atDesk}${desk}/key`)).body
const post = (unitName: string) =>
  house.ask('POST', `${atDesk}${desk}/key`, {
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
      onDesk = blank()
      assert.equal((await read()).meta.card.blank, true)
      const first = await post(unitName)
      assert.equal(first.status, 201, first.text)
      const { data, meta } = await read()
      assert.equal(data.id, first.body.data.id)
      assert.equal(meta.card.format, format)
      assert.equal(meta.card.decodedUnitName, unitName)
      const second = await post(unitName)
      assert.equal(second.status, 201, second.text)
      assert.equal(house.present(onDesk, unitName), 'opened-newer')
      assert.equal((await house.ask('DELETE', `${atDesk}${desk}/key`)).status, 204)
      assert.equal(house.present(onDesk, unitName), 'no-key')
      assert.equal((await read()).meta.card.blank, true)
    })

    it('that is torn off the desk while it is written opens nothing, and is in doubt', async () => {
      const card = blank()
      onDesk = card
      const lift = () => {
        onDesk = null
      }
      encoder.misbehaviours.push({ ...when(write, lift), skip: 1 })
      const { body } = await post(unitName)
      assert.deepEqual(body.meta, { errorCode: 'card-removed', outcomeUnknown: true })
      assert.notEqual(house.present(card, unitName).slice(0, 6), 'opened')
      onDesk = card
      const again = await post(unitName)
      assert.equal(again.status, 201, again.text)
      assert.equal(house.present(card, unitName), 'opened-newer')
    })
  })
}
