import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { faults } from '../../src/devices/fault.ts'
import { titleFor, titlesIn } from '../../src/jsonapi/locales/title.ts'
import { problems } from '../../src/resource/problem.ts'
import { play, type Scenario } from './scenario.ts'

const codes = [...Object.keys(problems), ...Object.keys(faults)].sort()

describe('the titles of errors', () => {
  for (const language of ['de', 'es', 'fr', 'pt'] as const) {
    it(`exist in ${language} for every code, and for no other`, () => {
      assert.deepEqual(Object.keys(titlesIn(language)).sort(), codes)
    })
  }

  const rows: [header: string | undefined, title: string][] = [
    [undefined, 'Not found'],
    ['', 'Not found'],
    ['en', 'Not found'],
    ['de', 'Nicht gefunden'],
    ['de-CH', 'Nicht gefunden'],
    ['DE', 'Nicht gefunden'],
    ['fr-CH, fr;q=0.9, en;q=0.8', 'Introuvable'],
    ['en;q=0.5, es', 'No encontrado'],
    ['nl, pt;q=0.3', 'Não encontrado'],
    ['nl', 'Not found'],
    ['*', 'Not found'],
    ['de;q=0, en', 'Not found'],
    ['de;q=0', 'Not found'],
    ['en, de', 'Not found'],
    [';;,=,de', 'Nicht gefunden'],
    [`${'x, '.repeat(500)}de`, 'Not found'],
  ]
  for (const [header, title] of rows) {
    it(`are ${title} for ${JSON.stringify(header)?.slice(0, 60)}`, () => {
      assert.equal(titleFor(header, 'not-found', 'Not found'), title)
    })
  }

  it('come from the maker of a foreign code', () => {
    assert.equal(titleFor('de', 'vendor-code-7', 'Its own title'), 'Its own title')
  })
})

const answers: Scenario[] = [
  {
    name: 'in the language of the request, with the detail as it is',
    ask: 'GET /api/v2/units?page[size]=0',
    headers: { 'Accept-Language': 'de-AT,de;q=0.9,en;q=0.8' },
    status: 400,
    holds: {
      errors: [{ code: 'invalid-page-size', title: 'Die Seitengröße liegt außerhalb des Bereichs' }],
    },
  },
  {
    name: 'in English where it says nothing',
    ask: 'GET /api/v2/units?page[size]=0',
    status: 400,
    holds: { errors: [{ title: 'The page size is out of range' }] },
  },
  {
    name: 'in the catalogue too',
    ask: 'GET /problems/encoder-offline',
    headers: { 'Accept-Language': 'pt-BR' },
    token: null,
    status: 200,
    holds: { data: { attributes: { title: 'O codificador não está ligado' } } },
  },
  {
    name: 'in its list as well',
    ask: 'GET /problems',
    headers: { 'Accept-Language': 'fr' },
    token: null,
    status: 200,
    also: ({ body }) => {
      const [found] = body.data.filter(({ id }: { id: string }) => id === 'internal')
      assert.equal(found.attributes.title, 'Erreur inattendue')
    },
  },
]

describe('a title is returned', () => play(answers))
