import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { normalizedName } from '../../../src/reservation/values/normalized-name.ts'
import fc from '../../seed.ts'

const names: [parts: (string | null | undefined)[], normalized: string][] = [
  [['Anna', null, 'Müller'], 'ANNA MULLER'],
  [['José', undefined, 'Núñez  y Ortega '], 'JOSE NUNEZ Y ORTEGA'],
  [['Ko\u0308ln'], 'KOLN'],
  [['Strauß'], 'STRAUSS'],
  [['Sørensen', 'Łukasz', 'Þór', 'Æsir', 'Đặng'], 'SORENSEN LUKASZ THOR AESIR DANG'],
  [['O’Neill', 'Smith–Jones', 'Jr.'], "O'NEILL SMITH-JONES JR."],
  [['Şahin', 'ığdır', 'Əliyev'], 'SAHIN IGDIR ELIYEV'],
  [['Андрей', 'Щукин', 'Ёлкина', 'Соловьёв'], 'ANDREI SHCHUKIN ELKINA SOLOVEV'],
  [['Γιώργος', 'Παπαδόπουλος'], 'GIORGOS PAPADOPOULOS'],
  [['ﬁnn', 'Ⅷ'], 'FINN VIII'],
  [['a\u00a0b'], 'A B'],
  [['王', '伟'], ''],
  [['Zoë 😀', '2nd'], 'ZOE 2ND'],
  [[], ''],
]

describe('A name in capital ASCII letters', () => {
  for (const [parts, normalized] of names) {
    it(`${parts.join(' ')}: ${normalized || '(nothing)'}`, () =>
      assert.equal(normalizedName(...parts), normalized))
  }

  it('has nothing else in it, whatever the name, and stays the same when done again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const normalized = normalizedName(name)
        assert.match(normalized, /^[A-Z0-9 '.-]*$/)
        assert.equal(normalizedName(normalized), normalized)
      }),
    )
  })
})
