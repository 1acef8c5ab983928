import type { ServiceAnswer, ServiceRequest } from '../../../../src/devices/key-service.ts'
import type { Clock } from '../../../../src/host/clock.ts'
import { mews } from '../../../../src/pms/adapters/mews/mews.ts'
import type { AdapterSetup, OpenedAdapter } from '../../../../src/pms/contract.ts'
import type { ChangePage, ReservationChange, SyncSide } from '../../../../src/pms/sync-contract.ts'
import { simulatedMews } from '../../../../src/simulators/mews/simulated-mews.ts'
import type { SimulatedMews } from '../../../../src/simulators/mews/simulated-property.ts'
import { monday } from '../../../appliance.ts'
import { testClock } from '../../../test-clock.ts'

export const integrationId = 'c8bee838-7fb1-4f4e-8fac-ac87008b2f90'

/** A simulated property there, and the adapter of a house that asks it. */
export interface MewsBench {
  there: SimulatedMews
  open: OpenedAdapter
  side: SyncSide
  /** Milliseconds by which the clock of the house is ahead. */
  aheadMs: number
  /** Whether the units are inspected in the house. */
  isInspected: boolean
  /** The unit of an id in the house. */
  unit(resource: unknown, id: string): unknown
  /** The keys that were ordered of the house, and its answer. */
  orderKey(request: ServiceRequest): ServiceAnswer | Promise<ServiceAnswer>
  failures: unknown[]
  /** As a webhook says that something has changed. */
  heardOfRooms(): void
  reopen(): void
  close(): Promise<void>
}

/** `connection` may depend on the property there. */
export async function mewsBench(
  connection: Record<string, unknown> | ((there: SimulatedMews) => Record<string, unknown>) = {},
): Promise<MewsBench> {
  const there = await simulatedMews({ startMs: monday })
  for (const name of ['201', '202', '203']) there.rooms.set(name, { id: roomId(name), category: 'DBL' })
  const more = typeof connection === 'function' ? connection(there) : connection
  const clock = { ...quickClock(), now: () => there.now() + bench.aheadMs }
  const setup = {
    configuration: {
      connection: { platformAddress: there.platformAddress, serviceId: there.serviceId, ...more },
    },
    credentials: { clientToken: there.clientToken, accessToken: there.accessToken, integrationId },
    appliance: {
      clock,
      settings: () => ({ timeZone: 'Europe/Lisbon', checkInTime: '15:00', checkOutTime: '11:00' }),
      reader: {
        rows: () => (bench.isInspected ? [{ status: 'Inspected' }] : []),
        row: (resource: unknown, id: string) => bench.unit(resource, id),
      },
      orderKey: async (_: unknown, request: ServiceRequest) => bench.orderKey(request),
      failed: (error: unknown) => bench.failures.push(error),
    },
  } as unknown as AdapterSetup
  const opened = () => {
    const open = mews.open(setup)
    return { open, side: open.sync! }
  }
  const bench: MewsBench = {
    there,
    aheadMs: 0,
    isInspected: false,
    unit: () => null,
    orderKey: () => ({ outcome: 'done', text: null, uid: null, found: null }),
    failures: [],
    heardOfRooms: () =>
      bench.open.callback!({ text: JSON.stringify({ IntegrationId: integrationId }), header: () => '' }),
    ...opened(),
    reopen() {
      void bench.open.close?.()
      Object.assign(bench, opened())
    },
    async close() {
      await bench.open.close?.()
      await there.close()
    },
  }
  return bench
}

/** A clock on which a sleep takes no time. Its timers wait until a test lets time pass. */
function quickClock(): Clock {
  let elapsed = 0
  return {
    ...testClock({ always: false }),
    monotonic: () => elapsed,
    async sleep(ms) {
      elapsed += ms
    },
  }
}

export const roomId = (name: string) => `aaaaaaaa-0000-4000-8000-000000000${name}`

export const reservationsIn = ({ changes }: ChangePage): ReservationChange[] =>
  changes.filter((change): change is ReservationChange => change.is === 'reservation')
