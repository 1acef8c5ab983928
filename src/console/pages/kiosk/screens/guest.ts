import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { longDate, timeText, weekdayDate } from '../../lib/format.ts'
import type { Found } from '../box.ts'
import { now } from '../house.ts'
import { Entry } from '../keyboard.ts'
import { page } from '../page.ts'
import { t } from '../texts.ts'
import { leave } from '../visit.ts'
import { afterDetail, anotherCard, chooseStay, confirmGuest, giveDetail, payAtDesk, payHere } from '../way.ts'

/** First name and initial: whoever looks over the shoulder learns no name. */
export function shortName({ guest }: Found): string {
  const { firstName, lastName } = guest?.attributes ?? {}
  const initial = lastName ? `${lastName[0]}.` : ''
  return [firstName, initial].filter(Boolean).join(' ') || t.value.guest
}

function datesOf({ stay: { startDate, endDate, nights } }: Found): string {
  return `${t.value.dates(longDate(startDate), longDate(endDate))}, ${t.value.nights(nights)}`
}

function greetingFor(name: string): string {
  const hour = Number(timeText(now()).slice(0, 2))
  if (hour < 11) return t.value.goodMorning(name)
  return hour < 18 ? t.value.goodDay(name) : t.value.goodEvening(name)
}

export function Greeting({ found }: { found: Found }): View {
  return page({
    title: greetingFor(shortName(found)),
    says: [datesOf(found), t.value.isThisYou],
    controls: [
      button(t.value.thisIsMe, { onClick: () => void confirmGuest(found), kind: 'main', icon: 'key' }),
      button(t.value.notMe, { onClick: leave, icon: 'cross' }),
    ],
  })
}

/** A booking of several rooms: each guest chooses his own. */
export function ChooseStay({ found }: { found: readonly Found[] }): View {
  return page({
    title: t.value.whichStay,
    says: [],
    controls: found.map((each) => {
      const { startDate, endDate, id } = each.stay
      const dates = t.value.dates(weekdayDate(startDate), weekdayDate(endDate))
      return el.div(
        { key: id },
        button(`${shortName(each)}, ${dates}`, { onClick: () => void chooseStay(each), icon: 'person' }),
      )
    }),
  })
}

export function AnotherCard({ found }: { found: Found }): View {
  return page({
    title: t.value.doYouNeedACard,
    says: [],
    controls: [
      button(t.value.anotherCard, { onClick: () => void anotherCard(found), kind: 'main', icon: 'key' }),
      button(t.value.noCardNeeded, { onClick: leave, icon: 'cross' }),
    ],
  })
}

/** What is still to be paid, and where. */
export function Pay({ found, amount }: { found: Found; amount: string }): View {
  return page({
    title: t.value.whatIsDue(amount),
    says: [],
    controls: [
      button(t.value.payHere, { onClick: () => void payHere(found), kind: 'main', icon: 'card' }),
      button(t.value.payAtDesk, { onClick: () => void payAtDesk(amount), icon: 'person' }),
    ],
  })
}

/** One detail that the booking lacks. */
export function Detail({ found, detail }: { found: Found; detail: 'email' | 'phone' }): View {
  const [problem, setProblem] = useState<string | null>(null)
  const isEmail = detail === 'email'
  const give = async (value: string) => {
    setProblem(null)
    if (!(await giveDetail(found, detail, value))) setProblem(t.value.notValid)
  }
  return page({
    title: isEmail ? t.value.enterEmail : t.value.enterPhone,
    says: [],
    controls: [
      h(Entry, {
        key: detail,
        label: isEmail ? t.value.email : t.value.phone,
        layout: detail,
        done: t.value.next,
        problem,
        onDone: (value) => void give(value),
        skip: { label: t.value.skip, run: () => void afterDetail(found, detail) },
      }),
    ],
  })
}
