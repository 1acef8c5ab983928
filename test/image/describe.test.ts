import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { treeBlocks } from '../../image/bundle-for-update.ts'
import { sbomOf } from '../../image/sbom.ts'

describe('the descriptions of an image', () => {
  it('list parts as databases of vulnerabilities name them, the same for the same parts', () => {
    const parts = [
      { from: 'npm', name: '@koa/router', version: '15.7.0', license: 'MIT' },
      { from: 'deb', name: 'libstdc++6', version: '14.2.0-19', license: '', architecture: 'amd64' },
    ] as const
    const contents = {
      name: 'nightporter',
      version: '1.2.3',
      architecture: 'amd64',
      madeAt: 1_790_000_000,
      parts,
    }
    const sbom = sbomOf(contents) as { serialNumber: string; components: { purl: string }[] }
    assert.deepEqual(
      sbom.components.map(({ purl }) => purl),
      ['pkg:npm/%40koa/router@15.7.0', 'pkg:deb/debian/libstdc%2B%2B6@14.2.0-19?arch=amd64&distro=trixie'],
    )
    assert.match(
      sbom.serialNumber,
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
    )
    assert.deepEqual(sbomOf(contents), sbom)
    assert.notEqual(
      (sbomOf({ ...contents, parts: parts.slice(1) }) as typeof sbom).serialNumber,
      sbom.serialNumber,
    )
  })

  it('count the blocks of a verity tree', () => {
    assert.equal(treeBlocks(1), 1)
    assert.equal(treeBlocks(128), 2)
    assert.equal(treeBlocks(129), 4)
    assert.equal(treeBlocks(45_000), 1 + 352 + 3 + 1)
  })
})
