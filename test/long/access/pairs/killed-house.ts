import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { type Clock, systemClock } from '../../../../src/host/clock.ts'
import { applianceChild } from '../../../access/appliance-child.ts'
import type { Ask } from '../../../appliance.ts'
import type { Running } from './play.ts'

/** A sample property in a process of its own, which is killed and started again beside what stays as it is. */
export interface KilledHouse extends Running {
  ask: Ask
  now(): number
  /** Shows `now`; its timers are the machine's. */
  clock: Clock
  killed(): number
}

const leaping = new URL('../../../access/leaping-process.ts', import.meta.url)
const spans = { short: 1_000, long: 75_000, days: 1_000 }
const threeDays = 3 * 86_400_000

/** Ends, and is removed, after the test. */
export async function killedHouse(): Promise<KilledHouse> {
  const data = mkdtempSync(join(tmpdir(), 'nightporter-killed-'))
  const daemon = await applianceChild(data, leaping)
  after(async () => {
    await daemon.stop()
    rmSync(data, { recursive: true, force: true })
  })
  const { ask, now } = daemon
  let killed = 0
  return {
    ask,
    now,
    clock: { ...systemClock, now },
    killed: () => killed,
    pass: (how) => daemon.leap(spans[how], how === 'days' ? threeDays : 0),
    restart: () => daemon.reboot(),
    kill() {
      killed++
      daemon.kill()
    },
    async revive() {
      for (let tries = 0; !daemon.isAlive() && tries < 5; tries++) await daemon.reboot()
    },
  }
}
