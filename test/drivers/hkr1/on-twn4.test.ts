import assert from 'node:assert/strict'
import { duplexPair } from 'node:stream'
import { describe, it } from 'node:test'
import { lockSystem } from '../../../drivers/hkr1/lock-system.ts'
import twn4 from '../../../drivers/twn4/driver.ts'
import { commands, type Twn4CommandName } from '../../../drivers/twn4/protocol.ts'
import { reader, simulateTwn4 } from '../../../drivers/twn4/simulator/simulator.ts'
import type { CardEncoder, Grant } from '../../../src/devices/capability.ts'
import { DeviceFault } from '../../../src/devices/fault.ts'
import type { Misbehaviour } from '../../../src/simulators/devices/misbehaviour.ts'
import type { SimulatedCard } from '../../../src/simulators/devices/simulated-card.ts'
import { testClock } from '../../test-clock.ts'
import { when } from '../encoder-calls.ts'
import { doorOf, grant, makers, night, settings, technologies } from './house.ts'

const clock = testClock()
const system = lockSystem({ ...settings, ownCardKey: true, pagePassword: true })
const newer: Grant = { ...grant, sequence: 43, credential: 9 }
const writing = (Object.keys(commands) as Twn4CommandName[]).filter((name) => commands[name].writes)

/** A reader with these cards, and a new wire to it each time, as after it was plugged in anew. */
function bench(cards: SimulatedCard[]) {
  const played = reader({ clock, antenna: { cards: () => cards } })
  const plugIn = (): CardEncoder => {
    const [box, machine] = duplexPair()
    void simulateTwn4(machine, played)
    return twn4.open(box, { model: 'twn4', patience: 1, options: {}, clock })
  }
  return { played, plugIn }
}

async function write(encoder: CardEncoder, wanted: Grant): Promise<void> {
  const card = await encoder.find()
  await system.write(encoder, card!, wanted)
}

async function read(encoder: CardEncoder): Promise<Grant | null> {
  const card = await encoder.find()
  return (await system.read(encoder, card!)).grant
}

/** The commands that write, in the order in which they are met while a key is written. */
async function writesOf(card: SimulatedCard): Promise<Twn4CommandName[]> {
  const met: Twn4CommandName[] = []
  const { played, plugIn } = bench([card])
  for (let index = 0; index < 50; index++)
    for (const name of writing) played.misbehaviours.push(when(name, () => void met.push(name)))
  const encoder = plugIn()
  await write(encoder, newer)
  encoder.close()
  return met
}

const faults: Record<string, (cards: SimulatedCard[]) => Omit<Misbehaviour, 'at'>> = {
  'the card is taken': (cards) => when('', () => void cards.splice(0)),
  'it is carried out and not answered': () => ({ does: 'late' }),
  'it is neither carried out nor answered': () => ({ does: 'silence' }),
  'the card is said to refuse': () => ({ does: 'refuse', code: '0000' }),
  'the wire breaks': () => ({ does: 'close' }),
}

for (const technology of technologies)
  describe(`writing on a card of the kind ${technology} through a twn4`, () => {
    for (const [name, faultFor] of Object.entries(faults))
      it(`leaves one whole key or none at each write, when ${name}`, async () => {
        for (const begin of ['new', 'ours'] as const) {
          const prepared = async () => {
            const card = makers[technology]()
            if (begin === 'new') return card
            const encoder = bench([card]).plugIn()
            await write(encoder, grant)
            encoder.close()
            return card
          }
          const all = await writesOf(await prepared())
          for (const [index, at] of all.entries()) {
            const card = await prepared()
            const cards = [card]
            const { played, plugIn } = bench(cards)
            const skip = all.slice(0, index).filter((each) => each === at).length
            played.misbehaviours.push({ ...faultFor(cards), at, skip })
            await expectHonest(plugIn(), `${at} ${index}`)
            assert.deepEqual(played.misbehaviours, [], 'it was met')
            cards.splice(0, cards.length, card)
            await expectOneKey(plugIn(), card, index === 0 && begin === 'ours' ? grant : null)
          }
        }
      })
  })

/** What fails says whether the card may be written. */
async function expectHonest(encoder: CardEncoder, what: string): Promise<void> {
  const [written] = await Promise.allSettled([write(encoder, newer)])
  encoder.close()
  if (written.status === 'fulfilled') return
  assert.ok(written.reason instanceof DeviceFault, what)
  const known = ['card-write-protected', 'card-incompatible']
  assert.equal(
    written.reason.outcomeUnknown,
    !known.includes(written.reason.code),
    `${what}: ${written.reason.code}`,
  )
}

/** Reader and door agree about what is on the card, and it can be written again. */
async function expectOneKey(
  encoder: CardEncoder,
  card: SimulatedCard,
  untouched: Grant | null,
): Promise<void> {
  const held = await read(encoder)
  assert.equal(doorOf().present(card, night).opens, held !== null)
  assert.ok([newer.credential, untouched?.credential, undefined].includes(held?.credential))
  await write(encoder, newer)
  assert.deepEqual(await read(encoder), newer)
  assert.ok(doorOf().present(card, night).opens)
  encoder.close()
}

describe('a card with a key that refuses one command', () => {
  const asking = (Object.keys(commands) as Twn4CommandName[]).filter((name) => !commands[name].writes)

  for (const technology of technologies)
    it(`${technology}: is not read as blank`, async () => {
      const [card] = [makers[technology]()]
      const { played, plugIn } = bench([card])
      const encoder = plugIn()
      await write(encoder, grant)
      for (const at of asking)
        for (const skip of [0, 1, 2, 3]) {
          played.misbehaviours.push({ at, skip, does: 'refuse', code: '0000' })
          const found = await encoder.find().catch(() => null)
          const content = found && (await system.read(encoder, found).catch(() => null))
          assert.notEqual(content?.blank, true, `${at} ${skip}`)
          played.misbehaviours.length = 0
        }
      assert.deepEqual(await read(encoder), { ...grant, authorizations: [...grant.authorizations].sort() })
      encoder.close()
    })
})
