import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { consoleRoutes } from '../../src/console/console-routes.ts'
import { importMap, uiFile } from '../../src/console/ui-files.ts'

const source = new URL('../../src/nightporter.js', import.meta.url)

it('a file that cannot exist is not found, whatever the disk says of its name', async () => {
  for (const path of [
    `${'a'.repeat(300)}.ts`,
    'boot.js/x.ts',
    '../main.ts',
    'desk/..%2fmain.ts',
    'desk/nothing.ts',
  ])
    await assert.rejects(uiFile(path, '', []), { code: 'not-found' }, path)
})

it('the files of the pages leave the quota of requests alone', () => {
  for (const { path, quota } of consoleRoutes('/nowhere', source)) assert.equal(quota, 'file', path)
})

it('each file of the pages from source is in a folder that a route serves', () => {
  const cwd = join(import.meta.dirname, '../../src/console/pages')
  const files = globSync('**/*.{ts,js,css,svg,mp3}', { cwd })
  assert.ok(files.length > 100, 'the files are found')
  const served = consoleRoutes('/nowhere', source).flatMap(
    ({ path }) => /(?:^|\/)ui\/(.+)/.exec(path)?.[1] ?? [],
  )
  const depths = new Set(served.map((path) => path.split('/').length))
  assert.deepEqual(
    files.filter((file) => !depths.has(file.split('/').length)),
    [],
  )
})

it('the table of currencies is where the pages from source ask for it, and no other file of the server is', async () => {
  const { imports } = JSON.parse(importMap()) as { imports: Record<string, string> }
  const asked = new URL('../../../../resource/values/currency.ts', 'http://box/ui/lib/language/format.ts')
    .pathname
  const { body, type } = await uiFile(imports[asked]!.slice('/ui/'.length), '', [])
  assert.match(type, /^text\/javascript/)
  assert.match(body.toString(), /export function exponentOf\(currency {8,}\)/)
  for (const path of ['resource/problem.ts', 'main.ts', 'resource/fields.ts'])
    await assert.rejects(uiFile(path, '', []), { code: 'not-found' }, path)
})
