import { h } from 'preact'
import { button, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { useTask } from '../../lib/controls/task.ts'
import { confirmed, may, today } from '../../lib/server/session.ts'
import { download } from '../download.ts'
import { Support } from './support.ts'
import { t } from './texts.ts'

const base = '/api/config/v1'

/** Set-up, support file and recording to save, and the support console. */
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
        ...task.of(name),
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
    h(Support, null),
    may('diagnostics.recordings') &&
      part(t.value.recorder, t.value.recorderWhy, 'recorder', () =>
        download(`${base}/flight-recorder`, `nightporter-recording-${day}.jsonl`),
      ),
  )
}

/** The file contains the document alone, as `nightporter setup` reads it. */
async function documentOnly(answer: Blob): Promise<Blob> {
  const { data } = JSON.parse(await answer.text()) as { data: { attributes: { document: object } } }
  return new Blob([JSON.stringify(data.attributes.document, null, 2), '\n'], { type: 'application/json' })
}
