import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, chip, Dialog, Field, loadingBar, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { useShortcuts } from '../../lib/controls/keys.ts'
import { linked } from '../../lib/controls/linked.ts'
import { prevented } from '../../lib/controls/prevented.ts'
import { type Task, useTask } from '../../lib/controls/task.ts'
import { timeText } from '../../lib/language/format.ts'
import { getOne, type Resource, send } from '../../lib/server/api.ts'
import { type Message, textOf } from '../../lib/server/message.ts'
import { useRead } from '../../lib/server/read.ts'
import { may } from '../../lib/server/session.ts'
import { t } from './texts.ts'

export interface DispenserRow {
  name: string
  state: string
  isReady: boolean
}

interface DispenserStatus {
  state: string
  commandedState: string
  online: boolean
  stacker: { level: string; estimatedCards: number | null; capacity: number | null }
  bin: { level: string; count: number | null; capacity: number | null }
  fault: { errorCode: string; detail: string; since: string; recovery: string[]; messages: Message[] } | null
  guestWaiting: { since: string; deadline: string } | null
}

interface TileOptions {
  dispenser: Resource<DispenserRow>
  changed: () => void
  /** Whether the shortcuts are for this dispenser: the one with the focus, or the first one. */
  isChosen: boolean
  choose: () => void
}

/** One dispenser: its cards, its bin, its fault with the steps of the remedy, and the actions for the staff. */
export function DispenserTile(options: TileOptions): View {
  const { dispenser, changed, isChosen, choose } = options
  const { id, attributes } = dispenser
  const path = `/api/v2/access/dispensers/${id}`
  const { data, problem, isLoading, readAgain } = useRead(
    `dispenser ${id}`,
    async (signal) => (await getOne<DispenserStatus>(`${path}/status`, { signal })).data.attributes,
    ['dispenser.', 'card.'],
  )
  const [isRefilling, setRefilling] = useState(false)
  const task = useTask(() => {
    readAgain()
    changed()
  })
  const refill = () => setRefilling(true)
  const set = (state: string) =>
    task.run(state, () => send('PUT', `${path}/status/${state}`, { timeoutMs: 120_000 }))
  useShortcuts(
    isChosen && data && may('dispensers.operate')
      ? [
          { key: 'r', name: t.value.refill, run: refill },
          { key: 'i', name: t.value.initialise, run: () => set('initialize'), isWriting: true },
        ]
      : [],
    [isChosen, data === undefined, task.busy],
  )
  return el.article(
    { class: 'device', 'aria-label': attributes.name, onFocusIn: choose },
    el.div({ class: 'row' }, el.h2(null, attributes.name), data && stateChip(data)),
    loadingBar(isLoading && !data),
    problem && failure(problem, readAgain),
    data?.fault && faultOf(data.fault),
    data?.guestWaiting && notice('warning', t.value.guestWaits(timeText(data.guestWaiting.since))),
    data && levels(data),
    task.refusal && notice('error', task.refusal),
    data && actions(path, data, task, { refill, set, hasLetters: isChosen }),
    isRefilling && h(Refill, { path, task, close: () => setRefilling(false) }),
  )
}

function stateChip({ online, fault, state }: DispenserStatus): View {
  const name = t.value.states[state as keyof typeof t.value.states] ?? state
  if (!online) return chip('error', t.value.states.offline, 'noline')
  const isAtWork = state === 'active' || state === 'accepting'
  if (fault) return chip('error', isAtWork ? t.value.states.fault : name, 'alarm')
  return chip(isAtWork ? 'ok' : 'info', name)
}

function faultOf({ detail, since, recovery, messages }: NonNullable<DispenserStatus['fault']>): View {
  const steps = messages.length > 1 ? messages.map(({ text }) => text) : recovery
  return notice(
    'error',
    t.value.since(timeText(since)),
    steps.length > 0
      ? el.ol(
          { class: 'steps' },
          steps.map((step) => el.li({ key: step }, step)),
        )
      : el.p(null, linked(textOf(messages) || detail)),
  )
}

function levels({ stacker, bin }: DispenserStatus): View {
  const isLow = stacker.level === 'nearEmpty' || stacker.level === 'empty'
  const isFull = bin.level === 'nearFull' || bin.level === 'full'
  return el.p(
    { class: 'row' },
    chip(isLow ? 'warning' : 'ok', t.value.cards(stacker.estimatedCards, stacker.capacity), 'card'),
    chip(isFull ? 'warning' : 'ok', t.value.bin(bin.count, bin.capacity), 'down'),
  )
}

function actions(
  path: string,
  { commandedState }: DispenserStatus,
  task: Task,
  { refill, set, hasLetters }: { refill: () => void; set: (state: string) => void; hasLetters: boolean },
): View | null {
  if (!may('dispensers.operate')) return null
  const isOut = commandedState === 'inactive' || commandedState === 'maintenance'
  return el.div(
    { class: 'row' },
    button(t.value.refill, { onClick: refill, icon: 'card', ...(hasLetters && { letter: 'r' }) }),
    button(t.value.emptyBin, {
      onClick: () => task.run('bin', () => send('POST', `${path}/actions/empty-bin`)),
      ...task.of('bin'),
    }),
    button(t.value.initialise, {
      onClick: () => set('initialize'),
      icon: 'undo',
      ...(hasLetters && { letter: 'i' }),
      ...task.of('initialize'),
    }),
    isOut
      ? button(t.value.intoService, {
          onClick: () => set('active'),
          kind: 'main',
          ...task.of('active'),
        })
      : button(t.value.outOfService, {
          onClick: () => set('inactive'),
          icon: 'wrench',
          ...task.of('inactive'),
        }),
  )
}

function Refill({ path, task, close }: { path: string; task: Task; close: () => void }): View {
  const [cards, setCards] = useState('')
  const count = Number(cards)
  const isValid = Number.isInteger(count) && count >= 1 && count <= 5_000
  return h(
    Dialog,
    { title: t.value.refill, onClose: close },
    el.form(
      {
        class: 'stack',
        onSubmit: prevented(() => {
          if (!isValid) return
          task.run('refill', () => send('POST', `${path}/actions/refill`, { body: { cards: count } }))
          close()
        }),
      },
      h(Field, {
        label: t.value.howMany,
        value: cards,
        onInput: setCards,
        inputMode: 'numeric',
        isFirst: true,
        error: cards !== '' && !isValid ? t.value.howManyForm : null,
      }),
      button(t.value.refill, { onClick: () => {}, kind: 'main', type: 'submit', isDisabled: !isValid }),
    ),
  )
}
