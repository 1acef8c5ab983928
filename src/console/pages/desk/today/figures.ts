import { el, type View } from '../../lib/controls/el.ts'
import { linkTo } from '../../lib/controls/route.ts'
import { moneyText } from '../../lib/language/format.ts'
import type { Reading } from '../../lib/server/read.ts'
import { today } from '../../lib/server/session.ts'
import type { FreeRooms } from './day.ts'
import type { ListName, StayList } from './lists.ts'
import { t } from './texts.ts'

interface FiguresOptions {
  lists: Readonly<Record<ListName, Reading<StayList>>>
  shown: ListName
  show: (name: ListName) => void
  free: FreeRooms | undefined
  date: string
}

/** The figures of the day. Those of a list open it. */
export function Figures({ lists, shown, show, free, date }: FiguresOptions): View {
  const ofList = (name: ListName) =>
    el.button(
      {
        key: name,
        type: 'button',
        class: 'figure',
        'aria-pressed': name === shown,
        onClick: () => show(name),
      },
      ...figure(t.value[name], countOf(lists[name])),
    )
  const balance = openBalance([lists.arrivals.data, lists.inHouse.data, lists.departures.data])
  return el.div(
    { class: 'figures', role: 'group', 'aria-label': t.value.title },
    ofList('arrivals'),
    ofList('inHouse'),
    ofList('departures'),
    free &&
      el.a(
        { class: 'figure wide', href: linkTo('rack') },
        ...figure(date === today.value ? t.value.freeTonight : t.value.free, String(free.count)),
      ),
    balance !== '' && el.p({ class: 'figure wide' }, ...figure(t.value.toPay, balance)),
    ofList('toGiveBack'),
  )
}

/** With the space, a screen reader says text and number as two words. */
const figure = (name: string, value: string | null) => [name, ' ', el.span({ class: 'count' }, value ?? '–')]

function countOf({ data }: Reading<StayList>): string | null {
  if (!data) return null
  return data.isAtLeast ? `${data.total}+` : String(data.total)
}

/** Returns what the guests of the day have to pay, in each currency; with a plus where not all of them were read. */
function openBalance(lists: readonly (StayList | undefined)[]): string {
  const read = lists.filter((each) => each !== undefined)
  const stays = new Map(read.flatMap(({ data }) => data.map((stay) => [stay.id, stay.attributes] as const)))
  const sums = new Map<string, number>()
  for (const { outstanding, currency } of stays.values())
    if (outstanding && outstanding > 0 && currency)
      sums.set(currency, (sums.get(currency) ?? 0) + outstanding)
  const more = read.some(({ total, data }) => total > data.length) ? '+' : ''
  return [...sums].map(([currency, sum]) => moneyText(sum, currency) + more).join(', ')
}
