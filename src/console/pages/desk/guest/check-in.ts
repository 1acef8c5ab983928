import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Choice, chip, Dialog, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { later } from '../../lib/controls/later.ts'
import { prevented } from '../../lib/controls/prevented.ts'
import { dateText, moneyText } from '../../lib/language/format.ts'
import { type Resource, send } from '../../lib/server/api.ts'
import { guestOf, type Stay, spokenName, type Unit } from '../../lib/server/resources.ts'
import { may, now } from '../../lib/server/session.ts'
import { cardTexts } from '../cards/texts.ts'
import { PayHere } from '../payments/pay.ts'
import { useFirstCards } from '../stay/card-fields.ts'
import { isReady, unitText, useFreeUnits } from '../stay/free-units.ts'
import { isOutToday, unitOutText } from '../stay/states.ts'
import { hasRoom, readStay, type ShownStay, unitsOf, unitsWith, withRoom, writeStay } from '../stay/stay.ts'
import { g } from '../stay/texts.ts'
import { useWork, workProblem } from '../stay/use-work.ts'

// Few check-ins need it.
const StillInHouse = later(async () => (await import('../still-in-house/still-in-house.ts')).StillInHouse)

interface CheckInOptions {
  shown: ShownStay
  onClose: () => void
  /** Called when a payment was recorded or a room was set clean. */
  changed: () => void
  /** Called when the guest is in house and the card is ordered. */
  onDone: () => void
}

/** Lets the clerk choose room and card, then carries out the check-in: room, status, card. */
export function CheckIn({ shown, onClose, changed, onDone }: CheckInOptions): View {
  const { stay, included } = shown
  const work = useWork()
  // A card that is made after the departure would not open.
  const isOver = Date.parse(stay.attributes.plannedEndsAt) <= now()
  const cards = useFirstCards(isOver)
  const [unitId, setUnit] = useState('')
  const free = useFreeUnits(stay)
  // No guest is given a room that is out of order: another one of its type takes its place.
  const out = unitsOf(stay, included).find(({ attributes }) => isOutToday(attributes))
  const others = (free.data ?? []).filter(
    ({ attributes }) => !out || attributes.unitTypeId === out.attributes.unitTypeId,
  )
  const instead = out && (others.find(({ id }) => id === unitId) ?? others[0])
  const chosenRooms = others.filter(({ id }) => id === (instead?.id ?? unitId))
  const own = unitsOf(stay, included).filter((each) => each !== out)
  const notReady = [...own, ...chosenRooms].filter((each) => !isReady(each))
  const again = () => {
    free.readAgain()
    changed()
  }
  const { startDate, endDate, nights } = stay.attributes

  async function checkIn(): Promise<void> {
    if (instead) await writeStay(stay, { status: 'InHouse', units: unitsWith(stay, out.id, instead.id) })
    else await writeStay((await withRoom(shown, unitId)).stay, { status: 'InHouse' })
    const arrived = await readStay(stay.id)
    onDone()
    await cards.order(async () => arrived)
  }
  const submit = prevented(() => void work.run(checkIn))
  return h(
    Dialog,
    { title: g.value.checkInTitle(spokenName(guestOf(stay, included))), onClose },
    el.form(
      { class: 'stack', onSubmit: submit },
      el.p(null, `${dateText(startDate)} – ${dateText(endDate)}, ${g.value.nights(nights)}`),
      isOver && notice('warning', g.value.stayIsOver),
      hasRoom(stay) && roomsOfStay(stay),
      out && notice('warning', g.value.roomNotReady(out.attributes.name, unitOutText(out.attributes))),
      out && !instead && !free.isLoading && el.p(null, g.value.noFreeRoom),
      instead && h(RoomChoice, { free: others, value: instead.id, choose: setUnit, isOwnChoice: true }),
      !hasRoom(stay) && h(RoomChoice, { free: others, value: unitId, choose: setUnit }),
      notReady.map((each) => h(NotReady, { key: each.id, unit: each, changed: again })),
      owed(stay, changed),
      cards.fields
        ? el.div({ class: 'two' }, cards.fields)
        : el.p({ class: 'quiet' }, cardTexts.value.noEncoder),
      workProblem(work, { status: 'InHouse' }, () => void work.run(checkIn)),
      work.problem !== null && h(StillInHouse, { stay, work, changed: again }),
      button(cards.place ? g.value.checkInAndCard : g.value.checkIn, {
        onClick: () => {},
        type: 'submit',
        kind: 'main',
        icon: 'in',
        isBusy: work.isBusy,
        isFirst: true,
      }),
    ),
  )
}

function owed(stay: Resource<Stay>, changed: () => void): View | null {
  const { outstanding, currency } = stay.attributes
  if (!outstanding || !currency) return null
  return el.div(
    { class: 'row' },
    outstanding > 0
      ? chip('warning', g.value.toPay(moneyText(outstanding, currency)), 'money')
      : chip('info', g.value.overpaid(moneyText(-outstanding, currency)), 'money'),
    outstanding > 0 && el.span({ class: 'quiet' }, g.value.payLater),
    h(PayHere, { stay, changed }),
  )
}

function roomsOfStay({ attributes: { units } }: Resource<Stay>): View {
  return el.p(null, `${g.value.room} `, el.strong(null, units.map(({ unitName }) => unitName).join(', ')))
}

/** Says that a room is not ready for its guest. A person who may change the status can set the room clean here. */
function NotReady({ unit, changed }: { unit: Resource<Unit>; changed: () => void }): View {
  const work = useWork()
  const { name, status, revision } = unit.attributes
  const attributes = { status: 'Clean' }
  async function markClean(): Promise<void> {
    const body = { data: { type: 'unit', id: unit.id, attributes } }
    await send('PATCH', `/api/v2/units/${unit.id}`, { ifMatch: `"${revision}"`, body })
    changed()
  }
  return notice(
    'warning',
    g.value.roomNotReady(name, g.value.unitStatus[status]),
    workProblem(work, {}, () => {}),
    may('units.status') &&
      button(g.value.nowClean(name), {
        onClick: () => void work.run(markClean),
        icon: 'check',
        isBusy: work.isBusy,
      }),
  )
}

/** Offers the free rooms for a stay without a room. The box's own choice comes first, unless a person must choose. */
function RoomChoice(options: {
  free: readonly Resource<Unit>[]
  value: string
  choose: (id: string) => void
  isOwnChoice?: boolean
}): View {
  const { free, value, choose, isOwnChoice = false } = options
  return h(Choice, {
    label: g.value.room,
    value,
    choices: [
      ...(isOwnChoice ? [] : [['', g.value.boxChooses] as const]),
      ...free.map((each) => [each.id, unitText(each)] as const),
    ],
    onChange: choose,
  })
}
