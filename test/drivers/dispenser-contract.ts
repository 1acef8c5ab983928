import assert from 'node:assert/strict'
import type { Duplex } from 'node:stream'
import { duplexPair } from 'node:stream'
import { describe, it } from 'node:test'
import type { CardDispenser, InitAction, Position } from '../../src/devices/capability.ts'
import type { FaultCode } from '../../src/devices/fault.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import type { Misbehaviour } from '../../src/simulators/devices/misbehaviour.ts'
import type { SimulatedCard } from '../../src/simulators/devices/simulated-card.ts'
import { blankCards } from '../../src/simulators/devices/simulated-card.ts'

/** What every simulated dispenser lets a test see and change. */
export interface BenchMachine {
  stack: SimulatedCard[]
  at: string
  card: SimulatedCard | null
  bin: SimulatedCard[]
  taken: SimulatedCard[]
  misbehaviours: Misbehaviour[]
}

export interface BenchOptions {
  cards: number
  lowAt?: number
  binCapacity?: number
}

export interface DispenserBench {
  dispenser: CardDispenser
  machine: BenchMachine
  take(): boolean
  insert(card: SimulatedCard): boolean
  /** Pulls the cable. */
  cut(): void
  /** Another wire to the same machine, and a driver on it. */
  reconnect(): CardDispenser
}

export interface DispenserUnderTest {
  setUp(options: BenchOptions): DispenserBench
  /** The driver alone, on a wire with whatever at its end. */
  open(wire: Duplex): CardDispenser
  /** The names of the driver's commands, for misbehaviours. */
  commands: { initialise: Record<InitAction, string>; move: Partial<Record<Position, string>> }
  /** The machine's own words for its troubles. */
  codes: { jam: string; motor: string }
}

/** A bench for a driver without a simulator: nothing is at the other end of its wire, and no card moves. */
export function withoutSimulator(open: (wire: Duplex) => CardDispenser): DispenserUnderTest['setUp'] {
  return ({ cards }) => {
    const stack = blankCards(cards, 'stack', 'classic')
    const machine = { stack, at: 'none', card: null, bin: [], taken: [], misbehaviours: [] }
    let [wire, far] = duplexPair()
    return {
      dispenser: open(wire),
      machine,
      take: () => false,
      insert: () => false,
      cut: () => void far.destroy(),
      reconnect() {
        ;[wire, far] = duplexPair()
        return open(wire)
      },
    }
  }
}

type Motion = Exclude<Position, 'stacker'>

/** Where a card has to be for a motion to have something to do. */
const startingFrom: Record<Motion, 'none' | 'encoder' | 'front'> = {
  encoder: 'none',
  chip: 'encoder',
  front: 'encoder',
  eject: 'encoder',
  hold: 'front',
  capture: 'encoder',
}
const needCard = ['front', 'eject', 'hold', 'capture'] as const
const initActions: readonly InitAction[] = ['hold', 'capture', 'leave']
const misdeeds = ['silence', 'late', 'garble', 'close', 'refuse'] as const

