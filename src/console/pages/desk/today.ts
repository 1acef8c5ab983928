import { useState } from 'preact/hooks'
import { getAll, type Resource } from '../lib/api.ts'
import { asOfText, chip, failure, loadingBar, tabs } from '../lib/controls.ts'
import { classes, el, type View } from '../lib/el.ts'
import { dateText, moneyText } from '../lib/format.ts'
import { type Reading, useRead } from '../lib/read.ts'
import { guestOf, nameInList, numberOf, type Stay } from '../lib/resources.ts'
import { goTo } from '../lib/route.ts'
import { useRows } from '../lib/rows.ts'
import { today } from '../lib/session.ts'
import { t } from './texts.ts'

interface List {
  data: Resource<Stay>[]
  included: Resource[]
  isCut: boolean
}

type ListName = 'arrivals' | 'inHouse' | 'departures'

const mostShown = 100

function useStays(name: ListName, filter: string): Reading<List> {
  const path = `/api/v2/stays?${filter}&include=profiles&page[size]=${mostShown}`
  return useRead(`${name} ${path}`, (signal) => getAll<Stay>(path, mostShown, signal), [
    'stay.',
    'unit.',
    'key.',
  ])
}

/** Who comes, who is here, who leaves. Guests of earlier days who have not come stay under the arrivals. */
export function Today(): View {
  const [shown, setShown] = useState<ListName>('arrivals')
  const date = today.value
  const lists = {
    arrivals: useStays('arrivals', `filter[status]=Confirmed&filter[startDate][lte]=${date}&sort=startDate`),
    inHouse: useStays('inHouse', 'filter[status]=InHouse&sort=endDate'),
    departures: useStays('departures', `filter[status]=InHouse&filter[endDate][lte]=${date}&sort=endDate`),
  }
  const { data, isLoading, problem, asOf, readAgain } = lists[shown]
  const stays = data?.data ?? []
  const { chosen, choose } = useRows(
    stays.map(({ id }) => id),
    t.value.today,
    (id) => goTo('stay', [id]),
  )
  return el.section(
    { class: 'stack', 'aria-label': t.value.screens.today },
    el.h1(null, t.value.screens.today),
    tabs(
      t.value.screens.today,
      shown,
      (['arrivals', 'inHouse', 'departures'] as const).map((name) => [
        name,
        t.value.today[name],
        countOf(lists[name]),
      ]),
      setShown,
    ),
    loadingBar(isLoading),
    problem && failure(problem, readAgain),
    problem && asOfText(asOf),
    data && stays.length === 0 && el.p(null, emptyText(shown)),
    stays.length > 0 && table(stays, data?.included ?? [], chosen, choose),
    data?.isCut && el.p({ class: 'quiet' }, t.value.today.andMore),
  )
}

function countOf({ data }: Reading<List>): string | null {
  if (!data) return null
  return data.isCut ? `${mostShown}+` : String(data.data.length)
}

function emptyText(shown: ListName): string {
  const { nobodyArrives, nobodyInHouse, nobodyLeaves } = t.value.today
  return { arrivals: nobodyArrives, inHouse: nobodyInHouse, departures: nobodyLeaves }[shown]
}

function table(
  stays: readonly Resource<Stay>[],
  included: readonly Resource[],
  chosen: string | null,
  choose: (id: string) => void,
): View {
  const { guest, number, room, stay, toPay, state } = t.value.today
  return el.table(
    { class: 'list' },
    el.thead(
      null,
      el.tr(
        null,
        [guest, number, room, stay, toPay, state].map((each) => el.th({ scope: 'col' }, each)),
      ),
    ),
    el.tbody(
      null,
      stays.map((each) =>
        el.tr(
          {
            key: each.id,
            id: `row-${each.id}`,
            class: classes(each.id === chosen && 'chosen'),
            onClick: () => choose(each.id),
            onDblClick: () => goTo('stay', [each.id]),
          },
          el.td(null, el.a({ href: `#/stay/${each.id}` }, nameInList(guestOf(each, included)))),
          el.td(null, numberOf(each)),
          el.td(
            null,
            each.attributes.units.map(({ unitName }) => unitName ?? t.value.today.noRoom).join(', '),
          ),
          el.td(
            null,
            `${t.value.today.nights(each.attributes.nights)}, ${t.value.today.persons(each.attributes.personCount.total)}`,
          ),
          el.td(null, balance(each)),
          el.td(null, lateness(each)),
        ),
      ),
    ),
  )
}

function balance({ attributes: { outstanding, currency } }: Resource<Stay>): string {
  return outstanding && currency ? moneyText(outstanding, currency) : t.value.today.paid
}

function lateness({ attributes: { status, startDate, endDate } }: Resource<Stay>): View | null {
  const due = status === 'InHouse' ? endDate : startDate
  return due < today.value ? chip('warning', t.value.today.late(dateText(due)), 'clock') : null
}
