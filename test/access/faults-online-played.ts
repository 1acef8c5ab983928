import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { blankCards } from '../../src/simulators/devices/simulated-card.ts'
import { passTime } from '../test-clock.ts'
import { type OnlineHouse, onlineHouse, onlineRooms, type onlineSystems } from './faults-online.ts'
import { keyOf, newStay, said } from './faults-played.ts'
import { eachCell, type FaultLine } from './faults-table.ts'
import { until } from './house-with-doors.ts'

export type Place = 'desk' | 'dispenser'

/** A refusal that both systems have words for: they have no such room. */
const codes: Record<string, string> = { CN: 'TD', LT: 'EV', KR: 'UR', KZ: 'UR' }

let turn = 0

/**
 * A test for each cell: the answer, and the key's status once all is well; where a dispenser feeds the card, where that
 * is too.
 */
export function playOnline(name: keyof typeof onlineSystems, tables: Record<Place, FaultLine[]>): void {
  let house: OnlineHouse
  before(async () => {
    house = await onlineHouse(name)
    house.lobby.dispenser.binCapacity = 1_000
  })
  after(() => house.stop())
  for (const [place, lines] of Object.entries(tables) as [Place, FaultLine[]][])
    describe(place, () => {
      eachCell({ player: () => house.system, how: 'once', codes, lines }, (wrong, cell) =>
        play(house, place, wrong, cell),
      )
    })
}

async function play(
  house: OnlineHouse,
  place: Place,
  wrong: () => Promise<void>,
  cell: string,
): Promise<void> {
  const room = onlineRooms[turn++ % onlineRooms.length]!
  const { system, lobby } = house
  const { dispenser } = lobby
  const put = house.put[place]
  const stay = newStay()
  await done(house, place, newStay(), room)
  dispenser.bin.length = 0
  dispenser.taken.length = 0
  dispenser.stack.push(...blankCards(3, null, 'classic'))
  const before = system.opening(room)

  await wrong()
  const reply = await put(stay, room)
  system.misbehaviours.length = 0
  const opening = system.opening(room)
  const row = await keyOf({ house }, stay)
  if (reply.status === 200) assert.equal(row?.mayOpen, true)
  else if (opening.join() !== before.join())
    assert.deepEqual([row?.mayOpen, reply.body.meta.outcomeUnknown], [true, true], 'a key in doubt opens')
  await quiet(house)
  const settled = row && (await keyOf({ house }, stay))
  const where = { desk: '', dispenser: ` ${placeOf(house)}` }[place]
  assert.equal(`${said(reply)} ${settled?.status ?? 'none'}${where}`, cell, reply.text)
  if (dispenser.taken.length > 0) assert.equal(settled?.status, 'live')
  // What opens has a key that may.
  if (system.opening(room).join() !== before.join()) assert.equal(settled?.mayOpen, true)

  const next = await done(house, place, stay, room)
  assert.equal((await put(stay, room)).body.data.id, next.id)
  assert.deepEqual(system.opening(room), [next.uid])
  const live = `/api/v2/access/keys?filter[externalId]=${stay}&filter[status]=live`
  assert.equal((await house.ask('GET', live)).body.data.length, 1)
  if (place === 'dispenser') assert.equal(dispenser.taken.length, 1, 'one card for the guest')
}

/** The same request until there is a key, and nobody's card is on its way. */
async function done(
  house: OnlineHouse,
  place: Place,
  stay: string,
  room: string,
): Promise<{ id: string; uid: string }> {
  const reply = await until(
    'a key',
    async () => {
      const { length } = house.lobby.dispenser.bin
      const asked = await house.put[place](stay, room)
      if (/still has to answer|still outstanding/.test(asked.body.errors?.[0].detail ?? ''))
        assert.equal(
          house.lobby.dispenser.bin.length,
          length,
          'no card is fed for an encoder that owes an answer',
        )
      // Each attempt at a dispenser costs a card.
      if (asked.status === 502) await passTime(400)
      return asked
    },
    ({ status }) => status === 200,
  )
  await quiet(house)
  return { id: String(reply.body.data.id), uid: reply.body.data.attributes.uid }
}

function quiet({ ask, dispenserId }: OnlineHouse): Promise<unknown> {
  return until(
    'an idle dispenser',
    async () => (await ask('GET', `/api/v2/access/dispensers/${dispenserId}/status`)).body.data.attributes,
    ({ state, cardPosition }) => state === 'active' && cardPosition === 'none',
  )
}

function placeOf({ lobby: { dispenser } }: OnlineHouse): string {
  if (dispenser.taken.length > 0) return 'taken'
  return dispenser.bin.length > 0 ? 'bin' : 'none'
}
