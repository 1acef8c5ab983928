import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Field, loadingBar, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { language } from '../../lib/language/language.ts'
import { getList, type Resource, send, sendOne } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import { confirmed, may } from '../../lib/server/session.ts'
import { useSaving } from '../apply.ts'
import { useDraft } from '../draft.ts'
import { stepForm } from './step-form.ts'
import { t } from './texts.ts'

interface Phone {
  url: string
  enabled: boolean
  switchedOffBecause: string | null
}

interface Outcome {
  taken: boolean
  reason: string | null
}

const path = '/api/config/v1/webhooks'

/** The addresses at which phones get messages of the house, each with a test, and the form that adds one. */
export function PhoneMessages(): View | null {
  const { data, problem, isLoading, readAgain } = useRead(
    may('config.read') ? 'phones' : null,
    async (signal) => (await getList<Phone>(`${path}?filter[format]=message`, { signal })).data,
    ['webhook.'],
  )
  if (!may('config.read')) return null
  return el.section(
    { class: 'stack', 'aria-label': t.value.phone.title },
    el.h2(null, t.value.phone.title),
    el.p(null, t.value.phone.why),
    loadingBar(isLoading && !data),
    problem && failure(problem, readAgain),
    data &&
      data.length > 0 &&
      el.ul(
        { class: 'rows' },
        data.map((phone) => h(OnePhone, { key: phone.id, phone, readAgain })),
      ),
    may('config.write') && h(NewPhone, { readAgain }),
  )
}

function OnePhone({ phone, readAgain }: { phone: Resource<Phone>; readAgain: () => void }): View {
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const saving = useSaving()
  const { url, enabled, switchedOffBecause } = phone.attributes
  const test = () =>
    saving.run(async () => {
      setOutcome(null)
      setOutcome((await sendOne<Outcome>('POST', `${path}/${phone.id}/actions/test`)).data.attributes)
    })
  const remove = () => saving.run(() => confirmed(() => send('DELETE', `${path}/${phone.id}`)), readAgain)
  return el.li(
    { class: 'row' },
    el.code(null, url),
    may('config.write') && [
      button(t.value.phone.test, {
        onClick: test,
        isBusy: saving.isBusy,
        name: `${t.value.phone.test}: ${url}`,
      }),
      button(t.value.phone.remove, { onClick: remove, name: `${t.value.phone.remove}: ${url}` }),
    ],
    !enabled && notice('warning', switchedOffBecause ?? t.value.phone.off),
    outcome?.taken && notice('ok', t.value.phone.sent),
    outcome && !outcome.taken && notice('error', t.value.phone.notSent(outcome.reason ?? '?')),
    saving.others([]).map((each) => notice('error', each)),
  )
}

function NewPhone({ readAgain }: { readAgain: () => void }): View {
  const [typed, set, forget] = useDraft('phone', { url: '' })
  const [accessToken, setToken] = useState('')
  const [isSent, setSent] = useState(false)
  const saving = useSaving()
  const save = () =>
    saving.run(
      async () => {
        setSent(false)
        const body = {
          url: typed.url.trim(),
          format: 'message',
          language: language.value,
          ...(accessToken !== '' && { accessToken }),
        }
        await confirmed(() => send('POST', path, { body }))
      },
      () => {
        forget()
        setToken('')
        setSent(true)
        readAgain()
      },
    )
  return el.div(
    { class: 'stack' },
    isSent && notice('ok', t.value.phone.sent),
    stepForm(
      {
        saving,
        save,
        fields: ['url', 'accessToken'],
        label: t.value.phone.add,
        isDisabled: typed.url.trim() === '',
      },
      h(Field, {
        label: t.value.phone.address,
        hint: t.value.phone.addressHint,
        value: typed.url,
        onInput: (url: string) => set({ url }),
        error: saving.refusal('url'),
        maxLength: 2000,
      }),
      h(Field, {
        label: t.value.phone.token,
        hint: t.value.phone.tokenHint,
        value: accessToken,
        onInput: setToken,
        type: 'password',
        autocomplete: 'off',
        error: saving.refusal('accessToken'),
        maxLength: 500,
      }),
    ),
  )
}
