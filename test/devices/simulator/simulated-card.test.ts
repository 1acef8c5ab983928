import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  accessBytes,
  accessConditions,
  type Conditions,
  sectorTrailer,
  transportKey,
} from '../../../src/devices/mifare-classic.ts'
import {
  blankCards,
  cardFromImage,
  cardImage,
  classicCard,
  desfireCard,
  ntagCard,
  type SimulatedCard,
  technologies,
  ultralightCard,
} from '../../../src/simulators/devices/simulated-card.ts'
import type { Login } from '../../../src/simulators/devices/simulated-silicon.ts'

const hex = (text: string) => Uint8Array.fromHex(text.replaceAll(' ', ''))
const shown = (bytes: Uint8Array | null) => bytes?.toHex().toUpperCase() ?? null
const keyA = hex('A0A1A2A3A4A5')
const keyB = hex('B0B1B2B3B4B5')
const data = hex('00112233445566778899AABBCCDDEEFF')

describe('access bits of MIFARE Classic', () => {
  const published: [string, Conditions, string][] = [
    ['transport', [0b000, 0b000, 0b000, 0b001], 'FF0780'],
    ['A reads, B writes', [0b100, 0b100, 0b100, 0b011], '787788'],
    ['data open, trailer by B', [0b000, 0b000, 0b000, 0b011], '7F0788'],
    ['value purse', [0b110, 0b110, 0b110, 0b011], '08778F'],
    ['B only', [0b011, 0b011, 0b011, 0b011], '0F00FF'],
    ['frozen', [0b100, 0b100, 0b100, 0b111], '70F788'],
  ]
  for (const [name, conditions, bytes] of published) {
    it(`says "${name}" in the bytes ${bytes}`, () => {
      assert.equal(shown(accessBytes(conditions)), bytes)
      assert.deepEqual(accessConditions(hex(`000000000000${bytes}`)), conditions)
    })
  }
  for (const bytes of ['7FE088', '000000', 'FFFFFF']) {
    it(`knows ${bytes} to be invalid`, () =>
      assert.equal(accessConditions(hex(`000000000000${bytes}`)), null))
  }
  it('finds every single wrong bit', () => {
    for (let bit = 0; bit < 24; bit++) {
      const trailer = sectorTrailer(keyA, [0b100, 0b100, 0b100, 0b011], keyB)
      trailer[6 + (bit >> 3)]! ^= 1 << (bit & 7)
      assert.equal(accessConditions(trailer), null, `bit ${bit}`)
    }
  })
  it('refuses a key of the wrong length', () => {
    assert.throws(() => sectorTrailer(keyA.subarray(1), [0, 0, 0, 1], keyB), RangeError)
  })
})

describe('a factory-new MIFARE Classic', () => {
  it('has its serial number and check byte in block 0, and cannot be given another', () => {
    const card = classicCard(hex('66CF4DC2'))
    const login: Login = { sector: 0, kind: 'A' }
    assert.ok(card.login(0, 'A', transportKey))
    assert.equal(shown(card.readBlock(0, login)), '66CF4DC226080400'.padEnd(32, '0'))
    assert.equal(card.writeBlock(0, data, login), false)
  })
  it('lets key A in and not key B, which can be read', () => {
    const card = classicCard(hex('66CF4DC2'))
    assert.ok(card.login(15, 'A', transportKey))
    assert.equal(card.login(15, 'B', transportKey), false)
    assert.equal(shown(card.readBlock(63, { sector: 15, kind: 'A' })), '000000000000FF078069FFFFFFFFFFFF')
    assert.equal(card.readBlock(63, { sector: 15, kind: 'B' }), null)
  })
  it('answers only within the sector logged in to', () => {
    const card = classicCard(hex('66CF4DC2'))
    assert.equal(card.readBlock(4, null), null)
    assert.equal(card.readBlock(4, { sector: 2, kind: 'A' }), null)
    assert.equal(card.readBlock(64, { sector: 16, kind: 'A' }), null)
    assert.equal(card.login(16, 'A', transportKey), false)
    assert.equal(card.writeBlock(4, data.subarray(1), { sector: 1, kind: 'A' }), false)
  })
  it('keeps what is written, and gives a copy', () => {
    const card = classicCard(hex('66CF4DC2'))
    const login: Login = { sector: 1, kind: 'A' }
    assert.ok(card.writeBlock(5, data, login))
    card.readBlock(5, login)?.fill(0)
    assert.equal(shown(card.readBlock(5, login)), shown(data))
  })
  it('has no pages', () => {
    const card = classicCard(hex('66CF4DC2'))
    assert.equal(card.readPages(4), null)
    assert.equal(card.writePage(4, data.subarray(0, 4)), false)
  })
  it('takes serial numbers of 4 and 7 bytes only', () => {
    assert.equal(shown(classicCard(hex('04E141124C2880')).uid), '04E141124C2880')
    assert.throws(() => classicCard(hex('66CF4D')), RangeError)
  })
})

