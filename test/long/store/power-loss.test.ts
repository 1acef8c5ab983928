import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { startAppliance } from '../../appliance.ts'
import { seed } from '../../seed.ts'
import { type Answered, asked, chances, layOut, lost } from './power-loss/asked.ts'
import { type Chance, disk, type Loss } from './power-loss/disk.ts'
import { cannotRecord, logIn, type Recorded, recorded } from './power-loss/recording.ts'
import { reopened } from './power-loss/reopened.ts'

const states = 1_000
/** So many of them are started as the whole appliance, too. */
const whole = 25
const losses: Loss[] = ['kill', 'all', 'some', 'torn']

/** After which calls the power goes: half of them within the first start, each of whose calls has its turn. */
function cuts(calls: readonly Recorded[], founded: number, chance: Chance): number[] {
  const within = (from: number, to: number) => from + Math.floor(chance() * (to - from))
  const chosen = Array.from({ length: states }, (_, index) => {
    if (index >= states / 2) return within(founded, calls.length)
    return index < founded ? index : within(0, founded)
  })
  return chosen.sort((one, other) => one - other)
}

const missing = cannotRecord()
it('a power cut at any moment, the first start included, loses nothing that was answered', {
  skip: missing ?? false,
}, async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'nightporter-power-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const answered: Answered[] = []
  const calls = await recorded(join(root, 'data'), logIn(root), (url) => asked(url, answered))
  assert.ok(answered.length > 100)
  const founded = calls.findIndex(({ is, name }) => is === 'rename' && name === 'secret.key.founding')
  assert.ok(founded > 50, 'the first start was recorded')
  const chance = chances(seed)
  const played = disk()
  const data = join(root, 'after')
  const failures: string[] = []
  let next = 0
  let tried = 0
  let required = 0
  for (const cut of cuts(calls, founded, chance)) {
    while (next <= cut) played.call(calls[next++]!)
    const loss = losses[tried++ % losses.length]!
    const files = played.afterLoss(loss, chance)
    layOut(data, files)
    const { at, is, name } = calls[cut]!
    const when = `after call ${cut} of ${calls.length} (${is} ${name}), ${loss}, seed ${seed}`
    try {
      required += answered.filter((each) => each.at <= at).length
      const { names, settingsId } = reopened(data)
      for (const { code } of lost(answered, at, names)) failures.push(`${code} was lost ${when}`)
      if (tried % Math.floor(states / whole) === 0) {
        layOut(data, files)
        assert.equal(await settingsOf(data), cut > founded ? settingsId : await settingsOf(data))
      }
    } catch (error) {
      failures.push(`${(error as Error).message} ${when}`)
    }
  }
  t.diagnostic(`${tried} states of ${calls.length} calls; ${required} answers had to be there`)
  assert.deepEqual(failures.slice(0, 20), [], `${failures.length} failures`)
  assert.equal(tried, states)
  assert.ok(required > 10_000)
})

/** Starts the whole appliance, and asks which house it is. */
async function settingsOf(data: string): Promise<string> {
  const house = await startAppliance({ data })
  const reply = await house.ask('GET', '/api/config/v1/settings')
  await house.stop()
  return reply.body.data[0].id.replaceAll('-', '')
}
