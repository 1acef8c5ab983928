import assert from 'node:assert/strict'
import { duplexPair } from 'node:stream'
import { describe, it } from 'node:test'
import antennaDriver from '../../../drivers/crt571/antenna-driver.ts'
import { cardCommand, factoryShaped } from '../../../drivers/crt571/antenna-protocol.ts'
import driver from '../../../drivers/crt571/driver.ts'
import { deframer, frame } from '../../../drivers/crt571/framing.ts'
import { profileOf, profiles } from '../../../drivers/crt571/protocol.ts'
import type { Crt571Machine } from '../../../drivers/crt571/simulator/mechanics.ts'
import { machine as imitate, simulateCrt571 } from '../../../drivers/crt571/simulator/simulator.ts'
import { readReply } from '../../../drivers/crt571/text.ts'
import { branch } from '../../../src/devices/branch.ts'
import {
  placeOf,
  sectorTrailer,
  transportConditions,
  transportKey,
} from '../../../src/devices/mifare-classic.ts'
import { blankCards, type Technology } from '../../../src/simulators/devices/simulated-card.ts'
import fc from '../../seed.ts'
import { testClock } from '../../test-clock.ts'
import { fault } from '../dispenser-contract.ts'
import { antennaFrames, bytes, lightFrame, replyFrames } from './vectors.ts'

const hex = (line: string) => line.replaceAll(' ', '').toLowerCase()
const block = Uint8Array.from({ length: 16 }, (_, index) => index)
const page = Uint8Array.of(1, 2, 3, 4)

/** A dispenser and its antenna on one wire, the path empty. */
async function bench(
  given: Partial<{
    technology: Technology
    machine: Partial<Crt571Machine>
    initialised: boolean
    patience: number
  }> = {},
) {
  const { technology = 'classic', initialised = true, patience = 1 } = given
  const clock = testClock()
  const machine = imitate({ clock, stack: blankCards(5, 'antenna', technology), ...given.machine })
  const { model } = machine
  const [box, boxEnd] = duplexPair()
  const [machineEnd, far] = duplexPair()
  void simulateCrt571(far, machine)
  const said: string[] = []
  /** How many commands wait for their replies, and the most that ever did. */
  const unanswered = { now: 0, most: 0 }
  boxEnd.on('data', (bytes: Buffer) => {
    said.push(bytes.toString('hex'))
    if (bytes[0] === 0xf2) unanswered.most = Math.max(unanswered.most, ++unanswered.now)
    machineEnd.write(bytes)
  })
  machineEnd.on('data', (bytes: Buffer) => {
    unanswered.now -= deframer()
      .push(bytes)
      .filter(({ kind }) => kind === 'frame').length
    boxEnd.write(bytes)
  })
  const dispenser = driver.open(box, { model, patience: 1, options: {}, clock })
  const join = () => {
    const end = branch(box)
    const encoder = antennaDriver.open(end, { model: `${model}-rf`, patience, options: {}, clock })
    return { end, encoder }
  }
  const { end, encoder } = join()
  if (initialised) await dispenser.initialise('leave')
  return { clock, machine, dispenser, encoder, end, join, said, unanswered }
}

