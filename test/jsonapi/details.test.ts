import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { accessController } from '../../src/access/resources/access-controller.ts'
import { dispenser } from '../../src/access/resources/dispenser.ts'
import { key } from '../../src/access/resources/key.ts'
import { failureTexts } from '../../src/devices/driving/line-failure.ts'
import { faults } from '../../src/devices/fault.ts'
import { troubleText } from '../../src/devices/network/line-trouble.ts'
import { catalogue } from '../../src/jsonapi/catalogue.ts'
import { errorAnswer } from '../../src/jsonapi/errors.ts'
import { detailIn, details, patternOf, sourceOf } from '../../src/jsonapi/locales/detail.ts'
import { languages } from '../../src/jsonapi/locales/language.ts'
import { messageText } from '../../src/jsonapi/locales/message.ts'
import { amenity } from '../../src/reservation/resources/amenity.ts'
import { stay } from '../../src/reservation/resources/stay.ts'
import { unit } from '../../src/reservation/resources/unit.ts'
import { Problem, problems } from '../../src/resource/problem.ts'
import { play } from './scenario.ts'

const root = `${import.meta.dirname}/../..`

/** Where the details are made that kiosk, desk and set-up meet. */
const covered = [
  'src/access/{keys,cards,dispensers,pins}/**/*.ts',
  'src/access/{lookups,may-make-keys}.ts',
  'src/access/handles/handles.ts',
  'src/access/providers/{lock-system-of,lock-systems}.ts',
  'src/reservation/**/*.ts',
  'src/setup/**/*.ts',
]

interface Said {
  file: string
  code: string
  /** The sentence with `{}` for each parameter. */
  text: string
}

const literal = String.raw`'(?:[^'\\]|\\.)*'|\x60[^\x60]*\x60`

/** Functions that make a problem of one code from the sentence that is their second parameter. */
const helpers = {
  wrongStatus: 'key-status-transition',
  notAtKiosk: 'kiosk-scope',
  refuseDryRun: 'unknown-parameter',
}

/** The sentences in the code that stand beside their code, or beside the function that knows it, as literals. */
function saidIn(pattern: string | string[]): Said[] {
  return globSync(pattern, { cwd: root }).flatMap((file) => {
    const text = readFileSync(`${root}/${file}`, 'utf8')
    const beside = text.matchAll(
      new RegExp(String.raw`new (?:Problem|DeviceFault)\(\s*'([\w-]+)',\s*(${literal})`, 'g'),
    )
    const values = text.matchAll(new RegExp(String.raw`invalidValue\([^,]+,\s*()(${literal})`, 'g'))
    const named = text.matchAll(
      new RegExp(
        String.raw`const detail =\s*(${literal})(?:(?!const detail)[^]){0,400}?(?:new Problem\(\s*'([\w-]+)',|invalidValue\([^,]+,)\s*detail\b`,
        'g',
      ),
    )
    const variables = [...named].map(([whole, said, code]) => [whole, code, said])
    const guards = text.matchAll(new RegExp(String.raw`code: '([\w-]+)',\s*detail:\s*(${literal})`, 'g'))
    const helped = Object.entries(helpers).flatMap(([name, code]) =>
      [...text.matchAll(new RegExp(String.raw`(?<!function )\b${name}\([^,()]+,\s*(${literal})`, 'g'))].map(
        ([whole, said]) => [whole, code, said],
      ),
    )
    const patterns = text.matchAll(new RegExp(String.raw`new RoomPatternRefused\(\s*()(${literal})`, 'g'))
    return [...beside, ...values, ...variables, ...guards, ...helped, ...patterns].map(
      ([, code = '', said = '']) => ({
        file,
        code: code || 'validation-failed',
        text: plain(said),
      }),
    )
  })
}

/** All texts in a file that stand between quotes on one line, or between backticks. */
function literalsIn(file: string): string[] {
  const code = readFileSync(`${root}/${file}`, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const found = code.matchAll(/'(?:[^'\\\n]|\\.)*'|"[^"\n]*"|`[^`]*`/g)
  return [...found].map(([said]) => plain(said))
}

/** The text of a literal: `{}` for each `${…}`. */
function plain(said: string): string {
  const inner = said.slice(1, -1)
  return said.startsWith('`')
    ? inner.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '{}')
    : inner.replaceAll("\\'", "'")
}

