import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Country, countriesLike } from '../../src/console/pages/kiosk/registration/countries.ts'
import {
  attributesOf,
  dayOfDigits,
  digitsOfDay,
  questionAt,
  questionsFor,
} from '../../src/console/pages/kiosk/registration/questions.ts'
import { registrationFields } from '../../src/reservation/values/registration-fields.ts'
import { countries } from '../../src/resource/values/country.ts'
import fc, { seed } from '../seed.ts'

describe('the digits of a day of birth', () => {
  for (const [typed, day] of [
    ['03021980', '1980-02-03'],
    ['29022004', '2004-02-29'],
    ['29022003', null],
    ['31041999', null],
    ['3.2.1980', '1980-02-03'],
    ['03/02/1980', '1980-02-03'],
    ['3-12-1999', '1999-12-03'],
    ['00011980', null],
    ['01001980', null],
    ['12311980', null],
    ['0302198', null],
    ['030219800', null],
    ['3.2.80', null],
    ['', null],
    ['zwölf', null],
  ] as const)
    it(`${JSON.stringify(typed)} are ${day ?? 'no day'}`, () => assert.equal(dayOfDigits(typed), day))

  it('of every day are that day', () => {
    const days = fc.date({ min: new Date('1900-01-01'), max: new Date('2026-06-01'), noInvalidDate: true })
    fc.assert(
      fc.property(days, (date) => {
        const day = date.toISOString().slice(0, 10)
        assert.equal(dayOfDigits(digitsOfDay(day)), day)
      }),
      { seed },
    )
  })
})

describe('the questions of the kiosk', () => {
  it('are there for every field that a house may need', () => {
    for (const field of registrationFields.filter((each) => each !== 'lastName'))
      assert.notEqual(questionAt(`/${field}`), null, field)
  })

  for (const [pointers, questions] of [
    [['/birthDate'], ['birthDate']],
    [
      ['/signature', '/nationality'],
      ['nationality', 'signature'],
    ],
    [
      ['/address/line1', '/address/city', '/address/country'],
      ['line1', 'postalCode', 'city', 'country'],
    ],
    [['/data/attributes/acceptedRules/version'], ['acceptedRules']],
    [['/data/attributes/address/regionCode'], ['line1', 'postalCode']],
    [['/data/attributes/signature/0/1'], ['signature']],
    [['/data/attributes/address/postalCode'], ['postalCode']],
    [['/birthDate', '/shoeSize'], null],
    [[''], null],
    [[], []],
  ] as const)
    it(`for ${pointers.join(' and ') || 'nothing'} are ${questions?.join(', ') ?? 'for the desk'}`, () =>
      assert.deepEqual(questionsFor(pointers), questions))

  it('are answered with what the API takes, without what was left out', () => {
    const answers = {
      birthDate: '1980-02-03',
      line1: 'Rua 1',
      postalCode: null,
      city: 'Porto',
      country: 'PT',
    }
    assert.deepEqual(attributesOf(answers), {
      birthDate: '1980-02-03',
      address: { line1: 'Rua 1', city: 'Porto', country: 'PT' },
    })
    assert.deepEqual(attributesOf({ postalCode: null, documentType: 'Other' }), { documentType: 'Other' })
    assert.deepEqual(attributesOf({}), {})
  })
})

const named = (language: string): Country[] => {
  const long = new Intl.DisplayNames(language, { type: 'region' })
  const short = new Intl.DisplayNames(language, { type: 'region', style: 'short' })
  return [...countries].map((code) => [code, long.of(code) ?? code, short.of(code)])
}

describe('the countries for what is typed', () => {
  for (const [language, typed, chosen] of [
    ['en', 'PORTU', 'PT'],
    ['en', 'uk', 'GB'],
    ['en', 'Niger', 'NE'],
    ['en', 'GUINEA', 'GN'],
    ['en', 'ivoire', 'CI'],
    ['en', 'Uni', null],
    ['en', 'korea', null],
    ['en', 'Atlantis', null],
    ['en', 'ortugal', null],
    ['de', 'OSTERREICH', 'AT'],
    ['de', 'Österreich', 'AT'],
    ['fr', 'ETATS-UNIS', 'US'],
    ['es', 'ESPANA', 'ES'],
    ['pt', 'BRAZIL', null],
    ['pt', 'brasi', 'BR'],
  ] as const)
    it(`${typed} in ${language} are ${chosen ?? 'not one'}`, () =>
      assert.equal(countriesLike(typed, named(language)).chosen, chosen))

  it('are the better ones first, and all of them for nothing', () => {
    const names = countriesLike('in', named('en')).countries.map(([code]) => code)
    assert.ok(names.indexOf('IN') < names.indexOf('IO') && names.includes('ID'), names.join())
    assert.equal(countriesLike('', named('en')).countries.length, countries.length)
  })

  it('are one for each whole name, in every language', () => {
    for (const language of ['en', 'de', 'es', 'fr', 'pt']) {
      const all = named(language)
      fc.assert(
        fc.property(fc.constantFrom(...all), ([code, name]) =>
          assert.equal(countriesLike(name, all).chosen, code),
        ),
        { seed, numRuns: 60 },
      )
    }
  })
})
