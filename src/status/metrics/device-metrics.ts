import { dispenser } from '../../access/resources/dispenser.ts'
import type { Questions } from '../../resource/command.ts'
import type { Reader } from '../../resource/keeper.ts'
import type { Facts } from '../status-facts.ts'
import type { Family, Labels, Sample } from './open-metrics.ts'

/** How the issuance of a card can end. */
const endings = ['taken', 'handed', 'captured', 'left', 'failed', 'unknown'] as const
const counted = ['dispensed', 'captured', 'returned'] as const
const all = { filters: [], sort: [], page: { size: 100 } }

/** Returns the metrics of devices, cards and keys. Their labels name devices, never a unit, a guest or a card. */
export function deviceMetrics(
  reader: Reader,
  { devices }: Pick<Facts, 'devices'>,
  startedAt: number,
): Family[] {
  const nameOf = distinct()
  const bays = devices.map((each) => ({ ...each, labels: { kind: each.kind, bay: nameOf(each) } }))
  const labels = new Map(bays.map((each) => [each.id, each.labels]))
  const machines = reader
    .rows(dispenser, all)
    .flatMap((row) => (labels.has(row.id) ? [{ ...row, labels: labels.get(row.id)! }] : []))
  return [
    {
      name: 'nightporter_device_online',
      type: 'gauge',
      help: '1 while the device answers',
      samples: bays.map((each) => ({ labels: each.labels, value: Number(isOnline(each)) })),
    },
    {
      name: 'nightporter_device_healthy',
      type: 'gauge',
      help: '1 while no person has to look at the device',
      samples: bays.map((each) => ({ labels: each.labels, value: Number(each.status === 'pass') })),
    },
    {
      name: 'nightporter_device_retries',
      type: 'counter',
      help: 'Attempts that a dispenser repeated, since its first card',
      samples: machines.map((each) => ({ labels: each.labels, value: each.retries ?? 0 })),
    },
    {
      name: 'nightporter_dispenser_cards',
      type: 'counter',
      help: 'Cards that a dispenser has moved, since its first card',
      samples: machines.flatMap((each) =>
        counted.map((result) => ({ labels: { bay: each.labels.bay, result }, value: each[result] ?? 0 })),
      ),
    },
    {
      name: 'nightporter_dispenser_jams',
      type: 'counter',
      help: 'Cards that got stuck in a dispenser, since its first card',
      samples: machines.map((each) => ({ labels: { bay: each.labels.bay }, value: each.jams ?? 0 })),
    },
    {
      name: 'nightporter_cards_left',
      type: 'gauge',
      help: 'Cards in the stacker, where their number is known',
      samples: machines.flatMap((each) => known({ bay: each.labels.bay }, each.estimatedCards)),
    },
    cardsIssued(reader, startedAt),
    {
      name: 'nightporter_keys_live',
      type: 'gauge',
      help: 'Keys that open a door now',
      samples: [{ value: reader.count("SELECT count(*) FROM key WHERE status = 'live'") }],
    },
  ]
}

/** A machine with a fault answers; one whose state is `offline` or that is not open does not. */
function isOnline({ state }: Facts['devices'][number]): boolean {
  return state !== 'offline' && state !== 'closed' && state !== 'starting'
}

function cardsIssued({ all }: Pick<Questions, 'all'>, startedAt: number): Family {
  const rows = all<{ ending: string; cards: number }>(
    'SELECT ending, count(*) AS cards FROM card_run WHERE endedAt >= ? AND ending IS NOT NULL GROUP BY ending',
    startedAt,
  )
  return {
    name: 'nightporter_cards_issued',
    type: 'counter',
    help: 'Cards since the start of the program, by how their issuance ended',
    samples: endings.map((result) => ({
      labels: { result },
      value: rows.find(({ ending }) => ending === result)?.cards ?? 0,
    })),
  }
}

/** A sample, or none where the value is unknown. */
export function known(labels: Labels, value: number | null | undefined): Sample[] {
  return value === null || value === undefined ? [] : [{ labels, value }]
}

/** Returns a function that gives each thing of a kind a name of its own: the second of a name gets a number. */
export function distinct(): (named: { kind?: string; name: string }) => string {
  const seen = new Map<string, number>()
  return ({ kind = '', name }) => {
    const key = `${kind} ${name}`
    const times = (seen.get(key) ?? 0) + 1
    seen.set(key, times)
    return times === 1 ? name : `${name} (${times})`
  }
}
