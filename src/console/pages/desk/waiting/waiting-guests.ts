import { useEffect, useRef } from 'preact/hooks'
import { doingAt } from '../../../../resource/values/kiosk-step.ts'
import { button, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { openStay } from '../../lib/controls/route.ts'
import { type Task, useTask } from '../../lib/controls/task.ts'
import { timeText } from '../../lib/language/format.ts'
import { isLanguage, languageNames } from '../../lib/language/language.ts'
import { type Resource, send } from '../../lib/server/api.ts'
import { useRead, useReadEvery } from '../../lib/server/read.ts'
import { may } from '../../lib/server/session.ts'
import { t } from '../texts.ts'
import { type HandOver, type HelpCall, readWaiting, type Waiting } from './read-waiting.ts'
import { soundForGuest } from './sound.ts'

/** How often the sound of a call is repeated until a person takes it, and what has ended disappears. */
const againMs = 15_000

/** The guests whom a kiosk could not help, on every screen until a person helps them. */
export function WaitingGuests(): View | null {
  const { data, readAgain } = useRead(may('hand-overs.read') ? 'waiting guests' : null, readWaiting, [
    'help-call.',
    'stay.handed-over',
    'stay.hand-over-finished',
    'stay.unit-assigned',
  ])
  const task = useTask(readAgain)
  const isEmpty = !data || data.calls.length + data.handOvers.length === 0
  useReadEvery(againMs, readAgain, !isEmpty)
  useSound(data)
  if (isEmpty) return null
  const called = new Set(data.calls.map(({ attributes }) => attributes.stayId))
  return el.div(
    { class: 'stack' },
    task.refusal && notice('error', task.refusal),
    data.calls.map((call) => el.div({ key: call.id }, callNotice(call, data, task))),
    data.handOvers
      .filter(({ attributes }) => !called.has(attributes.stayId))
      .map((each) => el.div({ key: each.id }, handOverNotice(each, data, task))),
  )
}

/** A guest who waits at the kiosk. The kiosk says that a person comes, once one has said so here. */
function callNotice(
  { id, attributes: call }: Resource<HelpCall>,
  { handOvers, guests }: Waiting,
  task: Task,
): View {
  const { stayId, kioskName, createdAt, language } = call
  const kiosk = kioskName ?? t.value.waiting.aKiosk
  const code = handOvers.find(({ attributes }) => attributes.stayId === stayId)?.attributes.code
  return notice(
    'error',
    t.value.waiting.call(kiosk, timeText(createdAt)),
    el.p(null, el.strong(null, guests.get(stayId ?? '')), code && ` ${t.value.waiting.code(code)}`),
    el.p(
      null,
      [reasonOf(call), doing(call), isLanguage(language) && spoken(languageNames[language])]
        .filter(Boolean)
        .join(' '),
    ),
    el.div(
      { class: 'row' },
      may('hand-overs.write') &&
        button(t.value.waiting.take, {
          onClick: () => task.run(id, () => send('POST', `/api/v2/help-calls/${id}/actions/take`)),
          icon: 'person',
          kind: 'main',
          ...task.of(id),
          name: `${t.value.waiting.take}: ${kiosk}`,
        }),
      stayId !== null && openButton(stayId, kiosk),
    ),
  )
}

/** A guest who comes to the desk with a code. */
function handOverNotice(
  { id, attributes: { code, stayId, createdAt, ...why } }: Resource<HandOver>,
  { guests }: Waiting,
  task: Task,
): View {
  return notice(
    'warning',
    t.value.waiting.guest(code, timeText(createdAt)),
    el.p(null, el.strong(null, guests.get(stayId))),
    el.p(null, reasonOf(why)),
    el.div(
      { class: 'row' },
      openButton(stayId, code),
      may('hand-overs.write') &&
        button(t.value.waiting.helped, {
          onClick: () => task.run(id, () => send('DELETE', `/api/v2/hand-overs/${id}`)),
          icon: 'check',
          ...task.of(id),
          name: `${t.value.waiting.helped}: ${code}`,
        }),
    ),
  )
}

const openButton = (stayId: string, of: string) =>
  button(t.value.waiting.open, {
    onClick: () => openStay(stayId),
    icon: 'person',
    name: `${t.value.waiting.open}: ${of}`,
  })

const spoken = (language: string) => t.value.waiting.speaks(language)

/** Returns why the guest waits; nothing for a word that only another kiosk knows. */
function reasonOf({ failure, step }: Pick<HandOver, 'failure' | 'step'>): string {
  const { failures, steps } = t.value.waiting
  return failures[failure ?? ''] ?? steps[step ?? ''] ?? ''
}

/** Returns what a guest was doing who has asked for help; nothing for a step that only another kiosk has. */
function doing({ failure, step }: HelpCall): string {
  const at = failure === 'guest-asks' ? doingAt(step) : null
  return at === null ? '' : t.value.waiting.doing[at]
}

/** Sounds for each guest who has come since the page was opened, and again and again while a guest waits at a kiosk. */
function useSound(waiting: Waiting | undefined): void {
  const known = useRef<ReadonlySet<string> | null>(null)
  useEffect(() => {
    if (!waiting) return
    const ids = new Set([...waiting.calls, ...waiting.handOvers].map(({ id }) => id))
    if (known.current && !ids.isSubsetOf(known.current)) soundForGuest()
    known.current = ids
  }, [waiting])
  const isCalled = waiting !== undefined && waiting.calls.length > 0
  useReadEvery(againMs, soundForGuest, isCalled)
}
