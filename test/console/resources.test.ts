import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { startAppliance } from '../appliance.ts'

const pages = join(import.meta.dirname, '../../src/console/pages')

/** The interfaces of the attributes that pages read, with their members: `Stay` has `startDate`. */
function attributesIn(source: string): Map<string, string[]> {
  const interfaces = [...source.matchAll(/^export interface (\w+) \{\n([\s\S]*?)^\}/gm)]
  const membersOf = (body: string) => [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, name = '']) => name)
  return new Map(interfaces.map(([, name = '', body = '']) => [name, membersOf(body)]))
}

interface Schemas {
  components: { schemas: Record<string, { properties: { attributes: { properties: object } } }> }
}

describe('the attributes that pages read', () => {
  it('are in the OpenAPI document by these names', async (context) => {
    const house = await startAppliance()
    context.after(() => house.stop())
    const { components } = (await house.ask('GET', '/openapi.json')).body as Schemas
    const read = attributesIn(readFileSync(join(pages, 'lib/server/resources.ts'), 'utf8'))
    assert.ok(read.size >= 4, 'the interfaces are found')
    for (const [name, members] of read) {
      const known = Object.keys(components.schemas[name]?.properties.attributes.properties ?? {})
      assert.deepEqual(
        members.filter((each) => !known.includes(each)),
        [],
        `attributes of ${name}`,
      )
    }
  })
})

describe('the texts of the pages', () => {
  it('are there in five languages', () => {
    const files = globSync('**/*texts.ts', { cwd: pages })
    assert.ok(files.length > 15, `${files.length} files of texts`)
    const missing = files.flatMap((file) => {
      const [, path] =
        /import\(`(.+)\$\{language\}\.ts`\)/.exec(readFileSync(join(pages, file), 'utf8')) ?? []
      assert.ok(path, `${file} imports the other languages`)
      return ['de', 'es', 'fr', 'pt']
        .map((language) => join(dirname(file), `${path}${language}.ts`))
        .filter((other) => !existsSync(join(pages, other)))
    })
    assert.deepEqual(missing, [])
  })
})

describe('the checks of the status', () => {
  it('have names for a person', () => {
    const read = (path: string) => readFileSync(join(pages, path), 'utf8')
    const namesIn = (source: string) =>
      [...source.matchAll(/^ {2,4}'([a-z-]+:[a-zA-Z-]+)':/gm)].map(([, name]) => name)
    const checks = namesIn(read('../../status/status-checks.ts'))
    assert.ok(checks.length > 20, 'the checks are found')
    const named = namesIn(read('lib/language/check-texts.ts'))
    assert.deepEqual(
      checks.filter((each) => !named.includes(each)),
      [],
    )
  })
})
