import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startAppliance } from '../../appliance.ts'
import { type Chance, disk, type Loss } from './power-loss/disk.ts'
import { cannotRecord, logIn, type Recorded, recorded } from './power-loss/recording.ts'
import { reopened } from './power-loss/reopened.ts'

const states = 1_000
/** So many of them are started as the whole appliance, too. */
const whole = 25
const losses: Loss[] = ['kill', 'all', 'some', 'torn']

/** What a client was told is done, with when it knew: Unix milliseconds. */
interface Answered {
  at: number
  code: string
  name: string
}

/** Asks the appliance for changes, one after another and many at once, with a pause in which the log is copied back. */
async function asked(url: string, answered: Answered[]): Promise<void> {
  const ask = async (method: string, path: string, attributes: { code: string; name: string }) => {
    const response = await fetch(`${url}/api/v2/amenities${path}`, {
      method,
      headers: { Authorization: 'Bearer demo', 'Content-Type': 'application/vnd.api+json' },
      body: JSON.stringify(attributes),
    })
    assert.ok(response.ok, `${response.status}`)
    const text = await response.text()
    answered.push({ at: Date.now() + 1, ...attributes })
    return text
  }
  const create = (code: string) => ask('POST', '', { code, name: code })
  const { id } = JSON.parse(await create('VERSION')).data as { id: string }
  for (const round of ['A', 'B']) {
    for (let one = 0; one < 15; one++) {
      await create(`${round}${one}`)
      await ask('PATCH', `/${id}`, {
        code: 'VERSION',
        name: `VERSION ${round}${String(one).padStart(2, '0')}`,
      })
    }
    for (let wave = 0; wave < 4; wave++)
      await Promise.all(Array.from({ length: 12 }, (_, one) => create(`${round}${wave}-${one}`)))
    if (round === 'A') await pause(12_000)
  }
}

/** Mulberry32. */
function chances(seed: number): Chance {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** After which calls the power goes: half of them within the first start, each of whose calls has its turn. */
function cuts(calls: readonly Recorded[], founded: number, chance: Chance): number[] {
  const within = (from: number, to: number) => from + Math.floor(chance() * (to - from))
  const chosen = Array.from({ length: states }, (_, index) => {
    if (index >= states / 2) return within(founded, calls.length)
    return index < founded ? index : within(0, founded)
  })
  return chosen.sort((one, other) => one - other)
}

/** What was lost that a client had been told, by the time of the cut. */
function lost(answered: readonly Answered[], at: number, names: Map<string, string>): Answered[] {
  return answered.filter((each) => each.at <= at && (names.get(each.code) ?? '') < each.name)
}

function layOut(data: string, files: Map<string, Buffer>): void {
  rmSync(data, { recursive: true, force: true })
  mkdirSync(data)
  for (const [name, bytes] of files) writeFileSync(join(data, name), bytes, { mode: 0o600 })
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
  const seed = Number(process.env.SEED ?? 20_261_122)
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
