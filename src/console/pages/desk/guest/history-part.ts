import { useEffect, useState } from 'preact/hooks'
import { type Answered, get, type Resource } from '../../lib/api.ts'
import { button, failure } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { momentText } from '../../lib/format.ts'
import { useRead } from '../../lib/read.ts'
import type { Key, Payment, Stay } from '../../lib/resources.ts'
import { may } from '../../lib/session.ts'
import { g } from './texts.ts'

interface Happening {
  sequence: string
  event: {
    type: string
    subject: string
    time: string
    data: { changed: string[]; by: { id: string; name: string | null } }
  }
}

interface Page {
  happenings: Happening[]
  next: string | null
}

const mostSubjects = 40
/** One request looks through a part of the journal only. */
const mostRequests = 5
const wanted = 8

/** Who did what with a stay, its keys and its payments, the newest first. */
export function History({
  stay,
  keys,
}: {
  stay: Resource<Stay>
  keys: readonly Resource<Key>[]
}): View | null {
  const isAllowed = may('events.read')
  const paths = `/api/v2/payments?filter[reservationId]=${stay.attributes.reservationId}&filter[voided][notnull]=1&page[size]=100`
  const ids = keys.map(({ id }) => id)
  const [older, setOlder] = useState<Page | null>(null)
  const { data, problem, readAgain } = useRead(
    isAllowed ? `history ${stay.id} ${ids.join()}` : null,
    async (signal) => {
      const payments = may('payments.read') ? (await get<Resource<Payment>[]>(paths, { signal })).data : []
      const subjects = [
        `stays/${stay.id}`,
        ...ids.map((id) => `keys/${id}`),
        ...payments.map(({ id }) => `payments/${id}`),
      ].slice(0, mostSubjects)
      return pageOf(
        `/api/v2/events?sort=-sequence&page[size]=50&filter[subject]=${subjects.join(',')}`,
        signal,
      )
    },
    ['stay.', 'key.', 'payment.'],
  )
  useEffect(() => setOlder(null), [data])
  if (!isAllowed) return null
  const lines = [...(data?.happenings ?? []), ...(older?.happenings ?? [])].filter(isTold)
  const next = older === null ? data?.next : older.next
  const readOlder = async (path: string) => {
    const page = await pageOf(path)
    setOlder({ happenings: [...(older?.happenings ?? []), ...page.happenings], next: page.next })
  }
  return el.section(
    { class: 'stack' },
    el.h3(null, g.value.history),
    problem && failure(problem, readAgain),
    data && lines.length === 0 && el.p({ class: 'quiet' }, g.value.noHistory),
    el.ol(
      { class: 'history' },
      lines.map(({ sequence, event }) =>
        el.li(
          { key: sequence },
          el.span({ class: 'quiet' }, momentText(event.time)),
          el.span(null, textOf(event)),
          el.span(
            { class: 'quiet' },
            event.data.by.name === null ? g.value.byBox : g.value.by(event.data.by.name),
          ),
        ),
      ),
    ),
    next && el.div(null, button(g.value.older, { onClick: () => void readOlder(next), icon: 'down' })),
  )
}

/** Reads until there are some lines, or a part of the journal was looked through. */
async function pageOf(path: string, signal?: AbortSignal): Promise<Page> {
  const happenings: Happening[] = []
  let next: string | null = path
  for (let requests = 0; next !== null && requests < mostRequests && happenings.length < wanted; requests++) {
    const page: Answered<Resource<Happening>[]> = await get(next, signal ? { signal } : {})
    happenings.push(...page.data.map(({ attributes }) => attributes))
    next = page.links?.next ?? null
  }
  return { happenings, next }
}

/** Whether a line says something to a person: the change of a status is told by its own event. */
function isTold({ event: { type, data } }: Happening): boolean {
  if (type === 'stay.changed') return fieldsIn(data.changed) !== ''
  return type in g.value.events
}

function textOf({ type, data }: Happening['event']): string {
  if (type === 'stay.changed') return g.value.events['stay.changed']!(fieldsIn(data.changed))
  return g.value.events[type]?.('') ?? type
}

/** The names of the changed fields that a clerk knows. Status and room have events of their own. */
function fieldsIn(changed: readonly string[]): string {
  return changed
    .flatMap((each) => (['status', 'units'].includes(each) ? [] : (g.value.fields[each] ?? [])))
    .join(', ')
}
