import assert from 'node:assert/strict'
import { duplexPair } from 'node:stream'
import { describe, it } from 'node:test'
import driver from '../../../drivers/twn4/driver.ts'
import type { Twn4CommandName } from '../../../drivers/twn4/protocol.ts'
import { ofNewerFirmware, reader, simulateTwn4 } from '../../../drivers/twn4/simulator/simulator.ts'
import {
  ntagCard,
  type SimulatedCard,
  ultralightCard,
} from '../../../src/simulators/devices/simulated-card.ts'
import { testClock } from '../../test-clock.ts'
import { when } from '../encoder-calls.ts'

const clock = testClock()
const uid = Uint8Array.fromHex('04E141124C2880')
const plain = () => ultralightCard(uid)

/** A driver and its simulator, whose reader answers these commands in hex, once each. */
function bench(
  card: SimulatedCard,
  answers: [at: Twn4CommandName, code: string][] = [],
  lacks: Twn4CommandName[] = [],
) {
  const [box, machine] = duplexPair()
  const played = reader({
    clock,
    antenna: { cards: () => [card] },
    misbehaviours: answers.map(([at, code]) => ({ at, does: 'refuse', code })),
    lacks: [...ofNewerFirmware, ...lacks],
  })
  void simulateTwn4(machine, played)
  const encoder = driver.open(box, { model: 'twn4', patience: 1, options: {}, clock })
  return { encoder, played }
}

describe('a twn4 tells a card', () => {
  // Published samples of GetVersion, and what the sizes in it mean.
  const versions: [name: string, version: string, chip: string | undefined][] = [
    ['an NTAG213', '0004040201000F03', 'NTAG213'],
    ['an NTAG215', '0004040201001103', 'NTAG215'],
    ['an NTAG216', '0004040201001303', 'NTAG216'],
    ['an NTAG I2C, whose pages lie elsewhere', '0004040502011503', undefined],
    ['an Ultralight EV1', '0004030101000B03', 'UltralightEV1'],
  ]
  for (const [name, version, chip] of versions)
    it(`that is ${name}`, async () => {
      const { encoder } = bench(plain(), [['pageVersion', `0001${version}`]])
      assert.deepEqual(await encoder.find(), { uid, format: 'MifareUltralight', ...(chip && { chip }) })
      encoder.close()
    })

  it('that is an Ultralight C, by a page that no smaller chip has', async () => {
    const { encoder } = bench(plain(), [['readPages', `0001${'00'.repeat(16)}`]])
    assert.deepEqual(await encoder.find(), { uid, format: 'UltralightC' })
    encoder.close()
  })

  it('that is a plain Ultralight, by what it refuses', async () => {
    const { encoder } = bench(plain())
    assert.deepEqual(await encoder.find(), { uid, format: 'MifareUltralight' })
    encoder.close()
  })

  it('with firmware that knows no NTAG: as an Ultralight', async () => {
    const { encoder, played } = bench(
      ntagCard(uid),
      [],
      ['pageVersion', 'readNtag', 'writeNtag', 'unlockNtag'],
    )
    assert.deepEqual(await encoder.find(), { uid, format: 'UltralightC' })
    await encoder.writePage(8, Uint8Array.of(1, 2, 3, 4))
    assert.deepEqual([...played.antenna.cards()[0]!.memory.slice(32, 36)], [1, 2, 3, 4])
    encoder.close()
  })

  const others: [name: string, answers: [Twn4CommandName, string][], format: string][] = [
    ['a MIFARE Classic 4K', [['sak', '000118']], 'Mifare4K'],
    ['any chip of ISO 14443-4', [['sak', '000120']], 'Desfire'],
    ['another SAK', [['sak', '000109']], 'unknown'],
    ['another ATQA', [['atqa', '00010403']], 'unknown'],
  ]
  for (const [name, answers, format] of others)
    it(`that is ${name}`, async () => {
      const { encoder } = bench(plain(), answers)
      assert.deepEqual(await encoder.find(), { uid, format })
      encoder.close()
    })

  for (const at of ['sak', 'atqa', 'pageVersion', 'readPages'] as const)
    it(`that left before it answered ${at}: there is none`, async () => {
      const cards = [plain()]
      const [box, machine] = duplexPair()
      const played = reader({ clock, antenna: { cards: () => cards } })
      played.misbehaviours.push(when(at, () => void cards.pop()))
      void simulateTwn4(machine, played)
      const encoder = driver.open(box, { model: 'twn4', patience: 1, options: {}, clock })
      assert.equal(await encoder.find(), null)
      await assert.rejects(encoder.readPages(4), { code: 'no-card' })
      encoder.close()
    })
})
