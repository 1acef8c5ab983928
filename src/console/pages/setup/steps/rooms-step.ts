import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Field, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { tabs } from '../../lib/controls/tabs.ts'
import { TextArea } from '../../lib/controls/text-area.ts'
import { ApiError, getOne, sendOne } from '../../lib/server/api.ts'
import { applied, useSaving } from '../apply.ts'
import { useDraft } from '../draft.ts'
import type { StepOptions } from '../house.ts'
import { type Room, textOf, usualOccupancy } from './rooms.ts'
import { stepForm } from './step-form.ts'
import { t } from './texts.ts'

const pauseMs = 300
/** Further lines are mended after these. */
const mostProblems = 3

interface Preview {
  /** What was read. What is typed may be newer for a moment. */
  of: string
  rooms: readonly Room[]
  problem: string | null
}

/** The rooms, by a pattern or a list, with a preview before they are made. */
export function RoomsStep({ house, changed, next }: StepOptions): View {
  const { rooms, unitTypes = [] } = house.document
  const [typed, set, forget] = useDraft('rooms', {
    way: 'pattern' as 'pattern' | 'csv',
    pattern: typeof rooms === 'string' ? rooms : '',
    csv: '',
    names: {} as Record<string, string>,
    people: {} as Record<string, string>,
  })
  const preview = usePreview(typed.way, typed[typed.way])
  const saving = useSaving()
  const codes = [...new Set(preview.rooms.map(({ unitType }) => unitType))]
  const types = codes.map((code) => {
    const known = unitTypes.find((each) => each.code === code)
    const name = typed.names[code] ?? known?.name ?? usualName(code)
    return { code, name, people: typed.people[code] ?? String(known?.maxOccupancy ?? usualOccupancy(code)) }
  })
  const save = () =>
    saving.run(
      async () => {
        const unitTypes = types.map(({ code, name, people }) => {
          return { code, name, maxOccupancy: numberIn(people) }
        })
        await applied({ unitTypes, rooms: typed.way === 'pattern' ? typed.pattern : preview.rooms })
        forget()
      },
      () => {
        changed()
        next()
      },
    )
  return stepForm(
    {
      saving,
      save,
      isDisabled: preview.rooms.length === 0 || preview.of !== typed[typed.way],
      label: t.value.rooms.make(preview.rooms.length),
    },
    el.p(null, t.value.rooms.why),
    tabs(
      t.value.rooms.way,
      typed.way,
      [
        ['pattern', t.value.rooms.byPattern, null],
        ['csv', t.value.rooms.byList, null],
      ],
      (way) => set({ way }),
    ),
    typed.way === 'pattern'
      ? h(Field, {
          key: 'pattern',
          label: t.value.rooms.pattern,
          value: typed.pattern,
          onInput: (pattern: string) => set({ pattern }),
          hint: t.value.rooms.patternHint,
          error: preview.problem,
          isFirst: true,
        })
      : csvFields(typed.csv, preview.problem, (csv) => set({ csv })),
    types.length > 0 &&
      typeFields(types, (field, code, value) => set({ [field]: { ...typed[field], [code]: value } })),
    codes.length > 0 && previewOf(preview.rooms, codes),
  )
}

function typeFields(
  types: readonly { code: string; name: string; people: string }[],
  change: (field: 'names' | 'people', code: string, value: string) => void,
): View {
  return el.fieldset(
    { class: 'columns' },
    el.legend(null, t.value.rooms.types),
    types.flatMap(({ code, name, people }) => [
      h(Field, {
        key: code,
        label: t.value.rooms.typeName(code),
        value: name,
        onInput: (value: string) => change('names', code, value),
      }),
      h(Field, {
        key: `${code} people`,
        label: t.value.rooms.people(code),
        value: people,
        onInput: (value: string) => change('people', code, value),
        inputMode: 'numeric',
      }),
    ]),
  )
}

function csvFields(csv: string, problem: string | null, change: (csv: string) => void): View {
  return el.div(
    { class: 'stack', key: 'csv' },
    el.label(
      { class: 'field' },
      t.value.rooms.file,
      el.input({
        type: 'file',
        accept: '.csv,.txt,text/csv',
        onChange: ({ currentTarget }) =>
          void currentTarget.files?.[0]?.arrayBuffer().then((bytes) => change(textOf(bytes))),
      }),
    ),
    h(TextArea, { label: t.value.rooms.list, value: csv, onInput: change, maxLength: 60_000 }),
    problem === null ? el.p({ class: 'quiet' }, t.value.rooms.listHint) : notice('error', problem),
  )
}

function previewOf(rooms: readonly Room[], codes: readonly string[]): View {
  const floors = Map.groupBy(rooms, ({ floor }) => floor ?? '–')
  return el.section(
    { class: 'stack', 'aria-label': t.value.rooms.preview },
    el.h2(null, t.value.rooms.preview),
    el.p(
      { role: 'status' },
      codes.map((code) => `${rooms.filter(({ unitType }) => unitType === code).length} ${code}`).join(', '),
    ),
    el.dl(
      { class: 'floors' },
      [...floors].flatMap(([floor, own]) => [
        el.dt({ key: `floor ${floor}` }, t.value.rooms.floor(floor)),
        el.dd({ key: floor }, own.map(({ name }) => name).join(' ')),
      ]),
    ),
  )
}

/** The rooms that the pattern or the list describes, computed a moment after the last typed letter. */
function usePreview(way: 'pattern' | 'csv', text: string): Preview {
  const [preview, setPreview] = useState<Preview>({ of: '', rooms: [], problem: null })
  useEffect(() => {
    if (text.trim() === '') return setPreview({ of: text, rooms: [], problem: null })
    const stop = new AbortController()
    const read = () =>
      readRooms(way, text, stop.signal).then(
        (found) => setPreview({ of: text, rooms: found, problem: null }),
        (error: unknown) => {
          if (stop.signal.aborted) return
          setPreview({ of: text, rooms: [], problem: sentenceOf(error) })
        },
      )
    const timer = setTimeout(() => void read(), pauseMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [way, text])
  return preview
}

async function readRooms(
  way: 'pattern' | 'csv',
  text: string,
  signal: AbortSignal,
): Promise<readonly Room[]> {
  type Rooms = { rooms: Room[] }
  const { data } =
    way === 'csv'
      ? await sendOne<Rooms>('POST', '/api/config/v1/setup/actions/read-rooms', {
          body: { list: text },
          signal,
        })
      : await getOne<Rooms>(`/api/config/v1/setup/rooms?pattern=${encodeURIComponent(text)}`, { signal })
  return data.attributes.rooms
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof ApiError)) throw error
  const details = error.errors.slice(0, mostProblems).map(({ detail }) => detail)
  return details.join(' ') || error.message
}

/** Another text than a number is sent as it is, so that the box refuses it. */
const numberIn = (text: string) => (/^\s*\d+\s*$/.test(text) ? Number(text) : text)

/** The usual name of a type in the language of the page, otherwise its code. */
function usualName(code: string): string {
  return t.value.rooms.usual[code as keyof typeof t.value.rooms.usual] ?? code
}
