import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Choice, chip, Field, loadingBar, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { type Task, useTask } from '../../lib/controls/task.ts'
import { TextArea } from '../../lib/controls/text-area.ts'
import { momentText } from '../../lib/language/format.ts'
import { getList, type Resource, send } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import { confirmed, may } from '../../lib/server/session.ts'
import { useSaving } from '../apply.ts'
import { useAskBefore } from '../ask-before.ts'
import { stepForm } from '../steps/step-form.ts'
import { t } from './texts.ts'

const base = '/api/config/v1/backup-targets'
const kinds = ['folder', 'sftp', 'webdav', 's3'] as const
type TargetKind = (typeof kinds)[number]

interface Target {
  name: string
  kind: TargetKind
  url: string
  enabled: boolean
  verifiedAt: string | null
  problem: string | null
}

/** The places outside the box to which each backup is sent. */
export function BackupTargets(): View {
  const { data, problem, isLoading, readAgain } = useRead(
    'backup targets',
    async (signal) => (await getList<Target>(base, { signal })).data,
    ['system.backup'],
  )
  const task = useTask(readAgain)
  const { ask, dialog } = useAskBefore()
  return el.section(
    { class: 'stack', 'aria-label': t.value.targets.title },
    el.h2(null, t.value.targets.title),
    el.p(null, t.value.targets.why),
    loadingBar(isLoading && !data),
    problem && failure(problem, readAgain),
    task.refusal && notice('error', task.refusal),
    data?.length === 0 && notice('warning', t.value.targets.none),
    dialog,
    el.ul(
      { class: 'rows' },
      data?.map((each) => row(each, task, ask)),
    ),
    may('config.write') &&
      el.details({ class: 'new' }, el.summary(null, t.value.targets.add), h(NewTarget, { saved: readAgain })),
  )
}

function row(
  { id, attributes: { name, url, verifiedAt, problem } }: Resource<Target>,
  task: Task,
  askBefore: ReturnType<typeof useAskBefore>['ask'],
): View {
  const text = t.value.targets
  const run = (method: string, path: string, timeoutMs: number) =>
    task.run(`${method} ${id}`, () => confirmed(() => send(method, path, { timeoutMs })))
  const { remove: label } = t.value
  const remove = () =>
    askBefore({
      title: `${label}: ${name}`,
      why: t.value.removeTargetWhy(name),
      label,
      act: () => run('DELETE', `${base}/${id}`, 15_000),
    })
  return el.li(
    { key: id, class: 'stack' },
    el.div(
      { class: 'row' },
      el.strong(null, name),
      el.span(null, url),
      verifiedAt ? chip('ok', text.verified(momentText(verifiedAt))) : chip('warning', text.unverified),
      may('backups.write') &&
        button(text.send, {
          onClick: () => run('POST', `${base}/${id}/actions/send`, sendMs),
          ...task.of(`POST ${id}`),
          name: `${text.send}: ${name}`,
        }),
      may('config.write') &&
        button(label, {
          onClick: remove,
          kind: 'danger',
          ...task.of(`DELETE ${id}`),
          name: `${label}: ${name}`,
        }),
    ),
    problem !== null && notice('error', problem),
  )
}

/** A backup may go over a slow line, and is read back from there. */
const sendMs = 600_000

const empty = {
  name: '',
  kind: 'folder' as TargetKind,
  url: '',
  user: '',
  secret: '',
  hostKey: '',
  region: '',
}

/** The form of a new target. A folder needs neither a user nor a secret. */
function NewTarget({ saved }: { saved: () => void }): View {
  const [typed, setTyped] = useState(empty)
  const saving = useSaving()
  const text = t.value.targets
  const save = () =>
    saving.run(async () => {
      const given = Object.entries(typed).filter(
        ([name, value]) => value.trim() !== '' && isOf(typed.kind, name),
      )
      const body = Object.fromEntries(given.map(([name, value]) => [name, value.trim()]))
      await confirmed(() => send('POST', base, { body }))
      setTyped(empty)
    }, saved)
  const field = (name: 'name' | 'url' | 'user' | 'hostKey' | 'region', label: string, hint = '') =>
    isOf(typed.kind, name) &&
    h(Field, {
      label,
      hint,
      value: typed[name],
      onInput: (value: string) => setTyped({ ...typed, [name]: value }),
      error: saving.refusal(name),
      isRequired: name === 'name' || name === 'url',
      maxLength: 500,
    })
  return stepForm(
    { saving, save, fields: ['name', 'url', 'user', 'hostKey', 'region'], label: t.value.add },
    field('name', text.name),
    h(Choice, {
      label: text.kind,
      value: typed.kind,
      choices: kinds.map((each) => [each, text.kinds[each]] as const),
      onChange: (kind: string) => setTyped({ ...typed, kind: kind as TargetKind }),
    }),
    field('url', text.url, text.urlHints[typed.kind]),
    field('user', text.user),
    isOf(typed.kind, 'secret') &&
      h(TextArea, {
        label: text.secret,
        value: typed.secret,
        onInput: (secret: string) => setTyped({ ...typed, secret }),
        maxLength: 20_000,
      }),
    field('hostKey', text.hostKey, text.hostKeyHint),
    field('region', text.region, 'us-east-1'),
  )
}

/** Whether a target of this kind has the setting. */
function isOf(kind: TargetKind, name: string): boolean {
  if (name === 'user' || name === 'secret') return kind !== 'folder'
  if (name === 'hostKey') return kind === 'sftp'
  return name !== 'region' || kind === 's3'
}
