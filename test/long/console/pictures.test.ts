import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { launchBrowser, withoutBrowser } from '../../console/browser.ts'
import { takePictures } from '../../console/handbook-pictures.ts'
import { handbookPictures } from '../../console/save-picture.ts'

/** A box in an emulated machine makes the others. */
const isOfPages = (name: string) => !name.startsWith('box-')

it('The pages still give each picture of the handbook, in its size', { skip: withoutBrowser }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-pictures-'))
  const browser = await launchBrowser()
  t.after(async () => {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await takePictures(browser, folder)
  const expected = sizesIn(handbookPictures)
  assert.ok(Object.keys(expected).length >= 6)
  assert.deepEqual(sizesIn(folder), expected, 'replace them: node test/console/take-pictures.ts')
  for (const name of readdirSync(folder))
    assert.ok(readFileSync(join(folder, name)).length > 4_000, `${name} shows something`)
})

function sizesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter(isOfPages).sort()
  return Object.fromEntries(names.map((name) => [name, sizeOf(readFileSync(join(folder, name)))]))
}

/** Width and height of a lossy WebP, in its plain or its extended form. */
function sizeOf(webp: Buffer): string {
  const kind = webp.toString('latin1', 12, 16)
  if (kind === 'VP8X') return `${webp.readUIntLE(24, 3) + 1}x${webp.readUIntLE(27, 3) + 1}`
  assert.equal(kind, 'VP8 ')
  return `${webp.readUInt16LE(26) & 0x3fff}x${webp.readUInt16LE(28) & 0x3fff}`
}
