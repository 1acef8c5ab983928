import { button, notice } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { confirmed, may, today } from '../../lib/session.ts'
import { useTask } from '../../lib/task.ts'
import { download } from './download.ts'
import { t } from './texts.ts'

const base = '/api/config/v1'

/** Files to take away: recording, support file and set-up. */
export function Files(): View {
  const task = useTask()
  const part = (title: string, why: string, name: string, save: () => Promise<void>) =>
    el.section(
      { class: 'device', 'aria-label': title },
      el.h2(null, title),
      el.p(null, why),
      button(t.value.download, {
        onClick: () => task.run(name, () => confirmed(save)),
        icon: 'download',
        isBusy: task.busy === name,
        name: `${t.value.download}: ${title}`,
      }),
    )
  const day = today.value
  return el.div(
    { class: 'stack' },
    task.refusal && notice('error', task.refusal),
    part(t.value.export, t.value.exportWhy, 'setup', () =>
      download(`${base}/setup`, `nightporter-setup-${day}.json`, documentOnly),
    ),
    may('diagnostics.recordings') &&
      part(t.value.support, t.value.supportWhy, 'support', () =>
        download(`${base}/support-file`, `nightporter-support-${day}.jsonl`),
      ),
    may('diagnostics.recordings') &&
      part(t.value.recorder, t.value.recorderWhy, 'recorder', () =>
        download(`${base}/flight-recorder`, `nightporter-recording-${day}.jsonl`),
      ),
  )
}

/** The file is what `nightporter setup` reads: the document alone. */
async function documentOnly(answer: Blob): Promise<Blob> {
  const { data } = JSON.parse(await answer.text()) as { data: { attributes: { document: object } } }
  return new Blob([JSON.stringify(data.attributes.document, null, 2), '\n'], { type: 'application/json' })
}
