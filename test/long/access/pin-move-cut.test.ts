import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { opens } from '../../../drivers/ttlock/simulator/simulated-cloud.ts'
import { systemClock } from '../../../src/host/clock.ts'
import type { Misbehaviour } from '../../../src/simulators/devices/misbehaviour.ts'
import { type ApplianceChild, applianceChild } from '../../access/appliance-child.ts'
import { until } from '../../access/house-with-doors.ts'
import { type PinLocks, pinLocks } from '../../access/pin-locks.ts'

/** Which door opens to the stay's PIN once the power is back; the power is cut at this call to the lock system. */
const cuts: [when: string, at: Pick<Misbehaviour, 'at' | 'does'>, unitName: '301' | '302'][] = [
  ['before the new lock has the PIN', { at: 'add', does: 'silence' }, '301'],
  ['when the new lock has the PIN', { at: 'add', does: 'pass' }, '302'],
  ['before the PIN is out of the old lock', { at: 'delete', does: 'silence' }, '302'],
  ['when the PIN is out of the old lock', { at: 'delete', does: 'pass' }, '302'],
]

const data = mkdtempSync(join(tmpdir(), 'nightporter-move-'))
let daemon: ApplianceChild
let locks: PinLocks

before(async () => {
  daemon = await applianceChild(data)
  locks = await pinLocks({ ask: daemon.ask, clock: { ...systemClock, now: daemon.now } }, ['301', '302'])
})
after(async () => {
  await daemon.stop()
  locks.unplug()
  rmSync(data, { recursive: true, force: true })
})

describe('a power cut while a guest moves', () => {
  for (const [when, cut, unitName] of cuts) {
    it(`${when} leaves him one door, ${unitName}`, async () => {
      const stay = `MOVE-${when.replaceAll(' ', '-')}`
      const first = await move(stay, '301')
      assert.equal(first.status, 200, first.text)
      const { pin } = first.body.data.attributes
      const then = daemon.kill
      locks.cloud.misbehaviours.push({ ...cut, then })
      // The answer may be on its way when the program dies; what it was does not matter here.
      await move(stay, '302').catch(() => {})
      await daemon.ended()
      // What was sent has reached the lock by then, or never will.
      await daemon.reboot(40_000)
      await until(
        'one door',
        async () => ({ opening: units.filter((unit) => opensAt(unit, pin)), known: await mayOpen(stay) }),
        (seen) => isDeepStrictEqual(seen, { opening: [unitName], known: [`${unitName} live`] }),
      )
    })
  }
})

const units = ['301', '302'] as const

function move(stay: string, unitName: string) {
  const dates = { startDate: '2026-06-01', endDate: '2026-06-03' }
  return daemon.ask('PUT', `/api/v2/access/controllers/${locks.controllerId}/keys/by-reservation/${stay}`, {
    body: { type: 'pinCode', unitName, original: true, ...dates },
  })
}

function opensAt(unitName: string, pin: string): boolean {
  return opens(locks.cloud, locks.lockOf(unitName), pin, daemon.now())
}

/** The keys of a stay that may open, as the store has them. */
async function mayOpen(stay: string): Promise<string[]> {
  const { body } = await daemon.ask(
    'GET',
    `/api/v2/access/keys?filter[externalId]=${stay}&filter[mayOpen]=true`,
  )
  return body.data.map(
    ({ attributes }: { attributes: Record<string, string> }) => `${attributes.unitName} ${attributes.status}`,
  )
}
