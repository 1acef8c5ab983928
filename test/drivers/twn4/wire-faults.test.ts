import assert from 'node:assert/strict'
import { Duplex, duplexPair } from 'node:stream'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import driver from '../../../drivers/twn4/driver.ts'
import { encode } from '../../../drivers/twn4/framing.ts'
import { reader, type SimulatedTwn4, simulateTwn4 } from '../../../drivers/twn4/simulator/simulator.ts'
import type { CardEncoder } from '../../../src/devices/capability.ts'
import { DeviceFault } from '../../../src/devices/fault.ts'
import { classicCard } from '../../../src/simulators/devices/simulated-card.ts'
import { testClock } from '../../test-clock.ts'
import { when } from '../encoder-calls.ts'

const clock = testClock()
const key = new Uint8Array(6).fill(0xff)
const wrongKey = new Uint8Array(6).fill(0xa5)
const block = Uint8Array.from({ length: 16 }, (_, index) => 0xf0 ^ index)

/** A byte of a direction, counted from when it is set, that arrives with one bit flipped. */
interface Flip {
  at: number
  bit: number
}

/** A driver and its simulator, with a MIFARE Classic that is found and whose sector 1 is logged in. */
async function bench(crc = false) {
  const [box, near] = duplexPair()
  const [far, machine] = duplexPair()
  const toReader: Flip = { at: -1, bit: 0 }
  const toBox: Flip = { at: -1, bit: 0 }
  carry(near, far, toReader)
  carry(far, near, toBox)

  const card = classicCard(Uint8Array.of(0x66, 0xcf, 0x4d, 0xc2))
  card.memory.set(block, 5 * 16)
  const played = reader({ clock, antenna: { cards: () => [card] }, crc })
  void simulateTwn4(machine, played)
  const encoder = driver.open(box, { model: 'twn4', patience: 1, options: { crc }, clock })
  await encoder.find()
  assert.equal(await encoder.authenticate(1, 'A', key), true)
  return { encoder, card, played, machine, toReader, toBox }
}

function carry(from: Duplex, to: Duplex, flip: Flip): void {
  from.on('data', (chunk: Uint8Array) => {
    to.write(chunk.map((byte) => (flip.at-- === 0 ? byte ^ (1 << flip.bit) : byte)))
  })
}

/** The first call may still meet the fault's aftermath; then all must be as ever. */
async function isInStep(encoder: CardEncoder): Promise<void> {
  assert.ok(await encoder.find())
  assert.equal(await encoder.authenticate(1, 'A', wrongKey), false)
  assert.equal(await encoder.authenticate(1, 'A', key), true)
  assert.deepEqual(await encoder.readBlock(5), block)
  encoder.close()
}

/** Runs a trial for each bit of a line of so many bytes, those of one byte at a time. */
async function everyBit(length: number, trial: (flip: Flip) => Promise<void>): Promise<void> {
  for (let at = 0; at < length; at++)
    await Promise.all(Array.from({ length: 8 }, (_, bit) => trial({ at, bit })))
}

describe('twn4 with one bit of a line flipped', () => {
  for (const crc of [false, true]) {
    const read = {
      request: encode([0x0b, 0x01, 5], crc).length,
      answer: encode([0, 1, ...block], crc).length,
    }
    const write = {
      request: encode([0x0b, 0x02, 4, ...block], crc).length,
      answer: encode([0, 1], crc).length,
    }
    const mode = crc ? 'with CRC' : 'without CRC'

    for (const direction of ['toReader', 'toBox'] as const) {
      const side = direction === 'toReader' ? 'request' : 'answer'

      it(`reads the truth or nothing: ${side} ${mode}`, () =>
        everyBit(read[side], async (flip) => {
          const made = await bench(crc)
          Object.assign(made[direction], flip)
          const [asked] = await Promise.allSettled([made.encoder.readBlock(5)])
          if (asked.status === 'rejected') assert.ok(asked.reason instanceof DeviceFault)
          // Without a CRC nobody on this wire can tell.
          else if (crc) assert.deepEqual(asked.value, block)
          else assert.equal(asked.value.length, 16)
          await isInStep(made.encoder)
        }))

      it(`knows what became of a write: ${side} ${mode}`, () =>
        everyBit(write[side], async (flip) => {
          const made = await bench(crc)
          Object.assign(made[direction], flip)
          const [asked] = await Promise.allSettled([made.encoder.writeBlock(4, block)])
          const holds = made.card.memory.subarray(64, 80)
          if (asked.status === 'fulfilled') {
            if (crc) assert.deepEqual(holds, block)
          } else {
            assert.ok(asked.reason instanceof DeviceFault)
            if (!asked.reason.outcomeUnknown) assert.deepEqual(holds, new Uint8Array(16))
          }
          await isInStep(made.encoder)
        }))
    }
  }
})

