import { h, render } from 'preact'
import { button, loadingBar, notice } from '../lib/controls/controls.ts'
import { el, type View } from '../lib/controls/el.ts'
import { FaultNotice, Guarded } from '../lib/controls/guard.ts'
import { setTitlePlace } from '../lib/controls/title.ts'
import { common } from '../lib/language/common-texts.ts'
import { useEvents } from '../lib/server/read.ts'
import {
  askSession,
  isClaimed,
  isDemo,
  isLockedOrLocking,
  may,
  session,
  signOut,
  startDemo,
  state,
} from '../lib/server/session.ts'
import { KeptScreens } from '../sign-in/kept-screens.ts'
import { LanguageChoice, LockedPage, SignIn, StillOpen } from '../sign-in/sign-in.ts'
import { signInTexts } from '../sign-in/texts.ts'
import { Claim } from './claim.ts'
import { Frame } from './frame.ts'
import { RestorePage } from './restore/restore-page.ts'
import { restoreId } from './restore/restore-state.ts'
import { t } from './texts.ts'

/** The pages of the installer: the claim of a new box, sign-in, or the steps. */
function Setup(): View {
  if (state.value === 'asking') return el.div(null, loadingBar(true))
  if (state.value === 'signed-in') return h(SignedIn, { key: session.value?.accountId ?? '' })
  // The page continues without a signed-in person, because the restart ends every session.
  if (restoreId.value !== null) return h(RestorePage, { id: restoreId.value })
  if (state.value === 'no-line')
    return el.main(
      { class: 'sign-in' },
      notice('warning', common.value.noLineTitle, el.p(null, common.value.networkTrouble)),
    )
  return isClaimed.value || isDemo.value ? h(SignIn, {}) : h(Claim, {})
}

function SignedIn(): View {
  const isLocked = session.value?.isLocked ?? true
  useEvents(may('events.read') && !isLockedOrLocking.value)
  return el.div(null, isLocked && h(LockedPage, {}), h(KeptScreens, { isLocked, frame: Screens }))
}

/** A restore that this browser has begun takes the place of the steps. */
function Screens(): View {
  if (restoreId.value !== null) return h(RestorePage, { id: restoreId.value })
  return h(may('config.write') ? Frame : NotAllowed, {})
}

function NotAllowed(): View {
  return el.main(
    { class: 'sign-in' },
    el.h1(null, t.value.title),
    notice('warning', t.value.notAllowed(session.value?.name ?? '')),
    isDemo.value && button('Ida', { onClick: () => void startDemo('Ida'), icon: 'person' }),
    button(signInTexts.value.signOut, { onClick: () => void signOut(), icon: 'out' }),
    h(StillOpen, {}),
    el.a({ href: '/desk' }, t.value.toDesk),
    h(LanguageChoice, {}),
  )
}

setTitlePlace(() => t.value.title)
render([h(FaultNotice, {}), h(Guarded, null, h(Setup, {}))], document.getElementById('page')!)
void askSession()
