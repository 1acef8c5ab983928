import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import driver from '../../../drivers/ifd510/driver.ts'
import { reader, simulatedReports } from '../../../drivers/ifd510/simulator/simulator.ts'
import type { CardEncoder } from '../../../src/devices/capability.ts'
import { DeviceFault } from '../../../src/devices/fault.ts'
import { type FeatureReports, reportWire } from '../../../src/devices/hid/hid-reports.ts'
import { sectorTrailer, transportConditions } from '../../../src/devices/mifare-classic.ts'
import { classicCard, type SimulatedCard } from '../../../src/simulators/devices/simulated-card.ts'
import { testClock } from '../../test-clock.ts'
import { when } from '../encoder-calls.ts'

const clock = testClock()
const key = new Uint8Array(6).fill(0xff)
const block = Uint8Array.from({ length: 16 }, (_, index) => 0xf0 ^ index)
const otherCard = () => classicCard(Uint8Array.of(0x66, 0xcf, 0x4d, 0xc3))

/** A driver, its simulator and what USB carries between them; a new card lies there, its sector 1 being logged in. */
async function bench(t: TestContext) {
  const card = classicCard(Uint8Array.of(0x66, 0xcf, 0x4d, 0xc2))
  const cards: SimulatedCard[] = [card]
  const played = reader({ clock, antenna: { cards: () => cards } })
  const simulated = simulatedReports(played, () => {})
  const usb: FeatureReports = { ...simulated }
  const encoder = driver.open(reportWire(usb), { model: 'ifd510', patience: 1, options: {}, clock })
  t.after(() => encoder.close())
  await encoder.find()
  assert.equal(await encoder.authenticate(1, 'A', key), true)
  return { card, cards, played, simulated, usb, encoder }
}

function fault(code: DeviceFault['code'], vendorCode?: string) {
  return (error: unknown): true => {
    assert.ok(error instanceof DeviceFault, String(error))
    assert.deepEqual([error.code, error.vendorCode], [code, vendorCode], error.message)
    return true
  }
}

async function isInStep(encoder: CardEncoder, card: SimulatedCard): Promise<void> {
  assert.deepEqual((await encoder.find())?.uid, card.uid)
  assert.equal(await encoder.authenticate(2, 'A', new Uint8Array(6)), false)
  assert.equal(await encoder.authenticate(2, 'A', key), true)
  assert.deepEqual(await encoder.readBlock(8), new Uint8Array(16))
}

describe('ifd510 whose reader does not know what became of a write', () => {
  for (const code of ['82', '84', '87', '8B']) {
    it(`asks the card after ${code}, which was not written`, async (t) => {
      const { encoder, card, played } = await bench(t)
      played.misbehaviours.push({ at: 'writeBlock', does: 'refuse', code })
      await assert.rejects(encoder.writeBlock(4, block), fault('card-write-protected', code))
      await isInStep(encoder, card)
    })

    it(`does not know it after ${code} when the card cannot be read either`, async (t) => {
      const { encoder, played } = await bench(t)
      played.misbehaviours.push({ at: 'writeBlock', does: 'refuse', code })
      for (let left = 2; left > 0; left--) {
        played.misbehaviours.push({ at: 'readBlock', does: 'refuse', code: '84' })
      }
      await assert.rejects(encoder.writeBlock(4, block), fault('card-verify-failed', code))
    })
  }

  it('cannot read back a trailer', async (t) => {
    const { encoder, played } = await bench(t)
    played.misbehaviours.push({ at: 'writeBlock', does: 'refuse', code: '84' })
    const trailer = sectorTrailer(block.subarray(0, 6), transportConditions, key)
    await assert.rejects(encoder.writeBlock(7, trailer), fault('card-verify-failed', '84'))
  })

  for (const does of ['set', 'get'] as const)
    it(`asks the card when USB fails at ${does}`, async (t) => {
      const { encoder, card, simulated, usb } = await bench(t)
      let writes = 0
      let failed = false
      usb.set = async (report) => {
        if (report[11] === 0x21) writes++
        await simulated.set(report)
        if (does === 'set') failOnce()
      }
      usb.get = async (...of) => {
        if (does === 'get') failOnce()
        return simulated.get(...of)
      }
      function failOnce(): void {
        if (writes === 0 || failed) return
        failed = true
        throw new Error('stall')
      }
      await encoder.writeBlock(4, block)
      assert.deepEqual({ writes, held: card.memory.subarray(64, 80) }, { writes: 1, held: block })
      await isInStep(encoder, card)
    })

  it('says so when USB fails from the write on', async (t) => {
    const { encoder, simulated, usb } = await bench(t)
    let written = false
    usb.set = async (report) => {
      written ||= report[11] === 0x21
      return written ? Promise.reject(new Error('stall')) : simulated.set(report)
    }
    await assert.rejects(encoder.writeBlock(4, block), (error) => {
      assert.ok(error instanceof DeviceFault)
      return error.code === 'encoder-timeout-writing' && error.outcomeUnknown
    })
  })
})

