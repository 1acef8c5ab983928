import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { it } from 'node:test'
import { cache, inTools } from '../../image/places.ts'
import { makeProgram } from '../../image/program.ts'
import { type Answered, asked, chances, lost } from '../long/store/power-loss/asked.ts'
import { reopened } from '../long/store/power-loss/reopened.ts'
import { seed } from '../seed.ts'
import { withImage } from './built.ts'
import { diskLog } from './disk-log.ts'
import { copiedFrom, recordedDisk } from './recorded-disk.ts'

const cuts = 200
const bytes = 256 << 20
const version = '0.6.0'

/** Runs the program of an image on a folder, with the libraries of its Debian, and returns its address and how it is killed. */
async function served(program: string, data: string): Promise<{ url: string; kill(): Promise<void> }> {
  const options = ['serve', '--data', data, '--listen', '127.0.0.1:0']
  const [first = '', ...line] = inTools([join(program, 'node'), join(program, 'nightporter.js'), ...options])
  const child = spawn(first, line, { stdio: ['ignore', 'pipe', 'inherit'] })
  const over = once(child, 'exit')
  for await (const text of createInterface(child.stdout)) {
    const url = /^nightporter listens on (\S+)/.exec(text)?.[1]
    if (!url) continue
    return {
      url,
      async kill() {
        child.kill('SIGKILL')
        await over
      },
    }
  }
  throw new Error('The program ended before it listened.')
}

interface Replay {
  folder: string
  log: ReturnType<typeof diskLog>
  chance: () => number
  answered: readonly Answered[]
}

/**
 * What is wrong with the data that the disk has when the power fails before each of these writes, in ascending order. The disk
 * has lied about the flushes among the last `ignored` writes.
 */
function failuresAt(moments: readonly number[], { folder, log, chance, answered }: Replay, ignored: number) {
  const { entries, applyAll, applySome, flushedOf } = log
  const [flushed = '', image = ''] = ['flushed.img', 'cut.img'].map((name) => join(folder, name))
  writeFileSync(flushed, '')
  truncateSync(flushed, bytes)
  const failures: string[] = []
  let [done, required] = [0, 0]
  for (const moment of moments) {
    const before = Math.max(done, flushedOf(moment - ignored))
    applyAll(flushed, done, before)
    done = before
    execFileSync('cp', ['--sparse=always', flushed, image])
    applySome(image, before, moment, chance)
    const { at } = entries[moment]!
    required += answered.filter((each) => each.at <= at).length
    try {
      copiedFrom(image, '/data', join(folder, 'after'))
      const missed = lost(answered, at, reopened(join(folder, 'after/data')).names)
      if (missed.length > 0) failures.push(`${missed.length} answers were lost before write ${moment}`)
    } catch (error) {
      failures.push(`${(error as Error).message} before write ${moment}`)
    }
  }
  return { failures, required }
}

it(`loses no answer at ${cuts} moments at which the power fails`, withImage, async (test) => {
  const folder = join(cache, 'machines', 'power-cut')
  rmSync(folder, { recursive: true, force: true })
  await makeProgram(join(folder, 'tree'), process.arch === 'arm64' ? 'arm64' : 'x64', { epoch: 0, version })
  const disk = await recordedDisk(folder, bytes)
  const answered: Answered[] = []
  let begin = 0
  try {
    const { url, kill } = await served(join(folder, 'tree/opt/nightporter'), join(disk.mount, 'data'))
    begin = statSync(disk.log).size
    await asked(url, answered, () => statSync(disk.log).size)
    await kill()
  } finally {
    await disk.close()
  }

  const log = diskLog(disk.log, { start: 0, size: bytes })
  const earliest = log.entries.findIndex(({ at }) => at >= begin)
  const within = log.entries.length - earliest
  const chance = chances(seed)
  const some = (count: number) =>
    Array.from({ length: count }, () => earliest + Math.floor(chance() * within)).sort((a, b) => a - b)
  const replay = { folder, log, chance, answered }
  const { failures, required } = failuresAt(some(cuts), replay, 0)
  test.diagnostic(`${within} writes and flushes; ${answered.length} answers, ${required} had to be there`)
  assert.deepEqual(failures, [])
  assert.ok(required > 5_000)
  const lying = failuresAt(some(20), replay, 200)
  assert.ok(lying.failures.length > 0, 'a disk that ignores flushes loses nothing, so this proves nothing')
})
