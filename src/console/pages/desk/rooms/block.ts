import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Dialog, Field } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { prevented } from '../../lib/controls/prevented.ts'
import { openStay } from '../../lib/controls/route.ts'
import { dateText } from '../../lib/language/format.ts'
import { ApiError, type Resource, send } from '../../lib/server/api.ts'
import type { Maintenance, Unit } from '../../lib/server/resources.ts'
import { today } from '../../lib/server/session.ts'
import { StaysInTheWay } from '../stay/in-the-way.ts'
import { useWork } from '../stay/use-work.ts'
import { t } from './texts.ts'

interface BlockOptions {
  units: readonly Resource<Unit>[]
  changed: () => void
  onClose: () => void
}

interface Days {
  startDate: string
  endDate: string
}

/** Blocks a room for dates, or unblocks it. Throws ApiError; a stay that has the room is named by `unit-occupied`. */
function setBlock({ id }: Resource<Unit>, days: Days, quantity: 0 | 1, reason: string): Promise<unknown> {
  const period = { ...days, quantity, ...(reason !== '' && { reason }) }
  return send('PATCH', `/api/v2/availability/units/${id}`, { body: [period] })
}

/** Blocks the chosen rooms for dates, and shows the blocks that they have. */
export function BlockRooms({ units, changed, onClose }: BlockOptions): View {
  const [startDate, setStart] = useState(today.value)
  const [endDate, setEnd] = useState(today.value)
  const [reason, setReason] = useState('')
  const work = useWork()
  const isWrong = endDate < startDate
  const block = async () => {
    try {
      for (const unit of units) await setBlock(unit, { startDate, endDate }, 0, reason.trim())
      onClose()
    } finally {
      changed()
    }
  }
  const unblock = (unit: Resource<Unit>, days: Days) =>
    void work.run(async () => {
      await setBlock(unit, days, 1, '')
      changed()
    })
  const open = (stayId: string) => {
    onClose()
    openStay(stayId)
  }
  const { problem } = work
  return h(
    Dialog,
    { title: t.value.blockTitle(units.map(({ attributes }) => attributes.name).join(', ')), onClose },
    el.form(
      { class: 'stack', onSubmit: prevented(() => !isWrong && void work.run(block)) },
      el.p(null, t.value.blockWhy),
      units.flatMap((unit) => blocksOf(unit).map((days) => blockLine(unit, days, unblock))),
      el.div(
        { class: 'two' },
        h(Field, {
          label: t.value.firstDay,
          type: 'date',
          value: startDate,
          min: today.value,
          onInput: setStart,
          isFirst: true,
        }),
        h(Field, {
          label: t.value.lastDay,
          type: 'date',
          value: endDate,
          min: startDate,
          onInput: setEnd,
          error: isWrong ? t.value.badDays : null,
        }),
      ),
      h(Field, { label: t.value.reason, value: reason, onInput: setReason, maxLength: 200 }),
      problem instanceof ApiError && failure(problem),
      problem instanceof ApiError && h(StaysInTheWay, { refusal: problem, open }),
      button(t.value.block, {
        onClick: () => {},
        kind: 'main',
        type: 'submit',
        icon: 'wrench',
        isBusy: work.isBusy,
      }),
    ),
  )
}

/** Returns the blocks for dates. A room that is out of order has none for that. */
export function blocksOf({ attributes }: Resource<Unit>): (Days & Pick<Maintenance, 'reason'>)[] {
  return (attributes.maintenance ?? []).flatMap(({ from, until, reason }) =>
    from === null || until === null ? [] : [{ startDate: from, endDate: until, reason }],
  )
}

function blockLine(
  unit: Resource<Unit>,
  { startDate, endDate, reason }: ReturnType<typeof blocksOf>[number],
  unblock: (unit: Resource<Unit>, days: Days) => void,
): View {
  const { name } = unit.attributes
  return el.div(
    { key: `${unit.id} ${startDate}`, class: 'row' },
    el.strong(null, name),
    el.span(null, t.value.blockedFrom(dateText(startDate), dateText(endDate))),
    el.span({ class: 'quiet' }, reason),
    button(t.value.unblock, {
      onClick: () => unblock(unit, { startDate, endDate }),
      isWriting: true,
      name: `${t.value.unblock}: ${name}, ${dateText(startDate)}`,
    }),
  )
}
