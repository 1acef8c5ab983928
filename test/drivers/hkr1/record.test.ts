import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { decode, encode, type KeyRecord } from '../../../drivers/hkr1/record.ts'
import { sectorKeys, trailer } from '../../../drivers/hkr1/sector-keys.ts'
import fc from '../../seed.ts'
import { exampleKey, hex, shown } from './house.ts'

const uid = hex('66CF4DC2')
const example: KeyRecord = {
  duplicate: false,
  oneShot: false,
  privacyOverride: false,
  staff: false,
  site: 1,
  keyId: 1,
  sequence: 42,
  validFrom: Date.parse('2026-07-31T15:00:00Z') / 1000,
  validUntil: Date.parse('2026-08-04T09:00:00Z') / 1000,
  lock: 101,
  doors: 5,
  credential: 0x00010007,
}
const exampleBytes = hex(
  '484B0100000101000000002A6A6CB870 6A71AA10000000650000000500010007 841122AB698AF9B3E4E33A5AE2FD9C0A',
)
const ours = (site: number, keyId: number) => (site === 1 && keyId === 1 ? exampleKey : undefined)

describe('the published example of an HKR1 record', () => {
  it('is encoded byte for byte', () =>
    assert.equal(shown(encode(example, uid, exampleKey)), shown(exampleBytes)))
  it('is decoded field for field', () =>
    assert.deepEqual(decode(exampleBytes, uid, ours), { record: example }))
  it('has these sector keys and this trailer', () => {
    const keys = sectorKeys(exampleKey, 1, uid, 1)
    assert.equal(shown(keys.a), '8E33A43F1CB7')
    assert.equal(shown(keys.b), 'C95291312803')
    assert.equal(shown(trailer(keys)), '8E33A43F1CB778778869C95291312803')
  })
})

describe('decoding an HKR1 record', () => {
  it('accepts no record with a single wrong bit', () => {
    for (let bit = 0; bit < 384; bit++) {
      const bytes = exampleBytes.slice()
      bytes[bit >> 3]! ^= 0x80 >> (bit & 7)
      const stranger = bit < 24 || (bit >= 32 && bit < 56)
      assert.deepEqual(decode(bytes, uid, ours), { refused: stranger ? 'stranger' : 'broken' }, `bit ${bit}`)
    }
  })
  it('refuses reserved bits even when they are signed', () => {
    const records: [KeyRecord, number, number][] = [
      [example, 3, 0x10],
      [example, 3, 0x80],
      [example, 7, 0x01],
    ]
    for (const [record, at, value] of records) {
      const bytes = encode(record, uid, exampleKey)
      bytes[at]! |= value
      assert.deepEqual(decode(resigned(bytes), uid, ours), { refused: 'broken' })
    }
  })
  it('refuses the record of another card', () => {
    assert.deepEqual(decode(exampleBytes, hex('66CF4DC3'), ours), { refused: 'broken' })
    assert.deepEqual(decode(exampleBytes, hex('66CF4DC200'), ours), { refused: 'broken' })
  })
  it('refuses a record signed with another key', () => {
    const bytes = encode(example, uid, exampleKey.toReversed())
    assert.deepEqual(decode(bytes, uid, ours), { refused: 'broken' })
  })
  it('does not know a record of another site, with another key number, or cut short', () => {
    assert.deepEqual(decode(encode({ ...example, site: 2 }, uid, exampleKey), uid, ours), {
      refused: 'stranger',
    })
    assert.deepEqual(decode(encode({ ...example, keyId: 2 }, uid, exampleKey), uid, ours), {
      refused: 'stranger',
    })
    assert.deepEqual(decode(exampleBytes.subarray(0, 47), uid, ours), { refused: 'stranger' })
    assert.deepEqual(decode(new Uint8Array(), uid, ours), { refused: 'stranger' })
  })
})

describe('encoding an HKR1 record', () => {
  const u32 = fc.integer({ min: 0, max: 0xffff_ffff })
  const records = fc.record(
    {
      duplicate: fc.boolean(),
      oneShot: fc.boolean(),
      privacyOverride: fc.boolean(),
      staff: fc.boolean(),
      site: fc.integer({ min: 0, max: 0xffff }),
      keyId: fc.integer({ min: 0, max: 0xff }),
      sequence: u32,
      validFrom: u32,
      validUntil: u32,
      lock: u32,
      doors: u32,
      credential: u32,
    },
    { noNullPrototype: true },
  )
  const uids = fc
    .constantFrom(4, 7, 10)
    .chain((length) => fc.uint8Array({ minLength: length, maxLength: length }))
  const keys = fc.uint8Array({ minLength: 32, maxLength: 32 })
  it('is undone by decoding', () => {
    fc.assert(
      fc.property(records, uids, keys, (record, serial, key) => {
        assert.deepEqual(
          decode(encode(record, serial, key), serial, () => key),
          { record },
        )
      }),
    )
  })
  it('refuses numbers that do not fit', () => {
    const misfits: Partial<KeyRecord>[] = [
      { site: 65536 },
      { keyId: 256 },
      { sequence: 2 ** 32 },
      { validFrom: -1 },
      { lock: 1.5 },
      { credential: Number.NaN },
    ]
    for (const misfit of misfits) {
      assert.throws(() => encode({ ...example, ...misfit }, uid, exampleKey), RangeError)
    }
  })
})

describe('sector keys', () => {
  it('differ by card, site, sector and master', () => {
    const all = [
      sectorKeys(exampleKey, 1, uid, 1),
      sectorKeys(exampleKey, 1, hex('66CF4DC3'), 1),
      sectorKeys(exampleKey, 257, uid, 1),
      sectorKeys(exampleKey, 1, uid, 2),
      sectorKeys(exampleKey.toReversed(), 1, uid, 1),
    ].flatMap(({ a, b }) => [shown(a), shown(b)])
    assert.equal(new Set(all).size, all.length)
  })
})

/** Signs whatever the bytes say, as another maker of cards might. */
function resigned(bytes: Uint8Array): Uint8Array {
  const signature = createHmac('sha256', exampleKey)
    .update('HKR1')
    .update(Uint8Array.of(uid.length, ...uid))
    .update(bytes.subarray(0, 32))
    .digest()
  return Uint8Array.of(...bytes.subarray(0, 32), ...signature.subarray(0, 16))
}
