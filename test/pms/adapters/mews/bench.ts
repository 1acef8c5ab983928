import { mews } from '../../../../src/pms/adapters/mews/mews.ts'
import {
  type SimulatedMews,
  simulatedMews,
} from '../../../../src/pms/adapters/mews/simulator/simulated-mews.ts'
import type { AdapterSetup, OpenedAdapter } from '../../../../src/pms/contract.ts'
import type { ChangePage, ReservationChange, SyncSide } from '../../../../src/pms/sync-contract.ts'
import { monday } from '../../../appliance.ts'

export const integrationId = 'c8bee838-7fb1-4f4e-8fac-ac87008b2f90'

/** A simulated property there, and the adapter of a house that asks it. */
export interface MewsBench {
  there: SimulatedMews
  open: OpenedAdapter
  side: SyncSide
  /** Milliseconds by which the clock of the house is ahead. */
  aheadMs: number
  reopen(): void
  close(): Promise<void>
}

export async function mewsBench(connection: Record<string, unknown> = {}): Promise<MewsBench> {
  const there = await simulatedMews({ startMs: monday })
  for (const name of ['201', '202', '203']) there.rooms.set(name, { id: roomId(name), category: 'DBL' })
  const setup = {
    configuration: {
      connection: { platformAddress: there.platformAddress, serviceId: there.serviceId, ...connection },
    },
    credentials: { clientToken: there.clientToken, accessToken: there.accessToken, integrationId },
    appliance: {
      clock: { now: () => there.now() + bench.aheadMs },
      settings: () => ({ timeZone: 'Europe/Lisbon' }),
    },
  } as unknown as AdapterSetup
  const opened = () => {
    const open = mews.open(setup)
    return { open, side: open.sync! }
  }
  const bench: MewsBench = {
    there,
    aheadMs: 0,
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

export const roomId = (name: string) => `aaaaaaaa-0000-4000-8000-000000000${name}`

export const reservationsIn = ({ changes }: ChangePage): ReservationChange[] =>
  changes.filter((change): change is ReservationChange => change.is === 'reservation')
