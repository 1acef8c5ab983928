import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { oneAtATime } from '../../../src/devices/one-at-a-time.ts'
import { systemClock } from '../../../src/host/clock.ts'
import { applianceChild } from '../../access/appliance-child.ts'
import { pinLocks } from '../../access/pin-locks.ts'
import { playUntilKilled } from './pairs/killed.ts'
import { type PinHouse, pinPlays, pinWorld } from './pairs/pins.ts'

it('PINs: killed again and again, in its recovery too, the store says what is true at every lock', async () => {
  const house = await pinHouse()
  await playUntilKilled(pinWorld(house), pinPlays({ kills: true }), house.killed, 2)
})

const spans = { long: 75_000, days: 3 * 86_400_000 }

/** Locks that stay as they are while the program that speaks to their cloud is killed and started again. */
async function pinHouse(): Promise<PinHouse & { killed(): number }> {
  const data = mkdtempSync(join(tmpdir(), 'nightporter-killed-pins-'))
  const daemon = await applianceChild(data)
  const { ask, now } = daemon
  const { cloud, controllerId, unplug } = await pinLocks({ ask, clock: { ...systemClock, now } }, [
    '301',
    '302',
  ])
  after(async () => {
    await daemon.stop()
    unplug()
    rmSync(data, { recursive: true, force: true })
  })
  let killed = 0
  // Two that wait at the same time do not start it twice.
  const inTurn = oneAtATime(1_000, 'lock-system-busy')
  const reboot = (laterMs: number) => inTurn(() => daemon.reboot(laterMs))
  return {
    ask,
    cloud,
    controllerId,
    now,
    killed: () => killed,
    // Its clock stands still from start to start, and what it was at is tried anew after each.
    async pass(how) {
      if (how !== 'short') await reboot(spans[how])
      await sleep(how === 'short' ? 300 : 1_000)
    },
    restart: () => reboot(1_000),
    kill() {
      killed++
      daemon.kill()
    },
    async revive() {
      for (let tries = 0; !daemon.isAlive() && tries < 5; tries++) await reboot(1_000)
    },
  }
}
