import { useEffect } from 'preact/hooks'
import { button } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { dateOf, dateText, momentText, timeText } from '../../lib/format.ts'
import { sentenceOf } from '../failures.ts'
import { now } from '../house.ts'
import { farewellLeft, farewellSeconds, giveMoreTime } from '../idle.ts'
import { page } from '../page.ts'
import { useSecondsUntil } from '../seconds-until.ts'
import { slotPicture } from '../slot-picture.ts'
import { chimeForGuest, speak } from '../speech.ts'
import { t } from '../texts.ts'
import { leave, type RoomFacts, type Screen, type Visit } from '../visit.ts'
import { anotherCard } from '../way.ts'

type Of<Name extends Screen['name']> = Extract<Screen, { name: Name }> & { visit: Visit }

/** The box is working. There are no controls, so that the guest cannot press one by mistake. */
export function Working({ visit, does, row }: Of<'working'>): View {
  const title = does === 'card' ? t.value.making : t.value.findingRoom
  return page({
    visit,
    title: row === null ? title : sentenceOf(row),
    says: [],
    shows: [el.div({ class: 'at-work', role: 'progressbar', 'aria-label': title })],
    controls: [],
    isWorking: true,
  })
}

export function TakeCard({ visit, deadline, card, of }: Of<'take-card'>): View {
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
    says: of > 1 ? [t.value.cardOf(card, of)] : [],
    shows: [
      slotPicture(),
      secondsLeft !== null && el.p({ class: 'big', role: 'timer' }, t.value.seconds(secondsLeft)),
    ],
    controls: [],
    isWorking: true,
  })
}

export function NotTaken({ visit, again }: Of<'not-taken'>): View {
  useEffect(chimeForGuest, [])
  return page({
    visit,
    title: sentenceOf('notTaken'),
    says: [],
    controls: [button(t.value.getNewCard, { onClick: again, kind: 'main', icon: 'card' })],
  })
}

/** The room number is not spoken and no larger than needed, because others may stand in the lobby. */
export function Room({ visit, found, rooms }: Of<'room'>): View {
  useEffect(chimeForGuest, [])
  return page({
    visit,
    title: t.value.enjoy,
    says: [],
    spoken: `${t.value.roomIsShown} ${t.value.closesIn(farewellSeconds)}`,
    shows: [el.div({ class: 'rooms' }, rooms.map(roomFacts))],
    controls: [
      button(t.value.done, { onClick: leave, kind: 'main', icon: 'check' }),
      button(t.value.anotherCard, { onClick: () => void anotherCard(visit, found), icon: 'key' }),
      el.p({ role: 'timer', class: 'closing' }, t.value.closesIn(farewellLeft.value ?? 0)),
      button(t.value.moreTime, { onClick: giveMoreTime, icon: 'clock' }),
    ],
  })
}

function roomFacts({ name, floor, validFrom, validUntil }: RoomFacts): View {
  const opensLater = Date.parse(validFrom) > now() + 60_000
  return el.dl(
    { key: name },
    el.dt(null, t.value.room),
    el.dd(null, floor === null ? name : `${name}, ${t.value.floor} ${floor}`),
    opensLater && [el.dt(null, t.value.opensFrom), el.dd(null, momentText(validFrom))],
    el.dt(null, t.value.leaveBy),
    el.dd(null, `${dateText(dateOf(validUntil))}, ${timeText(validUntil)}`),
  )
}
