import { h } from 'preact'
import { useState } from 'preact/hooks'
import { get, getAll, type Resource, send } from '../../lib/api.ts'
import { button, Dialog, failure, loadingBar, notice } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { momentText, numberText } from '../../lib/format.ts'
import { useRead } from '../../lib/read.ts'
import { confirmed } from '../../lib/session.ts'
import { useTask } from '../../lib/task.ts'
import { download } from './download.ts'
import { t } from './texts.ts'

interface Backup {
  name: string
  reason: string
  takenAt: string
  bytes: number
}

/** The backups: one now, the list, and what a restore of each would take back. */
export function Backups(): View {
  const { data, problem, isLoading, readAgain } = useRead(
    'backups',
    async (signal) => (await getAll<Backup>('/api/config/v1/backups', 200, signal)).data,
    ['system.backup'],
  )
  const [chosen, setChosen] = useState<Resource<Backup> | null>(null)
  const task = useTask(readAgain)
  return el.div(
    { class: 'stack' },
    loadingBar(isLoading && !data),
    problem && failure(problem, readAgain),
    task.refusal && notice('error', task.refusal),
    data?.length === 0 && notice('warning', t.value.noBackup),
    button(t.value.backupNow, {
      onClick: () =>
        task.run('now', () =>
          confirmed(() => send('POST', '/api/config/v1/backups', { timeoutMs: 300_000 })),
        ),
      kind: 'main',
      isBusy: task.busy === 'now',
    }),
    el.ul(
      { class: 'rows' },
      data?.map((each) => row(each, task, () => setChosen(each))),
    ),
    chosen && h(Restore, { backup: chosen, close: () => setChosen(null) }),
  )
}

function row(backup: Resource<Backup>, task: ReturnType<typeof useTask>, restore: () => void): View {
  const { name, reason, takenAt, bytes } = backup.attributes
  const path = `/api/config/v1/backups/${backup.id}/content`
  return el.li(
    { key: backup.id, class: 'row' },
    el.strong(null, momentText(takenAt)),
    t.value.reasons[reason] ?? reason,
    `${numberText(Math.ceil(bytes / 1_000))} kB`,
    button(t.value.download, {
      onClick: () => task.run(backup.id, () => confirmed(() => download(path, name))),
      icon: 'download',
      isBusy: task.busy === backup.id,
      name: `${t.value.download}: ${name}`,
    }),
    button(t.value.restore, { onClick: restore, name: `${t.value.restore}: ${name}` }),
  )
}

interface Preview {
  changes: Record<string, number>
  isAtLeast: boolean
}

function Restore({
  backup: { id, attributes },
  close,
}: {
  backup: Resource<Backup>
  close: () => void
}): View {
  const { data, problem, isLoading, readAgain } = useRead(
    `restore ${id}`,
    async (signal) =>
      (await get<Resource<Preview>>(`/api/config/v1/backups/${id}/restore-preview`, { signal })).data
        .attributes,
  )
  const changes = Object.entries(data?.changes ?? {})
  return h(
    Dialog,
    { title: t.value.restoreOf(momentText(attributes.takenAt)), onClose: close },
    el.div(
      { class: 'stack' },
      loadingBar(isLoading && !data),
      problem && failure(problem, readAgain),
      data &&
        (changes.length === 0
          ? notice('ok', t.value.newerNone)
          : notice(
              'warning',
              t.value.newer,
              el.ul(
                null,
                changes.map(([kind, count]) => el.li({ key: kind }, `${kind}: ${count}`)),
              ),
              data.isAtLeast && el.p(null, t.value.atLeast),
            )),
      el.p(null, t.value.restoreHow),
      el.pre(null, `nightporter restore ${attributes.name}`),
    ),
  )
}
