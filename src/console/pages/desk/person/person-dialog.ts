import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Dialog, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { common } from '../../lib/language/common-texts.ts'
import { may, session, signOut } from '../../lib/server/session.ts'
import { LanguageChoice, StillOpen } from '../../sign-in/sign-in.ts'
import { signInTexts } from '../../sign-in/texts.ts'
import { t } from '../texts.ts'
import { ChangeSecret, type SecretKind } from './change-secret.ts'
import { OwnSessions } from './own-sessions.ts'

interface PersonDialogOptions {
  close: () => void
}

/**
 * The dialogue of the signed-in person: the language for this browser, the own passcode and password, the own sessions,
 * the set-up, and signing out.
 */
export function PersonDialog({ close }: PersonDialogOptions): View {
  const [changing, change] = useState<SecretKind | null>(null)
  const [isChanged, setChanged] = useState(false)
  const begin = (kind: SecretKind) => () => {
    setChanged(false)
    change(kind)
  }
  const done = () => {
    setChanged(true)
    change(null)
  }
  return h(
    Dialog,
    { title: session.value?.name ?? '', onClose: close },
    el.div(
      { class: 'stack' },
      isChanged && notice('ok', t.value.person.secretChanged),
      changing && h(ChangeSecret, { key: changing, kind: changing, done, cancel: () => change(null) }),
      !changing && h(LanguageChoice, {}),
      !changing &&
        el.div(
          { class: 'row' },
          // A passcode counts at a station only.
          session.value?.station && button(t.value.person.changePasscode, { onClick: begin('passcode') }),
          button(t.value.person.changePassword, { onClick: begin('password') }),
        ),
      !changing && h(OwnSessions, {}),
      !changing && may('config.write') && el.a({ href: '/setup' }, common.value.system),
      !changing && button(signInTexts.value.signOut, { onClick: () => void signOut(), icon: 'out' }),
      h(StillOpen, {}),
    ),
  )
}
