import { h } from 'preact'
import { loadingBar, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { useTask } from '../../lib/controls/task.ts'
import { getList } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import { confirmed } from '../../lib/server/session.ts'
import { FileChoice } from './file-choice.ts'
import { type Restorable, restorables } from './restorable.ts'
import { beginRestore, keepRestore } from './restore-state.ts'
import { t } from './texts.ts'
import { fileToSend } from './to-send.ts'

/** On the system page: starts a restore from a file of this browser, or from a backup that the box can read. */
export function BeginRestore(): View {
  const { data, problem, isLoading, readAgain } = useRead(
    'restorable',
    async (signal) => getList<Restorable>('/api/config/v1/restorable-backups', { signal }),
    ['system.backup'],
  )
  const task = useTask()
  const begin = (body: Parameters<typeof beginRestore>[0], file: File | null, name: string) =>
    task.run(name, async () => {
      const id = await confirmed(() => beginRestore(body))
      fileToSend.value = file
      keepRestore(id)
    })
  const unreachable = (data?.meta?.unreachable ?? []) as { place: string; problem: string }[]
  return el.section(
    { class: 'stack', 'aria-label': t.value.title },
    el.h2(null, t.value.title),
    task.refusal && notice('error', task.refusal),
    h(FileChoice, {
      label: t.value.fromFile,
      onChoose: (file: File) => begin({ name: file.name, bytes: file.size }, file, 'file'),
      hint: t.value.fileHint,
    }),
    (data?.data.length !== 0 || unreachable.length > 0) && el.h3(null, t.value.kept),
    loadingBar(isLoading && !data),
    problem && failure(problem, readAgain),
    unreachable.map((each) =>
      notice(
        'warning',
        t.value.unreachable(t.value.places[each.place] ?? each.place),
        el.p(null, each.problem),
      ),
    ),
    restorables(data?.data ?? [], task, ({ id, attributes: { place, backup } }) =>
      begin({ place, backup }, null, id),
    ),
  )
}
