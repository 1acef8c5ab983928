import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Chance } from './disk.ts'

/** What a client was told is done, with when it knew: Unix milliseconds, or bytes in a log of writes. */
export interface Answered {
  at: number
  code: string
  name: string
}

/**
 * Asks the appliance for changes, one after another and many at once, with a pause in which the log is copied back. `time` is that of
 * an answer.
 */
export async function asked(url: string, answered: Answered[], time = () => Date.now() + 1): Promise<void> {
  const ask = async (method: string, path: string, attributes: { code: string; name: string }) => {
    const response = await fetch(`${url}/api/v2/amenities${path}`, {
      method,
      headers: { Authorization: 'Bearer demo', 'Content-Type': 'application/vnd.api+json' },
      body: JSON.stringify(attributes),
    })
    assert.ok(response.ok, `${response.status}`)
    const text = await response.text()
    answered.push({ at: time(), ...attributes })
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

/** Returns numbers by chance (Mulberry32), the same ones for one seed. */
export function chances(seed: number): Chance {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** What was lost that a client had been told, by the time of the cut. */
export function lost(answered: readonly Answered[], at: number, names: Map<string, string>): Answered[] {
  return answered.filter((each) => each.at <= at && (names.get(each.code) ?? '') < each.name)
}

/** Writes the files of a crash image as a data folder. */
export function layOut(data: string, files: Map<string, Buffer>): void {
  rmSync(data, { recursive: true, force: true })
  mkdirSync(data)
  for (const [name, bytes] of files) writeFileSync(join(data, name), bytes, { mode: 0o600 })
}
