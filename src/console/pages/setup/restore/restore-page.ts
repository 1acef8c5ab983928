import { h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { button, Field, loadingBar, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { prevented } from '../../lib/controls/prevented.ts'
import { type Task, useTask } from '../../lib/controls/task.ts'
import { TextArea } from '../../lib/controls/text-area.ts'
import { useTitle } from '../../lib/controls/title.ts'
import { momentText } from '../../lib/language/format.ts'
import { LanguageChoice } from '../../sign-in/sign-in.ts'
import { FileChoice } from './file-choice.ts'
import { progressOf } from './progress.ts'
import { askRestore, cancelRestore, keepRestore, type Restore, useRestore } from './restore-state.ts'
import { t } from './texts.ts'
import { fileToSend } from './to-send.ts'
import { upload } from './upload.ts'

interface Part {
  id: string
  restore: Restore
  task: Task
  /** The cancellation waits for no other task. */
  canceling: Task
  /** The typed recovery key. It stays until the end: one wrong word is corrected, and a box that loses its power asks once more. */
  typed: TypedKey
  setTyped: (typed: TypedKey) => void
}

interface TypedKey {
  recoveryKey: string
  passphrase: string
}

const nothingTyped: TypedKey = { recoveryKey: '', passphrase: '' }

/**
 * The page of a restore, from the file to its end. It reads the state from the box, so it is the same after a reload.
 */
export function RestorePage({ id }: { id: string }): View {
  useTitle(t.value.title)
  const { restore, problem, lookAgain } = useRestore(id)
  const task = useTask(lookAgain)
  const canceling = useTask(lookAgain)
  const [typed, setTyped] = useState(nothingTyped)
  const isEnded = restore !== null && isOver(restore)
  useEffect(() => {
    if (isEnded) setTyped(nothingTyped)
  }, [isEnded])
  const isGone = problem?.status === 404
  return el.main(
    { class: 'sign-in claim', id: 'main', tabIndex: -1 },
    el.h1(null, t.value.title),
    loadingBar(!restore && !isGone),
    isGone && notice('info', t.value.gone),
    problem && !isGone && unheard(),
    task.refusal && notice('error', task.refusal),
    canceling.refusal && notice('error', t.value.notCanceled, el.p(null, canceling.refusal)),
    restore && shown({ id, restore, task, canceling, typed, setTyped }),
    (isGone || isEnded) && over(restore),
    restore && log(restore),
    h(LanguageChoice, {}),
  )
}

const isOver = ({ state }: Restore) => state === 'done' || state === 'failed' || state === 'canceled'

function shown(part: Part): View {
  const { state, problem, place, name } = part.restore
  const kind = state === 'done' || state === 'ready' ? 'ok' : state === 'failed' ? 'error' : 'info'
  return el.div(
    { class: 'stack' },
    el.p({ class: 'quiet' }, `${t.value.places[place] ?? place}: ${name}`),
    notice(kind, t.value.states[state], problem !== null && state === 'failed' && el.p(null, problem)),
    problem !== null && state !== 'failed' && notice('warning', problem),
    state === 'receiving' && h(Sending, part),
    state === 'waiting-for-key' && h(KeyForm, part),
    state === 'opening' && progressOf({ ...part.restore, names: t.value.phases }),
    state === 'opening' && el.p(null, t.value.goesOn),
    state === 'ready' && h(Confirm, part),
    state === 'replacing' && el.p(null, t.value.replacingWhy),
    ['waiting-for-key', 'opening', 'ready'].includes(state) && cancel(part),
  )
}

function cancel({ id, canceling }: Part, before = () => {}): View {
  return button(t.value.cancel, {
    onClick: () => {
      before()
      canceling.run('cancel', () => cancelRestore(id))
    },
    ...canceling.of('cancel'),
  })
}

/** Uploads the chosen file. After a reload, or a cancellation that failed, the person must choose it again. */
function Sending(part: Part): View {
  const { id, restore, task, canceling } = part
  const [file, setFile] = useState<File | null>(fileToSend.value)
  const isOther = file !== null && file.size !== restore.totalBytes
  const isIdle = task.busy !== 'send' && canceling.busy === null
  const stop = useRef(new AbortController())
  useEffect(() => {
    if (!file || isOther) return
    stop.current = new AbortController()
    const { signal } = stop.current
    task.run('send', () => upload(id, file, restore.bytes ?? 0, signal))
    return () => stop.current.abort()
  }, [file])
  const stopSending = () => {
    stop.current.abort()
    fileToSend.value = null
    setFile(null)
  }
  return el.div(
    { class: 'stack' },
    progressOf({ ...restore, names: t.value.phases }),
    isIdle && el.p(null, t.value.sameFile(restore.name)),
    isIdle && h(FileChoice, { label: t.value.fromFile, onChoose: setFile }),
    isOther && notice('error', t.value.otherFile),
    cancel(part, stopSending),
  )
}

function KeyForm({ id, task, typed, setTyped }: Part): View {
  const { recoveryKey, passphrase } = typed
  const setKey = (text: string) => setTyped({ ...typed, recoveryKey: text })
  const open = prevented(() => task.run('open', () => askRestore(id, 'open', { recoveryKey, passphrase })))
  return el.form(
    { class: 'stack', onSubmit: open },
    h(TextArea, {
      label: t.value.recoveryKey,
      value: recoveryKey,
      onInput: setKey,
      maxLength: 10_000,
      isFirst: true,
    }),
    el.p({ class: 'hint' }, t.value.keyHint),
    h(FileChoice, {
      label: t.value.orFile,
      onChoose: (file: File) => void file.slice(0, 10_000).text().then(setKey),
    }),
    h(Field, {
      label: t.value.passphrase,
      value: passphrase,
      onInput: (text: string) => setTyped({ ...typed, passphrase: text }),
      type: 'password',
      autocomplete: 'off',
      maxLength: 1_000,
    }),
    el.p(null, t.value.goesOn),
    button(t.value.open, {
      onClick: () => {},
      type: 'submit',
      kind: 'main',
      ...task.of('open'),
      isDisabled: recoveryKey.trim() === '',
    }),
  )
}

function Confirm({ id, restore: { contents, losses }, task }: Part): View {
  return el.div(
    { class: 'stack' },
    contents &&
      el.p(
        null,
        el.strong(null, t.value.contents(contents.property ?? t.value.noName, momentText(contents.takenAt))),
        el.br(null),
        t.value.madeBy(contents.version),
      ),
    contents?.keysUntil && notice('ok', t.value.keysUntil(momentText(contents.keysUntil))),
    contents?.replaces ? notice('warning', t.value.replaces(contents.replaces)) : lost(losses),
    el.p(null, t.value.keysStay),
    el.p(null, t.value.everybodyOut),
    button(t.value.apply, {
      onClick: () => task.run('apply', () => askRestore(id, 'apply')),
      kind: 'danger',
      ...task.of('apply'),
    }),
  )
}

/** The changes since the backup. */
function lost(losses: Restore['losses']): View {
  const counts = new Map<string, number>()
  for (const [kind, count] of Object.entries(losses?.changes ?? {})) {
    const name = t.value.changed[kind] ?? t.value.changedElse
    counts.set(name, (counts.get(name) ?? 0) + count)
  }
  if (counts.size === 0) return notice('ok', t.value.losesNothing)
  return notice(
    'warning',
    t.value.loses,
    el.ul(
      null,
      Array.from(counts, ([name, count]) => el.li({ key: name }, `${name}: ${count}`)),
    ),
    losses?.isAtLeast && el.p(null, t.value.atLeast),
  )
}

/** The actions at the end. They reload the page, because the box has another property now. */
function over(restore: Restore | null): View {
  const units = restore?.unitsToCheck ?? 0
  const leave = (to: string) => () => {
    keepRestore(null)
    location.assign(to)
  }
  return el.div(
    { class: 'stack' },
    restore?.state === 'done' &&
      units > 0 &&
      notice(
        'warning',
        t.value.check(units),
        el.p(null, button(t.value.toCheck, { onClick: leave('/desk#/keys'), icon: 'key' })),
      ),
    restore?.state === 'done'
      ? button(t.value.toBox, { onClick: leave('/'), kind: 'main', icon: 'right' })
      : button(t.value.close, { onClick: () => keepRestore(null), kind: 'main' }),
  )
}

const unheard = (): View =>
  notice(
    'warning',
    t.value.unheard,
    el.p(null, button(t.value.openAgain, { onClick: () => location.reload() })),
  )

function log({ log: lines }: Restore): View {
  return el.section(
    { 'aria-label': t.value.log },
    el.h2(null, t.value.log),
    el.ol(
      { class: 'plain' },
      lines.map(({ at, step }) =>
        el.li(
          { key: at + step },
          el.time({ dateTime: at }, momentText(at)),
          ' ',
          t.value.steps[step] ?? step,
        ),
      ),
    ),
  )
}
