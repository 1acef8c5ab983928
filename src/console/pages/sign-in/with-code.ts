import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Field, notice } from '../lib/controls/controls.ts'
import { el, type View } from '../lib/controls/el.ts'
import { common } from '../lib/language/common-texts.ts'
import type { ApiError } from '../lib/server/api.ts'
import { act } from '../lib/server/session.ts'
import { useAttempt } from './attempt.ts'
import { signInTexts } from './texts.ts'

interface RedeemOptions {
  /** A passcode is accepted only at an enrolled station. */
  isAtStation: boolean
  cancel: () => void
}

/**
 * For a new member of the staff, or one who has forgotten the secret: the person enters the one-time code, sets a new
 * secret, and is signed in.
 */
export function RedeemCode({ isAtStation, cancel }: RedeemOptions): View {
  const [name, setName] = useState('')
  const [code, setCode] = useState('')
  const [passcode, setPasscode] = useState('')
  const [password, setPassword] = useState('')
  const [refused, setRefused] = useState<ApiError | null>(null)
  const { problem, isBusy, run } = useAttempt(
    signInTexts.value.wrongCode,
    () =>
      act('redeem-code', {
        account: name,
        code,
        ...(passcode && { newPasscode: passcode }),
        ...(password && { newPassword: password }),
      }),
    setRefused,
  )
  const errorOf = (field: string) => (refused?.field === field ? refused.message : null)
  return el.main(
    { class: 'sign-in' },
    el.h1(null, signInTexts.value.haveCode),
    el.form(
      { class: 'stack', onSubmit: run },
      h(Field, {
        label: signInTexts.value.name,
        value: name,
        onInput: setName,
        autocomplete: 'username',
        isFirst: true,
      }),
      h(Field, {
        label: signInTexts.value.oneTimeCode,
        value: code,
        onInput: setCode,
        hint: signInTexts.value.oneTimeCodeHint,
      }),
      isAtStation &&
        h(Field, {
          label: signInTexts.value.newPasscode,
          value: passcode,
          onInput: setPasscode,
          type: 'password',
          inputMode: 'numeric',
          maxLength: 6,
          hint: signInTexts.value.passcodeHint,
          error: errorOf('newPasscode'),
        }),
      h(Field, {
        label: signInTexts.value.newPassword,
        value: password,
        onInput: setPassword,
        type: 'password',
        autocomplete: 'new-password',
        hint: isAtStation ? signInTexts.value.newPasswordMaybe : signInTexts.value.newPasswordHint,
        error: errorOf('newPassword'),
      }),
      problem &&
        refused?.field !== 'newPasscode' &&
        refused?.field !== 'newPassword' &&
        notice('error', problem),
      el.div(
        { class: 'row' },
        button(signInTexts.value.signIn, { onClick: () => {}, kind: 'main', type: 'submit', isBusy }),
        button(common.value.cancel, { onClick: cancel }),
      ),
    ),
  )
}

interface EnrolOptions {
  cancel: () => void
  /** The code that was scanned; empty for one to type. */
  scanned: string
}

/** Makes this browser a station, with an enrolment code from an administrator. */
export function EnrolStation({ cancel, scanned }: EnrolOptions): View {
  const [code, setCode] = useState(scanned)
  const { problem, isBusy, run } = useAttempt(signInTexts.value.wrongCode, async () => {
    await act('enrol-station', { code })
    cancel()
  })
  return el.main(
    { class: 'sign-in' },
    el.h1(null, signInTexts.value.enrol),
    el.p(null, signInTexts.value.enrolMeaning),
    el.form(
      { class: 'stack', onSubmit: run },
      h(Field, {
        label: signInTexts.value.enrolmentCode,
        value: code,
        onInput: setCode,
        inputMode: 'numeric',
        hint: signInTexts.value.enrolmentCodeHint,
        isFirst: true,
      }),
      problem && notice('error', problem),
      el.div(
        { class: 'row' },
        button(signInTexts.value.confirm, { onClick: () => {}, kind: 'main', type: 'submit', isBusy }),
        button(common.value.cancel, { onClick: cancel }),
      ),
    ),
  )
}
