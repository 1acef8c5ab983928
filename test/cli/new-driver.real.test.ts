import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const list = 'src/composition/drivers.ts'

describe('a new driver', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-new-driver-'))
  mkdirSync(join(folder, 'src/composition'), { recursive: true })
  cpSync(join(root, list), join(folder, list))
  after(() => rmSync(folder, { recursive: true, force: true }))

  const make = (...words: string[]) =>
    spawnSync(process.execPath, [join(root, 'src/cli/new-driver.ts'), ...words], {
      cwd: folder,
      encoding: 'utf8',
    })
  const textOf = (path: string) => readFileSync(join(folder, path), 'utf8')

  for (const [name, before] of [
    ['aaa', 'crt571/antenna-driver'],
    ['jjj', 'k720/driver'],
    ['zzz', null],
  ] as const)
    it(`${name} is written, and added to the drivers in the order of their paths`, () => {
      const { status, stdout } = make(name, 'Acme & Sons')
      assert.equal(status, 0)
      for (const path of stdout.split('\n').filter((each) => each.endsWith('.ts') || each.endsWith('.md')))
        assert.ok(existsSync(join(folder, path)), path)
      assert.match(textOf(`drivers/${name}/driver.ts`), /vendor: 'Acme & Sons'/)
      const text = textOf(list)
      assert.match(text, new RegExp(String.raw`readonly Driver\[\] = \[${name}, `))
      const lines = text.split('\n').filter((line) => line.includes("'../../drivers/"))
      const next = lines[lines.findIndex((line) => line.startsWith(`import ${name} `)) + 1]
      assert.ok(before ? next!.includes(before) : next === undefined, String(next))
    })

  for (const words of [['aaa'], ['k-900'], ['K900'], [''], ['x'], ['../x'], ['ok', "O'Neill"]])
    it(`is refused by ${JSON.stringify(words)}, and changes nothing`, () => {
      const before = textOf(list)
      const { status, stderr } = make(...words)
      assert.equal(status, 64)
      assert.match(stderr, /\.\n$/)
      assert.equal(textOf(list), before)
    })
})
