import assert from 'node:assert/strict'
import { Duplex } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import type { CardEncoder } from '../../src/devices/capability.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import type { Clock } from '../../src/host/clock.ts'
import { testClock } from '../test-clock.ts'
import {
  block,
  type Call,
  type CardMethod,
  calls,
  cardCalls,
  classic,
  type EncoderBench,
  fault,
  found,
  key,
  loggedIn,
  type Method,
  notWaiting,
  otherClassic,
  page,
  ultralight,
  unacknowledged,
  when,
  wrongKey,
} from './encoder-calls.ts'
import { cardContract } from './encoder-cards.ts'

export interface EncoderUnderTest {
  /** A driver and its simulator on an in-memory wire. */
  setUp(clock: Clock, patience: number): EncoderBench
  /** The driver alone, for wires with nobody at their end. */
  open(wire: Duplex, clock: Clock, patience: number): CardEncoder
  /** An in-memory wire. */
  wire(): [box: Duplex, machine: Duplex]
  /** For each method a command of the driver's table that it cannot do without; null where it sends none. */
  commands: Record<Exclude<Method, 'signal'>, string> & { signal: string | null } & Partial<
      Record<CardMethod, string>
    >
  /** The machine is at the far end of a socket. */
  overSocket?: boolean
  /** How often what writes nothing is asked before silence counts; once unless said otherwise. */
  asks?: { silence: number; late: number }
}

