import { h } from 'preact'
import { button, loadingBar, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { useTask } from '../../lib/controls/task.ts'
import { momentText, numberText } from '../../lib/language/format.ts'
import { getAll, type Resource } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import { confirmed, may } from '../../lib/server/session.ts'
import { download } from '../download.ts'
import { RecoverySheet } from '../recovery/recovery-sheet.ts'
import { BeginRestore } from '../restore/begin-part.ts'
import { BackupNow } from './backup-now.ts'
import { BackupTargets } from './backup-targets.ts'
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
  const task = useTask(readAgain)
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
    h(BackupNow, { begun: readAgain }),
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
