import { useEffect } from 'preact/hooks'
import { button, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { useTask } from '../../lib/controls/task.ts'
import { getList, send } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import { confirmed } from '../../lib/server/session.ts'
import { progressOf, type Shown } from '../restore/progress.ts'
import { t } from './texts.ts'

/** Makes a backup now, and shows its phases, its bytes and its end. `begun` is called when it has begun. */
export function BackupNow({ begun }: { begun?: () => void }): View {
  const { job, lookAgain } = useJob()
  const task = useTask(() => {
    begun?.()
    lookAgain()
  })
  return el.div(
    { class: 'stack' },
    task.refusal && notice('error', task.refusal),
    el.p(
      null,
      button(t.value.backupNow, {
        onClick: () =>
          task.run('now', () =>
            confirmed(() => send('POST', '/api/config/v1/backups', { prefer: 'respond-async' })),
          ),
        kind: 'main',
        isBusy: task.busy === 'now' || job?.state === 'making',
      }),
    ),
    job?.state === 'making' && progressOf({ ...job, names: t.value.phases }),
    job?.state === 'done' && notice('ok', t.value.made),
    job?.state === 'failed' && notice('error', job.problem),
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
