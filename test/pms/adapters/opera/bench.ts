import { virtualClock } from '../../../../src/host/virtual-clock.ts'
import { opera } from '../../../../src/pms/adapters/opera/opera.ts'
import type { AdapterSetup, OpenedAdapter } from '../../../../src/pms/contract.ts'
import type { ChangePage, ReservationChange, SyncSide } from '../../../../src/pms/sync-contract.ts'
import { stay } from '../../../../src/reservation/resources/stay.ts'
import type { Filter } from '../../../../src/resource/query.ts'
import { type SimulatedOpera, simulatedOpera } from '../../../../src/simulators/opera/simulated-opera.ts'
import { monday } from '../../../appliance.ts'

/** A simulated property there, and the adapter of a house that asks it. */
export interface OperaBench {
  there: SimulatedOpera
  open: OpenedAdapter
  side: SyncSide
  /** The statuses of units here by their names, which are their ids too. */
  units: Map<string, string>
  /** The stays in house here. */
  inHouse: { externalId: string; endDate: string }[]
  /** Milliseconds by which the clock of the house is ahead. */
  aheadMs: number
  reopen(): void
  close(): Promise<void>
}

export async function operaBench(
  connection: Record<string, unknown> = {},
  {
    startMs = monday,
    timeZone = 'UTC',
    ...timed
  }: { startMs?: number; timeZone?: string; now?(): number } = {},
): Promise<OperaBench> {
  const there = await simulatedOpera({ startMs, ...timed })
  there.timeZone = timeZone
  for (const name of ['201', '202', '203']) there.rooms.set(name, { roomType: 'DBL', status: 'Inspected' })
  const { gatewayUrl, hotelId, applicationKey, clientId, clientSecret } = there
  const setup = {
    configuration: { id: 'opera', connection: { gatewayUrl, hotelId, ...connection } },
    credentials: { applicationKey, clientId, clientSecret },
    appliance: {
      clock: { ...virtualClock(monday), now: () => there.now() + bench.aheadMs },
      reader: {
        row: (_: unknown, name: string) => ({ name, status: bench.units.get(name) }),
        rows: (resource: unknown, { filters }: { filters: Filter[] }) =>
          resource === stay
            ? bench.inHouse.filter((each) => fits({ status: 'InHouse', ...each }, filters))
            : [{ status: bench.units.get(String(filters[0]!.value)) }],
      },
      settings: () => ({ timeZone }),
    },
  } as unknown as AdapterSetup
  const opened = () => {
    const open = opera.open(setup)
    return { open, side: open.sync! }
  }
  const bench: OperaBench = {
    there,
    inHouse: [],
    aheadMs: 0,
    units: new Map(),
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

const fits = (row: Record<string, unknown>, filters: readonly Filter[]) =>
  filters.every(({ path, operator, value }) => {
    const found = row[path]
    if (found === undefined) return true
    if (operator === 'eq') return found === value
    return operator === 'gte' ? String(found) >= String(value) : String(found) < String(value)
  })

export const reservationsIn = ({ changes }: ChangePage): ReservationChange[] =>
  changes.filter((change): change is ReservationChange => change.is === 'reservation')
