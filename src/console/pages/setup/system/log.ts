import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { button, Choice, Field, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { tabs } from '../../lib/controls/tabs.ts'
import { useTask } from '../../lib/controls/task.ts'
import { momentText } from '../../lib/language/format.ts'
import { ApiError, getAll, getList } from '../../lib/server/api.ts'
import { today } from '../../lib/server/session.ts'
import { saveAs } from '../download.ts'
import { t } from './texts.ts'

interface Line {
  level: string
  time: string
  message: string
  fields: Record<string, unknown>
}

type Shown = Line & { id: string }

/** The largest number of lines on the page. */
const most = 500
/** The box itself keeps fewer lines. */
const mostSaved = 20_000
const levels = ['debug', 'info', 'warn', 'error'] as const

/** The log, newest lines first, updated live. */
export function Log(): View {
  const [filter, setFilter] = useState({ level: 'info', device: '', requestId: '' })
  const [isPaused, setPaused] = useState(false)
  const query = new URLSearchParams(
    Object.entries(filter).flatMap(([name, value]) => (value === '' ? [] : [[`filter[${name}]`, value]])),
  ).toString()
  const { lines, problem, read } = useLines(query, isPaused)
  const task = useTask()
  const field = (name: 'device' | 'requestId') =>
    h(Field, {
      label: t.value[name],
      value: filter[name],
      onInput: (value: string) => setFilter({ ...filter, [name]: value }),
    })
  return el.div(
    { class: 'stack' },
    el.div(
      { class: 'columns' },
      h(Choice, {
        label: t.value.level,
        value: filter.level,
        choices: levels.map((each) => [each, t.value.levels[each]] as const),
        onChange: (level: string) => setFilter({ ...filter, level }),
      }),
      field('device'),
      field('requestId'),
    ),
    tabs(
      t.value.follow,
      isPaused ? 'pause' : 'follow',
      [
        ['follow', t.value.follow, null],
        ['pause', t.value.pause, null],
      ],
      (to) => setPaused(to === 'pause'),
    ),
    problem && failure(problem),
    task.refusal && notice('error', task.refusal),
    el.p(
      null,
      button(t.value.downloadLog, {
        onClick: () => task.run('download', () => downloadLog(query)),
        icon: 'download',
        isBusy: task.busy !== null,
      }),
    ),
    lines.length === 0 && el.p({ class: 'quiet' }, t.value.noLines),
    el.ol({ class: 'log', tabIndex: 0, 'aria-label': t.value.parts.log }, lines.map(lineView)),
    lines.length >= 50 && button(t.value.older, { onClick: () => void read(lines.at(-1)?.id), icon: 'down' }),
  )
}

/** The lines that fit the filter, the newest first, followed live unless paused. `read` adds those before a line. */
function useLines(query: string, isPaused: boolean) {
  const [lines, setLines] = useState<readonly Shown[]>([])
  const [problem, setProblem] = useState<ApiError | null>(null)
  const read = async (before: string | undefined, signal?: AbortSignal) => {
    const from = before === undefined ? '' : `&filter[sequence][lt]=${before}`
    const path = `/api/config/v1/log?${query}&page[size]=50${from}`
    const { data } = await getList<Line>(path, signal ? { signal } : {})
    const found = data.map(({ id, attributes }) => ({ id, ...attributes }))
    setLines((shown) => (before === undefined ? found : [...shown, ...found]).slice(0, most))
  }
  useEffect(() => {
    const stop = new AbortController()
    setProblem(null)
    read(undefined, stop.signal).catch((error: unknown) => {
      if (stop.signal.aborted) return
      if (!(error instanceof ApiError)) throw error
      setProblem(error)
    })
    return () => stop.abort()
  }, [query])
  useEffect(() => {
    if (isPaused) return
    const source = new EventSource(`/api/config/v1/log/stream?${query}`)
    source.onmessage = ({ data, lastEventId }) => {
      const line = JSON.parse(data as string) as Line & { sequence?: string }
      const id = line.sequence ?? lastEventId
      setLines((shown) =>
        shown.some((each) => each.id === id) ? shown : [{ ...line, id }, ...shown].slice(0, most),
      )
    }
    return () => source.close()
  }, [query, isPaused])
  return { lines, problem, read }
}

/** Saves all lines of the box that fit the filter, newest first, one JSON object a line. */
async function downloadLog(query: string): Promise<void> {
  const first = `/api/config/v1/log?${query}&page[size]=100`
  const { data } = await getAll<Line>(first, mostSaved)
  const text = data.map(({ attributes }) => `${JSON.stringify(attributes)}\n`).join('')
  saveAs(new Blob([text], { type: 'application/jsonl' }), `nightporter-log-${today.value}.jsonl`)
}

function lineView({ id, level, time, message, fields }: Shown): View {
  const more = Object.entries(fields).map(
    ([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
  )
  return el.li(
    { key: id, class: level },
    el.time({ dateTime: time }, momentText(time)),
    ' ',
    el.strong(null, level),
    ' ',
    message,
    ' ',
    el.span({ class: 'quiet' }, more.join(', ')),
  )
}
