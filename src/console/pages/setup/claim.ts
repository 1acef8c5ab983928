import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Field, notice } from '../lib/controls/controls.ts'
import { el, type View } from '../lib/controls/el.ts'
import { OtherTime } from '../lib/controls/other-time.ts'
import { tabs } from '../lib/controls/tabs.ts'
import { useTitle } from '../lib/controls/title.ts'
import { common } from '../lib/language/common-texts.ts'
import { language } from '../lib/language/language.ts'
import type { ApiError } from '../lib/server/api.ts'
import { act } from '../lib/server/session.ts'
import { LanguageChoice } from '../sign-in/sign-in.ts'
import { signInTexts } from '../sign-in/texts.ts'
import { useSaving } from './apply.ts'
import { useDraft } from './draft.ts'
import { OnNewBox } from './restore/on-new-box.ts'
import { t as restoreTexts } from './restore/texts.ts'
import { t } from './texts.ts'

const shortest = 15

/** The first page of a new box. The person who enters its pairing code becomes the first administrator. */
export function Claim(): View {
  const [isRestore, setRestore] = useState(false)
  const text = t.value.claim
  useTitle(isRestore ? restoreTexts.value.title : text.title)
  return el.main(
    { class: 'sign-in claim' },
    el.h1(null, isRestore ? restoreTexts.value.title : text.title),
    h(OtherTime, {}),
    tabs(
      text.title,
      isRestore ? 'restore' : 'new',
      [
        ['new', restoreTexts.value.newHotel, null],
        ['restore', restoreTexts.value.title, null],
      ],
      (chosen) => setRestore(chosen === 'restore'),
    ),
    isRestore ? h(OnNewBox, {}) : h(ClaimForm, {}),
    h(LanguageChoice, {}),
    el.p(null, el.a({ href: '/trust' }, t.value.trust), ' ', el.a({ href: '/doors' }, t.value.doors)),
  )
}

function ClaimForm(): View {
  const [entered, set] = useDraft('claim', { code: '', name: '' })
  const [password, setPassword] = useState('')
  const [passcode, setPasscode] = useState('')
  const { problem, isBusy, run } = useSaving()
  const refusal = (field: string) => (problem?.field === field ? problem.message : null)
  const claim = (event: Event) => {
    event.preventDefault()
    const secrets = { password, ...(passcode !== '' && { passcode }) }
    const { station } = t.value.claim
    run(() => act('claim', { ...entered, ...secrets, language: language.value, station }))
  }
  const text = t.value.claim
  const isKnown = ['code', 'name', 'password', 'passcode'].some((each) => problem?.field === each)
  return el.div(
    { class: 'stack' },
    el.p(null, text.why),
    el.form(
      { class: 'stack', onSubmit: claim },
      h(Field, {
        label: text.code,
        value: entered.code,
        onInput: (code: string) => set({ code }),
        inputMode: 'numeric',
        maxLength: 20,
        isRequired: true,
        isFirst: true,
        hint: text.codeHint,
        error: refusal('code'),
      }),
      h(Field, {
        label: text.name,
        value: entered.name,
        onInput: (name: string) => set({ name }),
        autocomplete: 'username',
        maxLength: 60,
        isRequired: true,
        error: refusal('name'),
      }),
      h(Field, {
        label: signInTexts.value.password,
        value: password,
        onInput: setPassword,
        type: 'password',
        autocomplete: 'new-password',
        maxLength: 128,
        isRequired: true,
        hint: text.passwordHint(shortest, password.length),
        error: refusal('password'),
      }),
      h(Field, {
        label: text.passcode,
        value: passcode,
        onInput: setPasscode,
        type: 'password',
        inputMode: 'numeric',
        autocomplete: 'new-password',
        maxLength: 6,
        hint: text.passcodeHint,
        error: refusal('passcode'),
      }),
      problem && !isKnown && notice('error', problem.title, el.p(null, refusalText(problem))),
      button(text.claim, { onClick: () => {}, kind: 'main', type: 'submit', isBusy }),
    ),
  )
}

function refusalText(problem: ApiError): string {
  return problem.code === 'no-line' ? common.value.noLine : problem.message
}
