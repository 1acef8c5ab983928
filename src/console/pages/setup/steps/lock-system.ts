import { h } from 'preact'
import { useState } from 'preact/hooks'
import { chip, Field, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { getList, send } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import { useSaving } from '../apply.ts'
import { stepForm } from './step-form.ts'
import { t } from './texts.ts'

interface Mapping {
  mapped: { unitName: string }[]
  kept: { unitName: string }[]
  unmapped: { unitName: string; reason: string }[]
}

interface LockSystemOptions {
  name: string
  driver: string
  /** Called when rooms have got their locks. */
  changed: () => void
}

/** A lock system with the rooms that have no lock yet: they get one by a pattern, or one by one. */
export function LockSystem({ name, driver, changed }: LockSystemOptions): View {
  const { data, problem, readAgain } = useRead(
    `locks of ${name}`,
    async (signal) => {
      const path = await pathOf(name, signal)
      return { path, ...(await mapUnits(`${path}?dryRun=true`, {})) }
    },
    ['system.setup-applied'],
  )
  const [pattern, setPattern] = useState('{name}')
  const [isDone, setDone] = useState(false)
  const saving = useSaving()
  const without = data ? [...data.mapped.map(({ unitName }) => unitName), ...data.unmapped.map(unitOf)] : []
  const saved = () => {
    readAgain()
    changed()
  }
  const map = () =>
    saving.run(async () => {
      if (!data) return
      const { unmapped } = await mapUnits(data.path, { pattern })
      setDone(unmapped.length === 0)
    }, saved)
  return el.article(
    { class: 'device', 'aria-label': name },
    el.div(
      { class: 'row' },
      el.h2(null, name),
      el.span(null, driver),
      data && chip(without.length === 0 ? 'ok' : 'warning', t.value.locks.mapped(data.kept.length), 'key'),
    ),
    problem && failure(problem, readAgain),
    stepForm(
      { saving, save: map, label: t.value.locks.map },
      h(Field, {
        label: t.value.locks.pattern,
        value: pattern,
        onInput: setPattern,
        hint: t.value.locks.patternHint,
      }),
    ),
    isDone && without.length === 0 && notice('ok', t.value.locks.allMapped),
    data && without.length > 0 && h(OneByOne, { path: data.path, rooms: without, saved }),
  )
}

const unitOf = ({ unitName }: { unitName: string }) => unitName

async function pathOf(name: string, signal: AbortSignal): Promise<string> {
  const path = '/api/config/v1/access-providers'
  const { data } = await getList<{ name: string }>(`${path}?page[size]=100`, { signal })
  const found = data.find(({ attributes }) => attributes.name === name)
  return `${path}/${found?.id}/actions/map-units`
}

async function mapUnits(path: string, body: object): Promise<Mapping> {
  const { meta } = await send('POST', path, { body, timeoutMs: 60_000 })
  return meta as unknown as Mapping
}

/** At most so many rooms are shown at once. */
const most = 20

interface OneByOneOptions {
  path: string
  rooms: readonly string[]
  saved: () => void
}

/** A field for each room without a lock, in which a person enters the name of its lock. */
function OneByOne({ path, rooms, saved }: OneByOneOptions): View {
  const [locks, setLocks] = useState<Readonly<Record<string, string>>>({})
  const [reasons, setReasons] = useState<Readonly<Record<string, string>>>({})
  const saving = useSaving()
  const shown = rooms.slice(0, most)
  const typed = shown.filter((room) => (locks[room] ?? '').trim() !== '')
  const save = () =>
    saving.run(async () => {
      const { unmapped } = await mapUnits(path, {
        locks: typed.map((unitName) => ({ unitName, lock: locks[unitName]!.trim() })),
      })
      setReasons(Object.fromEntries(unmapped.map(({ unitName, reason }) => [unitName, reason])))
    }, saved)
  return el.details(
    { open: true, class: 'new' },
    el.summary(null, t.value.locks.unmapped(rooms.length)),
    stepForm(
      { saving, save, label: t.value.locks.mapThese, isDisabled: typed.length === 0 },
      el.div(
        { class: 'columns' },
        shown.map((room) =>
          h(Field, {
            key: room,
            label: t.value.locks.lockOf(room),
            value: locks[room] ?? '',
            onInput: (lock: string) => setLocks({ ...locks, [room]: lock }),
            maxLength: 60,
            error: reasons[room] ?? null,
          }),
        ),
      ),
      rooms.length > most && el.p({ class: 'quiet' }, t.value.locks.moreRooms(rooms.length - most)),
    ),
  )
}