/** Details whose sentence another part completes: each whole sentence is in the catalogue. */
const completed = [
  'No unit of type {} is left on {}{}.',
  'This token may make keys only {}.',
  'The key of the stay is no longer valid. {}',
  '{} of a stay that is {} cannot {}.',
  'A key that is {} cannot be {}.',
  '{} answered {}{} to {}. {}',
]
/** Details that another system or a driver words, or that repeat another detail. They stay as they are. */
const foreign = ['The lock code of {}: {}', 'Room {}: {}', '{}: {}']

const overMost = 'person-count-exceeds-occupancy'
const parametersOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()

describe('the catalogue of details', () => {
  it('has known codes', () => {
    const known = [...Object.keys(problems), ...Object.keys(faults)]
    assert.deepEqual(
      Object.keys(details()).filter((code) => !known.includes(code)),
      [],
    )
  })

  it('has each sentence in every language, with the same parameters', () => {
    for (const [code, sentences] of Object.entries(details())) {
      for (const texts of sentences) {
        const { source, ...rest } = texts
        assert.notEqual(source, texts.en, 'a source is only there where a reader gets other words')
        assert.deepEqual(Object.keys(rest).sort(), [...languages].sort(), `${code}: ${texts.en}`)
        for (const [language, text] of Object.entries(texts))
          assert.deepEqual(parametersOf(text), parametersOf(texts.en), `${code} in ${language}: ${text}`)
      }
    }
  })

  it('has each sentence once', () => {
    for (const [code, sentences] of Object.entries(details())) {
      const english = sentences.map((each) => sourceOf(each).replaceAll(/\{\w+\}/g, '{}'))
      assert.deepEqual(english, [...new Set(english)], code)
    }
  })

  it('has every detail of the reservation interface, of keys and dispensers, and of a set-up', () => {
    const missing = saidIn(covered)
      .filter(({ text }) => !completed.includes(text) && !foreign.includes(text))
      .filter(({ code, text }) => {
        const own = (details()[code] ?? []).map((each) => sourceOf(each).replaceAll(/\{\w+\}/g, '{}'))
        return !own.includes(text)
      })
    assert.deepEqual(missing, [], 'add these to src/jsonapi/locales/details.json, in every language')
  })

  it('has no sentence that nobody says any more', () => {
    const templates = new Set(globSync('src/**/*.ts', { cwd: root }).flatMap(literalsIn))
    const parts = completed.map((text) => patternOf(numbered(text)))
    const dead = Object.values(details())
      .flat()
      .map(sourceOf)
      .filter((en) => !templates.has(en.replaceAll(/\{\w+\}/g, '{}')) && !parts.some((each) => each.test(en)))
    assert.deepEqual(dead, [], 'the code words these otherwise by now')
  })

  it('returns the parameters in the other sentence', () => {
    const said = (code: string, text: string) => detailIn('de', code, text)
    assert.equal(
      said('key-status-transition', 'The key is now blocked.'),
      'Der Schlüssel ist jetzt „gesperrt“.',
    )
    assert.equal(
      said('stay-status-transition', 'A stay that is InHouse cannot become Canceled.'),
      'Ein Aufenthalt, der „Im Haus“ ist, kann nicht „Storniert“ werden.',
    )
    assert.equal(
      said('validation-failed', 'Expected {"data": [reservation, ...]}.'),
      'Erwartet: {"data": [reservation, ...]}.',
    )
    assert.equal(said('key-status-transition', 'Another sentence.'), null)
    assert.equal(said('key-status-transition', `The key is now ${'x'.repeat(1_000)}.`), null)
    assert.equal(said('toString', 'The key is now blocked.'), null)
  })

  it('names fields and resources for the reader, where the name is known', () => {
    for (const [language, code, text, read] of [
      [
        'de',
        'validation-failed',
        'stays/0/profiles/0/lastName must not be empty.',
        'Nachname darf nicht leer sein.',
      ],
      [
        'en',
        'validation-failed',
        'stays/0/profiles/0/lastName must not be empty.',
        'Last name must not be empty.',
      ],
      [
        'en',
        'validation-failed',
        'The house needs address.city of each guest.',
        'The house needs Town of each guest.',
      ],
      ['en', 'validation-failed', 'Another unit has name 101.', 'Another room has Name 101.'],
      [
        'en',
        'unit-occupied',
        'Unit 101 is assigned to stays on these dates. Assign other units to them first.',
        'Room 101 is assigned to stays on these dates. Assign other rooms to them first.',
      ],
      ['fr', 'validation-failed', 'emails/0 must be string.', null],
      ['en', 'validation-failed', 'toString/0 must not be empty.', 'toString/0 must not be empty.'],
    ] as const)
      assert.equal(detailIn(language, code, text), read)
  })

  it('names the values of enumerations for the reader, and has the form of a word for its number', () => {
    const became = 'A stay that is InHouse cannot become Canceled.'
    const persons = (max: number) => `At most ${max} persons are allowed, not 9.`
    for (const [language, code, text, read] of [
      ['en', 'stay-status-transition', became, 'A stay that is “In house” cannot become “Canceled”.'],
      ['fr', 'stay-status-transition', became, 'Un séjour « Présent » ne peut pas devenir « Annulé ».'],
      [
        'es',
        'validation-failed',
        'status must be one of Dirty, Clean, Other.',
        'Estado debe ser uno de estos valores: Dirty, Clean, Other.',
      ],
      [
        'de',
        'unit-blocked',
        'The unit is blocked from 2026-06-01 to 2026-06-03.',
        'Das Zimmer ist vom 2026-06-01 bis 2026-06-03 gesperrt.',
      ],
      ['en', overMost, persons(1), 'At most 1 person is allowed, not 9.'],
      ['en', overMost, persons(2), 'At most 2 persons are allowed, not 9.'],
      ['de', overMost, persons(1), 'Höchstens 1 Person ist erlaubt, nicht 9.'],
      ['es', overMost, persons(2), 'Se permiten como máximo 2 personas, no 9.'],
      ['fr', overMost, persons(0), '0 personne est admise au plus, et non 9.'],
      ['pt', overMost, persons(0), 'No máximo são permitidas 0 pessoas, não 9.'],
    ] as const)
      assert.equal(detailIn(language, code, text), read)
    for (const [code, text, read] of [
      [overMost, persons(1), 'At most 1 person is allowed, not 9.'],
      [overMost, persons(2), persons(2)],
      [
        'too-many-extra-units',
        'A key of Tower opens at most 1 extra units.',
        'A key of Tower opens at most 1 extra unit.',
      ],
      ['validation-failed', 'stays must have at least 1 items.', 'stays must have at least 1 item.'],
    ] as const) {
      const answer = errorAnswer(new Problem(code, text))
      assert.equal(JSON.parse(answer.text ?? '').errors[0].detail, read)
    }
    const once = { code: 'times-within-hour', values: { count: 1 } } as const
    assert.equal(messageText('de', once), ' (1 Verbindung in der letzten Stunde)')
  })

  it('names each status and kind, in every language, as the desk does', async () => {
    const values = catalogue<Record<string, Record<string, string>>>('values')
    const all = [stay.fields.status, unit.fields.status, key.fields.status, dispenser.fields.commandedState]
    const kinds = [accessController.fields.kind, accessController.fields.keyType, amenity.fields.scope]
    for (const word of [...all, ...kinds].flatMap(({ schema }) => [...(schema.enum as string[])]))
      assert.deepEqual(Object.keys(values[word] ?? {}).sort(), [...languages].sort(), word)
    // The pages look for the language in the browser's storage when they are loaded.
    Object.defineProperty(globalThis, 'localStorage', { value: { getItem: () => null } })
    for (const language of ['de', 'es', 'fr', 'pt']) {
      const of = async (folder: string) =>
        (await import(`../../src/console/pages/desk/${folder}/texts/${language}.ts`))[language]
      const { status, unitStatus, keyStatus } = await of('stay')
      const { states } = await of('devices')
      const { LeavesToday, Overdue, ...named } = { ...status, ...unitStatus, ...keyStatus, ...states }
      for (const [word, text] of Object.entries(named)) assert.equal(values[word]?.[language], text)
    }
  })

  it('has the reasons of a broken line in every language, alone and in the fault of a device or a PMS', () => {
    const all = catalogue<readonly Record<string, string>[]>('reasons')
    for (const texts of all) {
      assert.deepEqual(Object.keys(texts).sort(), [...languages].sort())
      for (const text of Object.values(texts)) assert.deepEqual(parametersOf(text), parametersOf(texts.en!))
    }
    const codes = ['ENOTFOUND', 'ETIMEDOUT', 'ECONNREFUSED', 'EPIPE', 'CERT_HAS_EXPIRED']
    const known = all.map(({ en }) => en)
    for (const code of codes) assert.ok(known.includes(troubleText({ code })), code)
    for (const text of Object.values(failureTexts)) assert.ok(known.includes(text), text)
    const away = `tcp://10.0.0.7:9100 cannot be reached: ${troubleText({ code: 'ECONNREFUSED' })}`
    for (const [code, text, read] of [
      [
        'encoder-offline',
        `Lobby encoder: ${away}`,
        'Lobby encoder: tcp://10.0.0.7:9100 ist nicht erreichbar: der Rechner unter dieser Adresse nimmt an diesem Port keine Verbindung an',
      ],
      [
        '',
        'The PMS cannot be reached (nothing answers at this address): GET /stays.',
        'Das PMS ist nicht erreichbar (unter dieser Adresse antwortet nichts): GET /stays.',
      ],
      ['dispenser-timeout', 'move to gate: no reply', 'move to gate: keine Antwort'],
      ['vendor-error', 'move to gate: something of its own', null],
    ] as const)
      assert.equal(detailIn('de', code, text), read)
  })

  it('names no field of the API to a reader that has a name in the languages', () => {
    // Who enters an externalId knows it by this name.
    const known = Object.keys(catalogue('fields')).filter(
      (name) => /[A-Z]/.test(name) && name !== 'externalId',
    )
    const named = new RegExp(`\\b(${known.join('|')}|registrationWaiver|unitMapping)\\b`)
    for (const [code, sentences] of Object.entries(details()))
      for (const { source, ...texts } of sentences)
        for (const text of Object.values(texts))
          assert.doesNotMatch(text.replaceAll(/\{\w+\}/g, ''), named, code)
  })

  it('calls a room a room in English', () => {
    for (const { en } of Object.values(details()).flat())
      assert.doesNotMatch(en.replaceAll(/\{\w+\}|access unit|scope \S+/g, ''), /\bunits?\b/i)
  })

  it('has each name of a field in every language', () => {
    for (const [name, texts] of Object.entries(catalogue<Record<string, object>>('fields')))
      assert.deepEqual(Object.keys(texts).sort(), [...languages].sort(), name)
  })
})

