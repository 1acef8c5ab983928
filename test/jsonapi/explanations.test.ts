import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import type { Command } from 'commander'
import { scopes } from '../../src/auth/scopes.ts'
import { commandLine } from '../../src/cli/run.ts'
import { DeviceFault, faultMeta, faults } from '../../src/devices/fault.ts'
import explanations from '../../src/jsonapi/locales/explanations.json' with { type: 'json' }
import { problems } from '../../src/resource/problem.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'

const source = globSync('src/**/*.ts', { cwd: `${import.meta.dirname}/../..` })
  .map((file) => readFileSync(`${import.meta.dirname}/../../${file}`, 'utf8'))
  .join('\n')
const codes = [...Object.keys(problems), ...Object.keys(faults)]
const all: Record<string, Record<string, string>> = explanations

describe('the explanation of a code', () => {
  let house: TestAppliance
  let openApi: string
  let paths: Record<string, Record<string, unknown>>
  before(async () => {
    house = await startAppliance({ sample: false })
    const { text, body } = await house.ask('GET', '/openapi.json')
    openApi = text
    paths = body.paths
  })
  after(() => house.stop())

  it('exists for every code, and for no other', () => {
    assert.deepEqual(Object.keys(all).sort(), codes.sort())
  })

  it('has three parts, each of whole sentences', () => {
    for (const [code, parts] of Object.entries(all)) {
      assert.deepEqual(Object.keys(parts), ['cause', 'meaning', 'action'], code)
      for (const text of Object.values(parts)) assert.match(text, /^[A-Z`].{8,250}\.$/, code)
      assert.equal(new Set(Object.values(parts)).size, 3, code)
    }
  })

  it('names only operations, commands, scopes and members that exist', () => {
    for (const [code, parts] of Object.entries(all)) {
      const text = Object.values(parts).join(' ')
      for (const [, name = ''] of text.matchAll(/`([^`]+)`/g))
        assert.ok(exists(name), `${code} names ${name}, which does not exist`)
      const plain = text.replaceAll(/`[^`]+`|OpenAPI/g, '')
      assert.doesNotMatch(plain, /\/api\/|nightporter|\bmeta\.|[a-z][A-Z]/, code)
    }
  })

  function exists(name: string): boolean {
    const [, method, path] = /^(GET|POST|PUT|PATCH|DELETE) (\/.*)$/.exec(name) ?? []
    if (method && path) return paths[path]?.[method.toLowerCase()] !== undefined
    if (name.startsWith('nightporter ')) return isCommand(name.split(' ').slice(1))
    const [, header, value] = /^([A-Z][\w-]+): (.*)$/.exec(name) ?? []
    if (header && value) return standardHeaders.includes(header) && openApi.includes(value)
    const last = name.replace(/^(meta|links|source)\./, '')
    if ((scopes as readonly string[]).includes(name) || standardHeaders.includes(name)) return true
    if (/^(-|eq|HH:MM|original: true|Authorization: Bearer)$/.test(last)) return true
    if (name in faultMembers) return true
    if (last !== name) return new RegExp(`\\b(meta|links|source)\\b[^;]{0,300}\\b${last}\\b`).test(source)
    return openApi.includes(`"${last}"`) || openApi.includes(`"name":"${last}[`)
  }

  it('is in the list and at its own address', async () => {
    const { body } = await house.ask('GET', '/problems', { token: null })
    assert.deepEqual(body.data.map(({ id }: { id: string }) => id).sort(), codes)
    for (const code of codes) {
      const { status, body } = await house.ask('GET', `/problems/${code}`, { token: null })
      assert.equal(status, 200, code)
      assert.partialDeepStrictEqual(body.data.attributes, all[code])
    }
  })

  it('is a page for a browser', async () => {
    const headers = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const { text, response } = await page('/problems/no-card', headers)
    assert.match(response.headers.get('content-type') ?? '', /^text\/html/)
    assert.match(response.headers.get('vary') ?? '', /Accept\b/)
    for (const part of Object.values(all['no-card']!)) assert.ok(text.includes(part), part)
    assert.match(text, /Please put a card on the reader\./)
    assert.doesNotMatch(text, /<script|undefined|`/)
    const list = await page('/problems', headers)
    for (const code of codes) assert.ok(list.text.includes(`href="/problems/${code}"`), code)
    assert.equal((await page('/problems/nothing', headers)).response.status, 404)
  })

  async function page(path: string, headers: Record<string, string>) {
    const response = await fetch(`${house.appliance.url}${path}`, { headers })
    return { response, text: await response.text() }
  }
})

const fault = faultMeta(new DeviceFault('no-card', 'In words.', { vendorCode: '1' }))
/** What `meta` of a device's failure holds. */
const faultMembers = Object.fromEntries(Object.keys(fault).map((name) => [`meta.${name}`, true]))

/** Headers of HTTP that the OpenAPI document names as security or content, not as parameters. */
const standardHeaders = ['Accept', 'Allow', 'Authorization', 'Content-Type', 'ETag', 'Retry-After']

function isCommand(words: readonly string[]): boolean {
  let at: Command | undefined = commandLine(new URL('file:///nightporter.ts'))
  for (const word of words) at = at?.commands.find((each) => each.name() === word)
  return at !== undefined
}
