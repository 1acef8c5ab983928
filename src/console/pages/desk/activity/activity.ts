import { h } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { asOfText, button, Choice, Field, loadingBar } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { linkTo } from '../../lib/controls/route.ts'
import { heads } from '../../lib/controls/rows.ts'
import { dateText, momentText } from '../../lib/language/format.ts'
import { getAll, getList, type Resource } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import type { Unit } from '../../lib/server/resources.ts'
import { may, session, station } from '../../lib/server/session.ts'
import { type Happening, isTold, readHappenings, textOf } from '../history/happenings.ts'
import { g } from '../stay/texts.ts'
import { type About, aboutAll, subjectsOf } from './about.ts'
import { t } from './texts.ts'

const families = ['stay.', 'key.', 'payment.', 'terminal-payment.', 'unit.']
const roomStatus = 'unit.status-changed'
const ofRoom = [roomStatus, 'unit.blocked', 'unit.unblocked']
const types = ['stay.*', 'key.*', 'payment.*', 'terminal-payment.changed', ...ofRoom].join()
const pageSize = 25

/** Who did what in the house, the newest first: stays, keys, payments and rooms, by person, room and day. */
export function ActivityScreen(): View {
  const [person, setPerson] = useState('')
  const [roomId, setRoom] = useState('')
  const [date, setDate] = useState('')
  // The addresses of the older pages that were opened, the one that is shown last.
  const [older, setOlder] = useState<readonly string[]>([])
  const known = useRef(new Map<string, Promise<About>>())
  const people = useRef(new Map<string, string>())
  const self = session.value
  if (self?.accountId) people.current.set(self.accountId, self.name)
  for (const { id, name } of useStaff() ?? []) people.current.set(id, name)
  const rooms = useRooms()
  const room = rooms?.find(({ id }) => id === roomId)
  const { data, problem, isLoading, asOf, readAgain } = useRead(
    `activity ${person} ${room?.id} ${date} ${older.at(-1)}`,
    async (signal) => {
      const subjects = room ? `&filter[subject]=${(await subjectsOf(room, date, signal)).join()}` : ''
      const first = `/api/v2/events?sort=-sequence&page[size]=${pageSize}&filter[type]=${types}${subjects}`
      const by = person && `&filter[by]=${encodeURIComponent(person)}`
      const path = older.at(-1) ?? `${first}${by}${date && `&filter[date]=${date}`}`
      const { happenings, next } = await readHappenings(path, 1, signal)
      const lines = happenings.filter((each) => isTold(each) || ofRoom.includes(each.event.type))
      for (const { event } of lines) {
        const { id, name } = event.data.by
        if (name !== null) people.current.set(id, name)
      }
      return { lines, next, about: await aboutAll(lines, known.current) }
    },
    families,
  )
  const from = (set: (value: string) => void) => (value: string) => {
    set(value)
    setOlder([])
  }
  const roomNames = new Map(rooms?.map(({ id, name }) => [id, name]))
  const next = data?.next
  return el.section(
    { class: 'stack', 'aria-label': t.value.title },
    el.h1(null, t.value.title),
    el.div(
      { class: 'row' },
      h(Choice, {
        label: t.value.person,
        value: person,
        choices: [['', t.value.everybody], ...people.current],
        onChange: from(setPerson),
      }),
      rooms &&
        h(Choice, {
          label: g.value.room,
          value: roomId,
          choices: [['', t.value.allRooms], ...roomNames],
          onChange: from(setRoom),
        }),
      h(Field, { label: t.value.day, type: 'date', value: date, onInput: from(setDate) }),
    ),
    roomId !== '' && el.p({ class: 'quiet' }, t.value.bounded),
    loadingBar(isLoading && !data),
    problem && failure(problem, readAgain),
    problem && asOfText(asOf),
    data?.lines.length === 0 && el.p(null, t.value.none),
    data && data.lines.length > 0 && table(data.lines, data.about, roomNames),
    el.div(
      { class: 'row' },
      older.length > 0 &&
        button(t.value.newer, { onClick: () => setOlder(older.slice(0, -1)), icon: 'left' }),
      next && button(t.value.older, { onClick: () => setOlder([...older, next]), icon: 'right' }),
    ),
  )
}

/** The people of the house, whatever lines are shown. A kiosk, a token and a person who has left come with their lines. */
function useStaff() {
  const isDesk = station.value !== null && station.value.kind !== 'kiosk'
  return useRead(isDesk ? 'people' : null, async (signal) =>
    namesIn((await getList<{ name: string }>('/api/v2/session/people', { signal })).data),
  ).data
}

function useRooms() {
  return useRead(may('units.read') ? 'rooms of the activity' : null, async (signal) =>
    namesIn((await getAll<Unit>('/api/v2/units?sort=name&page[size]=100', 1_000, signal)).data),
  ).data
}

const namesIn = (all: readonly Resource<{ name: string }>[]) =>
  all.map(({ id, attributes }) => ({ id, name: attributes.name }))

function table(
  lines: readonly Happening[],
  about: ReadonlyMap<string, About>,
  rooms: ReadonlyMap<string, string>,
): View {
  const { time, who, what, about: of } = t.value
  return el.table(
    { class: 'list' },
    heads([time, who, what, of]),
    el.tbody(
      null,
      lines.map(({ sequence, event }) =>
        el.tr(
          { key: sequence },
          el.td({ class: 'quiet' }, momentText(event.time)),
          el.td(null, event.data.by.name ?? t.value.box),
          el.td(null, whatOf(event, about.get(event.subject), rooms)),
          el.td(null, ...whomOf(event, about.get(event.subject), rooms)),
        ),
      ),
    ),
  )
}

type Rooms = ReadonlyMap<string, string>

function whatOf(event: Happening['event'], about: About | undefined, rooms: Rooms): string {
  const { from = '', to = '', unitId, startDate = '', endDate = '' } = event.data
  if (event.type !== roomStatus && ofRoom.includes(event.type)) {
    const dates = `${dateText(startDate)} – ${dateText(endDate)}`
    return event.type === 'unit.blocked' ? t.value.blocked(dates) : t.value.unblocked(dates)
  }
  if (event.type === roomStatus) {
    const names: Record<string, string> = g.value.unitStatus
    return `${t.value.roomStatus}: ${names[from] ?? from} → ${names[to] ?? to}`
  }
  const detail = unitId ? (rooms.get(unitId) ?? '') : (about?.detail ?? '')
  const isRefund = event.type.startsWith('payment.refund')
  const text = [textOf(event, about?.reason ?? null), detail].filter(Boolean).join(': ')
  return isRefund && about?.reason ? `${text} (${about.reason})` : text
}

function whomOf(event: Happening['event'], about: About | undefined, rooms: Rooms): (View | string)[] {
  if (ofRoom.includes(event.type)) return [rooms.get(event.data.id) ?? '–']
  if (!about) return ['–']
  const { guest, room, stayId } = about
  const name = guest || '–'
  const whom = stayId === null ? name : el.a({ href: linkTo('stay', stayId) }, name)
  return room === '' ? [whom] : [whom, `, ${room}`]
}