/** A card whose sector 1 was given this trailer, its blocks holding `data`. */
function personalised(conditions: Conditions): SimulatedCard {
  const card = classicCard(hex('66CF4DC2'))
  const login: Login = { sector: 1, kind: 'A' }
  for (const block of [4, 5, 6]) assert.ok(card.writeBlock(block, data, login))
  assert.ok(card.writeBlock(7, sectorTrailer(keyA, conditions, keyB), login))
  return card
}

/** By condition: who reads data, who writes data; who writes key A and the access bits, who reads and writes key B. */
const rightsByCondition = [
  { read: 'AB', write: 'AB', writeA: 'A', writeAccess: '', readB: 'A', writeB: 'A' },
  { read: 'AB', write: '', writeA: 'A', writeAccess: 'A', readB: 'A', writeB: 'A' },
  { read: 'AB', write: '', writeA: '', writeAccess: '', readB: 'A', writeB: '' },
  { read: 'B', write: 'B', writeA: 'B', writeAccess: 'B', readB: '', writeB: 'B' },
  { read: 'AB', write: 'B', writeA: 'B', writeAccess: '', readB: '', writeB: 'B' },
  { read: 'B', write: '', writeA: '', writeAccess: 'B', readB: '', writeB: '' },
  { read: 'AB', write: 'B', writeA: '', writeAccess: '', readB: '', writeB: '' },
  { read: '', write: '', writeA: '', writeAccess: '', readB: '', writeB: '' },
]

describe('a personalised sector', () => {
  for (const [condition, rights] of rightsByCondition.entries()) {
    it(`gives the data condition ${condition} its rights under key A and key B`, () => {
      const card = personalised([condition, condition, condition, 0b011])
      for (const kind of ['A', 'B'] as const) {
        assert.ok(card.login(1, kind, kind === 'A' ? keyA : keyB))
        for (const block of [4, 5, 6]) {
          assert.equal(card.readBlock(block, { sector: 1, kind }) !== null, rights.read.includes(kind))
          assert.equal(card.writeBlock(block, data, { sector: 1, kind }), rights.write.includes(kind))
        }
      }
    })
    it(`gives the trailer condition ${condition} its rights under key A and key B`, () => {
      for (const kind of ['A', 'B'] as const) {
        const conditions: Conditions = [0, 0, 0, condition]
        const card = personalised(conditions)
        const mayLogIn = kind === 'A' || rights.readB === ''
        assert.equal(card.login(1, kind, kind === 'A' ? keyA : keyB), mayLogIn)
        if (!mayLogIn) continue
        const before = card.memory.slice(112, 128)
        const seen = card.readBlock(7, { sector: 1, kind })!
        assert.equal(shown(seen.subarray(0, 6)), '000000000000')
        assert.equal(shown(seen.subarray(6, 10)), shown(before.subarray(6, 10)))
        assert.equal(shown(seen.subarray(10)), rights.readB.includes(kind) ? shown(keyB) : '000000000000')
        const wanted = sectorTrailer(hex('111111111111'), [0, 0, 0, 0b111], hex('222222222222'))
        const changes = [rights.writeA, rights.writeAccess, rights.writeB].map((keys) => keys.includes(kind))
        assert.equal(card.writeBlock(7, wanted, { sector: 1, kind }), changes.includes(true))
        const [a, access, b] = changes.map((changed) => (changed ? wanted : before))
        assert.equal(
          shown(card.memory.subarray(112, 128)),
          shown(Uint8Array.of(...a!.subarray(0, 6), ...access!.subarray(6, 10), ...b!.subarray(10))),
        )
      }
    })
  }
  it('refuses wrong keys', () => {
    const card = personalised([0b100, 0b100, 0b100, 0b011])
    assert.equal(card.login(1, 'A', transportKey), false)
    assert.equal(card.login(1, 'A', keyB), false)
    assert.equal(card.login(1, 'B', keyA), false)
  })
  it('is locked for ever by invalid access bits, and only it', () => {
    const card = classicCard(hex('66CF4DC2'))
    const login: Login = { sector: 1, kind: 'A' }
    assert.ok(card.writeBlock(7, hex('FFFFFFFFFFFF 7FE08869 FFFFFFFFFFFF'), login))
    assert.equal(card.login(1, 'A', transportKey), false)
    assert.equal(card.readBlock(4, login), null)
    assert.equal(card.writeBlock(7, sectorTrailer(keyA, [0, 0, 0, 1], keyB), login), false)
    assert.ok(card.login(2, 'A', transportKey))
  })
})

