import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type Reply, startAppliance, type TestAppliance, type TestOptions } from '../appliance.ts'
import { monday, passTime } from '../test-clock.ts'
import { type Publisher, publisher, restartAsked, type SimulatedGround, simulatedGround } from './box.ts'

export const path = '/api/config/v1/update'

export interface Box {
  house: TestAppliance
  ground: SimulatedGround
  source: Publisher
  /** The attributes of the update document. */
  read(): Promise<Reply['body']>
  act(action: string, body?: object): Promise<Reply>
  /** Lets time go by until the box has the step, or until an update has ended. */
  until(step: string): Promise<Reply['body']>
  /** The machine starts again, and with it the program. */
  startAgain(): Promise<void>
  events(): Promise<Reply['body'][]>
}

/** A box with an image, and a publisher that offers it 0.7.0. */
export async function box(
  t: TestContext,
  { update, ...more }: TestOptions = {},
  ...offer: [more?: object, bundle?: object]
): Promise<Box> {
  const now = more.now ?? monday
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-slots-'))
  const ground = simulatedGround(folder)
  const source = await publisher(now)
  source.publish('0.7.0', ...offer)
  const options = { ...more, update: source.settings(update), ground: ground.ground }
  const house = await startAppliance(options)
  t.after(async () => {
    await house.stop()
    await source.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const read = async () => (await house.ask('GET', path)).body.data.attributes
  return {
    house,
    ground,
    source,
    read,
    act: (action, body) => house.ask('POST', `${path}/actions/${action}`, body === undefined ? {} : { body }),
    async until(step) {
      for (let look = 0; look < 100; look++) {
        const found = await read()
        const isIdle = house.appliance.pendingWork() === 0
        if ((found.progress?.step ?? found.last?.result) === step && isIdle) return found
        await passTime(5_000)
      }
      assert.fail(`never ${step}: ${JSON.stringify(await read())}`)
    },
    startAgain: () => house.restart(() => ground.startMachine()),
    async events() {
      const types = 'filter[type]=system.update-finished'
      return (await house.ask('GET', `/api/config/v1/audit-entries?${types}`)).body.data
    },
  }
}

/** Begins an update without a backup, and lets it come to the restart. */
export async function toRestart(own: Box): Promise<void> {
  assert.equal((await own.act('install', { withoutBackup: true })).status, 200)
  await own.until('restarting')
  assert.equal(restartAsked(own.house.data), own.ground.bootId())
}
