import { opens, type SimulatedCloud } from '../../drivers/ttlock/simulator/simulated-cloud.ts'
import { type Reply, startAppliance, type TestAppliance, type TestOptions } from '../appliance.ts'
import { pinLocks } from './pin-locks.ts'

/** A sample property with PIN locks on doors 301 and 302, behind gateways of a simulated cloud. */
export interface HouseWithPins extends TestAppliance {
  cloud: SimulatedCloud
  providerId: string
  /** Makes PINs when their stay is at most two days away. */
  controllerId: string
  make(body?: Record<string, unknown>, how?: Parameters<TestAppliance['ask']>[2]): Promise<Reply>
  reconcile(stay: string, body?: Record<string, unknown>): Promise<Reply>
  key(id: string): Promise<Record<string, unknown>>
  /** Whether these digits open the door at a moment; now unless said otherwise. */
  opens(unitName: string, pin: unknown, at?: number): boolean
  /** How often the cloud was told a PIN, or a change of one. */
  told(): number
}

export async function houseWithPins(options: TestOptions = {}): Promise<HouseWithPins> {
  const house = await startAppliance(options)
  const { cloud, providerId, controllerId, lockOf, unplug } = await pinLocks(house, ['301', '302'])
  const today = {
    type: 'pinCode',
    unitName: '301',
    original: true,
    startDate: '2026-06-01',
    endDate: '2026-06-03',
  }
  const one = `/api/v2/access/controllers/${controllerId}`
  const stop = house.stop
  return Object.assign(house, {
    cloud,
    providerId,
    controllerId,
    make: (body = {}, how = {}) => house.ask('POST', `${one}/key`, { body: { ...today, ...body }, ...how }),
    reconcile: (stay: string, body = {}) =>
      house.ask('PUT', `${one}/keys/by-reservation/${stay}`, { body: { ...today, ...body } }),
    key: async (id: string) => (await house.ask('GET', `/api/v2/access/keys/${id}`)).body.data.attributes,
    opens: (unitName: string, pin: unknown, at = house.clock.now()) =>
      opens(cloud, lockOf(unitName), String(pin), at),
    told: () => cloud.requests.filter(({ call }) => call === 'add' || call === 'change').length,
    async stop() {
      await stop()
      unplug()
    },
  })
}
