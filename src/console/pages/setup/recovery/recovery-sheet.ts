import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Field, loadingBar, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { prevented } from '../../lib/controls/prevented.ts'
import { type Task, useTask } from '../../lib/controls/task.ts'
import { dateOf, dateText } from '../../lib/language/format.ts'
import { getOne, send, sendOne } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import { confirmed, may, now } from '../../lib/server/session.ts'
import { saveAs } from '../download.ts'
import { t } from './texts.ts'

const path = '/api/config/v1/recovery-sheet'

interface State {
  recipients: number
  keptAt: string | null
}

/** A new recovery sheet. It exists only in this page and on paper. */
interface Sheet {
  words: string[]
  identity: string
  asked: number[]
  /** The name of the hotel. */
  property: string | null
}

/** Shows whether the box has a recovery sheet, and makes a new one: print it, then type some of its words. */
export function RecoverySheet(): View {
  const { data, problem, isLoading, readAgain } = useRead(
    'recovery sheet',
    async (signal) => (await getOne<State>(path, { signal })).data.attributes,
    ['system.recovery-sheet-kept'],
  )
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const [isTyping, setTyping] = useState(false)
  const task = useTask(readAgain)
  const make = () =>
    task.run('make', async () => {
      const { data: made } = await confirmed(() => sendOne<State & Sheet>('POST', `${path}/actions/begin`))
      setSheet(made.attributes)
      setTyping(false)
    })
  return el.section(
    { class: 'stack', 'aria-label': t.value.title },
    el.h2({ class: 'no-print' }, t.value.title),
    loadingBar(isLoading && !data),
    problem && failure(problem, readAgain),
    task.refusal && notice('error', task.refusal),
    data && !sheet && stateOf(data),
    sheet && !isTyping && paper(sheet, () => setTyping(true)),
    sheet &&
      isTyping &&
      h(TypedBack, { sheet, task, back: () => setTyping(false), kept: () => setSheet(null) }),
    !sheet &&
      may('backups.restore') &&
      el.p(
        { class: 'no-print' },
        button(data?.keptAt ? t.value.makeAnother : t.value.make, {
          onClick: make,
          ...task.of('make'),
        }),
      ),
  )
}

function stateOf({ keptAt, recipients }: State): View {
  if (keptAt) return notice('ok', t.value.keptAt(dayText(keptAt)))
  return recipients > 0 ? notice('info', t.value.otherKey) : notice('warning', t.value.none)
}

function paper({ words, identity, property }: Sheet, next: () => void): View {
  const made = dayText(now())
  const save = () =>
    saveAs(
      new Blob([fileOf(words, identity, property ?? '', made)], { type: 'text/plain' }),
      'nightporter-recovery.txt',
    )
  return el.article(
    { class: 'stack recovery' },
    el.h2(null, t.value.sheetOf(property ?? '')),
    el.p(null, t.value.what(made)),
    el.ol(
      { class: 'words', translate: false, lang: 'en' },
      words.map((word) => el.li({ key: word }, word)),
    ),
    el.p(null, t.value.how),
    el.p(
      { class: 'row no-print' },
      button(t.value.print, { onClick: () => print(), kind: 'main', icon: 'print' }),
      button(t.value.save, { onClick: save, icon: 'download' }),
      button(t.value.next, { onClick: next, icon: 'right' }),
    ),
    el.p({ class: 'hint no-print' }, t.value.onlyHere),
  )
}

/** With the year, because a sheet lies in the safe for years. */
function dayText(instant: string | number): string {
  return dateText(dateOf(instant), { day: 'numeric', month: 'long', year: 'numeric' })
}

/** Any age tool can use this file as an identity: lines that begin with # are comments. */
function fileOf(words: readonly string[], identity: string, hotel: string, made: string): string {
  const numbered = words.map((word, index) => `# ${index + 1}. ${word}`)
  const remarks = [t.value.sheetOf(hotel), t.value.what(made), t.value.how].map((line) => `# ${line}`)
  return `${[...remarks, ...numbered, identity].join('\n')}\n`
}

interface TypingOptions {
  sheet: Sheet
  task: Task
  back: () => void
  kept: () => void
}

/** The words to type, as proof that the sheet was printed. */
function TypedBack({ sheet: { asked }, task, back, kept }: TypingOptions): View {
  const [typed, setTyped] = useState<string[]>(asked.map(() => ''))
  const confirm = () =>
    task.run('confirm', async () => {
      const words = typed.map((each) => each.trim())
      await confirmed(() => send('POST', `${path}/actions/confirm`, { body: { words } }))
      kept()
    })
  return el.form(
    { class: 'stack', onSubmit: prevented(confirm) },
    el.p(null, t.value.typeBack),
    el.div(
      { class: 'columns' },
      asked.map((number, index) =>
        h(Field, {
          key: number,
          label: t.value.word(number),
          value: typed[index]!,
          onInput: (value: string) => setTyped(typed.with(index, value)),
          autocomplete: 'off',
          maxLength: 20,
          isFirst: index === 0,
        }),
      ),
    ),
    el.p(
      { class: 'row' },
      button(t.value.confirm, {
        onClick: () => {},
        type: 'submit',
        kind: 'main',
        ...task.of('confirm'),
        isDisabled: typed.some((each) => each.trim() === ''),
      }),
      button(t.value.showAgain, { onClick: back }),
    ),
  )
}
