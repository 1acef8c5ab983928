import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { readSettings } from '../../src/box/settings-file.ts'
import { readMap } from '../../src/cli/import/booking-map.ts'
import { readConfig } from '../../src/config.ts'
import { profile } from '../../src/reservation/resources/profile.ts'
import { didYouMean } from '../../src/resource/nearest.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import fc from '../seed.ts'

let house: TestAppliance
before(async () => {
  house = await startAppliance()
})
after(() => house.stop())

/** The error that asks for a name, or else the first. */
const ask = async (method: string, path: string, body?: object, language = 'en') => {
  const how = { headers: { 'Accept-Language': language }, ...(body && { body }) }
  const { errors } = (await house.ask(method, path, how)).body
  return errors.find(({ meta }: { meta?: { didYouMean?: string } }) => meta?.didYouMean) ?? errors[0]
}

const guest = { firstName: 'A', lastName: 'B' }

/** An unknown name, and the one that is asked for; undefined where none is near. */
const unknown: [request: [method: string, path: string, body?: object], meant: string | undefined][] = [
  [['POST', '/api/v2/profiles', { lastName: 'B', 'first-name': 'A' }], 'firstName'],
  [['POST', '/api/v2/profiles', { ...guest, first_name: 'A' }], 'firstName'],
  [['POST', '/api/v2/profiles', { ...guest, BIRTHDATE: '1990-01-01' }], 'birthDate'],
  [['POST', '/api/v2/profiles', { ...guest, natoinality: 'PT' }], 'nationality'],
  [['POST', '/api/v2/profiles', { ...guest, emails: [{ adress: 'a@example.com' }] }], 'address'],
  [['POST', '/api/v2/profiles', { ...guest, shoeSize: 42 }], undefined],
  [['POST', '/api/v2/profiles', { ...guest, profileType: 'private' }], 'Private'],
  [['POST', '/api/v2/profiles', { ...guest, gender: 'Femal' }], 'Female'],
  [['POST', '/api/v2/profiles', { ...guest, gender: 'checked-in' }], undefined],
  [
    [
      'POST',
      '/api/v2/units',
      { data: { attributes: { name: '1' }, relationships: { 'unit-type': { data: { id: 'a' } } } } },
    ],
    'unitTypeId',
  ],
  [['GET', '/api/v2/profiles?filter[last-name]=A'], 'lastName'],
  [['GET', '/api/v2/profiles?filter[lastName][lik]=A'], 'like'],
  [['GET', '/api/v2/profiles?filter[address.country]=PT'], 'addresses.country'],
  [['GET', '/api/v2/profiles?filter[shoeSize]=42'], undefined],
  [['GET', '/api/v2/profiles?sort=-last_name'], 'lastName'],
  [['GET', '/api/v2/stays?include=reservations'], 'reservation'],
  [['GET', '/api/v2/profiles?fields[profile]=fristName'], 'firstName'],
  [['GET', '/api/v2/profiles?fields[profiles]=firstName'], 'profile'],
  [['GET', '/api/v2/profiles?filtr[lastName]=A'], 'filter[…]'],
  [['GET', '/api/v2/profiles?pagesize=3'], 'page[size]'],
  [['GET', '/api/v2/profiles?limit=3'], undefined],
  [['POST', '/api/v2/profiles?dry-run=true', guest], 'dryRun'],
  [['GET', '/api/v2/events?filter[types]=stay.released'], 'filter[type]'],
  [['GET', '/api/v2/stays?filter[status]=in-house'], 'InHouse'],
  [['GET', '/api/v2/stays?filter[status]=Cancelled'], 'Canceled'],
  [['GET', '/api/v2/units?filter[status][ne]=DIRTY'], 'Dirty'],
  [['GET', '/api/v2/stays?filter[status]=asleep'], undefined],
  [['POST', '/api/config/v1/setup/actions/apply', { setings: {} }], 'settings'],
  [['POST', '/api/config/v1/setup/actions/apply', { settings: { 'check-in-time': '15:00' } }], 'checkInTime'],
]

