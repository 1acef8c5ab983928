import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Choice, Field, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { useTask } from '../../lib/controls/task.ts'
import { useDraft } from '../draft.ts'
import { FileChoice } from './file-choice.ts'
import { FromPlace, type Place } from './from-place.ts'
import { beginRestore, keepRestore } from './restore-state.ts'
import { t } from './texts.ts'
import { fileToSend } from './to-send.ts'

const places = ['file', 'stick', 's3', 'webdav', 'sftp'] as const

/** Starts a restore on a box without an owner: its pairing code, and where the backup is. */
export function OnNewBox(): View {
  const [{ code }, set] = useDraft('claim', { code: '' })
  const [from, setFrom] = useState<'file' | Place>('file')
  return el.div(
    { class: 'stack' },
    h(Field, {
      label: t.value.code,
      value: code,
      onInput: (entered: string) => set({ code: entered }),
      inputMode: 'numeric',
      maxLength: 20,
      isRequired: true,
      isFirst: true,
      hint: t.value.codeHint,
    }),
    h(Choice<(typeof places)[number]>, {
      label: t.value.from,
      value: from,
      choices: places.map((each) => [each, t.value.fromPlaces[each]] as const),
      onChange: setFrom,
    }),
    from === 'file' ? h(FromFile, { code }) : h(FromPlace, { key: from, code, kind: from }),
  )
}

function FromFile({ code }: { code: string }): View {
  const [file, setFile] = useState<File | null>(null)
  const task = useTask()
  const begin = (event: Event) => {
    event.preventDefault()
    if (!file) return
    task.run('begin', async () => {
      const id = await beginRestore({ code, name: file.name, bytes: file.size })
      fileToSend.value = file
      keepRestore(id)
    })
  }
  return el.form(
    { class: 'stack', onSubmit: begin },
    h(FileChoice, { label: t.value.fromFile, onChoose: setFile, hint: t.value.fileHint }),
    task.refusal && notice('error', task.refusal),
    button(t.value.begin, {
      onClick: () => {},
      type: 'submit',
      kind: 'main',
      ...task.of('begin'),
      isDisabled: file === null,
    }),
  )
}
