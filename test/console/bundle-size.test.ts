import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type PageSet, pageSets } from '../../src/console/ui-files.ts'
import { program } from '../program.ts'

/**
 * What a first screen may load, in bytes as they go over the line: script with all that it imports, and style. The kiosk may load
 * 44 kB together. Of its script, 2 kB are the steps, the way back, the countdown and the settings of the house; its drawings are
 * loaded after the first screen.
 */
const kiosk = { script: 38_000, style: 6_000 }
const others = { script: 60_000, style: 12_000 }

const folder = fileURLToPath(new URL('ui/', program))
const isBundle = process.env.TEST_PROGRAM !== undefined

describe('the bundle of the pages', { skip: !isBundle && 'the program is the source' }, () => {
  const manifest = () =>
    JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Record<
      PageSet,
      { script: string; style: string }
    >

  for (const pages of pageSets)
    it(`of the ${pages} is small enough for a slow box`, () => {
      const { script, style } = manifest()[pages]
      const found = {
        script: [...importedBy(script)].reduce((sum, name) => sum + compressed(name), 0),
        style: compressed(style),
      }
      const most = pages === 'kiosk' ? kiosk : others
      const described = JSON.stringify(found)
      assert.ok(found.script <= most.script && found.style <= most.style, described)
    })
})

const compressed = (name: string) => readFileSync(join(folder, `${name}.gz`)).length

/** A script and what it imports at once; not what it imports when it is needed, such as a language. */
function importedBy(script: string, all = new Set<string>()): Set<string> {
  if (all.has(script)) return all
  all.add(script)
  const source = readFileSync(join(folder, script), 'utf8')
  for (const [, name = ''] of source.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g)) importedBy(name, all)
  return all
}