describe('the antenna of a crt571', { concurrency: true }, () => {
  it('is sent the frames of the manual', async () => {
    const { dispenser, encoder, said } = await bench()
    await encoder.identify()
    await dispenser.move('encoder')
    await encoder.find()
    for (const [sector, kind] of [
      [1, 'B'],
      [0, 'A'],
      [1, 'A'],
    ] as const)
      await encoder.authenticate(sector, kind, transportKey)
    await encoder.find()
    assert.equal(await encoder.authenticate(1, 'A', transportKey), true)
    await encoder.writeBlock(4, block)
    assert.deepEqual(await encoder.readBlock(4), block)
    await encoder.off()
    for (const [name, line] of Object.entries(antennaFrames)) assert.ok(said.includes(hex(line)), name)
  })

  it('reads the answers of the manual', () => {
    const dataOf = (name: keyof typeof replyFrames) => {
      const [heard] = deframer().push(bytes(replyFrames[name]))
      assert.ok(heard?.kind === 'frame')
      const reply = readReply(heard.payload)
      assert.ok(reply?.ok)
      return Buffer.from(reply.data).toString('hex')
    }
    assert.equal(dataOf('card found'), '4d00040404a1b2c308')
    assert.equal(dataOf('key taken'), '9000')
    assert.equal(dataOf('key refused'), '6f00')
    assert.equal(dataOf('block read'), `${Buffer.from(block).toString('hex')}9000`)
  })

  it('finds the card that stands at the encoder, and no other', async () => {
    const { dispenser, encoder, machine } = await bench()
    const [first] = machine.stack
    assert.equal(await encoder.find(), null)
    await dispenser.move('encoder')
    assert.deepEqual(await encoder.find(), { uid: first!.uid, format: 'Mifare1K' })
    await dispenser.move('front')
    assert.equal(await encoder.find(), null)
  })

  for (const [technology, format] of [
    ['classic', 'Mifare1K'],
    ['ultralight', 'MifareUltralight'],
    ['ntag', 'MifareUltralight'],
    ['desfire', 'Desfire'],
  ] as const)
    it(`calls a card ${format} that answers as ${technology}`, async () => {
      const { dispenser, encoder } = await bench({ technology })
      await dispenser.move('encoder')
      assert.equal((await encoder.find())?.format, format)
    })

  it('is switched off before the machine moves, and only where it was on', async () => {
    const { dispenser, encoder, said } = await bench()
    await dispenser.move('encoder')
    await encoder.find()
    said.length = 0
    await dispenser.move('front')
    const off = said.indexOf(hex(antennaFrames['rf-off']))
    assert.ok(off >= 0 && off < said.indexOf('f200000343323003b3'))
    said.length = 0
    await dispenser.move('hold')
    assert.ok(!said.includes(hex(antennaFrames['rf-off'])))
  })

  it('has lost its card after a motion, though the card came back', async () => {
    const { dispenser, encoder } = await bench({ technology: 'ultralight' })
    await dispenser.move('encoder')
    await encoder.find()
    await dispenser.move('front')
    await dispenser.move('hold')
    await assert.rejects(encoder.writePage(4, page), fault('no-card', false))
    await encoder.find()
    await encoder.writePage(4, page)
    await dispenser.initialise('leave')
    await assert.rejects(encoder.readPages(4), fault('card-removed', true))
  })

  it('never initialises the machine, and says that it must be', async () => {
    const { dispenser, encoder, machine, said } = await bench({ initialised: false })
    await assert.rejects(encoder.identify(), fault('dispenser-reset-required', false, 'B0'))
    assert.ok(!said.some((each) => each.startsWith('f20000034330')))
    await dispenser.initialise('leave')
    assert.equal((await encoder.identify()).serialNumber, machine.serialNumber)
    await dispenser.move('encoder')
    await encoder.find()
    machine.initialised = false
    await assert.rejects(encoder.readPages(4), fault('dispenser-reset-required', false, 'B0'))
  })

  it('speaks in turn with the dispenser, whoever asks while the other is at work', async () => {
    const { dispenser, encoder, machine, unanswered } = await bench({
      technology: 'ultralight',
      machine: { pace: 0.02 },
    })
    await dispenser.move('encoder')
    await encoder.find()
    const asked = Array.from({ length: 6 }, (_, index) =>
      index % 2 === 0 ? dispenser.status() : encoder.writePage(4 + index, page),
    )
    await Promise.all(asked)
    assert.deepEqual(machine.card?.memory.subarray(20, 24), page)
    assert.deepEqual(machine.card?.memory.subarray(36, 40), page)
    assert.equal(unanswered.most, 1)
  })

  it('leaves the wire to the dispenser when it is closed, and may join again', async () => {
    const { dispenser, encoder, end, join } = await bench()
    const asked = encoder.find()
    encoder.close()
    await assert.rejects(asked, fault('encoder-offline', false))
    await assert.rejects(encoder.find(), fault('encoder-offline', false))
    assert.equal(end.destroyed, true)
    assert.equal((await dispenser.move('encoder')).card, 'encoder')
    assert.ok(await join().encoder.find())
  })

  it('is gone with the wire', async () => {
    const { dispenser, encoder, end } = await bench({ technology: 'ultralight' })
    await dispenser.move('encoder')
    await encoder.find()
    const closed = new Promise((resolve) => end.once('close', resolve))
    dispenser.close()
    await closed
    await assert.rejects(encoder.writePage(4, page), fault('encoder-offline', false))
  })

  it('does not wait for the end of a write when it is closed, nor knows of it', async () => {
    const { clock, dispenser, encoder, machine } = await bench({ technology: 'ultralight', patience: 10 })
    await dispenser.move('encoder')
    await encoder.find()
    const then = () => encoder.close()
    const before = clock.monotonic()
    machine.misbehaviours.push({ at: 'rf-write', does: 'late', then })
    await assert.rejects(encoder.writePage(4, page), fault('encoder-timeout-writing', true))
    assert.ok(clock.monotonic() - before < 10_000)
    // Whoever is at the line next clears it; here nobody waits for that.
    dispenser.close()
  })

  it('writes no trailer that the reader could not, and asks nothing for it', async () => {
    const { dispenser, encoder, said } = await bench()
    await dispenser.move('encoder')
    await encoder.find()
    await encoder.authenticate(1, 'A', transportKey)
    said.length = 0
    const trailer = sectorTrailer(transportKey, [4, 4, 4, 3], transportKey)
    await assert.rejects(encoder.writeBlock(7, trailer), fault('unsupported-operation', false))
    assert.deepEqual(said, [])
  })

  it('gives a sector another key A by a trailer that is otherwise as the factory made it', async () => {
    const { dispenser, encoder } = await bench()
    await dispenser.move('encoder')
    await encoder.find()
    await encoder.authenticate(1, 'A', transportKey)
    const key = Uint8Array.of(1, 2, 3, 4, 5, 6)
    await encoder.writeBlock(7, sectorTrailer(key, transportConditions, transportKey))
    await encoder.find()
    assert.equal(await encoder.authenticate(1, 'A', transportKey), false)
    assert.equal(await encoder.authenticate(1, 'A', key), true)
  })

  it('takes the field for off when the machine says that nothing was active', async () => {
    const { dispenser, encoder, machine } = await bench()
    await dispenser.move('encoder')
    await encoder.find()
    machine.misbehaviours.push({ at: 'rf-off', does: 'refuse', code: '65' })
    assert.ok(await encoder.find())
    machine.misbehaviours.push({ at: 'rf-off', does: 'refuse', code: '65' })
    await encoder.off()
    machine.misbehaviours.push({ at: 'rf-off', does: 'refuse', code: '10' })
    assert.ok(await encoder.find(), 'asked for nothing that is off')
    machine.misbehaviours.length = 0
    machine.misbehaviours.push({ at: 'rf-off', does: 'refuse', code: '02' })
    assert.equal((await dispenser.move('front')).card, 'gate')
  })

  it('reads on after a card fell silent for a moment, logging in again', async () => {
    const { dispenser, encoder, machine } = await bench()
    await dispenser.move('encoder')
    await encoder.find()
    await encoder.authenticate(1, 'A', transportKey)
    for (const code of ['67', '68', '63', '64', '65', '61', '76']) {
      machine.misbehaviours.push({ at: 'rf-read', does: 'refuse', code })
      assert.deepEqual(await encoder.readBlock(4), new Uint8Array(16), code)
    }
  })

  for (const [code, word, outcomeUnknown] of [
    ['00', 'unsupported-operation', false],
    ['03', 'unsupported-operation', false],
    ['02', 'dispenser-reset-required', false],
    ['10', 'vendor-error', true],
    ['60', 'vendor-error', true],
    ['62', 'card-incompatible', false],
    ['66', 'card-incompatible', false],
    ['69', 'card-incompatible', false],
    ['B0', 'dispenser-reset-required', false],
  ] as const)
    it(`reads refusal ${code} of a search as ${word}`, async () => {
      const { encoder, machine } = await bench()
      machine.misbehaviours.push({ at: 'rf-activate', does: 'refuse', code })
      await assert.rejects(encoder.find(), fault(word, outcomeUnknown, code))
    })

  it('says that a card does not have what lies beyond its end', async () => {
    const { dispenser, encoder } = await bench()
    await dispenser.move('encoder')
    await encoder.find()
    await assert.rejects(encoder.readBlock(255), fault('card-incompatible', false, '6B00'))
  })

  it('lights the lamp of the one model that has one', async () => {
    const f3 = await bench({ machine: { model: 'qu-tk-f3' } })
    await f3.encoder.signal('good')
    assert.ok(f3.said.includes(hex(lightFrame)))
    assert.equal(f3.machine.light, 0x40)
    const other = await bench()
    other.said.length = 0
    await other.encoder.signal('good')
    assert.deepEqual(other.said, [])
  })

  it('has the profile of its machine', () => {
    const words = [antennaDriver.name, ...antennaDriver.models]
    assert.deepEqual(
      words.sort(),
      Object.keys(profiles)
        .map((model) => `${model}-rf`)
        .sort(),
    )
    for (const model of Object.keys(profiles)) assert.equal(profileOf(`${model}-rf`), profileOf(model))
    assert.equal(antennaDriver.joins, driver.name)
  })
})

