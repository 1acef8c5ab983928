import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Choice, Dialog, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import type { Resource } from '../../lib/server/api.ts'
import type { Unit } from '../../lib/server/resources.ts'
import { may } from '../../lib/server/session.ts'
import { ControllerChoice, placeOf, useControllers, useOwnController } from '../cards/controllers.ts'
import { makeCard, makings } from '../cards/making.ts'
import { CardWay } from '../cards/way.ts'
import { t } from './texts.ts'

/** How long the card is valid, in minutes. */
const times = ['15', '30', '60', '240', '480']

interface StaffCardOptions {
  unit: Resource<Unit>
  onClose: () => void
}

/**
 * Makes a card that opens one room once, for a repair or an inspection. It belongs to no stay, and other cards stay
 * valid.
 */
export function StaffCard({ unit, onClose }: StaffCardOptions): View {
  const { name, occupied } = unit.attributes
  const encoders = (useControllers().data ?? []).filter(({ attributes }) => attributes.keyType === 'keyCard')
  const { chosen, choose } = useOwnController(encoders)
  const [minutes, setMinutes] = useState('30')
  const make = () => {
    if (!chosen) return
    const body = { unitName: name, minutes: Number(minutes) }
    void makeCard({ stayId: null, guest: t.value.staff, room: name, ...placeOf(chosen), body, next: [] })
    onClose()
  }
  return h(
    Dialog,
    { title: t.value.staffCard(name), onClose },
    el.div(
      { class: 'stack' },
      el.p(null, t.value.staffCardWhy),
      occupied && notice('warning', t.value.staffCardOccupied),
      h(Choice, {
        label: t.value.howLong,
        value: minutes,
        choices: times.map((each) => [each, t.value.minutes(Number(each))] as const),
        onChange: setMinutes,
        isFirst: true,
      }),
      chosen
        ? h(ControllerChoice, { all: encoders, value: chosen.id, choose })
        : el.p({ class: 'quiet' }, t.value.noEncoder),
      button(t.value.makeStaffCard, {
        onClick: make,
        kind: 'main',
        icon: 'card',
        isDisabled: !chosen,
        isWriting: true,
      }),
    ),
  )
}

/** The cards for the staff in progress, and their outcomes. */
export function StaffCards(): View | null {
  if (!may('keys.issue')) return null
  const own = [...makings.value].filter(([, { order }]) => order.stayId === null)
  return el.div(
    null,
    own.map(([subject]) => h(CardWay, { key: subject, subject })),
  )
}
