import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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
    const read = attributesIn(readFileSync(join(pages, 'lib/resources.ts'), 'utf8'))
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
  const files = globSync('**/texts/*.ts', { cwd: pages })
  const languages = ['en', 'de', 'es', 'fr', 'pt']

  it('are there in five languages', () => {
    assert.ok(files.length >= 10)
    for (const file of files.filter((each) => /(^|[/-])en\.ts$/.test(each)))
      for (const language of languages)
        assert.ok(files.includes(file.replace(/en\.ts$/, `${language}.ts`)), `${file} in ${language}`)
  })
})