describe('the mask of a crt571 line', () => {
  const command = (data: Uint8Array) => frame(0, Uint8Array.of(0x43, 0x60, 0x33, ...data))

  it('hides what is written to a page, and the key a sector is given', () => {
    for (const [given, kept] of [
      [cardCommand.write(0, 0x2b, page), cardCommand.write(0, 0x2b, new Uint8Array(4))],
      [cardCommand.write(0, 4, page), cardCommand.write(0, 4, new Uint8Array(4))],
      [cardCommand.changeKey(1, transportKey), cardCommand.changeKey(1, new Uint8Array(6))],
    ] as const)
      assert.deepEqual(driver.mask?.({})('out', command(given)), command(kept))
  })
})

describe('a block of a MIFARE Classic', () => {
  it('lies in a sector of 4 blocks, or of 16 from block 128 on', () => {
    assert.deepEqual(placeOf(0), { sector: 0, index: 0, isTrailer: false })
    assert.deepEqual(placeOf(127), { sector: 31, index: 3, isTrailer: true })
    assert.deepEqual(placeOf(128), { sector: 32, index: 0, isTrailer: false })
    assert.deepEqual(placeOf(255), { sector: 39, index: 15, isTrailer: true })
  })

  it('is written whole, and its key too', () => {
    assert.deepEqual(cardCommand.write(1, 0, block), Uint8Array.of(0, 0xd1, 1, 0, 1, ...block))
    assert.deepEqual(cardCommand.changeKey(3, transportKey), Uint8Array.of(0, 0xd5, 0, 3, 6, ...transportKey))
  })

  it('is a factory trailer for no other bytes', () => {
    const trailer = sectorTrailer(transportKey, transportConditions, transportKey)
    assert.equal(factoryShaped(trailer), true)
    fc.assert(
      fc.property(fc.integer({ min: 6, max: 15 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
        assert.equal(factoryShaped(trailer.with(at, trailer[at]! ^ change)), false)
      }),
    )
  })
})
