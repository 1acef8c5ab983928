import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Field, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { common } from '../../lib/language/common-texts.ts'
import type { ApiError } from '../../lib/server/api.ts'
import { act } from '../../lib/server/session.ts'
import { useAttempt } from '../../sign-in/attempt.ts'
import { signInTexts } from '../../sign-in/texts.ts'
import { t } from '../texts.ts'

/** What a person changes: the passcode of stations, or the password. */
export type SecretKind = 'passcode' | 'password'

interface ChangeSecretOptions {
  kind: SecretKind
  done: () => void
  cancel: () => void
}

const passcodeForm = /^\d{6}$/

/** Changes the own passcode or password, after the present one was entered. */
export function ChangeSecret({ kind, done, cancel }: ChangeSecretOptions): View {
  const [present, setPresent] = useState('')
  const [wanted, setWanted] = useState('')
  const [refused, setRefused] = useState<ApiError | null>(null)
  const isPasscode = kind === 'passcode'
  const field = isPasscode ? 'newPasscode' : 'newPassword'
  const { problem, isBusy, run } = useAttempt(
    signInTexts.value.wrongSecret,
    async () => {
      // A password is never this short.
      const known = passcodeForm.test(present) ? { passcode: present } : { password: present }
      await act('change-secrets', { ...known, [field]: wanted })
      done()
    },
    setRefused,
  )
  const isOfField = problem !== null && refused?.field === field
  return el.form(
    { class: 'stack', onSubmit: run },
    h(Field, {
      label: t.value.person.presentSecret,
      value: present,
      onInput: setPresent,
      type: 'password',
      autocomplete: 'current-password',
      isFirst: true,
    }),
    h(Field, {
      label: isPasscode ? signInTexts.value.newPasscode : signInTexts.value.newPassword,
      value: wanted,
      onInput: setWanted,
      type: 'password',
      autocomplete: 'new-password',
      hint: isPasscode ? signInTexts.value.passcodeHint : signInTexts.value.newPasswordHint,
      error: isOfField ? problem : null,
      ...(isPasscode && { inputMode: 'numeric', maxLength: 6 }),
    }),
    problem !== null && !isOfField && notice('error', problem),
    el.div(
      { class: 'row' },
      button(isPasscode ? t.value.person.changePasscode : t.value.person.changePassword, {
        onClick: () => {},
        kind: 'main',
        type: 'submit',
        isBusy,
        isDisabled: present === '' || wanted === '',
      }),
      button(common.value.cancel, { onClick: cancel }),
    ),
  )
}
