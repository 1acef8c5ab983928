import assert from 'node:assert/strict'
import { reader, simulateTwn4 } from '../../drivers/twn4/simulator/simulator.ts'
import { blankCards, type SimulatedCard } from '../../src/simulators/devices/simulated-card.ts'
import type { Reply } from '../appliance.ts'
import { testClock } from '../test-clock.ts'
import { type HouseWithDoors, houseWithDoors, settledKey, until } from './house-with-doors.ts'
import { sockets } from './sockets.ts'

/** A house with doors, a lobby, and a desk with an encoder of its own for the same doors. */
export interface HouseWithDesk extends HouseWithDoors {
  desk: {
    controllerId: string
    encoder: ReturnType<typeof reader>
    /** What lies on the encoder; null for nothing. */
    card: SimulatedCard | null
    make(unitName: string, more?: object): Promise<Reply>
    /** Lays a card down and has it read, once the encoder answers. */
    read(card: SimulatedCard): Promise<Reply>
    /** A card is written whole and nobody knows: the encoder does not answer any more. `make` asks for the key. */
    inDoubt(make: () => Promise<Reply>): Promise<{ id: string; card: SimulatedCard }>
  }
}

export const blank = () => blankCards(1, null, 'classic')[0]!

/** `more`: of the configuration of the encoder. */
export async function houseWithDesk(more: { timeoutMs?: number } = {}): Promise<HouseWithDesk> {
  const plugs = sockets()
  const clock = testClock({ always: false })
  const house = await houseWithDoors({ clock })
  const encoder = reader({ clock, antenna: { cards: () => (desk.card ? [desk.card] : []) } })
  const path = await plugs.plugIn((wire) => simulateTwn4(wire, encoder))
  const { status, body, text } = await house.ask('POST', '/api/config/v1/access-controllers', {
    body: {
      name: 'Desk',
      providerId: house.providerId,
      kind: 'encoder',
      keyType: 'keyCard',
      device: { driver: 'twn4', path, patience: 1 },
      ...more,
    },
  })
  assert.equal(status, 201, text)
  const one = `/api/v2/access/controllers/${body.data.id}/key`
  const dates = { startDate: '2026-06-01', endDate: '2026-06-03' }
  const desk: HouseWithDesk['desk'] = {
    controllerId: body.data.id,
    encoder,
    card: null,
    make: (unitName, more = {}) =>
      house.ask('POST', one, { body: { type: 'keyCard', unitName, original: true, ...dates, ...more } }),
    read(card) {
      desk.card = card
      return until(
        'the encoder',
        () => house.ask('GET', one),
        ({ status }) => status === 200,
      )
    },
    async inDoubt(make) {
      const card = blank()
      desk.card = card
      const silent = Array.from({ length: 40 }, () => ({ at: '*', does: 'silence' as const }))
      const then = () => void encoder.misbehaviours.push(...silent)
      encoder.misbehaviours.push({ at: 'writeBlock', skip: 3, does: 'late', then })
      const answer = await make()
      assert.equal(answer.status, 502, answer.text)
      const { keyId } = answer.body.errors[0].meta
      encoder.misbehaviours.length = 0
      desk.card = null
      assert.equal((await settledKey(house, keyId)).status, 'unknown')
      return { id: keyId, card }
    },
  }
  const stop = house.stop
  return Object.assign(house, {
    desk,
    async stop() {
      await stop()
      plugs.close()
    },
  })
}
