import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, chip, Dialog, loadingBar, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { useTask } from '../../lib/controls/task.ts'
import { momentText } from '../../lib/language/format.ts'
import { language } from '../../lib/language/language.ts'
import { getOne, send } from '../../lib/server/api.ts'
import { useRead, useReadEvery } from '../../lib/server/read.ts'
import { confirmed, may } from '../../lib/server/session.ts'
import { t } from './update-texts.ts'

const path = '/api/config/v1/update'
/** The polling interval of the progress. */
const lookEveryMs = 2_000

interface Progress {
  version: string | null
  step: string
  percent: number | null
  waitsFor: string | null
  missing: string[]
}

interface Last {
  version: string | null
  result: 'confirmed' | 'rolled-back' | 'failed'
  endedAt: string
  reason: string | null
}

interface Update {
  version: string
  slot: string | null
  isImage: boolean
  window: string
  automatic: 'none' | 'security' | 'all'
  heldUntil: string | null
  checkedAt: string | null
  problems: string[]
  available: {
    version: string
    security: boolean
    notes: string
    percentOfBoxes: number
    isOurTurn: boolean
  } | null
  progress: Progress | null
  last: Last | null
}

type Task = ReturnType<typeof useTask>

/** The version of the box, the offered version, and the progress of an update. */
export function UpdatePart(): View {
  const { data, problem, isLoading, readAgain } = useRead(
    `update ${language.value}`,
    async (signal) => (await getOne<Update>(path, { signal })).data.attributes,
    ['system.update'],
  )
  const isUnderWay = data?.progress != null
  useReadEvery(lookEveryMs, readAgain, isUnderWay)
  const task = useTask(readAgain)
  return el.div(
    { class: 'stack' },
    loadingBar(isLoading && !data),
    // The restart interrupts the connection, which is not a failure of the update.
    problem && !isUnderWay && failure(problem, readAgain),
    task.refusal && notice('error', task.refusal),
    data && el.p(null, t.value.running(data.version, data.slot)),
    data && !data.isImage && notice('info', t.value.noImage),
    data?.progress && h(UnderWay, { progress: data.progress, task }),
    data?.last && lastNotice(data.last),
    data && !data.progress && h(Offered, { update: data, task }),
  )
}

function lastNotice({ version, result, endedAt, reason }: Last): View {
  const text = t.value.results[result](version ?? '?', momentText(endedAt))
  return notice(result === 'confirmed' ? 'ok' : 'warning', text, reason && el.p(null, reason))
}

const act = (task: Task, action: string, body?: object) =>
  task.run(action, () =>
    confirmed(() => send('POST', `${path}/actions/${action}`, { ...(body && { body }), timeoutMs: 180_000 })),
  )

function Offered({ update, task }: { update: Update; task: Task }): View {
  const { available, heldUntil, checkedAt, automatic, window, problems, isImage } = update
  const [isAsking, setAsking] = useState(false)
  const automaticText =
    automatic === 'none' ? t.value.automatic.none : t.value.automatic[automatic](hours(window))
  const mayInstall = isImage && may('updates.install')
  return el.div(
    { class: 'stack' },
    problems.map((each) => notice('warning', each)),
    available
      ? el.section(
          { class: 'device', 'aria-label': t.value.available(available.version) },
          el.h2(null, t.value.available(available.version)),
          available.security && el.p(null, chip('warning', t.value.security)),
          el.p({ class: 'notes' }, available.notes),
          isImage && !available.isOurTurn && el.p(null, t.value.notOurTurn(available.percentOfBoxes)),
          el.div(
            { class: 'row' },
            mayInstall &&
              button(t.value.install, { onClick: () => setAsking(true), kind: 'main', icon: 'download' }),
            isImage &&
              !heldUntil &&
              button(t.value.later, {
                onClick: () => act(task, 'hold', { days: 1 }),
                ...task.of('hold'),
              }),
          ),
        )
      : checkedAt && problems.length === 0 && notice('ok', t.value.newest),
    isImage && el.p(null, automaticText),
    heldUntil && el.p(null, t.value.heldUntil(momentText(heldUntil))),
    heldUntil &&
      button(t.value.resume, { onClick: () => act(task, 'hold', { days: 0 }), ...task.of('hold') }),
    button(t.value.check, { onClick: () => act(task, 'check'), ...task.of('check') }),
    checkedAt && el.p({ class: 'quiet' }, t.value.checkedAt(momentText(checkedAt))),
    isAsking &&
      available &&
      h(Ask, { version: available.version, window, task, close: () => setAsking(false) }),
  )
}

function Ask({
  version,
  window,
  task,
  close,
}: {
  version: string
  window: string
  task: Task
  close: () => void
}): View {
  const [when, setWhen] = useState<'now' | 'window'>('now')
  const [withoutBackup, setWithoutBackup] = useState(false)
  const choice = (value: 'now' | 'window', label: string) =>
    el.label(
      { class: 'row' },
      el.input({
        type: 'radio',
        name: 'when',
        checked: when === value,
        onChange: () => setWhen(value),
      }),
      el.span(null, label),
    )
  return h(
    Dialog,
    { title: t.value.dialog(version), onClose: close },
    el.div(
      { class: 'stack' },
      el.p(null, t.value.how),
      choice('now', t.value.restartNow),
      choice('window', t.value.restartAtNight(hours(window))),
      el.label(
        { class: 'row' },
        el.input({
          type: 'checkbox',
          checked: withoutBackup,
          onChange: () => setWithoutBackup(!withoutBackup),
        }),
        el.span(null, t.value.withoutBackup),
      ),
      button(t.value.begin, {
        onClick: () => {
          close()
          act(task, 'install', { when, withoutBackup })
        },
        kind: 'main',
      }),
    ),
  )
}

function UnderWay({ progress, task }: { progress: Progress; task: Task }): View {
  const { version, step, percent, waitsFor, missing } = progress
  const names = Object.keys(t.value.steps)
  const at = names.indexOf(step)
  return el.section(
    { class: 'device', 'aria-label': t.value.underWay(version ?? '?') },
    el.h2(null, t.value.underWay(version ?? '?')),
    el.ol(
      { class: 'rows' },
      names.map((name, index) =>
        el.li(
          { key: name, class: 'row', ...(index === at && { 'aria-current': 'step' }) },
          index > at
            ? el.span({ class: 'quiet' }, t.value.steps[name])
            : chip(index < at ? 'ok' : 'info', t.value.steps[name] ?? name, index < at ? 'check' : 'clock'),
          index === at && percent !== null && el.strong(null, `${percent} %`),
        ),
      ),
    ),
    el.div({ role: 'status' }, waitsFor && el.p(null, waitsFor)),
    missing.length > 0 &&
      notice(
        'warning',
        t.value.lacks,
        el.ul(
          null,
          missing.map((each) => el.li({ key: each }, each)),
        ),
      ),
    step === 'trial' &&
      missing.length > 0 &&
      may('updates.install') &&
      button(t.value.keep, {
        onClick: () => act(task, 'confirm'),
        kind: 'danger',
        ...task.of('confirm'),
      }),
  )
}

/** Formats a window such as `02:00-05:00` for people. */
function hours(window: string): string {
  return window.replace('-', ' – ')
}
