import { h } from 'preact'
import { useEffect } from 'preact/hooks'
import { getAll, getList, type Resource, send } from '../../lib/api.ts'
import { button, failure, loadingBar, notice } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { momentText, numberText } from '../../lib/format.ts'
import { useRead } from '../../lib/read.ts'
import { confirmed, may } from '../../lib/session.ts'
import { useTask } from '../../lib/task.ts'
import { RecoverySheet } from '../recovery/recovery-sheet.ts'
import { BeginRestore } from '../restore/begin-part.ts'
import { progressOf, type Shown } from '../restore/progress.ts'
import { BackupTargets } from './backup-targets.ts'
import { download } from './download.ts'
import { Schedule } from './schedule.ts'
import { t } from './texts.ts'

interface Backup {
  name: string
  reason: string
  takenAt: string
  bytes: number
}

/** The backups: make one now, the list, and the start of a restore. */
export function Backups(): View {
  const { data, problem, isLoading, readAgain } = useRead(
    'backups',
    async (signal) => (await getAll<Backup>('/api/config/v1/backups', 200, signal)).data,
    ['system.backup'],
  )
  const { job, lookAgain } = useJob()
  const task = useTask(() => {
    readAgain()
    lookAgain()
  })
  return el.div(
    { class: 'stack' },
    loadingBar(isLoading && !data),
    problem && failure(problem, readAgain),
    task.refusal && notice('error', task.refusal),
    // No backup is made before there is a sheet.
    h(RecoverySheet, {}),
    el.h2(null, t.value.parts.backups),
    data?.length === 0 && notice('warning', t.value.noBackup),
    h(Schedule, {}),
    button(t.value.backupNow, {
      onClick: () =>
        task.run('now', () =>
          confirmed(() => send('POST', '/api/config/v1/backups', { prefer: 'respond-async' })),
        ),
      kind: 'main',
      isBusy: task.busy === 'now' || job?.state === 'making',
    }),
    job?.state === 'making' && progressOf({ ...job, names: t.value.phases }),
    job?.state === 'done' && notice('ok', t.value.made),
    job?.state === 'failed' && notice('error', job.problem),
    el.ul(
      { class: 'rows' },
      data?.map((each) => row(each, task)),
    ),
    h(BackupTargets, {}),
    may('backups.restore') && h(BeginRestore, {}),
  )
}

function row(backup: Resource<Backup>, task: ReturnType<typeof useTask>): View {
  const { name, reason, takenAt, bytes } = backup.attributes
  const path = `/api/config/v1/backups/${backup.id}/content`
  return el.li(
    { key: backup.id, class: 'row' },
    el.strong(null, momentText(takenAt)),
    el.span(null, t.value.reasons[reason] ?? reason),
    el.span(null, `${numberText(Math.ceil(bytes / 1_000))} kB`),
    button(t.value.download, {
      onClick: () => task.run(backup.id, () => confirmed(() => download(path, name))),
      icon: 'download',
      ...task.of(backup.id),
      name: `${t.value.download}: ${name}`,
    }),
  )
}

interface Job extends Omit<Shown, 'names'> {
  state: 'making' | 'done' | 'failed'
  problem: string | null
}

const pauseMs = 700

/** The progress of a running backup, from the box: it may have been started in another browser. */
function useJob(): { job: Job | undefined; lookAgain: () => void } {
  const { data: job, readAgain } = useRead(
    'backup job',
    async (signal) => (await getList<Job>('/api/config/v1/backup-jobs', { signal })).data[0]?.attributes,
    ['system.backup'],
  )
  useEffect(() => {
    if (job?.state !== 'making') return
    const timer = setTimeout(readAgain, pauseMs)
    return () => clearTimeout(timer)
  }, [job])
  return { job, lookAgain: readAgain }
}
