import assert from 'node:assert/strict'
import { it } from 'node:test'
import { consoleRoutes } from '../../src/console/console-routes.ts'
import { uiFile } from '../../src/console/ui-files.ts'

it('a file that cannot exist is not found, whatever the disk says of its name', async () => {
  for (const path of [
    `${'a'.repeat(300)}.ts`,
    'boot.js/x.ts',
    '../main.ts',
    'desk/..%2fmain.ts',
    'desk/nothing.ts',
  ])
    await assert.rejects(uiFile(path, ''), { code: 'not-found' }, path)
})

it('the files of the pages leave the quota of requests alone', () => {
  for (const { path, quota } of consoleRoutes('/nowhere')) assert.equal(quota, 'file', path)
})
