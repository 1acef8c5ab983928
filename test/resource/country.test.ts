import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { canonical } from '../../src/pms/sync/inbound/canonical.ts'
import { countries, isCountry } from '../../src/resource/values/country.ts'
import { alpha2Of, presentCountry } from '../../src/resource/values/country-code.ts'
import fc from '../seed.ts'

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const pairs = letters.flatMap((one) => letters.map((other) => one + other))

describe('The countries', () => {
  it('are the 249 of ISO 3166-1, each once and in order', () => {
    assert.equal(countries.length, 249)
    assert.deepEqual([...new Set(countries)].sort(), countries)
  })

  it('are those that the names of regions know as themselves, without groups, parts and test codes', () => {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
    const others = 'AC CP CQ DG EA EU EZ IC QO TA UN XA XB XK ZZ'.split(' ')
    const known = pairs.filter((code) => names.of(code) && new Intl.Locale(`und-${code}`).region === code)
    assert.deepEqual(
      known.filter((code) => !others.includes(code)),
      countries,
    )
  })

  it('take no former code, no group, and besides XK no code that users assign', () => {
    for (const code of [
      'UK',
      'SU',
      'YU',
      'DD',
      'AN',
      'CS',
      'TP',
      'ZR',
      'BU',
      'FX',
      'EU',
      'UN',
      'XX',
      'ZZ',
      'pt',
      'PRT',
      '',
    ])
      assert.equal(isCountry(code), false, code)
    for (const code of ['PT', 'GB', 'DE', 'SS', 'CW', 'BQ', 'XK']) assert.equal(isCountry(code), true, code)
    fc.assert(
      fc.property(fc.constantFrom(...pairs), (code) => {
        assert.equal(isCountry(code), code === 'XK' || countries.includes(code))
      }),
    )
  })

  it('have three letters each', () => {
    const samples = { PRT: 'PT', GBR: 'GB', DEU: 'DE', CHE: 'CH', XKX: 'XK', ROU: 'RO', AND: 'AD', ZWE: 'ZW' }
    for (const [alpha3, alpha2] of Object.entries(samples)) assert.equal(alpha2Of(alpha3), alpha2)
    for (const text of ['ROM', 'YUG', 'SUN', 'PT', 'prt', '', 'constructor'])
      assert.equal(alpha2Of(text), null, text)
    const all = letters.flatMap((one) => pairs.map((two) => one + two))
    const known = all.map(alpha2Of).filter((code) => code !== null && code !== 'XK')
    assert.deepEqual(known.sort(), countries)
  })

  it('of another system are read by their present codes', () => {
    const read = {
      UK: 'GB',
      uk: 'GB',
      ' gbr ': 'GB',
      EL: 'GR',
      DD: 'DE',
      TP: 'TL',
      pt: 'PT',
      XKX: 'XK',
      SU: null,
      YU: null,
      '': null,
      toString: null,
    }
    for (const [text, code] of Object.entries(read)) assert.equal(presentCountry(text), code, text)
  })
})

describe('A country that a PMS reports', () => {
  const guest = (nationality: string, country: string, regionCode: string) =>
    canonical({
      externalId: '1',
      stays: [
        {
          externalId: '1',
          status: 'Confirmed',
          startDate: '2026-06-01',
          endDate: '2026-06-02',
          guests: [
            {
              role: 'PrimaryGuest',
              firstName: 'A',
              lastName: 'B',
              nationality,
              addresses: [{ country, regionCode }],
            },
          ],
        },
      ],
    } as never).stays[0]!.guests![0]!

  it('is its present code, and none where it has none', () => {
    for (const [code, read] of [
      ['UK', 'GB'],
      ['GB', 'GB'],
      ['prt', 'PT'],
      ['SU', null],
      ['Germany', null],
      ['XK', 'XK'],
    ] as const) {
      const { nationality, addresses } = guest(code, code, 'GB-ENG')
      assert.deepEqual([nationality, addresses![0]!.country], [read ?? undefined, read], code)
      if (code !== read) assert.equal(addresses![0]!.regionCode, read === 'GB' ? 'GB-ENG' : null)
    }
  })

  it('is the same after it is read again', () => {
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...pairs), fc.string()), (code) => {
        const once = guest(code, code, '')
        const again = guest(once.nationality ?? '', once.addresses![0]!.country ?? '', '')
        assert.equal(again.nationality || null, once.nationality || null)
      }),
    )
  })
})
