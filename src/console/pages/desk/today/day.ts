import { h } from 'preact'
import { button, Field } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { plusDays, weekdayDate } from '../../lib/language/format.ts'
import { getList, type Resource } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import type { UnitType } from '../../lib/server/resources.ts'
import { may, today } from '../../lib/server/session.ts'
import { t } from './texts.ts'

const expected = ['Tentative', 'Waitlisted', 'Canceled', 'NoShow']
  .map((status) => `filter[status][ne]=${status}`)
  .join('&')

/** The filters of the lists of another day than today: also guests who have arrived, or have left, by now. */
export const filtersOn = (date: string) => ({
  arrivals: `filter[startDate]=${date}&${expected}&sort=startDate`,
  inHouse: `filter[startDate][lte]=${date}&filter[endDate][gt]=${date}&${expected}&sort=endDate`,
  departures: `filter[endDate]=${date}&${expected}&sort=endDate`,
})

/** The free rooms of a date, and the codes of the room types by their ids. */
export interface FreeRooms {
  count: number
  types: ReadonlyMap<string, string>
}

interface DayOptions {
  date: string
  /** Null for today, also after midnight. */
  choose: (date: string | null) => void
}

/** The day of the lists: its date, the days beside it, and any other. */
export function DayChoice({ date, choose }: DayOptions): View {
  // While a year is typed, its first digits are a year too. The box takes dates from 1900 on.
  const set = (to: string) => to >= '1900' && choose(to === today.value ? null : to)
  return el.div(
    { class: 'row day' },
    button('', { onClick: () => set(plusDays(date, -1)), icon: 'left', name: t.value.dayBefore }),
    h(Field, { label: t.value.day, type: 'date', value: date, onInput: set }),
    button('', { onClick: () => set(plusDays(date, 1)), icon: 'right', name: t.value.dayAfter }),
    date !== today.value && button(t.value.title, { onClick: () => choose(null) }),
  )
}

/** Reads how many rooms can be sold for the night of a date; undefined before the answer, and without the right. */
export function useFreeRooms(date: string): FreeRooms | undefined {
  return useRead(
    may('availability.read') ? `free ${date}` : null,
    async (signal) => {
      const path = `/api/v2/availability/unit-types?filter[startDate]=${date}&filter[endDate]=${date}&include=unitType&page[size]=100`
      const { data, included = [] } = await getList<{ quantity: number }>(path, { signal })
      const types = (included as Resource<UnitType>[]).map(
        ({ id, attributes: { code, name } }) => [id, code || name] as const,
      )
      return {
        count: data.reduce((sum, { attributes }) => sum + Math.max(0, attributes.quantity), 0),
        types: new Map(types),
      }
    },
    ['availability.', 'stay.', 'unit.'],
  ).data
}

/** `Today`, or the weekday and the date of another day. */
export const dayTitle = (date: string) => (date === today.value ? t.value.title : weekdayDate(date))
