import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { useTask } from '../../lib/controls/task.ts'
import { timeText } from '../../lib/language/format.ts'
import { getOne, send } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import { confirmed, may, today } from '../../lib/server/session.ts'
import { fetched, saveAs } from '../download.ts'
import { t } from './support-texts.ts'

const consolePath = '/api/config/v1/support-console'

/** What helps somebody who looks for a fault: the support file, and the console on the screen of a box. */
export function Support(): View {
  return el.div(
    { class: 'stack' },
    may('diagnostics.recordings') && h(SupportFile, null),
    may('support.open') && h(SupportConsole, null),
  )
}

interface Shown {
  content: Blob
  text: string
}

/** The support file. Its whole content is shown before it can be saved. */
function SupportFile(): View {
  const [shown, setShown] = useState<Shown | null>(null)
  const task = useTask()
  const show = async () => {
    const content = await fetched('/api/config/v1/support-file')
    setShown({ content, text: await content.text() })
  }
  return el.section(
    { class: 'device', 'aria-label': t.value.file },
    el.h2(null, t.value.file),
    el.p(null, t.value.fileWhy),
    task.refusal && notice('error', task.refusal),
    button(t.value.show, {
      onClick: () => task.run('show', () => confirmed(show)),
      isBusy: task.busy !== null,
    }),
    shown && el.p(null, t.value.contents(partsOf(shown.text))),
    shown && el.pre({ class: 'log', tabindex: 0, 'aria-label': t.value.file }, shown.text),
    shown &&
      button(t.value.save, {
        onClick: () => saveAs(shown.content, `nightporter-support-${today.value}.jsonl`),
        icon: 'download',
        kind: 'main',
      }),
  )
}

/** Counts the lines of each part, in the order of the file: `status 1, log 120`. */
function partsOf(text: string): string {
  const counts = new Map<string, number>()
  for (const [, part = ''] of text.matchAll(/^\{"part":"(\w+)"/gm))
    counts.set(part, (counts.get(part) ?? 0) + 1)
  return [...counts].map(([part, count]) => `${part} ${count}`).join(', ')
}

interface Console {
  isImage: boolean
  endsAt: string | null
}

/** The support console of a box: open until when, and the buttons to open and close it. */
function SupportConsole(): View {
  const { data, problem, readAgain } = useRead(
    'support-console',
    async (signal) => (await getOne<Console>(consolePath, { signal })).data.attributes,
    ['system.support-opened', 'system.support-closed'],
  )
  const task = useTask(readAgain)
  const act = (action: 'open' | 'close') => () =>
    task.run(action, () => confirmed(() => send('POST', `${consolePath}/actions/${action}`)))
  const isBusy = task.busy !== null
  return el.section(
    { class: 'device', 'aria-label': t.value.console },
    el.h2(null, t.value.console),
    el.p(null, t.value.consoleWhy),
    problem && failure(problem, readAgain),
    task.refusal && notice('error', task.refusal),
    data && !data.isImage && notice('info', t.value.notAnImage),
    data?.endsAt && notice('warning', t.value.isOpen(timeText(data.endsAt))),
    data?.isImage &&
      (data.endsAt
        ? button(t.value.close, { onClick: act('close'), kind: 'danger', isBusy })
        : button(t.value.open, { onClick: act('open'), isBusy })),
  )
}
