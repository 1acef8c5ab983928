import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { idle, withDoors } from '../access/house-with-doors.ts'
import { openHouse, type ReservationHouse } from '../reservation/api/house.ts'

const all = '/api/config/v1/simulated-devices'
const hand = '/api/config/v1/simulated-cards'

/** A lobby in which somebody plays the guest. */
async function inLobby(
  work: (play: {
    house: ReservationHouse
    doors: Awaited<ReturnType<typeof withDoors>>
    act(device: string, does: string, card?: string): Promise<[number, Record<string, unknown>]>
    cards(): Promise<{ id: string; attributes: { unitName: string | null } }[]>
  }) => Promise<void>,
): Promise<void> {
  const house = await openHouse()
  try {
    const doors = await withDoors(house, house.data, house.clock.now)
    await idle(doors)
    await work({
      house,
      doors,
      act: async (device, does, card) => {
        const body = { does, ...(card && { card }) }
        const reply = await house.ask('POST', `${all}/${device}/actions/act`, { body })
        return [reply.status, reply.body.data?.attributes.state]
      },
      cards: async () => (await house.ask('GET', hand)).body.data,
    })
  } finally {
    await house.stop()
  }
}

describe('a person in the simulated lobby', () => {
  it('pays, is refused or walks away at the terminal', () =>
    inLobby(async ({ act }) => {
      for (const [does, guest] of [
        ['refuse-next', 'refuse'],
        ['leave-next', 'wait'],
        ['pay-next', 'pay'],
      ] as const) {
        const [status, state] = await act('terminal', does)
        assert.deepEqual([status, state], [200, { isPlugged: true, guest, payments: 0 }])
      }
    }))

  it('takes the card when it pleases him, and holds it to doors', () =>
    inLobby(async ({ house, doors, act, cards }) => {
      const [, waits] = await act('dispenser', 'leave-cards')
      assert.equal(waits.takesByItself, false)
      assert.equal((await act('dispenser', 'take-card'))[0], 422, 'no card is there yet')
      assert.equal((await doors.issue('101')).status, 201)
      const [, before] = await act('dispenser', 'leave-cards')
      assert.equal(before.at, 'gate')
      assert.deepEqual(await cards(), [])
      const [taken, after] = await act('dispenser', 'take-card')
      assert.deepEqual([taken, after.at], [200, 'none'])
      const [card] = await cards()
      assert.equal(card?.attributes.unitName, '101')
      const present = async (door?: string) => {
        const body = { card: card?.id, ...(door && { door }) }
        return (await house.ask('POST', `${hand}/actions/present`, { body })).body
      }
      const own = (await present()).data.meta
      assert.deepEqual([own.door, own.opens], ['101', true])
      assert.equal((await present('102')).data.meta.opens, false)
      assert.equal((await present('Moon')).errors[0].code, 'validation-failed')
    }))

  it('returns a card only while the machine accepts one', () =>
    inLobby(async ({ house, doors, act, cards }) => {
      assert.equal((await doors.issue('101')).status, 201)
      await act('dispenser', 'take-cards')
      const [card] = await cards()
      assert.equal((await act('dispenser', 'return-card', card?.id))[0], 422)
      const accepting = `/api/v2/access/dispensers/${doors.dispenserId}/status/accepting`
      await idle(doors)
      const accepted = await house.ask('PUT', accepting)
      assert.equal(accepted.status, 204, accepted.text)
      for (let isOpen = false; !isOpen; )
        isOpen = (await house.ask('GET', all)).body.data[0].attributes.state.isAccepting
      assert.equal((await act('dispenser', 'return-card', card?.id))[0], 200)
      assert.deepEqual(await cards(), [])
    }))

  it('lays a card on the encoder, and takes it away', () =>
    inLobby(async ({ house, act, cards }) => {
      const [, state] = await act('encoder', 'lay-blank-card')
      assert.equal(house.lobby.encoder.antenna.cards().length, 1)
      assert.equal((await act('encoder', 'lay-blank-card'))[0], 422, 'there is one already')
      await act('encoder', 'take-away-card')
      assert.equal(house.lobby.encoder.antenna.cards().length, 0)
      assert.deepEqual(
        (await cards()).map(({ id, attributes }) => [id, attributes.unitName]),
        [[state.laid, null]],
      )
    }))

  it('pulls cables and empties the stacker, and the guest gets no card', () =>
    inLobby(async ({ doors, act }) => {
      await act('dispenser', 'empty-stacker')
      assert.equal((await doors.issue('101')).body.meta?.errorCode, 'dispenser-empty')
      const [, full] = await act('dispenser', 'fill-stacker')
      assert.equal(full.stacker, 120)
      const [, pulled] = await act('encoder', 'unplug')
      assert.equal(pulled.isPlugged, false)
      assert.equal((await doors.issue('101')).status, 502)
      const [, plugged] = await act('encoder', 'plug')
      assert.equal(plugged.isPlugged, true)
      await idle(doors)
      assert.equal((await doors.issue('101')).status, 201)
    }))
})