describe('An unknown name', () => {
  for (const [[method, path, body], meant] of unknown) {
    it(`in ${method} ${path} ${JSON.stringify(body ?? {}).slice(0, 90)} asks for ${meant}`, async () => {
      const { detail, meta } = await ask(method, path, body)
      assert.equal(meta?.didYouMean, meant, detail)
      if (meant) assert.ok(detail.endsWith(` Did you mean ${meant}?`), detail)
      else assert.doesNotMatch(detail, /Did you mean/)
    })
  }

  it('is asked about in the language of the caller', async () => {
    for (const [language, detail] of [
      ['de', 'first-name ist kein Feld dieser Ressource. Meinten Sie firstName?'],
      ['es', 'first-name no es un campo de este recurso. ¿Quería decir firstName?'],
      ['fr', 'first-name n’est pas un champ de cette ressource. Vouliez-vous dire firstName ?'],
      ['pt', 'first-name não é um campo deste recurso. Queria dizer firstName?'],
      ['en', 'first-name is not a field of this resource. Did you mean firstName?'],
    ] as const)
      assert.equal(
        (await ask('POST', '/api/v2/profiles', { lastName: 'B', 'first-name': 'A' }, language)).detail,
        detail,
      )
  })

  it('and a field that is missing, and a word that a filter does not have, are said in that language', async () => {
    for (const [language, missing, word] of [
      ['de', /^Nachname ist erforderlich\.$/, /erwartet wird .* Confirmed, .* Meinten Sie InHouse\?$/],
      ['es', /^Apellido es obligatorio\.$/, /se espera .* ¿Quería decir InHouse\?$/],
      ['fr', /^Nom est obligatoire\.$/, /est attendue .* Vouliez-vous dire InHouse \?$/],
      ['pt', /^Apelido é obrigatório\.$/, /espera-se .* Queria dizer InHouse\?$/],
    ] as const) {
      assert.match((await ask('POST', '/api/v2/profiles', { firstName: 'A' }, language)).detail, missing)
      const found = await ask('GET', '/api/v2/stays?filter[status]=inhouse', undefined, language)
      assert.match(found.detail, word)
    }
  })

  it('that is a field in another spelling, or with a letter dropped, asks for that field', async () => {
    const names = Object.keys(profile.fields).filter(
      (name) => name.length >= 5 && !profile.fields[name as 'title'].options.readOnly,
    )
    const spelled = fc.constantFrom<(name: string, at: number) => string>(
      (name) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).concat('_'),
      (name) => `${name.toUpperCase()}-`,
      (name, at) => name.slice(0, at) + name.slice(at + 1),
      (name, at) => `${name.slice(0, at)}x${name.slice(at)}`,
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), spelled, fc.nat(4), async (name, spell, at) => {
        const { detail, meta, source } = await ask(
          'PATCH',
          `/api/v2/profiles/${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}`,
          { [spell(name, at)]: 'x' },
        )
        if (source) assert.equal(meta.didYouMean, name, detail)
      }),
      { numRuns: 10 },
    )
    fc.assert(
      fc.property(fc.constantFrom(...names), spelled, fc.nat(4), (name, spell, at) => {
        assert.equal(didYouMean(spell(name, at), names), name)
      }),
    )
  })

  it('is never far from the one that is asked for, and takes no time', () => {
    const known = ['firstName', 'lastName', 'sort', 'id']
    for (const far of ['', 'x', 'x2', 'sore', 'q'.repeat(100_000), 'constructor', 'surname', '💶']) {
      const meant = didYouMean(far, known)
      assert.ok(meant === undefined || (far === 'sore' && meant === 'sort'), `${far.slice(0, 20)}: ${meant}`)
    }
  })
})

describe('An unknown name in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hints-'))
  after(() => rmSync(folder, { recursive: true }))
  const file = (name: string, content: object) => {
    writeFileSync(join(folder, name), JSON.stringify(content))
    return join(folder, name)
  }

  for (const [given, meant] of [
    ['time-zone', 'timeZone'],
    ['loglevel', 'logLevel'],
    ['rate_limits', 'rateLimits'],
    ['bakcup', 'backup'],
    ['allowedOrigin', 'allowedOrigins'],
  ] as const) {
    it(`${given} of the configuration asks for ${meant}`, () => {
      file('nightporter.json', { [given]: 1 })
      assert.throws(
        () => readConfig({ data: folder }),
        new RegExp(`is not a setting.* Did you mean ${meant}\\?$`),
      )
    })
  }

  it('of a map asks for its member, and of the file of the box for its setting', () => {
    const map = file('map.json', { 'unit-type': {} })
    assert.throws(() => readMap(map), /unit-type is not a member of a map.*\. Did you mean unitType\?$/)
    const says = (line: string) => readSettings(Buffer.from(line)).verdicts[0]!.says
    assert.match(says('adress = dhcp'), /not a setting; .* Did you mean address\?$/)
    assert.match(says('colour = red'), /not a setting; there are [^?]*$/)
  })
})
