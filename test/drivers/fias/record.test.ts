import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { codePage, codePages } from '../../../drivers/fias/code-page.ts'
import { readDate, readTime, upToMinute } from '../../../drivers/fias/moments.ts'
import { fieldNames, fieldProblem, readRecord, recordText } from '../../../drivers/fias/record.ts'
import fc from '../../seed.ts'

describe('a FIAS record', () => {
  it('is its name and its fields, each with its name', () => {
    const text = 'KA|ASOK|CTOK|KC1|WS1|DA201214|TI131300|G#16400|$230431712|$3|'
    assert.deepEqual(readRecord(text), {
      id: 'KA',
      fields: {
        AS: 'OK',
        CT: 'OK',
        KC: '1',
        WS: '1',
        DA: '201214',
        TI: '131300',
        'G#': '16400',
        $2: '30431712',
      },
    })
  })

  it('leaves out what is empty, and holds nothing that would break it', () => {
    const fields = { KC: '1', KT: 'N', GN: '', KO: null, $1: undefined, CT: 'a|b\x02c' }
    assert.equal(recordText('KR', fields), 'KR|KC1|KTN|CTa b c|')
    assert.equal(recordText('KA', { CT: 'x'.repeat(99) }), `KA|CT${'x'.repeat(40)}|`)
  })

  it('says which fields are wanted', () => {
    assert.deepEqual(fieldNames('KCRNWSDATIG#'), ['KC', 'RN', 'WS', 'DA', 'TI', 'G#'])
    assert.deepEqual(fieldNames('$2$'), ['$2'])
  })

  it('is none without a name', () => {
    for (const text of ['', '|', 'K', 'kr|', 'KRX|KC1|', '12345']) assert.equal(readRecord(text), null, text)
  })

  it('is read back as it was written, and never throws', () => {
    const value = fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(...'aB3 äß#$;') })
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('KC', 'RN', 'GN', '$3', 'G#'), value), (fields) => {
        assert.deepEqual(readRecord(recordText('KR', fields))?.fields, { ...fields })
      }),
    )
    fc.assert(fc.property(fc.string(), (text) => void readRecord(text)))
  })

  it('knows what a field cannot hold', () => {
    assert.equal(fieldProblem('RN', '101'), null)
    assert.match(fieldProblem('RN', '123456789') ?? '', /8 characters/)
    assert.match(fieldProblem('RN', 'a|b') ?? '', /bars/)
    assert.ok(fieldProblem('RN', ''))
  })
})

describe('a code page', () => {
  it('has the letters of its part of the world', () => {
    assert.equal(codePage('windows-1252').encode('Müller €').toString('hex'), '4dfc6c6c65722080')
    assert.equal(codePage('windows-1251').encode('Ив').toString('hex'), 'c8e2')
    assert.equal(codePage('windows-1250').decode(Uint8Array.of(0xe8)).text, 'č')
  })

  it('gives a plain letter, or a question mark, for one that it has not', () => {
    assert.equal(codePage('windows-1252').encode('č').toString(), 'c')
    assert.equal(codePage('windows-1252').encode('漢').toString(), '?')
  })

  for (const name of codePages)
    it(`${name} never throws, and no letter becomes a control character`, () => {
      const page = codePage(name)
      fc.assert(
        fc.property(fc.string({ unit: 'binary' }), (text) => {
          const bytes = page.encode([...text].filter((letter) => letter >= ' ').join(''))
          assert.ok(bytes.every((byte) => byte >= 0x20))
        }),
      )
      fc.assert(fc.property(fc.uint8Array(), (bytes) => void page.decode(bytes)))
    })
})

describe('a moment in a record', () => {
  it('is a date and a time, or nothing', () => {
    assert.equal(readDate('260801'), '2026-08-01')
    assert.equal(readDate('260231'), null)
    assert.equal(readDate('2608'), null)
    assert.equal(readDate(undefined), null)
    assert.equal(readTime('11:00'), '11:00:00')
    assert.equal(readTime('131253'), '13:12:53')
    assert.equal(readTime('24:00'), null)
  })

  it('ends with the minute that has begun', () => {
    assert.equal(upToMinute(120_000), 120_000)
    assert.equal(upToMinute(120_001), 180_000)
  })
})
