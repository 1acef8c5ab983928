import assert from 'node:assert/strict'
import {
  type SimulatedCloud,
  simulatedCloud,
  simulatedLock,
} from '../../drivers/ttlock/simulator/simulated-cloud.ts'
import { simulateTtlock } from '../../drivers/ttlock/simulator/simulator.ts'
import type { Clock } from '../../src/host/clock.ts'
import type { TestAppliance } from '../appliance.ts'
import { sockets } from './sockets.ts'

/** PIN locks of a simulated cloud, as an appliance is set up for them. */
export interface PinLocks {
  cloud: SimulatedCloud
  providerId: string
  /** Makes PINs when their stay is at most two days away. */
  controllerId: string
  /** The lock of a unit. */
  lockOf(unitName: string): number
  unplug(): void
}

/** Sets up a PIN lock for each of the units, behind two gateways in turn; `driver` speaks to their cloud. */
export async function pinLocks(
  { ask, clock }: Pick<TestAppliance, 'ask'> & { clock: Clock },
  units: readonly string[],
  driver = 'ttlock',
): Promise<PinLocks> {
  const plugs = sockets()
  const lockOf = (unitName: string) => 1001 + units.indexOf(unitName)
  const locks = units.map((unitName, index) =>
    simulatedLock(lockOf(unitName), index % 2 === 0 ? 'first' : 'second'),
  )
  const cloud = simulatedCloud({ clock, locks })
  const path = await plugs.plugIn((wire) => simulateTtlock(wire, cloud))
  const { clientId, clientSecret, username, password } = cloud
  const create = async (kind: string, body: object) => {
    const made = await ask('POST', `/api/config/v1/${kind}`, { body })
    assert.equal(made.status, 201, made.text)
    return String(made.body.data.id)
  }
  const providerId = await create('access-providers', {
    name: 'PIN locks',
    driver,
    connection: { baseUrl: path.replace('tcp:', 'http:'), settleMs: 0, timeoutMs: 400 },
    credentials: { clientId, clientSecret, username, password },
    unitMapping: units.map((unitName) => ({ unitName, externalCode: String(lockOf(unitName)) })),
  })
  const controllerId = await create('access-controllers', {
    name: 'PINs',
    providerId,
    kind: 'pin-generator',
    keyType: 'pinCode',
    virtualBefore: 'PT48H',
    timeoutMs: 5_000,
  })
  return { cloud, providerId, controllerId, lockOf, unplug: plugs.close }
}
