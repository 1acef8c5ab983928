import { h, render } from 'preact'
import { useEffect } from 'preact/hooks'
import { loadingBar, notice } from '../lib/controls/controls.ts'
import { el, type View } from '../lib/controls/el.ts'
import { FaultNotice, Guarded } from '../lib/controls/guard.ts'
import { place } from '../lib/controls/route.ts'
import { setTitlePlace } from '../lib/controls/title.ts'
import { common } from '../lib/language/common-texts.ts'
import { useEvents } from '../lib/server/read.ts'
import { askSession, isLockedOrLocking, may, session, state, station } from '../lib/server/session.ts'
import { KeptScreens } from '../sign-in/kept-screens.ts'
import { LockedPage, SignIn } from '../sign-in/sign-in.ts'
import { resumeMakings } from './cards/making.ts'
import { Frame } from './frame.ts'
import { t } from './texts.ts'

/** The front desk: sign-in, the lock of the station, or the screens. */
function Desk(): View {
  if (state.value === 'asking') return el.div(null, loadingBar(true))
  if (state.value === 'no-line')
    return el.main(
      { class: 'sign-in' },
      notice('warning', common.value.noLineTitle, el.p(null, common.value.networkTrouble)),
    )
  // A scanned enrolment code is for this browser, also where a person is signed in.
  const isScanned = place.value.screen === 'enrol' && station.value === null
  if (state.value === 'signed-out' || isScanned) return h(SignIn, {})
  return h(SignedIn, { key: session.value?.accountId ?? '' })
}

function SignedIn(): View {
  const isLocked = session.value?.isLocked ?? true
  useEvents(!isLockedOrLocking.value)
  useEffect(() => {
    if (may('keys.issue')) resumeMakings()
  }, [])
  return el.div(null, isLocked && h(LockedPage, {}), h(KeptScreens, { isLocked, frame: Frame }))
}

setTitlePlace(() => t.value.frame.place)
render([h(FaultNotice, {}), h(Guarded, null, h(Desk, {}))], document.getElementById('page')!)
void askSession()
