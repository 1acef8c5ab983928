import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Field, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { useTask } from '../../lib/controls/task.ts'
import { type Resource, sendList } from '../../lib/server/api.ts'
import { type Restorable, restorables } from './restorable.ts'
import { beginRestore, keepRestore } from './restore-state.ts'
import { t } from './texts.ts'

interface Found {
  backups: Resource<Restorable>[]
  unreachable: { place: string; problem: string }[]
}

/** The fields of each kind of place, besides its address. */
const fieldsOf = {
  stick: [],
  s3: ['user', 'secret', 'region'],
  webdav: ['user', 'secret'],
  sftp: ['user', 'secret', 'hostKey'],
} as const
export type Place = keyof typeof fieldsOf

/** The beginning of an address of each kind. */
const beginsWith = {
  s3: 'https://HOST/BUCKET/FOLDER',
  webdav: 'https://HOST/FOLDER',
  sftp: 'sftp://HOST/FOLDER',
}

/** On a box without an owner: lists the backups at a place, and begins a restore of one. */
export function FromPlace({ code, kind }: { code: string; kind: Place }): View {
  const [typed, setTyped] = useState({ url: '', user: '', secret: '', region: '', hostKey: '' })
  const [found, setFound] = useState<Found | null>(null)
  const task = useTask()
  const names = fieldsOf[kind]
  const filled = Object.fromEntries(
    names.flatMap((name) => (typed[name] ? [[name, typed[name].trim()]] : [])),
  )
  const place = kind === 'stick' ? {} : { target: { kind, url: typed.url.trim(), ...filled } }
  const look = (event: Event) => {
    event.preventDefault()
    setFound(null)
    task.run('look', async () => {
      const path = '/api/config/v1/restores/actions/list-on-new-box'
      // The firewall lets the target out first, and a target may be slow.
      const options = { body: { code, ...place }, timeoutMs: 90_000 }
      const { data, meta } = await sendList<Restorable>('POST', path, options)
      setFound({ backups: data, unreachable: (meta?.unreachable ?? []) as Found['unreachable'] })
    })
  }
  const begin = ({ id, attributes: { place: at, backup } }: Resource<Restorable>) =>
    task.run(id, async () =>
      keepRestore(await beginRestore({ code, backup, ...(kind === 'stick' ? { place: at } : place) })),
    )
  const field = (name: keyof typeof typed, hint?: string) =>
    h(Field, {
      label: t.value.target[name],
      value: typed[name],
      onInput: (value: string) => setTyped({ ...typed, [name]: value }),
      autocomplete: 'off',
      maxLength: name === 'secret' ? 20_000 : 500,
      isRequired: name === 'url',
      ...(name === 'secret' && { type: 'password' as const }),
      ...(hint && { hint }),
    })
  return el.form(
    { class: 'stack', onSubmit: look },
    kind === 'stick' ? el.p(null, t.value.plugIn) : field('url', beginsWith[kind]),
    names.map((name) => field(name, name === 'hostKey' ? t.value.hostKeyHint : undefined)),
    task.refusal && notice('error', task.refusal),
    button(t.value.look, { onClick: () => {}, type: 'submit', kind: 'main', ...task.of('look') }),
    found?.unreachable
      .filter(({ place: at }) => kind !== 'stick' || at === 'stick')
      .map(({ problem }) => notice('warning', problem)),
    found?.backups.length === 0 && notice('info', t.value.noBackup),
    found && restorables(found.backups, task, begin),
  )
}
