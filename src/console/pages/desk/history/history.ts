import { useEffect, useState } from 'preact/hooks'
import { button } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { momentText, moneyText } from '../../lib/language/format.ts'
import { getList, type Resource } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import type { Key, Payment, Stay, TerminalPayment, Unit } from '../../lib/server/resources.ts'
import { may } from '../../lib/server/session.ts'
import { g } from '../stay/texts.ts'
import { type Happening, isTold, readHappenings, textOf } from './happenings.ts'
import { t } from './texts.ts'

interface Page {
  happenings: Happening[]
  next: string | null
  /** The rooms that were assigned or unassigned: names by id. */
  rooms: ReadonlyMap<string, string>
}

const mostSubjects = 40
const wanted = 8

/** The history of a stay, its keys and its payments, also those at a terminal that took no money, with the actors, newest first. */
export function History({
  stay,
  keys,
}: {
  stay: Resource<Stay>
  keys: readonly Resource<Key>[]
}): View | null {
  const isAllowed = may('events.read')
  const ids = keys.map(({ id }) => id)
  const [older, setOlder] = useState<Page | null>(null)
  const { data, problem, readAgain } = useRead(
    isAllowed ? `history ${stay.id} ${ids.join()}` : null,
    async (signal) => {
      const { payments, refused } = await paymentsOf(stay, signal)
      const subjects = [
        `stays/${stay.id}`,
        ...ids.map((id) => `keys/${id}`),
        ...payments.map(({ id }) => `payments/${id}`),
        ...refused.map(({ id }) => `terminal-payments/${id}`),
      ].slice(0, mostSubjects)
      const page = await pageOf(
        `/api/v2/events?sort=-sequence&page[size]=50&filter[subject]=${subjects.join(',')}`,
        signal,
      )
      return { ...page, payments, refused }
    },
    ['stay.', 'key.', 'payment.', 'terminal-payment.'],
  )
  useEffect(() => setOlder(null), [data])
  if (!isAllowed) return null
  const lines = [...(data?.happenings ?? []), ...(older?.happenings ?? [])].filter(isTold)
  const next = older === null ? data?.next : older.next
  const readOlder = async (path: string) => {
    const page = await pageOf(path)
    setOlder({
      happenings: [...(older?.happenings ?? []), ...page.happenings],
      next: page.next,
      rooms: new Map([...(older?.rooms ?? []), ...page.rooms]),
    })
  }
  const subjectOf = ({ data: { id, unitId } }: Happening['event']): string => {
    if (unitId) return data?.rooms.get(unitId) ?? older?.rooms.get(unitId) ?? ''
    const key = keys.find((each) => each.id === id)?.attributes
    if (key)
      return `${key.unitName ?? ''} ${key.keyType === 'pinCode' ? 'PIN' : g.value.madeAs(key.sequence, key.original)}`
    const payment = [...(data?.payments ?? []), ...(data?.refused ?? [])].find(
      (each) => each.id === id,
    )?.attributes
    return payment ? moneyText(payment.amount, payment.currency) : ''
  }
  const reasonOf = ({ data: { id } }: Happening['event']) =>
    data?.refused.find((each) => each.id === id)?.attributes.reason ?? null
  return el.section(
    { class: 'stack' },
    el.h3(null, t.value.history),
    problem && failure(problem, readAgain),
    data && lines.length === 0 && el.p({ class: 'quiet' }, t.value.noHistory),
    el.ol(
      { class: 'history' },
      lines.map(({ sequence, event }) =>
        el.li(
          { key: sequence },
          el.span({ class: 'quiet' }, momentText(event.time)),
          el.span(null, [textOf(event, reasonOf(event)), subjectOf(event)].filter(Boolean).join(': ')),
          el.span(
            { class: 'quiet' },
            event.data.by.name === null ? t.value.byBox : t.value.by(event.data.by.name),
          ),
        ),
      ),
    ),
    next && el.div(null, button(t.value.older, { onClick: () => void readOlder(next), icon: 'down' })),
  )
}

interface Payments {
  payments: Resource<Payment>[]
  /** The payments at a terminal that took no money. */
  refused: Resource<TerminalPayment>[]
}

async function paymentsOf({ id, attributes }: Resource<Stay>, signal: AbortSignal): Promise<Payments> {
  if (!may('payments.read')) return { payments: [], refused: [] }
  const recorded = `filter[reservationId]=${attributes.reservationId}&filter[voided][notnull]=1`
  const [payments, refused] = await Promise.all([
    getList<Payment>(`/api/v2/payments?${recorded}&page[size]=100`, { signal }),
    getList<TerminalPayment>(
      `/api/v2/terminal-payments?filter[stayId]=${id}&filter[state]=refused&sort=-id&page[size]=100`,
      { signal },
    ),
  ])
  return { payments: payments.data, refused: refused.data }
}

async function pageOf(path: string, signal?: AbortSignal): Promise<Page> {
  const { happenings, next } = await readHappenings(path, wanted, signal)
  const ids = happenings.flatMap(({ event }) => event.data.unitId ?? [])
  return { happenings, next, rooms: await roomsOf([...new Set(ids)], signal) }
}

async function roomsOf(ids: readonly string[], signal?: AbortSignal): Promise<Map<string, string>> {
  if (!may('units.read')) return new Map()
  const named = async (id: string): Promise<[string, string][]> => {
    const { data } = await getList<Unit>(`/api/v2/units?filter[id]=${id}`, signal ? { signal } : {})
    return data.map(({ attributes }) => [id, attributes.name])
  }
  return new Map((await Promise.all(ids.map(named))).flat())
}