/** What a dispenser owes its callers, run on a driver and its simulator. */
export function dispenserContract(name: string, { setUp, open, commands, codes }: DispenserUnderTest): void {
  describe(`${name} keeps the contract of a dispenser`, { concurrency: true }, () => {
    describe('on a good day', () => {
      it('brings a card from the stacker to the encoder, then to the gate, where the guest takes it', async () => {
        const { dispenser, machine, take } = await ready({ cards: 2, lowAt: 0 })
        const [first] = machine.stack
        assert.deepEqual(await dispenser.status(), { card: 'none', stacker: 'ok', bin: 'ok' })
        assert.equal((await dispenser.move('encoder')).card, 'encoder')
        assert.equal(machine.card, first)
        assert.equal(machine.stack.length, 1)
        assert.equal((await dispenser.move('front')).card, 'gate')
        assert.equal(machine.at, 'gate')
        assert.equal(take(), true)
        assert.equal((await dispenser.status()).card, 'none')
        assert.deepEqual(machine.taken, [first])
      })

      it('says what it is, as far as it can tell', async () => {
        const { dispenser } = setUp({ cards: 1 })
        const identity = await dispenser.initialise('leave')
        for (const word of Object.values(identity)) assert.equal(typeof word, 'string')
        assert.notEqual(identity.model, '')
      })

      it('captures a card from the encoder and from the gate', async () => {
        const { dispenser, machine } = await ready({ cards: 2 })
        for (const from of ['encoder', 'front'] as const) {
          await bring(dispenser, from)
          assert.equal((await dispenser.move('capture')).card, 'none')
        }
        assert.equal(machine.bin.length, 2)
        assert.equal(machine.taken.length, 0)
      })

      it('takes a card back from the gate when told to hold it', async () => {
        const { dispenser, machine } = await ready({ cards: 2 })
        await bring(dispenser, 'front')
        const { card } = machine
        assert.notEqual((await dispenser.move('hold')).card, 'gate')
        assert.equal(machine.card, card)
        assert.notEqual(machine.at, 'gate')
        assert.equal(machine.stack.length, 1)
      })

      it('feeds one card, not a second, when one is at the encoder already', async () => {
        const { dispenser, machine } = await ready({ cards: 3 })
        await dispenser.move('encoder')
        assert.equal((await dispenser.move('encoder')).card, 'encoder')
        assert.equal(machine.stack.length, 2)
      })

      it('tells how the stacker and the bin are', async () => {
        const { dispenser } = await ready({ cards: 3, lowAt: 1, binCapacity: 1 })
        assert.equal((await dispenser.status()).stacker, 'ok')
        await dispenser.move('encoder')
        assert.equal((await dispenser.move('capture')).bin, 'full')
        assert.equal((await dispenser.move('encoder')).stacker, 'nearEmpty')
      })

      it('takes a card at the front only while the entry is enabled, and not after presenting', async () => {
        const { dispenser, machine, insert, take } = await ready({ cards: 1 })
        const [card] = blankCards(1, 'guest', 'classic') as [SimulatedCard]
        assert.equal(insert(card), false)
        await dispenser.entry(true)
        assert.equal(insert(card), true)
        assert.equal((await dispenser.status()).card, 'encoder')
        await dispenser.move('front')
        assert.equal(take(), true)
        assert.equal(insert(card), false)
        await dispenser.entry(true)
        await dispenser.entry(false)
        assert.equal(insert(card), false)
        assert.deepEqual(machine.taken, [card])
      })

      it('does with a card in the path what initialising was told to do', async () => {
        for (const action of initActions) {
          const { dispenser, machine } = await ready({ cards: 1 })
          await dispenser.move('encoder')
          await dispenser.initialise(action)
          assert.equal(machine.bin.length, action === 'capture' ? 1 : 0, action)
          if (action === 'leave') assert.equal(machine.at, 'encoder')
        }
      })

      it('does what it is asked in the order it was asked', async () => {
        const { dispenser, machine } = await ready({ cards: 1 })
        const seen = await Promise.all([
          dispenser.status(),
          dispenser.move('encoder'),
          dispenser.status(),
          dispenser.move('front'),
        ])
        assert.deepEqual(
          seen.map(({ card }) => card),
          ['none', 'encoder', 'encoder', 'gate'],
        )
        assert.equal(machine.at, 'gate')
      })
    })

    describe('when something is missing', () => {
      for (const to of needCard.filter((each) => each in commands.move)) {
        it(`does not feed a card to move one to ${to}`, async () => {
          const { dispenser, machine } = await ready({ cards: 2 })
          await assert.rejects(dispenser.move(to), fault('no-card', false))
          assert.equal(machine.stack.length, 2)
          assert.equal(machine.card, null)
        })
      }

      it('says that the stacker is empty', async () => {
        const { dispenser } = await ready({ cards: 0 })
        await assert.rejects(dispenser.move('encoder'), fault('dispenser-empty', false))
        assert.equal((await dispenser.status()).stacker, 'empty')
      })

      it('keeps the card when the bin is full', async () => {
        const { dispenser, machine } = await ready({ cards: 2, binCapacity: 1 })
        await dispenser.move('encoder')
        await dispenser.move('capture')
        await dispenser.move('encoder')
        await assert.rejects(dispenser.move('capture'), fault('dispenser-bin-full', false))
        assert.equal(machine.at, 'encoder')
      })

      it('refuses a position it does not have', async () => {
        const { dispenser } = await ready({ cards: 1 })
        const missing = Object.keys(startingFrom).filter(
          (each) => !dispenser.positions.includes(each as Position),
        )
        for (const to of [...missing, 'stacker'] as Position[]) {
          if (!dispenser.positions.includes(to))
            await assert.rejects(dispenser.move(to), fault('unsupported-operation', false))
        }
        assert.deepEqual([...dispenser.positions].sort(), Object.keys(commands.move).sort())
      })
    })

    describe('when the machine reports trouble', () => {
      it('does not know what a jam did to a card that was in the path', async () => {
        const { dispenser, machine } = await ready({ cards: 1 })
        await dispenser.move('encoder')
        machine.misbehaviours.push({ at: commands.move.front!, does: 'refuse', code: codes.jam })
        await assert.rejects(dispenser.move('front'), fault('dispenser-jam', true, codes.jam))
      })

      it('knows that a jam while feeding met no written card', async () => {
        const { dispenser, machine } = await ready({ cards: 1 })
        machine.misbehaviours.push({ at: commands.move.encoder!, does: 'refuse', code: codes.jam })
        await assert.rejects(dispenser.move('encoder'), fault('dispenser-jam', false, codes.jam))
      })

      it('reports a motor fault with the code of the machine', async () => {
        const { dispenser, machine } = await ready({ cards: 1 })
        machine.misbehaviours.push({ at: commands.move.encoder!, does: 'refuse', code: codes.motor })
        await assert.rejects(dispenser.move('encoder'), fault('dispenser-motor', false, codes.motor))
      })
    })

    describe('when a motion goes wrong', { concurrency: 8 }, () => {
      for (const to of Object.keys(commands.move) as Motion[]) {
        for (const does of misdeeds) {
          it(`move to ${to}: ${does}`, async () => {
            const bench = await ready({ cards: 3 })
            await bring(bench.dispenser, startingFrom[to])
            bench.machine.misbehaviours.push({ at: commands.move[to]!, does, code: codes.jam })
            await goesWrong(bench, (dispenser) => dispenser.move(to))
          })
        }
      }

      for (const to of Object.keys(commands.move) as Motion[]) {
        it(`move to ${to}: the cable is pulled in the middle of it, and plugged in again`, async () => {
          const bench = await ready({ cards: 3 })
          await bring(bench.dispenser, startingFrom[to])
          const then = bench.cut
          bench.machine.misbehaviours.push({ at: commands.move[to]!, does: 'late', then })
          await goesWrong(bench, (dispenser) => dispenser.move(to))
        })
      }

      for (const action of initActions) {
        for (const does of misdeeds) {
          it(`initialise and ${action}: ${does}`, async () => {
            const bench = await ready({ cards: 3 })
            await bring(bench.dispenser, 'encoder')
            // The first commands on a new wire may be asked more than once; a machine may ignore them all.
            for (let times = 0; times < 5; times++)
              bench.machine.misbehaviours.push({ at: commands.initialise[action], does, code: codes.jam })
            await goesWrong(bench, (dispenser) => dispenser.initialise(action))
          })
        }
      }
    })

    describe('when the wire fails', () => {
      it('says offline before anything left', async () => {
        const { dispenser, machine, cut } = await ready({ cards: 1 })
        cut()
        await assert.rejects(dispenser.move('encoder'), fault('dispenser-offline', false))
        await assert.rejects(dispenser.status(), fault('dispenser-offline', false))
        await assert.rejects(dispenser.initialise('leave'), fault('dispenser-offline', false))
        assert.equal(machine.stack.length, 1)
      })

      it('finds the machine as it was left, on another wire', async () => {
        const { dispenser, cut, reconnect } = await ready({ cards: 1 })
        await dispenser.move('encoder')
        cut()
        const again = reconnect()
        await again.initialise('leave')
        assert.equal((await again.status()).card, 'encoder')
      })

      it('gives up on a wire that nobody reads', async () => {
        const [box] = duplexPair()
        const dispenser = open(box)
        await assert.rejects(dispenser.initialise('leave'), DeviceFault)
        await assert.rejects(dispenser.status(), fault('dispenser-offline', false))
      })

      it('gives up on a machine that never answers', async () => {
        const [box, machine] = duplexPair()
        machine.resume()
        await assert.rejects(open(box).initialise('leave'), fault('dispenser-offline', false))
      })

      it('survives an error of the wire', async () => {
        const [box, machine] = duplexPair()
        machine.resume()
        const dispenser = open(box)
        const asked = assert.rejects(dispenser.status(), fault('dispenser-offline', false))
        box.destroy(new Error('the cable burns'))
        await asked
      })

      it('rejects all that is under way or waiting when it is closed', async () => {
        const [box, machine] = duplexPair()
        machine.resume()
        const dispenser = open(box)
        const asked = [dispenser.status(), dispenser.move('encoder'), dispenser.initialise('leave')]
        dispenser.close()
        for (const result of await Promise.allSettled(asked)) {
          assert.equal(result.status, 'rejected')
          assert.ok(result.reason instanceof DeviceFault)
        }
        assert.equal(box.destroyed, true)
      })
    })
  })

  async function ready(options: BenchOptions): Promise<DispenserBench> {
    const bench = setUp(options)
    await bench.dispenser.initialise('leave')
    return bench
  }
}

