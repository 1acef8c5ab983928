import { h, render } from 'preact'
import { button, Dialog } from '../lib/controls.ts'
import { el, type View } from '../lib/el.ts'
import { changeLanguage, isLanguage } from '../lib/language.ts'
import { resume } from './cards.ts'
import { moveFocusByArrows } from './focus.ts'
import { keepHouse, service } from './house.ts'
import { giveMoreTime, questionLeft, watchIdle } from './idle.ts'
import { remembered } from './pending.ts'
import { NotTaken, Room, TakeCard, Working } from './screens/card.ts'
import { AnotherCard, ChooseStay, Detail, Greeting, Pay } from './screens/guest.ts'
import { EnterName, EnterNumber, Welcome } from './screens/start.ts'
import { NotEnrolled, OutOfService, Sentence } from './screens/told.ts'
import { speakFocus } from './speech.ts'
import { t } from './texts.ts'
import { leave, screen } from './visit.ts'

/** The page of the kiosk. A guest who is under way is not disturbed by the state of the box: each request has its own answer. */
function Kiosk(): View {
  return el.div(
    { class: 'kiosk-frame' },
    current(),
    questionLeft.value !== null && moreTimeQuestion(questionLeft.value),
  )
}

function current(): View {
  const shown = screen.value
  switch (shown.name) {
    case 'welcome':
      return atStart()
    case 'number':
      return h(EnterNumber, {})
    case 'name':
      return h(EnterName, {})
    case 'choose':
      return h(ChooseStay, shown)
    case 'greeting':
      return h(Greeting, shown)
    case 'detail':
      return h(Detail, { key: shown.detail, ...shown })
    case 'pay':
      return h(Pay, shown)
    case 'another-card':
      return h(AnotherCard, shown)
    case 'working':
      return h(Working, shown)
    case 'take-card':
      return h(TakeCard, shown)
    case 'not-taken':
      return h(NotTaken, shown)
    case 'room':
      return h(Room, shown)
    case 'sentence':
      return h(Sentence, shown)
  }
}

function atStart(): View {
  switch (service.value) {
    case 'starting':
      return el.div(null)
    case 'not-enrolled':
      return h(NotEnrolled, {})
    case 'open':
      return h(Welcome, {})
    case 'closed':
      return h(OutOfService, {})
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
  const pending = remembered()
  if (!pending) return
  if (isLanguage(pending.language)) await changeLanguage(pending.language, false)
  await resume(pending)
}

void begin()
