import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, it } from 'node:test'
import { buildImage } from '../../image/build.ts'
import { cache } from '../../image/places.ts'
import { architecture, onlyAll } from './built.ts'

interface Manifest {
  files: Record<string, { sha256: string }>
}

describe('an image', onlyAll, () => {
  it('is the same, byte for byte, when it is built again from nothing', async () => {
    const digests: string[] = []
    for (const each of ['once', 'again']) {
      const folder = await buildImage(architecture(), { output: join(cache, each) })
      const name = basename(folder)
      const { files } = JSON.parse(readFileSync(join(folder, `${name}.manifest.json`), 'utf8')) as Manifest
      digests.push(
        ['raw', 'cdx.json', 'licences.txt'].map((ending) => files[`${name}.${ending}`]!.sha256).join(' '),
      )
    }
    assert.equal(digests[1], digests[0])
  })
})
