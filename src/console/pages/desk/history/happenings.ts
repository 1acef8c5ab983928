import { moneyText, weekdayDate } from '../../lib/language/format.ts'
import { type Answered, getList, type Resource } from '../../lib/server/api.ts'
import { g } from '../stay/texts.ts'
import { t } from './texts.ts'

type Value = string | { currency: string; amount: number } | null

/** An event of the box, as a line of a history. */
export interface Happening {
  sequence: string
  event: {
    type: string
    subject: string
    time: string
    data: {
      id: string
      unitId?: string
      changed: string[]
      /** The former and the new value of some of the changed fields. */
      values?: Partial<Record<string, { from: Value; to: Value }>>
      by: { id: string; name: string | null }
      /** Of a block of a room. */
      startDate?: string
      endDate?: string
      /** The former and the new status of a room. */
      from?: string
      to?: string
    }
  }
}

/** The event of a payment at a terminal that has ended. `payment.recorded` reports one that was paid. */
const endedAtTerminal = 'terminal-payment.changed'
/** The largest number of requests for one page. Each request reads only a part of the journal. */
const mostRequests = 5

/** Reads events until there are `wanted` ones, or a limited part of the journal was read. `next` continues from there. */
export async function readHappenings(
  path: string,
  wanted: number,
  signal?: AbortSignal,
): Promise<{ happenings: Happening[]; next: string | null }> {
  const happenings: Happening[] = []
  let next: string | null = path
  for (let requests = 0; next !== null && requests < mostRequests && happenings.length < wanted; requests++) {
    const page: Answered<Resource<Happening>[]> = await getList<Happening>(next, signal ? { signal } : {})
    happenings.push(...page.data.map(({ attributes }) => attributes))
    next = page.links?.next ?? null
  }
  return { happenings, next }
}

/** Returns whether to show a line. A change of the status is left out, because it has an event of its own. */
export function isTold({ event: { type, data } }: Happening): boolean {
  if (type === 'stay.changed') return fieldsIn(data) !== ''
  if (type === endedAtTerminal) return data.changed.includes('state')
  return type in t.value.events
}

/** Returns what happened, in the words of a clerk. `reason` is why a payment at a terminal took no money. */
export function textOf({ type, data }: Happening['event'], reason: string | null): string {
  if (type === 'stay.changed') return t.value.events['stay.changed']!(fieldsIn(data))
  if (type === endedAtTerminal) return refusalOf(reason)
  return t.value.events[type]?.('') ?? type
}

/** Why a payment at a terminal took no money. */
function refusalOf(reason: string | null): string {
  const { refused, refusedAs, ends } = g.value.atTerminal
  return ends[reason ?? ''] ?? (reason ? refusedAs(reason) : refused)
}

/** The fields that have events of their own. The price of a stay is what is due for it, unless only its status has changed it. */
function isToldElsewhere(name: string, changed: readonly string[]): boolean {
  if (name === 'amount') return changed.includes('due')
  const isByStatus =
    changed.includes('status') && !changed.includes('amount') && !changed.includes('services')
  return name === 'status' || name === 'units' || (name === 'due' && isByStatus)
}

/** Returns the changed fields under the names that a clerk knows, with their values where the event has them. */
function fieldsIn({ changed, values = {} }: Happening['event']['data']): string {
  return changed
    .filter((name) => !isToldElsewhere(name, changed))
    .flatMap((name) => {
      const named = g.value.fields[name]
      const { from, to } = values[name] ?? {}
      if (named === undefined || from === undefined || to === undefined) return named ?? []
      return `${named} ${valueText(name, from)} → ${valueText(name, to)}`
    })
    .join(', ')
}

function valueText(name: string, value: Value): string {
  if (value === null) return '–'
  if (typeof value === 'object') return moneyText(value.amount, value.currency)
  return name.endsWith('Date') ? weekdayDate(value) : value
}