describe('twn4 with answers that come late', () => {
  const deadline = 2_000

  for (const lateBy of [200, 1_200, 3_000, 8_000]) {
    it(`takes no answer ${lateBy} ms late for another's`, async () => {
      const { encoder, played } = await bench()
      answersLate(played, 'writeBlock', deadline + lateBy)
      await assert.rejects(encoder.writeBlock(4, block), { code: 'encoder-timeout-writing' })
      // The late answer is a "yes", and so is that to the question of the resync; neither may answer this one.
      assert.equal(await eventually(() => encoder.authenticate(1, 'A', wrongKey)), false)
      await isInStep(encoder)
    })
  }

  it('takes the data of one block not for that of another', async () => {
    const { encoder, played } = await bench()
    answersLate(played, 'readBlock', deadline + 400)
    await assert.rejects(encoder.readBlock(4), { code: 'encoder-timeout', outcomeUnknown: false })
    assert.deepEqual(await eventually(() => encoder.readBlock(5)), block)
  })

  it('takes nothing for an answer that came before it asked', async () => {
    const { encoder, machine } = await bench()
    machine.write('0001\r')
    await turn()
    assert.equal(await encoder.authenticate(1, 'A', wrongKey), false)
    await isInStep(encoder)
  })

  /** From this command on the reader is slow, and quick again when it reads the first question of the resync. */
  function answersLate(played: SimulatedTwn4, at: string, ms: number): void {
    const pace = (each: number) => () => {
      played.pace = each
    }
    played.misbehaviours.push(when(at, pace(ms)), when('usbType', pace(0)))
  }

  /** While a reader still owes answers, calls may time out; they may not go wrong. */
  async function eventually<T>(call: () => Promise<T>): Promise<T> {
    for (let left = 20; left > 0; left--) {
      const [asked] = await Promise.allSettled([call()])
      if (asked.status === 'fulfilled') return asked.value
      assert.ok(asked.reason instanceof DeviceFault)
      assert.equal(asked.reason.code, 'encoder-timeout')
    }
    throw new Error('the driver never came back into step')
  }
})

describe('twn4 with a reader that did not understand', () => {
  for (const code of ['05', '06'])
    it(`asks once more after ${code}, a write too`, async () => {
      const { encoder, card, played } = await bench()
      played.misbehaviours.push({ at: 'writeBlock', does: 'refuse', code })
      await encoder.writeBlock(4, block)
      assert.deepEqual(card.memory.subarray(64, 80), block)
      await isInStep(encoder)
    })

  const refusals: [code: string, fault: object][] = [
    ['01', { code: 'encoder-timeout-writing', outcomeUnknown: true }],
    ['02', { code: 'vendor-error', vendorCode: '02' }],
    ['03', { code: 'vendor-error', vendorCode: '03' }],
    ['04', { code: 'unsupported-operation', outcomeUnknown: false, vendorCode: '04' }],
    ['05', { code: 'vendor-error', vendorCode: '05' }],
    ['77', { code: 'encoder-timeout-writing', outcomeUnknown: true }],
    ['0103', { code: 'encoder-timeout-writing', outcomeUnknown: true }],
    ['0000', { code: 'card-write-protected', outcomeUnknown: false, vendorCode: '0' }],
  ]
  for (const [code, fault] of refusals)
    it(`names the fault of ${code}`, async () => {
      const { encoder, played } = await bench()
      const again = { at: 'writeBlock', does: 'refuse', code } as const
      played.misbehaviours.push(again, { ...again })
      await assert.rejects(encoder.writeBlock(4, block), fault)
      played.misbehaviours.length = 0
      await isInStep(encoder)
    })

  it('says what the reader knows of a write that the card refused', async () => {
    const { encoder } = await bench()
    await assert.rejects(encoder.writeBlock(8, block), { code: 'card-write-protected', vendorCode: '203' })
  })

  for (const at of ['lastError', 'searchTag'])
    it(`does not guess when a refused write is followed by silence at ${at}`, async () => {
      const { encoder, played } = await bench()
      played.misbehaviours.push({ at, does: 'silence' })
      const code = at === 'searchTag' ? 'encoder-timeout-writing' : 'card-write-protected'
      await assert.rejects(encoder.writeBlock(8, block), { code })
      await isInStep(encoder)
    })

  it('does not know of a trailer whose write failed', async () => {
    const { encoder, played } = await bench()
    played.misbehaviours.push({ at: 'writeBlock', does: 'refuse', code: '0000' })
    const trailer = Buffer.from('FFFFFFFFFFFFFF078069FFFFFFFFFFFF', 'hex')
    await assert.rejects(encoder.writeBlock(7, trailer), { code: 'card-verify-failed', outcomeUnknown: true })
    await isInStep(encoder)
  })

  it('waits for a wire that is slow to take the last command, though its answer is there', async () => {
    const wire = new Duplex({
      read() {},
      write(_chunk, _encoding, taken) {
        this.push('00\r')
        clock.setTimeout(taken, 30)
      },
    })
    const encoder = driver.open(wire, { model: 'twn4', patience: 1, options: {}, clock })
    await encoder.off()
    await encoder.off()
    encoder.close()
  })

  it('is no encoder with another firmware', async () => {
    const { encoder, played } = await bench()
    played.version = 'TWN4/B1.03/NKF3.06/STD2.00'
    await assert.rejects(encoder.identify(), { code: 'unsupported-operation' })
    played.version = 'TWN4/B1.03/CCF1.57/PRS1.03/PI'
    const identity = { model: 'TWN4', firmware: played.version, serialNumber: '0102030405060708090A0B0C' }
    assert.deepEqual(await encoder.identify(), identity)
  })

  it('looks for cards alone again after a reader that lost its power', async () => {
    const { encoder, played } = await bench()
    // An EM4102 tag, which only a reader without masks finds.
    played.misbehaviours.push({ at: 'searchTag', does: 'refuse', code: '00014028050102030405' })
    assert.equal(await encoder.find(), null)
    let asked = 0
    played.misbehaviours.push(when('setTagTypes', () => void asked++))
    assert.ok(await encoder.find())
    assert.equal(asked, 1)
  })
})
