import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { blankCards, type SimulatedCard } from '../../../src/simulators/devices/simulated-card.ts'
import { dispensers, encoders, faultDesk, faultLobby } from '../../access/faults-lobby.ts'
import { onlineHouse, type onlineSystems } from '../../access/faults-online.ts'
import { newStay } from '../../access/faults-played.ts'
import { type HouseWithDoors, until } from '../../access/house-with-doors.ts'

/** An encoder that several ask at once: whether a card of a serial number opens a room is asked of the lock. */
interface Asked {
  house: Pick<HouseWithDoors, 'ask'>
  controllerId: string
  put(stay: string, unitName: string): ReturnType<HouseWithDoors['ask']>
  opens(uid: string, unitName: string): boolean
  /** Where a hand lays cards down: the one that was made is taken, and another laid there. */
  nextCard?(): void
}

const rooms = ['101', '102', '103']

/** By the kind of encoder. */
const kinds: Record<string, (test: TestContext) => Promise<Asked>> = {
  'twn4 at a desk': (test) => desk(test, 'twn4'),
  'ifd510 at a desk': (test) => desk(test, 'ifd510'),
  'twn4 in a k720': (test) => lobby(test, 'k720', 'twn4'),
  'ifd510 in a crt571': (test) => lobby(test, 'crt571', 'ifd510'),
  'crt571-rf in a crt571': (test) => lobby(test, 'crt571', 'built-in'),
  'industry-standard at a desk': (test) => online(test, 'industry-standard', 'desk'),
  'industry-standard in a dispenser': (test) => online(test, 'industry-standard', 'dispenser'),
  'fias-key at a desk': (test) => online(test, 'fias-key', 'desk'),
  'fias-key in a dispenser': (test) => online(test, 'fias-key', 'dispenser'),
}

async function desk(test: TestContext, model: keyof typeof encoders): Promise<Asked> {
  const given = blankCards(40, null, 'classic')
  const lying: SimulatedCard[] = [given[0]!]
  const made = await faultDesk(encoders[model]({ cards: () => lying }))
  test.after(() => made.stop())
  let next = 1
  return {
    ...made,
    opens: (uid, unitName) => opening(made.house, given, uid, unitName),
    nextCard: () => void lying.splice(0, 1, given[next++]!),
  }
}

async function lobby(
  test: TestContext,
  model: keyof typeof dispensers,
  encoder: Parameters<typeof faultLobby>[1],
): Promise<Asked> {
  const technology = encoder === 'built-in' ? 'ultralight' : 'classic'
  const dispenser = dispensers[model]()
  dispenser.cards.stack.push(...blankCards(40, null, technology))
  const made = await faultLobby(dispenser, encoder, technology)
  test.after(() => made.stop())
  return {
    ...made,
    opens: (uid, unitName) => opening(made.house, dispenser.cards.taken, uid, unitName),
  }
}

async function online(
  test: TestContext,
  name: keyof typeof onlineSystems,
  place: 'desk' | 'dispenser',
): Promise<Asked> {
  const house = await onlineHouse(name)
  test.after(() => house.stop())
  return {
    house,
    controllerId: house.controllers[place],
    put: house.put[place],
    opens: (uid, unitName) => house.system.opening(unitName).includes(uid),
  }
}

function opening(
  house: Pick<HouseWithDoors, 'present'>,
  cards: readonly SimulatedCard[],
  uid: string,
  unitName: string,
): boolean {
  const card = cards.find((each) => each.uid.toHex().toUpperCase() === uid)
  return card !== undefined && house.present(card, unitName).startsWith('opened')
}

/** The dispensers that hold a card, or are at work. */
async function gates({ ask }: Asked['house']): Promise<unknown[]> {
  const { body } = await ask('GET', '/api/v2/access/card-runs?filter[step][ne]=ended')
  return body.data
}

describe('several who ask one encoder at once', () => {
  for (const [kind, setUp] of Object.entries(kinds))
    it(`${kind}: each has his own card, and who is too many is told to come back`, async (test) => {
      const asked = await setUp(test)
      const { house, controllerId, put, opens, nextCard } = asked
      const patched = await house.ask('PATCH', `/api/config/v1/access-controllers/${controllerId}`, {
        body: { queueLimit: 1, timeoutMs: 15_000 },
      })
      assert.equal(patched.status, 204, patched.text)
      // The devices have started.
      await until(
        'a first card',
        () => put(newStay(), '104'),
        ({ status }) => status === 200,
      )
      nextCard?.()
      await until(
        'nobody at the gates',
        () => gates(house),
        ({ length }) => length === 0,
      )

      const stays = rooms.map(() => newStay())
      const replies = await Promise.all(
        rooms.map(async (room, index) => {
          const reply = await put(stays[index]!, room)
          if (reply.status === 200) nextCard?.()
          return reply
        }),
      )
      const made = replies.filter(({ status }) => status === 200)
      const refused = replies.filter(({ status }) => status !== 200)
      assert.ok(made.length >= 1, 'the first has his card')
      const tooMany = refused.filter(({ status }) => status === 502)
      assert.equal(tooMany.length, 1, 'one is at work, one waits')
      for (const { body, headers } of tooMany) {
        assert.deepEqual([body.meta.errorCode, body.meta.outcomeUnknown], ['encoder-busy', false])
        assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
      }
      for (const { status, body } of refused)
        if (status !== 502) assert.equal(body.errors[0].code, 'dispenser-busy-with-guest')

      // Who was refused asks again, as he was told.
      const uids: string[] = []
      for (const [index, room] of rooms.entries()) {
        const again = await until(
          'his card',
          () => put(stays[index]!, room),
          ({ status }) => status === 200,
        )
        if (replies[index]!.status !== 200) nextCard?.()
        uids.push(String(again.body.data.attributes.uid))
      }
      // The last guest has yet to take his.
      await until(
        'nobody at the gates',
        () => gates(house),
        ({ length }) => length === 0,
      )
      assert.equal(new Set(uids).size, rooms.length, 'a card is of two rooms')
      for (const [index, uid] of uids.entries())
        for (const [other, room] of rooms.entries())
          assert.equal(opens(uid, room), other === index, `card ${index} at ${room}`)
    })
})
