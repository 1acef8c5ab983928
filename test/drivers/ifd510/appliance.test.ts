import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { reader, simulateIfd510 } from '../../../drivers/ifd510/simulator/simulator.ts'
import { blankCards, type SimulatedCard } from '../../../src/simulators/devices/simulated-card.ts'
import { type HouseWithDoors, houseWithDoors } from '../../access/house-with-doors.ts'
import { sockets } from '../../access/sockets.ts'
import { testClock } from '../../test-clock.ts'

let onDesk: SimulatedCard
const clock = testClock({ always: false })
const played = reader({ clock, antenna: { cards: () => [onDesk] } })
const plugs = sockets()
let house: HouseWithDoors
let path: string

before(async () => {
  house = await houseWithDoors({ clock })
  path = await plugs.plugIn((wire) => simulateIfd510(wire, played))
})
after(async () => {
  await house.stop()
  plugs.close()
})

const controller = (at: string, driver = 'ifd510') =>
  house.ask('POST', '/api/config/v1/access-controllers', {
    body: {
      name: `Desk ${driver} ${at}`,
      providerId: house.providerId,
      kind: 'encoder',
      keyType: 'keyCard',
      device: { driver, path: at, patience: 1 },
      timeoutMs: 5_000,
    },
  })

it('makes keys at a desk with an ifd510', async () => {
  const made = await controller(path)
  assert.equal(made.status, 201, made.text)
  const key = `/api/v2/access/controllers/${made.body.data.id}/key`
  for (const technology of ['classic', 'ultralight'] as const) {
    onDesk = blankCards(1, null, technology)[0]!
    for (let turn = 0; turn < 2; turn++) {
      const issued = await house.ask('POST', key, {
        body: {
          type: 'keyCard',
          unitName: '101',
          original: true,
          startDate: '2026-06-01',
          endDate: '2026-06-03',
        },
      })
      assert.equal(issued.status, 201, issued.text)
      assert.equal(house.present(onDesk, '101'), 'opened-newer')
      assert.equal((await house.ask('GET', key)).body.data.id, issued.body.data.id)
    }
    assert.equal((await house.ask('DELETE', key)).status, 204)
    assert.equal(house.present(onDesk, '101'), 'no-key')
  }
})

it('is refused at an address where it cannot be, and found at its own', async () => {
  for (const [at, driver, why] of [
    ['/dev/serial/by-id/desk', 'ifd510', /hid:\/\/ffff:0035/],
    ['hid://ffff:35', 'ifd510', /hid:\/\/ffff:0035/],
    ['hid://ffff:0035', 'twn4', /serial line/],
  ] as const) {
    const { status, text } = await controller(at, driver)
    assert.equal(status, 422, text)
    assert.match(text, why)
  }
  const { status, text } = await controller('hid://ffff:0035?port=1-1.4')
  assert.equal(status, 201, text)
})

// Which of two devices such an address means is only noticed at the next opening, which may be after a power cut.
it('is refused beside another at an address that also means the other', async () => {
  const address = 'hid://ffff:0035'
  const first = await controller(`${address}?port=2-1`)
  assert.equal(first.status, 201, first.text)
  for (const at of [
    address,
    address.replace('ffff', 'FFFF'),
    `${address.replace('ffff', 'FFFF')}?port=2-1`,
  ]) {
    const { status, text } = await controller(at)
    assert.equal(status, 422, text)
    assert.match(text, /already uses hid:\/\/ffff:0035\?port=/)
  }
  const second = await controller(`${address}?port=2-2`)
  assert.equal(second.status, 201, second.text)
})
