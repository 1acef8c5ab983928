import { Fragment, h, render } from 'preact'
import { useEffect, useErrorBoundary } from 'preact/hooks'
import { button, Dialog } from '../lib/controls/controls.ts'
import { el, type View } from '../lib/controls/el.ts'
import { onFault } from '../lib/controls/faults.ts'
import { changeLanguage, isLanguage } from '../lib/language/language.ts'
import { keepHouse, service } from './house.ts'
import { farewellLeft, farewellSeconds, giveMoreTime, questionLeft, watchIdle } from './idle.ts'
import { loadLate } from './late.ts'
import { page } from './page.ts'
import { remembered } from './pending.ts'
import { OfferReceipt } from './receipt/begin.ts'
import { goOnWith, recover } from './recover.ts'
import { HowMany, NotTaken, Room, TakeCard, Working } from './screens/card.ts'
import { AnotherCard, CheckOut, ChooseStay, Detail, Greeting, Pay, Paying } from './screens/guest.ts'
import { NotEnrolled, OutOfService, Sentence } from './screens/messages.ts'
import { EnterName, EnterNumber, EnterOnFile, Searching, Welcome } from './screens/start.ts'
import { speakFocus } from './speech.ts'
import { t } from './texts.ts'
import { leave, present, type Visit } from './visit.ts'

/**
 * The page of the kiosk. A change of the box's state does not interrupt a guest's visit: each request reports its own
 * failure.
 */
function Kiosk(): View {
  const [error, again] = useErrorBoundary((error) => {
    console.error(error)
    void recover('page-error', false)
  })
  // The screen that could not be drawn is gone by then.
  useEffect(() => {
    const timer = error && setTimeout(again, 2_000)
    return () => clearTimeout(timer)
  }, [error])
  const visit = present.value
  if (error) return el.div({ class: 'kiosk-page' }, el.main({ class: 'instructions' }, t.value.oneMoment))
  return el.div(
    { class: 'kiosk-frame' },
    h(Fragment, { key: visit.number }, current(visit)),
    questionLeft.value !== null && moreTimeQuestion(questionLeft.value),
  )
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
    case 'searching':
      return h(Searching, { visit, ...shown })
    case 'choose':
      return h(ChooseStay, { visit, ...shown })
    case 'greeting':
      return h(Greeting, { visit, ...shown })
    case 'detail':
      return h(Detail, { key: shown.detail, visit, ...shown })
    case 'registration':
    case 'card-back':
      return shown.draw()
    case 'checked-out':
      return shown.draw(farewellLeft.value ?? 0, farewellSeconds, h(OfferReceipt, { visit }))
    case 'pay':
      return h(Pay, { visit, ...shown })
    case 'paying':
      return h(Paying, { visit, ...shown })
    case 'another-card':
      return h(AnotherCard, { visit, ...shown })
    case 'check-out':
      return h(CheckOut, { visit, ...shown })
    case 'how-many':
      return h(HowMany, { visit, ...shown })
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
      return page({ visit, title: t.value.oneMoment, says: [], controls: [], isWorking: true })
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
  onFault((error) => {
    console.error(error)
    void recover('page-error')
  })
  watchIdle()
  speakFocus()
  void keepHouse()
  // The first guest touches the screen.
  import('./focus.ts').then(({ moveFocusByArrows }) => moveFocusByArrows()).catch(console.error)
  loadLate().catch(console.error)
  const pending = await remembered()
  if (!pending) return
  if (isLanguage(pending.language)) await changeLanguage(pending.language, false)
  await goOnWith(present.value, pending)
}

void begin()
