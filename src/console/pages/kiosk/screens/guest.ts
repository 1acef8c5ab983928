import { h } from 'preact'
import { button } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { longDate, timeText, weekdayDate } from '../../lib/format.ts'
import type { Found } from '../box.ts'
import { now } from '../house.ts'
import { Entry } from '../keyboard.ts'
import { page } from '../page.ts'
import { useSecondsUntil } from '../seconds-until.ts'
import { shortName } from '../short-name.ts'
import { terminalPicture } from '../slot-picture.ts'
import { t } from '../texts.ts'
import { leave, type Screen, type Visit } from '../visit.ts'
import {
  cardByNumber,
  chooseStay,
  confirmGuest,
  giveDetail,
  lostCard,
  payAtDesk,
  payHere,
  skipDetail,
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

export function Greeting({ visit, found }: Of<'greeting'>): View {
  return page({
    visit,
    title: greetingFor(guestName(found)),
    says: [datesOf(found), t.value.isThisYou],
    controls: [
      button(t.value.thisIsMe, { onClick: () => void confirmGuest(visit, found), kind: 'main', icon: 'key' }),
      button(t.value.notMe, { onClick: leave, icon: 'cross' }),
    ],
  })
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
  })
}

export function AnotherCard({ visit, found }: Of<'another-card'>): View {
  return page({
    visit,
    title: t.value.doYouNeedACard,
    says: [],
    controls: [
      button(t.value.anotherCard, {
        onClick: () => void cardByNumber(visit, found),
        kind: 'main',
        icon: 'key',
      }),
      button(t.value.lostCard, { onClick: () => void lostCard(visit, found), icon: 'card' }),
      button(t.value.noCardNeeded, { onClick: leave, icon: 'cross' }),
    ],
  })
}

/** The outstanding amount, and where to pay it. */
export function Pay({ visit, found, amount, isCanceled }: Of<'pay'>): View {
  return page({
    visit,
    title: t.value.whatIsDue(amount),
    says: isCanceled ? [t.value.paymentCanceled] : [],
    controls: [
      button(t.value.payHere, { onClick: () => void payHere(visit, found), kind: 'main', icon: 'card' }),
      button(t.value.payAtDesk, { onClick: () => void payAtDesk(visit, found), icon: 'person' }),
    ],
  })
}

/** The terminal waits for the card of the guest, who may change his mind. */
export function Paying({ visit, amount, until, cancellation: { state, ask } }: Of<'paying'>): View {
  const secondsLeft = useSecondsUntil(until) ?? 0
  const { atTerminal, cancelPayment, cancelingPayment, cancelRefused } = t.value
  const isAsked = state.value === 'asked'
  const says = { none: [], asked: [cancelingPayment], refused: [cancelRefused] }[state.value]
  return page({
    visit,
    title: atTerminal,
    says,
    shows: [
      el.p({ class: 'big' }, amount),
      terminalPicture(),
      secondsLeft > 0 && el.p({ class: 'big', role: 'timer' }, t.value.seconds(secondsLeft)),
      el.div({ class: 'at-work', role: 'progressbar', 'aria-label': atTerminal }),
    ],
    controls: [button(cancelPayment, { onClick: ask, icon: 'cross', isBusy: isAsked })],
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
