import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, loadingBar, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { useTask } from '../../lib/controls/task.ts'
import { TextArea } from '../../lib/controls/text-area.ts'
import { send } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import { confirmed } from '../../lib/server/session.ts'
import { certificateFacts, readCertificate } from '../steps/network-step.ts'
import { t as stepTexts } from '../steps/texts.ts'
import { t } from './texts.ts'

const path = '/api/config/v1/certificate'

/** The certificate of the box: renew it, or replace it by an uploaded one. */
export function CertificatePart(): View {
  const { data, problem, isLoading, readAgain } = useRead('certificate', readCertificate, [
    'system.certificate',
  ])
  const task = useTask(readAgain)
  const [typed, setTyped] = useState({ certificate: '', key: '' })
  const ask = (name: string, method: string, at: string, body?: object) => () =>
    task.run(name, () => confirmed(() => send(method, at, body ? { body } : {})))
  const area = (name: 'certificate' | 'key', label: string) =>
    h(TextArea, {
      label,
      value: typed[name],
      onInput: (value: string) => setTyped({ ...typed, [name]: value }),
      maxLength: 100_000,
    })
  return el.div(
    { class: 'stack' },
    loadingBar(isLoading && !data),
    problem && failure(problem, readAgain),
    task.refusal && notice('error', task.refusal),
    data && certificateFacts(data),
    data &&
      data.source !== 'none' &&
      el.p(null, el.a({ href: '/trust', target: '_blank' }, stepTexts.value.network.toTrust)),
    data?.source === 'own' &&
      button(t.value.renew, {
        onClick: ask('renew', 'POST', `${path}/actions/renew`, {}),
        ...task.of('renew'),
      }),
    data?.source === 'uploaded' &&
      button(t.value.removeUploaded, {
        onClick: ask('remove', 'DELETE', path),
        kind: 'danger',
        ...task.of('remove'),
      }),
    el.details(
      null,
      el.summary(null, t.value.uploadOwn),
      el.div(
        { class: 'stack' },
        area('certificate', t.value.chain),
        area('key', t.value.key),
        button(t.value.upload, {
          onClick: ask('upload', 'PUT', path, typed),
          kind: 'main',
          ...task.of('upload'),
          isDisabled: typed.certificate === '' || typed.key === '',
        }),
      ),
    ),
  )
}
