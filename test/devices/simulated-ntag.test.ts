import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ntagCard, ultralightCard } from '../../src/simulators/devices/simulated-card.ts'

const hex = (text: string) => Uint8Array.fromHex(text.replaceAll(' ', ''))
const shown = (bytes: Uint8Array | null) => bytes?.toHex().toUpperCase() ?? null
const uid = hex('04E141124C2880')
const page = hex('CAFE0015')

describe('a new NTAG', () => {
  const chips = [
    ['NTAG213', 45, 0x29, '0004040201000F03', 'E1101200 0103A00C 340300FE 00000000'],
    ['NTAG215', 135, 0x83, '0004040201001103', 'E1103E00 0300FE00 00000000 00000000'],
    ['NTAG216', 231, 0xe3, '0004040201001303', 'E1106D00 0300FE00 00000000 00000000'],
  ] as const
  for (const [chip, pages, config, version, delivered] of chips)
    it(`is an ${chip}`, () => {
      const card = ntagCard(uid, chip)
      assert.equal(shown(card.version()), version)
      assert.equal(shown(card.readPages(0))?.slice(0, 18), '04E1412C124C2880F6')
      assert.equal(shown(card.readPages(3)), delivered.replaceAll(' ', ''))
      assert.equal(shown(card.readPages(config)), '040000FF000500000000000000000000', 'no password is shown')
      assert.equal(card.readPages(pages), null)
      assert.equal(shown(card.readPages(pages - 1))?.slice(8, 24), '04E1412C124C2880', 'reading wraps')
      assert.ok(card.writePage(config - 2, page))
      assert.equal(shown(card.unlock(hex('FFFFFFFF'))), '0000')
    })

  it('is no Ultralight, which says no version and has no password', () => {
    assert.equal(ultralightCard(uid).version(), null)
    assert.equal(ultralightCard(uid).unlock(hex('FFFFFFFF')), null)
    assert.throws(() => ntagCard(hex('66CF4DC2')), RangeError)
  })
})

describe('an NTAG with a password', () => {
  const config = 0x29
  function guarded(access = '00') {
    const card = ntagCard(uid)
    assert.ok(card.writePage(config + 2, hex('50574421')))
    assert.ok(card.writePage(config + 3, hex('AC4B0000')))
    assert.ok(card.writePage(config, hex('04000008')))
    assert.ok(card.writePage(config + 1, hex(`${access}050000`), true))
    return card
  }

  it('keeps pages from being written, the password among them', () => {
    const card = guarded()
    assert.ok(card.writePage(7, page))
    for (const at of [8, 15, 0x27, config, config + 2]) {
      assert.equal(card.writePage(at, page), false, `page ${at}`)
      assert.ok(card.readPages(at), `page ${at}`)
    }
    assert.ok(card.writePage(8, page, true))
    assert.equal(shown(card.readPages(8))?.slice(0, 8), 'CAFE0015')
  })
  it('acknowledges the right password alone', () => {
    assert.equal(shown(guarded().unlock(hex('50574421'))), 'AC4B')
    assert.equal(guarded().unlock(hex('50574422')), null)
    assert.equal(guarded().unlock(hex('FFFFFFFF')), null)
  })
  it('keeps pages from being read where it is told to, and wraps before them', () => {
    const card = guarded('80')
    assert.equal(card.readPages(8), null)
    assert.equal(shown(card.readPages(6))?.slice(16), '04E1412C124C2880')
    assert.ok(card.readPages(8, true))
  })
  it('keeps its configuration where it is told to, even from who knows the password', () => {
    const card = guarded('40')
    assert.equal(card.writePage(config, hex('040000FF'), true), false)
    assert.ok(card.writePage(config + 2, hex('01020304'), true))
  })
  it('only ever sets its dynamic lock bits', () => {
    const card = ntagCard(uid)
    assert.ok(card.writePage(config - 1, hex('01000000')))
    assert.ok(card.writePage(config - 1, hex('02000000')))
    assert.equal(shown(card.readPages(config - 1))?.slice(0, 8), '03000000')
  })
})
