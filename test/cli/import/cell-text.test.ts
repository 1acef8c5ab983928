import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { cleanText, quotedFormulaTexts, withoutFormulaTexts } from '../../../src/cli/import/cell-text.ts'
import { splitName } from '../../../src/resource/values/person-name.ts'
import fc from '../../seed.ts'

describe('The text of a cell', () => {
  const cells: [written: string, read: string][] = [
    ['\ufeff4012', '4012'],
    ['40\u200b12', '4012'],
    ['\u200e2027-03-28\u200f', '2027-03-28'],
    ['1\u00a0234', '1 234'],
    ['1\u202f234\u2009567', '1 234 567'],
    ['Anna\u00adlena', 'Annalena'],
    ['="0401"', '0401'],
    [' =" 0401 "', '0401'],
    ['Price\u00a0', 'Price'],
    ['="say ""hi"""', 'say "hi"'],
    // What is seen stays.
    ['O’Connor–Müller', 'O’Connor–Müller'],
    ['= 2 + 2', '= 2 + 2'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['\u200fعلی\u200e', 'علی'],
    ['👩\u200d💻', '👩\u200d💻'],
  ]
  for (const [written, read] of cells)
    it(`is read as it is seen: ${JSON.stringify(written)}`, () => assert.equal(cleanText(written), read))

  it('of letters, signs and spaces stays, whatever stands invisibly in it', () => {
    const seen = fc.string({ unit: fc.constantFrom(...'aÉ09’\'"–-., €()') })
    const unseen = fc.constantFrom('\u200b', '\ufeff', '\u200e', '\u200f', '\u2060', '\u200c', '\u00ad')
    fc.assert(
      fc.property(seen, unseen, fc.nat(20), (text, mark, at) => {
        assert.equal(cleanText(text), text.trim())
        assert.equal(cleanText(text.slice(0, at) + mark + text.slice(at)), text.trim())
      }),
    )
  })

  it('is unwrapped where the whole cell is a formula text', () => {
    assert.equal(
      quotedFormulaTexts('="01";="02";x="3";"a;=""b"""\n="04"\r\n', ';'),
      '"01";"02";x="3";"a;=""b"""\n"04"\r\n',
    )
    assert.equal(quotedFormulaTexts('"say ,="" b"\n', ','), '"say ,="" b"\n')
  })

  it('is unwrapped in lines of any end and chunks of any length, which pass on at the end of a line', async () => {
    const lines = fc.array(fc.constantFrom('="01";x', 'x;="02"', 'x;y', '="03"'), { minLength: 1 })
    const ends = fc.constantFrom('\n', '\r\n', '\r')
    const property = fc.asyncProperty(
      lines,
      ends,
      fc.integer({ min: 1, max: 9 }),
      async (each, end, length) => {
        const file = each.map((line) => line + end).join('')
        const chunks = file.match(new RegExp(`[^]{1,${length}}`, 'g'))!
        const passed = await Array.fromAsync(withoutFormulaTexts(Readable.from(chunks), ';'))
        assert.equal(passed.join(''), file.replaceAll('="', '"'))
        for (const text of passed) assert.match(text, /[\r\n]$/)
        assert.ok(passed.length >= each.length || length > 1)
      },
    )
    await fc.assert(property)
  })
})

describe('A name in one column', () => {
  const names: [written: string, last: string, first: string][] = [
    ['Kern, Anna', 'Kern', 'Anna'],
    ['García Márquez,Gabriel José', 'García Márquez', 'Gabriel José'],
    ['Kern', 'Kern', ''],
    ['Kern,', 'Kern', ''],
    ['Kern, , Anna,', 'Kern', 'Anna'],
    [', Anna', 'Anna', ''],
    ['-, Anna', 'Anna', ''],
    ['Smith, Anna, Dr.', 'Smith', 'Anna, Dr.'],
    ['山田，太郎', '山田', '太郎'],
    ["O'Brien ,  Tom", "O'Brien", 'Tom'],
    ['', '', ''],
  ]
  for (const [written, lastName, firstName] of names)
    it(`is split at its comma: ${JSON.stringify(written)}`, () =>
      assert.deepEqual(splitName(written), { lastName, firstName }))

  it('is split into the two that were joined, whatever they are', () => {
    const part = fc.string({ unit: fc.constantFrom(..."aBé' -.") }).map((text) => `x${text}y`)
    fc.assert(
      fc.property(part, part, (lastName, firstName) =>
        assert.deepEqual(splitName(`${lastName}, ${firstName}`), { lastName, firstName }),
      ),
    )
  })
})
