import { button } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { dateOf, dateText, momentText, timeText } from '../../lib/format.ts'
import { sentenceOf } from '../failures.ts'
import { now } from '../house.ts'
import { farewellLeft, giveMoreTime } from '../idle.ts'
import { page } from '../page.ts'
import { slotPicture } from '../slot-picture.ts'
import { t } from '../texts.ts'
import { leave, type RoomFacts, type Screen } from '../visit.ts'
import { anotherCard } from '../way.ts'

type Of<Name extends Screen['name']> = Extract<Screen, { name: Name }>

/** The box is at work. The guest has nothing to do, and nothing to press by mistake. */
export function Working({ does, row }: Of<'working'>): View {
  const { making, findingRoom, atTerminal } = t.value
  const title = { card: making, room: findingRoom, payment: atTerminal }[does]
  return page({
    title: row === null ? title : sentenceOf(row),
    says: [],
    shows: [el.div({ class: 'at-work', role: 'progressbar', 'aria-label': title })],
    controls: [],
    isBusy: true,
  })
}

export function TakeCard({ secondsLeft, card, of }: Of<'take-card'>): View {
  return page({
    title: t.value.takeCard,
    says: of > 1 ? [t.value.cardOf(card, of)] : [],
    shows: [
      slotPicture(),
      secondsLeft !== null && el.p({ class: 'big', role: 'timer' }, t.value.seconds(secondsLeft)),
    ],
    controls: [],
    isBusy: true,
  })
}

export function NotTaken({ again }: Of<'not-taken'>): View {
  return page({
    title: sentenceOf('notTaken'),
    says: [],
    controls: [button(t.value.getNewCard, { onClick: again, kind: 'main', icon: 'card' })],
  })
}

/** The room is written as large as reading needs, and is not spoken: others stand in the lobby. */
export function Room({ found, rooms }: Of<'room'>): View {
  return page({
    title: t.value.enjoy,
    says: [],
    spoken: t.value.roomIsShown,
    shows: [el.div({ class: 'rooms' }, rooms.map(roomFacts))],
    controls: [
      button(t.value.done, { onClick: leave, kind: 'main', icon: 'check' }),
      button(t.value.anotherCard, { onClick: () => void anotherCard(found), icon: 'key' }),
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
