import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { addonPath, buildAddon, cannotCompile, type Processor, packagedAddon } from '../../../image/addon.ts'
import { seed } from '../../seed.ts'
import { type Answered, asked, chances, layOut, lost } from './power-loss/asked.ts'
import { disk } from './power-loss/disk.ts'
import { cannotRecord, logIn, recorded } from './power-loss/recording.ts'
import { reopened } from './power-loss/reopened.ts'

const states = 200
const root = mkdtempSync(join(tmpdir(), 'nightporter-torn-'))
after(() => rmSync(root, { recursive: true, force: true }))
const hook = new URL('./power-loss/other-addon.ts', import.meta.url).href
const processor = process.arch as Processor
const missing = cannotRecord() ?? cannotCompile(processor)

/** What went wrong in the states that power cuts leave of the appliance with an addon, on a disk that damages what lies beside a write. */
async function failuresWith(addon: string, name: string): Promise<{ failures: string[]; required: number }> {
  const folder = join(root, name)
  const answered: Answered[] = []
  const env = { ...process.env, NODE_OPTIONS: `--import=${hook}`, ADDON: addon }
  const calls = await recorded(join(folder, 'data'), logIn(root), (url) => asked(url, answered), env)
  const founded = calls.findIndex((call) => call.is === 'rename' && call.name === 'secret.key.founding')
  const chance = chances(seed)
  const cuts = Array.from(
    { length: states },
    () => founded + 1 + Math.floor(chance() * (calls.length - founded - 1)),
  )
  const played = disk()
  const failures: string[] = []
  let next = 0
  let required = 0
  for (const cut of cuts.sort((one, other) => one - other)) {
    while (next <= cut) played.call(calls[next++]!)
    layOut(join(folder, 'after'), played.afterLoss('scrambled', chance))
    const { at } = calls[cut]!
    required += answered.filter((each) => each.at <= at).length
    try {
      const missed = lost(answered, at, reopened(join(folder, 'after')).names)
      if (missed.length > 0) failures.push(`${missed.length} answers were lost after call ${cut}`)
    } catch (error) {
      failures.push(`${(error as Error).message} after call ${cut}`)
    }
  }
  return { failures, required }
}

it('a disk that damages what lies beside a write takes no answer from the addon compiled for it', {
  skip: missing ?? false,
}, async (t) => {
  const own = existsSync(addonPath) ? addonPath : join(root, 'own.node')
  if (!existsSync(own)) buildAddon(processor, own)
  const found = await failuresWith(own, 'own')
  t.diagnostic(`${states} states; ${found.required} answers had to be there`)
  assert.deepEqual(found.failures, [])
  assert.ok(found.required > 5_000)
})

it('the same disk takes answers from the addon of the package', {
  skip: missing ?? (existsSync(packagedAddon) ? false : 'the package has no addon for this machine'),
}, async (t) => {
  const { failures } = await failuresWith(packagedAddon, 'packaged')
  t.diagnostic(`${failures.length} of ${states} states lost answers, such as: ${failures[0]}`)
  assert.ok(failures.length > 0, 'the test finds no damage, so it proves nothing')
})
