import { Fragment, h, render } from 'preact'
import { useErrorBoundary } from 'preact/hooks'
import { button, Dialog } from '../lib/controls.ts'
import { el, type View } from '../lib/el.ts'
import { changeLanguage, isLanguage } from '../lib/language.ts'
import { resume } from './cards.ts'
import { moveFocusByArrows } from './focus.ts'
import { keepHouse, service } from './house.ts'
import { giveMoreTime, questionLeft, watchIdle } from './idle.ts'
import { remembered } from './pending.ts'
import { NotTaken, Room, TakeCard, Working } from './screens/card.ts'
import { AnotherCard, ChooseStay, Detail, Greeting, Pay, Paying } from './screens/guest.ts'
import { NotEnrolled, OutOfService, Sentence } from './screens/messages.ts'
import { EnterName, EnterNumber, EnterOnFile, Welcome } from './screens/start.ts'
import { speakFocus } from './speech.ts'
import { t } from './texts.ts'
import { giveUp, leave, present, screen, type Visit } from './visit.ts'
import { resumePayment } from './way.ts'

/**
 * The page of the kiosk. A change of the box's state does not interrupt a guest's visit: each request reports its own
 * failure.
 */
function Kiosk(): View {
  useErrorBoundary(endBroken)
  const visit = present.value
  return el.div(
    { class: 'kiosk-frame' },
    h(Fragment, { key: visit.number }, current(visit)),
    questionLeft.value !== null && moreTimeQuestion(questionLeft.value),
  )
}

/** A page that cannot be drawn becomes the one that sends the guest to the desk. */
function endBroken(error: unknown): void {
  reportError(error)
  const { name } = screen.peek()
  if (name === 'sentence') leave()
  else if (name !== 'welcome') giveUp('helpAtDesk', 'page-error')
}

function current(visit: Visit): View {
  const shown = visit.screen.value
  switch (shown.name) {
    case 'welcome':
      return atStart(visit)
    case 'number':
      return h(EnterNumber, { visit })
    case 'name':
      return h(EnterName, { visit })
    case 'onFile':
      return h(EnterOnFile, { visit })
    case 'choose':
      return h(ChooseStay, { visit, ...shown })
    case 'greeting':
      return h(Greeting, { visit, ...shown })
    case 'detail':
      return h(Detail, { key: shown.detail, visit, ...shown })
    case 'pay':
      return h(Pay, { visit, ...shown })
    case 'paying':
      return h(Paying, { visit, ...shown })
    case 'another-card':
      return h(AnotherCard, { visit, ...shown })
    case 'working':
      return h(Working, { visit, ...shown })
    case 'take-card':
      return h(TakeCard, { visit, ...shown })
    case 'not-taken':
      return h(NotTaken, { visit, ...shown })
    case 'room':
      return h(Room, { visit, ...shown })
    case 'sentence':
      return h(Sentence, { visit, ...shown })
  }
}

function atStart(visit: Visit): View {
  switch (service.value) {
    case 'starting':
      return el.div(null)
    case 'not-enrolled':
      return h(NotEnrolled, { visit })
    case 'open':
      return h(Welcome, { visit })
    case 'closed':
      return h(OutOfService, { visit })
  }
}

function moreTimeQuestion(seconds: number): View {
  return h(
    Dialog,
    { title: t.value.moreTimeQuestion, onClose: giveMoreTime },
    el.p({ role: 'timer' }, t.value.seconds(seconds)),
    el.div(
      { class: 'choices' },
      button(t.value.yes, { onClick: giveMoreTime, kind: 'main', icon: 'clock' }),
      button(t.value.startAgain, { onClick: leave, icon: 'undo' }),
    ),
  )
}

async function begin(): Promise<void> {
  render(h(Kiosk, {}), document.getElementById('page')!)
  sessionStorage.removeItem('nightporter.reloaded')
  watchIdle()
  moveFocusByArrows()
  speakFocus()
  void keepHouse()
  const pending = await remembered()
  if (!pending) return
  if (isLanguage(pending.language)) await changeLanguage(pending.language, false).catch(reportError)
  if ('isPayment' in pending) await resumePayment(present.value, pending)
  else await resume(present.value, pending)
}

void begin()
