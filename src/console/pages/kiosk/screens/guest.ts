import { h } from 'preact'
import { button } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { icon } from '../../lib/controls/icons.ts'
import { longDate, timeText, weekdayDate } from '../../lib/language/format.ts'
import type { Found } from '../box.ts'
import { ring, useSecondsUntil } from '../countdown.ts'
import { house, now, terminal, today } from '../house.ts'
import { Entry } from '../keyboard/keyboard.ts'
import { late } from '../late.ts'
import { decision, page } from '../page.ts'
import type { Screen } from '../screen.ts'
import { shortName } from '../short-name.ts'
import { t } from '../texts.ts'
import { leave, type Visit } from '../visit.ts'
import {
  askToLeave,
  cardByNumber,
  chooseStay,
  confirmGuest,
  giveDetail,
  isOver,
  leaveHouse,
  lostCard,
  payAtDesk,
  payHere,
  skipDetail,
  stayLonger,
} from '../way.ts'

type Of<Name extends Screen['name']> = Extract<Screen, { name: Name }> & { visit: Visit }

function guestName({ guest }: Found): string {
  return shortName(guest?.attributes ?? {}) || t.value.guest
}

function datesOf({ stay: { startDate, endDate, nights } }: Found): string {
  if (nights === 0) return longDate(startDate)
  return `${t.value.dates(longDate(startDate), longDate(endDate))}, ${t.value.nights(nights)}`
}

function greetingFor(name: string): string {
  const hour = Number(timeText(now()).slice(0, 2))
  if (hour < 11) return t.value.goodMorning(name)
  return hour < 18 ? t.value.goodDay(name) : t.value.goodEvening(name)
}

/** Asks whether the stay that was found is that of the guest. */
export function Greeting({ visit, found }: Of<'greeting'>): View {
  return page({
    visit,
    title: greetingFor(guestName(found)),
    says: [t.value.isThisYou],
    spoken: `${datesOf(found)} ${t.value.isThisYou}`,
    controls: [stayPanel(found), button(t.value.notMe, { onClick: leave, icon: 'cross' })],
    decides: decision(
      visit,
      button(t.value.thisIsMe, { onClick: () => void confirmGuest(visit, found), kind: 'main', icon: 'key' }),
    ),
  })
}

/** The days of a stay. */
function stayPanel({ stay: { startDate, endDate, nights } }: Found): View {
  const day = (date: string, time: string) =>
    el.div(null, el.strong(null, longDate(date)), el.span(null, time))
  return el.div(
    { class: 'panel stay' },
    day(startDate, ''),
    nights > 0 && icon('right'),
    nights > 0 && day(endDate, t.value.nights(nights)),
  )
}

/** A booking of several rooms: each guest chooses a room. */
export function ChooseStay({ visit, found }: Of<'choose'>): View {
  return page({
    visit,
    title: t.value.whichStay,
    says: [],
    controls: found.map((each) => {
      const { startDate, endDate, id } = each.stay
      const dates = t.value.dates(weekdayDate(startDate), weekdayDate(endDate))
      return el.div(
        { key: id },
        button(`${guestName(each)}, ${dates}`, {
          onClick: () => void chooseStay(visit, each),
          icon: 'person',
        }),
      )
    }),
    decides: decision(visit, null),
  })
}

/** Asks a guest in house whether another card is wanted. */
export function AnotherCard({ visit, found }: Of<'another-card'>): View {
  return page({
    visit,
    title: t.value.doYouNeedACard,
    says: [],
    controls: [
      button(t.value.lostCard, { onClick: () => void lostCard(visit, found), icon: 'card' }),
      button(t.value.checkOut, { onClick: () => void askToLeave(visit, found), icon: 'out' }),
      button(t.value.noCardNeeded, { onClick: leave, icon: 'cross' }),
    ],
    decides: decision(
      visit,
      button(t.value.anotherCard, {
        onClick: () => void cardByNumber(visit, found),
        kind: 'main',
        icon: 'key',
      }),
    ),
  })
}

/** Asks a guest in house whether to check out. A key that the guest would like instead does not open when the departure has come. */
export function CheckOut({ visit, found }: Of<'check-out'>): View {
  const { endDate } = found.stay
  const isLate = isOver(found.stay)
  const says = isLate
    ? [t.value.departureHasCome]
    : endDate > today()
      ? [t.value.bookedUntil(longDate(endDate))]
      : []
  return page({
    visit,
    title: t.value.checkOutNow,
    says,
    controls: [
      stayPanel(found),
      isLate
        ? button(t.value.stayLonger, { onClick: () => void stayLonger(visit), icon: 'person' })
        : button(t.value.noCardNeeded, { onClick: leave, icon: 'cross' }),
    ],
    decides: decision(
      visit,
      button(t.value.checkOut, { onClick: () => void leaveHouse(visit, found), kind: 'main', icon: 'out' }),
    ),
  })
}

/** The outstanding amount, and where to pay it. */
export function Pay({ visit, found, amount, isCanceled }: Of<'pay'>): View {
  return page({
    visit,
    title: t.value.whatIsDue(amount),
    says: isCanceled ? [t.value.paymentCanceled] : [],
    controls: [
      el.div({ class: 'panel amount' }, el.strong(null, amount)),
      button(t.value.payAtDesk, { onClick: () => void payAtDesk(visit, found), icon: 'person' }),
    ],
    decides: decision(
      visit,
      button(t.value.payHere, { onClick: () => void payHere(visit, found), kind: 'main', icon: 'card' }),
    ),
  })
}

/** The terminal waits for the card of the guest, who may change his mind. */
export function Paying({ visit, amount, until, cancellation: { state, ask } }: Of<'paying'>): View {
  const secondsLeft = useSecondsUntil(until) ?? 0
  const { terminal: place } = house.value.kiosk
  const { atTerminal, cancelPayment, cancelingPayment, cancelRefused } = t.value
  const isAsked = state.value === 'asked'
  const says = { none: [], asked: [cancelingPayment], refused: [cancelRefused] }[state.value]
  return page({
    visit,
    title: atTerminal,
    says: [...(place ? [t.value.terminalIs[place]] : []), ...says],
    picture: late.value?.terminalPicture(place ?? 'right'),
    controls: [
      el.div({ class: 'panel amount' }, el.strong(null, amount)),
      el.div(
        { class: 'panel countdown' },
        secondsLeft > 0 && ring(secondsLeft, terminal.value?.timeoutSeconds),
        el.div({ class: 'at-work', role: 'progressbar', 'aria-label': atTerminal }),
      ),
    ],
    decides: decision(visit, button(cancelPayment, { onClick: ask, icon: 'cross', isBusy: isAsked })),
    isWorking: true,
  })
}

/** One missing detail of the booking. */
export function Detail({ visit, found, detail, isRefused }: Of<'detail'>): View {
  const isEmail = detail === 'email'
  return page({
    visit,
    title: isEmail ? t.value.enterEmail : t.value.enterPhone,
    says: [],
    controls: [
      h(Entry, {
        visit,
        key: detail,
        label: isEmail ? t.value.email : t.value.phone,
        layout: detail,
        done: t.value.next,
        problem: isRefused ? t.value.notValid : null,
        onDone: (value) => void giveDetail(visit, found, detail, value),
        skip: { label: t.value.skip, run: () => void skipDetail(visit, found, detail) },
      }),
    ],
  })
}