describe('ifd510 whose reader says that nothing was written', () => {
  it('has no card, if nothing was written before', async (t) => {
    const { encoder, played } = await bench(t)
    played.misbehaviours.push({ at: 'writeBlock', does: 'refuse', code: '83' })
    await assert.rejects(encoder.writeBlock(4, block), fault('no-card', '83'))
  })

  it('has a card that takes the key no longer', async (t) => {
    const { encoder, card, played } = await bench(t)
    played.misbehaviours.push({ at: 'writeBlock', does: 'refuse', code: '8C' })
    await assert.rejects(encoder.writeBlock(4, block), fault('card-write-protected', '8C'))
    await isInStep(encoder, card)
  })

  for (const code of ['81', '85', '8F'])
    it(`cannot do it (${code})`, async (t) => {
      const { encoder, played } = await bench(t)
      played.misbehaviours.push({ at: 'writeBlock', does: 'refuse', code })
      await assert.rejects(encoder.writeBlock(4, block), fault('unsupported-operation', code))
    })
})

describe('ifd510 and cards', () => {
  it('tells of several', async (t) => {
    const { encoder, cards } = await bench(t)
    cards.push(otherCard())
    await assert.rejects(encoder.find(), fault('multiple-cards'))
    await assert.rejects(encoder.writeBlock(4, block), fault('no-card'))
  })

  it('says that another was written to, when it was swapped in at the last moment', async (t) => {
    const { encoder, card, cards, played } = await bench(t)
    played.misbehaviours.push(when('writeBlock', () => cards.splice(0, 1, otherCard())))
    await assert.rejects(encoder.writeBlock(4, block), /another card/)
    assert.deepEqual(card.memory.subarray(64, 80), new Uint8Array(16))
    await assert.rejects(encoder.readBlock(4), fault('card-removed'))
  })

  it('reads no other card for the one it found', async (t) => {
    const { encoder, cards, played } = await bench(t)
    played.misbehaviours.push(when('readBlock', () => cards.splice(0, 1, otherCard())))
    await assert.rejects(encoder.readBlock(4), fault('no-card'))
  })

  it('goes on with the key that it wrote', async (t) => {
    const { encoder, card } = await bench(t)
    const newKey = block.subarray(0, 6)
    await encoder.writeBlock(7, sectorTrailer(newKey, transportConditions, key))
    await encoder.writeBlock(4, block)
    assert.deepEqual(card.memory.subarray(64, 80), block)
    assert.equal(await encoder.authenticate(1, 'A', key), false)
    assert.equal(await encoder.authenticate(1, 'A', newKey), true)
  })

  it('does not take a MIFARE Classic with 7 bytes of serial number for an Ultralight', async (t) => {
    const { encoder, cards } = await bench(t)
    cards[0] = classicCard(Uint8Array.of(0x04, 0xe1, 0x41, 0x12, 0x4c, 0x28, 0x80))
    assert.equal((await encoder.find())?.format, 'unknown')
  })

  it('reaches no sector beyond the sixteenth', async (t) => {
    const { encoder } = await bench(t)
    await assert.rejects(encoder.authenticate(16, 'A', key), fault('unsupported-operation'))
  })
})

describe('ifd510 and its one answer report', () => {
  it('looks at an answer once', async (t) => {
    const { encoder, simulated, usb } = await bench(t)
    let looks = 0
    usb.get = async (...of) => {
      const shown = await simulated.get(...of)
      if (shown.some((byte) => byte !== 0)) looks++
      return shown
    }
    await encoder.readBlock(4)
    assert.equal(looks, 1)
    assert.deepEqual(await simulated.get(2, 256), await simulated.get(2, 256), 'it would be there again')
  })

  it("takes no late answer for another's", async (t) => {
    const { encoder, card, played } = await bench(t)
    played.pace = 6_000
    await assert.rejects(encoder.readBlock(4), fault('encoder-timeout'))
    played.pace = 0
    card.memory.set(block, 5 * 16)
    assert.deepEqual(await encoder.readBlock(5).catch(() => encoder.readBlock(5)), block)
    await isInStep(encoder, card)
  })

  it('asks for a reading once more that USB or a flipped bit spoiled', async (t) => {
    const { encoder, simulated, usb } = await bench(t)
    const spoilt: FeatureReports['get'][] = [
      async () => Promise.reject(new Error('stall')),
      async (...of) => (await simulated.get(...of)).map((byte, at) => (at === 12 ? byte ^ 1 : byte)),
    ]
    for (const get of spoilt) {
      usb.get = (...of) => {
        usb.get = simulated.get
        return get(...of)
      }
      assert.deepEqual(await encoder.readBlock(4), new Uint8Array(16))
    }
  })

  it('never says a key', async (t) => {
    const { encoder, usb } = await bench(t)
    const secret = Uint8Array.fromHex('8E33A43F1CB7')
    let sent = new Uint8Array(0)
    usb.set = async (report) => {
      sent = Uint8Array.from(report)
    }
    usb.get = async () => sent
    await assert.rejects(encoder.authenticate(1, 'A', secret), (error) => {
      assert.ok(error instanceof DeviceFault)
      assert.doesNotMatch(`${error.message} ${error.vendorCode} ${error.cause}`, /8E.?33|142,51/i)
      return true
    })
  })
})

it('ifd510 without a serial number of its own is still known', async (t) => {
  const { encoder, card, played } = await bench(t)
  played.misbehaviours.push({ at: 'readerSerial', does: 'refuse', code: '8F' })
  assert.equal((await encoder.identify()).serialNumber, '')
  await isInStep(encoder, card)
})
