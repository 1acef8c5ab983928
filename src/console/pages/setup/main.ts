import { h, render } from 'preact'
import { useEffect } from 'preact/hooks'
import { common } from '../lib/common-texts.ts'
import { button, notice } from '../lib/controls.ts'
import { el, type View } from '../lib/el.ts'
import { followEvents } from '../lib/live.ts'
import { askSession, isClaimed, isDemo, may, session, signOut, startDemo, state } from '../lib/session.ts'
import { ConfirmAgain, LanguageChoice, LockedPage, SignIn } from '../lib/sign-in.ts'
import { Claim } from './claim.ts'
import { Frame } from './frame.ts'
import { t } from './texts.ts'

/** The pages of the installer: the claim of a new box, sign-in, or the steps. */
function Setup(): View {
  if (state.value === 'asking') return el.div(null)
  if (state.value === 'no-line')
    return el.main(
      { class: 'sign-in' },
      notice('warning', common.value.noLineTitle, el.p(null, common.value.networkTrouble)),
    )
  if (state.value === 'signed-out') return isClaimed.value || isDemo.value ? h(SignIn, {}) : h(Claim, {})
  return h(SignedIn, { key: session.value?.accountId ?? '' })
}

function SignedIn(): View {
  const isLocked = session.value?.isLocked ?? true
  const hears = may('events.read') && !isLocked
  useEffect(() => (hears ? followEvents(() => void askSession()) : undefined), [hears])
  if (isLocked) return h(LockedPage, {})
  return el.div(null, may('config.write') ? h(Frame, {}) : h(NotAllowed, {}), h(ConfirmAgain, {}))
}

function NotAllowed(): View {
  return el.main(
    { class: 'sign-in' },
    el.h1(null, t.value.title),
    notice('warning', t.value.notAllowed(session.value?.name ?? '')),
    isDemo.value && button('Ida', { onClick: () => void startDemo('Ida'), icon: 'person' }),
    button(common.value.signOut, { onClick: () => void signOut(), icon: 'out' }),
    el.a({ href: '/desk' }, t.value.toDesk),
    h(LanguageChoice, {}),
  )
}

render(h(Setup, {}), document.getElementById('page')!)
sessionStorage.removeItem('nightporter.reloaded')
void askSession()
