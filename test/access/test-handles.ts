import { handles } from '../../src/access/handles/handles.ts'
import type { Workshop } from '../../src/access/handles/workshop.ts'
import { drivers } from '../../src/composition/drivers.ts'

/** The handles of devices with the drivers of this build, without secrets and log. */
export function testHandles(own: Pick<Workshop, 'clock' | 'openWire' | 'lineUsers'>) {
  const plain = (text: string) => text
  const workshop = { drivers, lockDrivers: [], seal: plain, unseal: plain, mark: plain, log: () => {} }
  return handles({ ...workshop, ...own }, async () => {})
}