/** What every encoder driver must keep, shown against its simulator. */
export function encoderContract(name: string, under: EncoderUnderTest): void {
  const clock = testClock({ alone: !under.overSocket })
  const methods = [
    ...Object.entries(calls),
    ...Object.entries(cardCalls).filter(([method]) => Object.hasOwn(under.commands, method)),
  ] as [Method | CardMethod, Call][]

  /** A bench whose encoder is closed when the test is over. */
  function bench(test: TestContext, patience = 1): EncoderBench {
    const made = under.setUp(clock, patience)
    test.after(() => made.encoder.close())
    return made
  }

  /** Whoever waits for a deadline instead of what happened is caught. */
  async function withoutWaiting(work: () => Promise<void>): Promise<void> {
    const before = clock.monotonic()
    await work()
    assert.ok(clock.monotonic() - before < notWaiting)
  }

  describe(`${name} as an encoder`, () => {
    it('says what it is', async (test) => {
      const { encoder } = bench(test)
      const { model, firmware, serialNumber } = await encoder.identify()
      assert.ok(model && firmware && serialNumber)
    })

    it('has all of the methods that it is asked, and no other', (test) => {
      const { encoder } = bench(test)
      const has = Object.keys(cardCalls).filter((method) => {
        const [part, name = ''] = method.split('.')
        return name ? encoder.desfire && Object.hasOwn(encoder.desfire, name) : Object.hasOwn(encoder, part!)
      })
      assert.deepEqual(
        has,
        Object.keys(cardCalls).filter((method) => Object.hasOwn(under.commands, method)),
      )
    })

    it('finds nothing on an empty antenna', async (test) => {
      const { encoder } = bench(test)
      assert.equal(await encoder.find(), null)
      await assert.rejects(encoder.readPages(4), fault('no-card', false))
    })

    it('tells the cards apart', async (test) => {
      const { encoder, cards } = bench(test)
      cards[0] = classic()
      assert.deepEqual(await encoder.find(), { uid: cards[0].uid, format: 'Mifare1K' })
      cards[0] = ultralight()
      assert.deepEqual(await encoder.find(), { uid: cards[0].uid, format: 'MifareUltralight' })
    })

    it('writes and reads the blocks of a MIFARE Classic', async (test) => {
      const made = bench(test)
      await loggedIn(made)
      await made.encoder.writeBlock(5, block)
      assert.deepEqual(await made.encoder.readBlock(5), block)
      assert.deepEqual(made.cards[0]!.memory.subarray(80, 96), block)
    })

    it('writes and reads the pages of an Ultralight', async (test) => {
      const made = bench(test)
      await found(made, ultralight())
      await made.encoder.writePage(15, page)
      const pages = await made.encoder.readPages(15)
      assert.deepEqual(pages.subarray(0, 4), page)
      assert.deepEqual(pages.subarray(4), made.cards[0]!.memory.subarray(0, 12), 'reading wraps at the end')
    })

    it('says when a card refuses a key, and takes the right one after it', async (test) => {
      const made = bench(test)
      await found(made, classic())
      assert.equal(await made.encoder.authenticate(1, 'A', wrongKey), false)
      assert.equal(await made.encoder.authenticate(1, 'A', key), true)
      assert.deepEqual(await made.encoder.readBlock(4), new Uint8Array(16))
    })

    it('writes nothing to a sector that is not logged in', async (test) => {
      const made = bench(test)
      await loggedIn(made)
      await assert.rejects(made.encoder.writeBlock(8, block), fault('card-write-protected', false))
      await assert.rejects(made.encoder.readBlock(4), DeviceFault)
      assert.deepEqual(made.cards[0]!.memory, classic().memory)
    })

    it('asks the card itself when it is said to have refused a write', async (test) => {
      const made = bench(test)
      made.cards[0] = unacknowledged(classic())
      await made.encoder.find()
      await made.encoder.authenticate(1, 'A', key)
      await made.encoder.writeBlock(4, block)
      assert.deepEqual(made.cards[0].memory.subarray(64, 80), block)

      made.cards[0] = unacknowledged(ultralight())
      await made.encoder.find()
      await made.encoder.writePage(4, page)
      assert.deepEqual(made.cards[0].memory.subarray(16, 20), page)
    })

    it('knows when a card refused a write', async (test) => {
      const made = bench(test)
      await found(made, ultralight())
      made.cards[0]!.memory[10] = 0xf0
      await assert.rejects(made.encoder.writePage(4, page), fault('card-write-protected', false))
    })

    it('switches off, and has no card then', async (test) => {
      const made = bench(test)
      await found(made, ultralight())
      await made.encoder.off()
      await assert.rejects(made.encoder.writePage(4, page), fault('no-card', false))
      assert.ok(await made.encoder.find())
    })

    it('shows every signal', async (test) => {
      const { encoder } = bench(test)
      for (const kind of ['ready', 'good', 'bad'] as const) await encoder.signal(kind)
      assert.equal(await encoder.find(), null)
    })

    it('refuses what no card has, and asks the encoder nothing', async (test) => {
      const made = bench(test)
      await found(made, classic())
      const { encoder } = made
      await assert.rejects(encoder.authenticate(40, 'A', key), fault('unsupported-operation', false))
      await assert.rejects(
        encoder.authenticate(1, 'A', key.subarray(1)),
        fault('unsupported-operation', false),
      )
      await assert.rejects(encoder.readBlock(256), fault('unsupported-operation', false))
      await assert.rejects(encoder.writeBlock(4, page), fault('unsupported-operation', false))
      await assert.rejects(encoder.writePage(-1, page), fault('unsupported-operation', false))
    })
  })

  describe(`${name} when cards come and go`, () => {
    it('has no card when it left before anything was written', async (test) => {
      const made = bench(test)
      await found(made, classic())
      made.cards.pop()
      await assert.rejects(made.encoder.authenticate(1, 'A', key), fault('no-card', false))
    })

    it('takes no other card for the one it found', async (test) => {
      const made = bench(test)
      await found(made, classic())
      made.cards[0] = otherClassic()
      await assert.rejects(made.encoder.authenticate(1, 'A', key), fault('no-card', false))
      await assert.rejects(made.encoder.authenticate(1, 'A', key), fault('no-card', false))
    })

    it('does not refuse the key of a card that was lifted and put back', async (test) => {
      const made = bench(test)
      await found(made, classic())
      const card = made.cards.pop()!
      made.misbehaviours.push(when(under.commands.find, () => made.cards.push(card)))
      assert.equal(await made.encoder.authenticate(1, 'A', key), true)
    })

    it('knows that a card left between two writes', async (test) => {
      const made = bench(test)
      await loggedIn(made)
      const card = made.cards[0]!
      const at = under.commands.writeBlock
      made.misbehaviours.push({ ...when(at, () => made.cards.pop()), skip: 1 })
      await made.encoder.writeBlock(4, block)
      await assert.rejects(made.encoder.writeBlock(5, block), fault('card-removed', true))
      made.cards.push(card)
      await assert.rejects(made.encoder.readBlock(4), fault('card-removed', true), 'until it is found anew')
      assert.deepEqual((await made.encoder.find())?.uid, card.uid)
    })

    it('writes nothing to a card that was swapped in between two writes', async (test) => {
      const made = bench(test)
      await loggedIn(made)
      await made.encoder.writeBlock(4, block)
      made.cards[0] = otherClassic()
      await assert.rejects(made.encoder.writeBlock(5, block), fault('card-removed', true))
      await assert.rejects(made.encoder.authenticate(1, 'A', key), fault('card-removed', true))
      assert.deepEqual(made.cards[0].memory, otherClassic().memory)
    })

    it('knows that a written card left before it was read back', async (test) => {
      const made = bench(test)
      await found(made, ultralight())
      await made.encoder.writePage(4, page)
      made.cards.pop()
      await assert.rejects(made.encoder.readPages(4), fault('card-removed', true))
      made.cards.push(ultralight())
      await made.encoder.find()
      made.cards.pop()
      await assert.rejects(
        made.encoder.readPages(4),
        fault('no-card', false),
        'found anew, and not written since',
      )
    })
  })

  describe(`${name} when its encoder misbehaves`, () => {
    for (const [method, { prepare, writes, run }] of methods) {
      const at = under.commands[method] as string
      if (at === null) continue
      const isSilent = writes ? fault('encoder-timeout-writing', true) : fault('encoder-timeout', false)
      const isClosed = writes ? fault('encoder-timeout-writing', true) : fault('encoder-offline', false)

      for (const does of ['silence', 'late'] as const)
        it(`${method} meets ${does}`, async (test) => {
          const made = bench(test)
          await prepare(made)
          const before = made.cards[0]!.memory.slice()
          const times = writes ? 1 : (under.asks?.[does] ?? 1)
          for (let time = 0; time < times; time++) made.misbehaviours.push({ at, does })
          await assert.rejects(run(made.encoder), isSilent)
          assert.equal(Buffer.compare(made.cards[0]!.memory, before) !== 0, writes && does === 'late')
          await isInStep(made)
        })

      it(`${method} meets a broken answer`, async (test) => {
        const made = bench(test)
        await prepare(made)
        made.misbehaviours.push({ at, does: 'garble' })
        const asked = run(made.encoder)
        if (writes) await assert.rejects(asked, isSilent)
        else await asked
        await isInStep(made)
      })

      it(`${method} meets nothing but broken answers`, async (test) => {
        const made = bench(test)
        await prepare(made)
        for (let turn = 0; turn < 10; turn++) made.misbehaviours.push({ at, does: 'garble' })
        await assert.rejects(run(made.encoder), isSilent)
        made.misbehaviours.length = 0
        await isInStep(made)
      })

      it(`${method} meets an error of the encoder's own`, async (test) => {
        const made = bench(test)
        await prepare(made)
        const before = made.cards[0]!.memory.slice()
        made.misbehaviours.push({ at, does: 'refuse' })
        const [asked] = await Promise.allSettled([run(made.encoder)])
        // A light that a model does not have may be passed over.
        if (method !== 'signal' || asked.status === 'rejected') {
          assert.ok(asked.status === 'rejected' && asked.reason instanceof DeviceFault)
        }
        assert.deepEqual(made.cards[0]!.memory, before)
        await isInStep(made)
      })

      it(`${method} meets a wire that closes`, async (test) => {
        const made = bench(test, 10)
        await prepare(made)
        made.misbehaviours.push({ at, does: 'close' })
        await withoutWaiting(async () => {
          await assert.rejects(run(made.encoder), isClosed)
          await assert.rejects(made.encoder.find(), fault('encoder-offline', false))
        })
      })

      it(`${method} is ended by closing`, async (test) => {
        const made = bench(test, 10)
        await prepare(made)
        made.misbehaviours.push({ ...when(at, () => made.encoder.close()), does: 'silence' })
        await withoutWaiting(async () => {
          await assert.rejects(run(made.encoder), isClosed)
          await assert.rejects(made.encoder.find(), fault('encoder-offline', false))
        })
      })
    }

    it('carries calls out in the order they were made', async (test) => {
      const { encoder, cards } = bench(test)
      cards.push(ultralight())
      const asked = [encoder.find(), encoder.writePage(4, page), encoder.readPages(4), encoder.off()] as const
      const [, , pages] = await Promise.all(asked)
      assert.deepEqual(pages.subarray(0, 4), page)
    })

    it('is busy when too many calls wait, and forgets none of the others', async (test) => {
      const { encoder } = bench(test)
      const asked = await Promise.allSettled(Array.from({ length: 200 }, () => encoder.find()))
      const refused = asked.filter((each) => each.status === 'rejected')
      assert.ok(refused.length > 0 && refused.length < 200)
      for (const { reason } of refused) assert.equal(fault('encoder-busy', false)(reason), true)
      assert.equal(await encoder.find(), null)
    })

    async function isInStep({ encoder, cards, misbehaviours }: EncoderBench): Promise<void> {
      assert.deepEqual(misbehaviours, [], 'every misbehaviour was met')
      const { uid } = cards[0]!
      assert.deepEqual((await encoder.find())?.uid, uid)
      if (cards[0]!.technology !== 'classic') return
      assert.equal(await encoder.authenticate(2, 'A', wrongKey), false)
      assert.equal(await encoder.authenticate(2, 'A', key), true)
      assert.deepEqual(await encoder.readBlock(8), new Uint8Array(16))
    }
  })

  describe(`${name} on a wire`, () => {
    it('that is closed already', async (test) => {
      const [box, machine] = under.wire()
      box.destroy()
      const encoder = under.open(box, clock, 1)
      test.after(() => machine.destroy())
      await assert.rejects(encoder.find(), fault('encoder-offline', false))
    })

    it('that takes no bytes: gives up, and lets nothing pile up', async (test) => {
      const box = new Duplex({ read() {}, write() {} })
      const encoder = under.open(box, clock, 1)
      test.after(() => encoder.close())
      await assert.rejects(encoder.identify(), fault('encoder-timeout', false))
      const held = box.writableLength
      assert.ok(held > 0)
      await assert.rejects(encoder.identify(), fault('encoder-timeout', false))
      assert.equal(box.writableLength, held)
    })

    it('that nobody answers', async (test) => {
      const [box, machine] = under.wire()
      const encoder = under.open(box, clock, 1)
      test.after(() => encoder.close())
      test.after(() => machine.destroy())
      await assert.rejects(encoder.identify(), fault('encoder-timeout', false))
      await assert.rejects(encoder.find(), fault('encoder-timeout', false))
    })

    it('that only makes noise', async (test) => {
      const [box, machine] = under.wire()
      const encoder = under.open(box, clock, 1)
      test.after(() => encoder.close())
      test.after(() => machine.destroy())
      const noise = Uint8Array.from({ length: 9_999 }, (_, index) => (index * index * 31) >>> 3)
      machine.on('data', () => machine.write(noise))
      await assert.rejects(encoder.identify(), fault('encoder-timeout', false))
      await assert.rejects(encoder.find(), fault('encoder-timeout', false))
    })
  })

  if (under.commands.unlockPages || under.commands['desfire.select'])
    cardContract(name, under.commands, bench)
}