describe('an Ultralight', () => {
  const uid = hex('04E141124C2880')
  it('begins with its serial number and check bytes', () => {
    assert.equal(shown(ultralightCard(uid).readPages(0)), '04E1412C124C2880F648000000000000')
  })
  it('reads four pages and wraps at the end', () => {
    const card = ultralightCard(uid)
    assert.ok(card.writePage(15, hex('CAFE0015')))
    assert.equal(shown(card.readPages(14)), '00000000CAFE001504E1412C124C2880')
    assert.equal(card.readPages(16), null)
  })
  it('does not change its serial number', () => {
    const card = ultralightCard(uid)
    assert.equal(card.writePage(0, hex('00000000')), false)
    assert.equal(card.writePage(1, hex('00000000')), false)
    assert.ok(card.writePage(2, hex('00000000')))
    assert.equal(shown(card.readPages(0))?.slice(0, 20), '04E1412C124C2880F648')
  })
  it('only ever sets bits of the OTP page', () => {
    const card = ultralightCard(uid)
    assert.ok(card.writePage(3, hex('81000000')))
    assert.ok(card.writePage(3, hex('02000001')))
    assert.equal(shown(card.readPages(3))?.slice(0, 8), '83000001')
  })
  it('locks single pages, for ever', () => {
    const card = ultralightCard(uid)
    assert.ok(card.writePage(2, hex('00001080')))
    assert.ok(card.writePage(2, hex('00000000')))
    assert.equal(card.writePage(4, hex('01020304')), false)
    assert.equal(card.writePage(15, hex('01020304')), false)
    assert.ok(card.writePage(5, hex('01020304')))
  })
  it('locks the OTP page', () => {
    const card = ultralightCard(uid)
    assert.ok(card.writePage(2, hex('00000800')))
    assert.equal(card.writePage(3, hex('01000000')), false)
  })
  it('freezes lock bits', () => {
    const card = ultralightCard(uid)
    assert.ok(card.writePage(2, hex('00000700')))
    assert.ok(card.writePage(2, hex('0000F8FF')))
    for (let page = 3; page < 16; page++) assert.ok(card.writePage(page, hex('01020304')), `page ${page}`)
  })
  it('has no sectors and takes 4 bytes at a time', () => {
    const card = ultralightCard(uid)
    assert.equal(card.login(0, 'A', transportKey), false)
    assert.equal(card.readBlock(0, { sector: 0, kind: 'A' }), null)
    assert.equal(card.writeBlock(4, data, { sector: 1, kind: 'A' }), false)
    assert.equal(card.writePage(4, data), false)
    assert.throws(() => ultralightCard(hex('66CF4DC2')), RangeError)
  })
})

describe('a card in a file', () => {
  it('comes back as it was, and as a card of its own', () => {
    const cards = [
      personalised([0b100, 0b100, 0b100, 0b011]),
      ultralightCard(hex('04E141124C2880')),
      ...(['NTAG213', 'NTAG215', 'NTAG216'] as const).map((chip) => ntagCard(hex('04E141124C2880'), chip)),
      desfireCard(hex('04E141124C2880')),
    ]
    for (const card of cards) {
      const again = cardFromImage(JSON.parse(JSON.stringify(cardImage(card))))
      assert.deepEqual(cardImage(again), cardImage(card))
      again.memory.fill(0xaa, 16)
      assert.notDeepEqual(cardImage(again), cardImage(card))
    }
  })
  it('keeps its keys', () => {
    const card = cardFromImage(cardImage(personalised([0b100, 0b100, 0b100, 0b011])))
    assert.ok(card.login(1, 'B', keyB))
    assert.equal(shown(card.readBlock(4, { sector: 1, kind: 'B' })), shown(data))
  })
  it('is refused when it is no card', () => {
    const image = cardImage(classicCard(hex('66CF4DC2')))
    assert.throws(() => cardFromImage({ ...image, technology: 'felica' as 'classic' }), RangeError)
    assert.throws(() => cardFromImage({ ...image, technology: 'ultralight' }), RangeError)
    assert.throws(() => cardFromImage({ ...image, memory: image.memory.slice(2) }), RangeError)
    assert.throws(() => cardFromImage({ ...image, uid: '66CF4DC3' }), RangeError)
    assert.throws(() => cardFromImage({ ...image, uid: 'card' }), SyntaxError)
  })
})

describe('a stack of blank cards', () => {
  const serials = (cards: SimulatedCard[]) => cards.map(({ uid }) => shown(uid))
  it('is the same for the same seed, and a longer one begins alike', () => {
    const stack = serials(blankCards(50, 'lobby', 'classic'))
    assert.deepEqual(serials(blankCards(80, 'lobby', 'classic')).slice(0, 50), stack)
    assert.notDeepEqual(serials(blankCards(50, 'bar', 'classic')), stack)
  })
  it('holds no two alike', () => {
    for (const technology of technologies) {
      for (const seed of ['lobby', null]) {
        assert.equal(new Set(serials(blankCards(300, seed, technology))).size, 300)
      }
    }
  })
  it('is random without a seed', () => {
    assert.notDeepEqual(serials(blankCards(5, null, 'classic')), serials(blankCards(5, null, 'classic')))
  })
  it('is of the technology asked for, with serial numbers as such cards have', () => {
    for (const card of blankCards(40, 'lobby', 'classic')) {
      assert.equal(card.technology, 'classic')
      assert.equal(card.uid[0]! & 0x0f, 0x0f)
    }
    for (const technology of ['ultralight', 'ntag', 'desfire'] as const) {
      const [card] = blankCards(1, 'lobby', technology)
      assert.equal(card?.technology, technology)
      assert.equal(card?.uid[0], 0x04)
      assert.equal(card?.uid.length, 7)
    }
  })
})
