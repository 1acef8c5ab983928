import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { button } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { dateOf, dateText, momentText, timeText } from '../../lib/language/format.ts'
import { ring, useSecondsUntil } from '../countdown.ts'
import { sentenceOf } from '../failures.ts'
import { dispenser, house, now } from '../house.ts'
import { farewellLeft, farewellSeconds, giveMoreTime, keepFarewell } from '../idle.ts'
import { late } from '../late.ts'
import { decision, page } from '../page.ts'
import { OfferReceipt } from '../receipt/begin.ts'
import type { RoomFacts, Screen } from '../screen.ts'
import { chimeForGuest, speak } from '../speech.ts'
import { t } from '../texts.ts'
import { leave, type Visit } from '../visit.ts'
import { anotherCard, wantCards } from '../way.ts'

type Of<Name extends Screen['name']> = Extract<Screen, { name: Name }> & { visit: Visit }

/** The box is working. There are no controls, so that the guest cannot press one by mistake. */
export function Working({ visit, does, row }: Of<'working'>): View {
  const title = t.value.works[does]
  return page({
    visit,
    title: row === null ? title : sentenceOf(row),
    says: [],
    shows: [el.div({ class: 'at-work', role: 'progressbar', 'aria-label': title })],
    controls: [],
    isWorking: true,
  })
}

/** Each number of cards has its button. That for every adult is the usual one. */
export function HowMany({ visit, found, most }: Of<'how-many'>): View {
  const want = (cards: number, kind: 'main' | 'plain' = 'plain') =>
    button(t.value.cards(cards), { onClick: () => void wantCards(visit, found, cards), kind, icon: 'card' })
  return page({
    visit,
    title: t.value.howManyCards,
    says: [],
    controls: Array.from({ length: most - 1 }, (_, less) => want(less + 1)),
    decides: decision(visit, want(most, 'main')),
  })
}

/** The card is at the gate, and waits until the deadline. */
export function TakeCard({ visit, deadline, card, of }: Of<'take-card'>): View {
  const { cardSlot } = house.value.kiosk
  const secondsLeft = useSecondsUntil(deadline)
  // Every ten seconds: speech each second would not be understood.
  const tens = secondsLeft === null ? null : Math.ceil(secondsLeft / 10)
  useEffect(() => {
    if (secondsLeft === null) return
    chimeForGuest()
    speak(t.value.seconds(secondsLeft), { follows: true })
  }, [tens])
  return page({
    visit,
    title: t.value.takeCard,
    says: [...(of > 1 ? [t.value.cardOf(card, of)] : []), ...(cardSlot ? [t.value.cardComes[cardSlot]] : [])],
    picture: late.value?.slotPicture(cardSlot ?? 'below'),
    controls: [
      secondsLeft !== null &&
        el.div(
          { class: 'panel countdown' },
          ring(secondsLeft, dispenser.value?.presentTimeoutSeconds),
          el.p(null, t.value.thenTakenBack),
        ),
    ],
    isWorking: true,
  })
}

/** The card was not taken in time. */
export function NotTaken({ visit, again }: Of<'not-taken'>): View {
  useEffect(chimeForGuest, [])
  return page({
    visit,
    title: sentenceOf('notTaken'),
    says: [],
    picture: late.value?.slotPicture(house.value.kiosk.cardSlot ?? 'below'),
    controls: [],
    decides: decision(visit, button(t.value.getNewCard, { onClick: again, kind: 'main', icon: 'card' })),
  })
}

/** The room number is not spoken, and is hidden until the guest touches it, because others may stand in the lobby. */
export function Room({ visit, found, rooms, missing }: Of<'room'>): View {
  const [isShown, setShown] = useState(false)
  const says = missing === null ? [] : [t.value.missing[missing]]
  useEffect(chimeForGuest, [])
  return page({
    visit,
    title: t.value.enjoy,
    says,
    shows: [houseFacts()],
    spoken: `${says.join(' ')} ${t.value.roomIsShown} ${t.value.closesIn(farewellSeconds)}`,
    controls: [
      el.div(
        { class: 'rooms' },
        rooms.map((each) => roomPanel(each, isShown)),
        button(isShown ? t.value.hideRoom : t.value.showRoom, {
          onClick: () => {
            setShown(!isShown)
            keepFarewell()
          },
          icon: isShown ? 'hide' : 'show',
        }),
      ),
      el.p({ role: 'timer', class: 'closing' }, t.value.closesIn(farewellLeft.value ?? 0)),
      h(OfferReceipt, { visit }),
      el.div(
        { class: 'choices' },
        // Who leaves a copy in the slot may have gone.
        missing !== 'copyTakenBack' &&
          button(t.value.anotherCard, { onClick: () => void anotherCard(visit, found), icon: 'key' }),
        button(t.value.moreTime, { onClick: giveMoreTime, icon: 'clock' }),
      ),
    ],
    decides: decision(visit, button(t.value.done, { onClick: leave, kind: 'main', icon: 'check' })),
  })
}

function roomPanel({ name, floor, validFrom, validUntil }: RoomFacts, isShown: boolean): View {
  const opensLater = Date.parse(validFrom) > now() + 60_000
  return el.dl(
    { key: name, class: 'panel' },
    el.dt(null, t.value.room),
    el.dd({ class: 'number' }, isShown ? name : '•••'),
    isShown && floor !== null && [el.dt(null, t.value.floor), el.dd(null, floor)],
    opensLater && [el.dt(null, t.value.opensFrom), el.dd(null, momentText(validFrom))],
    el.dt(null, t.value.leaveBy),
    el.dd(null, `${dateText(dateOf(validUntil))}, ${timeText(validUntil)}`),
  )
}

/** What each guest reads about the house. */
function houseFacts(): View | null {
  const { lift, breakfast, wifi } = house.value.kiosk
  const facts = [
    ['lift', lift],
    ['breakfast', breakfast],
    ['wifi', wifi],
  ] as const
  if (!facts.some(([, text]) => text)) return null
  return el.dl(
    { class: 'facts' },
    facts.map(
      ([name, text]) =>
        text && el.div({ key: name, class: 'panel' }, el.dt(null, t.value.facts[name]), el.dd(null, text)),
    ),
  )
}
