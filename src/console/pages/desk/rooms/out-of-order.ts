import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Dialog, Field } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { prevented } from '../../lib/controls/prevented.ts'
import type { Resource } from '../../lib/server/api.ts'
import type { Unit } from '../../lib/server/resources.ts'
import { today } from '../../lib/server/session.ts'
import { statusName } from './marking.ts'
import type { WhyOut } from './set-status.ts'
import { t } from './texts.ts'

interface OutOfOrderOptions {
  units: readonly Resource<Unit>[]
  save: (why: WhyOut) => void
  onClose: () => void
}

/** Asks until when and why rooms are out of order. Both may be unknown. */
export function OutOfOrder({ units, save, onClose }: OutOfOrderOptions): View {
  const [only] = units.length === 1 ? units : []
  const [until, setUntil] = useState(only?.attributes.outOfOrderUntil ?? '')
  const [reason, setReason] = useState(only?.attributes.outOfOrderReason ?? '')
  const isWrong = until !== '' && until < today.value
  const names = units.map(({ attributes }) => attributes.name).join(', ')
  return h(
    Dialog,
    { title: `${statusName('OutOfOrder')}: ${names}`, onClose },
    el.form(
      {
        class: 'stack',
        onSubmit: prevented(() => {
          if (!isWrong) save({ outOfOrderUntil: until || null, outOfOrderReason: reason.trim() || null })
        }),
      },
      h(Field, { label: t.value.reason, value: reason, onInput: setReason, maxLength: 200, isFirst: true }),
      h(Field, {
        label: t.value.expectedUntil,
        type: 'date',
        value: until,
        min: today.value,
        onInput: setUntil,
        hint: t.value.untilWhy,
        error: isWrong ? t.value.pastDay : null,
      }),
      button(statusName('OutOfOrder'), { onClick: () => {}, kind: 'main', type: 'submit', icon: 'ban' }),
    ),
  )
}