/** `{}` becomes `{p0}`, `{p1}`, which `patternOf` reads. */
function numbered(text: string): string {
  let count = 0
  return text.replaceAll('{}', () => `{p${count++}}`)
}

describe('a detail is returned', () => {
  play([
    {
      name: 'in the language of the request',
      ask: 'GET /api/v2/access/controllers/:nobody',
      headers: { 'Accept-Language': 'de-AT' },
      status: 404,
      says: { 'content-language': 'de' },
      holds: { errors: [{ detail: 'Es gibt keinen Controller mit dieser id.' }] },
    },
    {
      name: 'with the words of the reader, where the request names a language',
      ask: 'POST /api/v2/profiles',
      headers: { 'Accept-Language': 'en' },
      body: { lastName: '' },
      status: 422,
      holds: { errors: [{ detail: 'Last name must not be empty.' }] },
    },
    {
      name: 'with the names of the API for a program',
      ask: 'POST /api/v2/profiles',
      body: { lastName: '' },
      status: 422,
      holds: { errors: [{ detail: 'lastName must not be empty.' }] },
    },
    {
      name: 'in English by default',
      ask: 'GET /api/v2/access/controllers/:nobody',
      status: 404,
      says: { 'content-language': 'en' },
      holds: { errors: [{ detail: 'There is no access controller with this id.' }] },
    },
    {
      name: 'in English where it has no translation, and the answer says so',
      ask: 'GET /api/v2/units?page[size]=0',
      headers: { 'Accept-Language': 'fr' },
      status: 400,
      says: { 'content-language': 'fr, en' },
    },
  ])
})