/**
 * Whatever happened: no card was lost or fed twice, a fault that claims to know the outcome left everything as it
 * was, and after initialising again the driver and the machine agree.
 */
async function goesWrong(bench: DispenserBench, act: (dispenser: CardDispenser) => Promise<unknown>) {
  const { dispenser, machine, reconnect } = bench
  const before = photograph(machine)
  const reason = await act(dispenser).then(
    () => assert.fail('a fault was expected'),
    (reason: unknown) => reason,
  )
  assert.ok(reason instanceof DeviceFault, String(reason))
  const after = photograph(machine)
  assert.equal(
    after.stack + after.bin + after.taken + after.path,
    before.stack + before.bin + before.taken + before.path,
  )
  assert.ok(before.stack - after.stack <= 1)
  if (!reason.outcomeUnknown) assert.deepEqual(after, before)

  machine.misbehaviours.length = 0
  dispenser.close()
  const again = reconnect()
  await again.initialise('leave')
  const { card } = await again.status()
  assert.equal(card === 'none', machine.card === null)
  assert.equal(card === 'gate', machine.at === 'gate')
}

function photograph({ stack, bin, taken, card, at }: BenchMachine) {
  return { stack: stack.length, bin: bin.length, taken: taken.length, path: card ? 1 : 0, at }
}

async function bring(dispenser: CardDispenser, to: 'none' | 'encoder' | 'front') {
  if (to !== 'none') await dispenser.move('encoder')
  if (to === 'front') await dispenser.move('front')
}

/** What `assert.rejects` shall find. */
export function fault(code: FaultCode, outcomeUnknown: boolean, vendorCode?: string) {
  const expected = { name: 'DeviceFault', code, outcomeUnknown }
  return vendorCode === undefined ? expected : { ...expected, vendorCode }
}
