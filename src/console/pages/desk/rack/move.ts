import { h } from 'preact'
import { useState } from 'preact/hooks'
import { getAll, type Resource } from '../../lib/api.ts'
import { button, Choice, Dialog, failure, loadingBar, notice } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { dateText } from '../../lib/format.ts'
import { useRead } from '../../lib/read.ts'
import type { Unit } from '../../lib/resources.ts'
import { goTo } from '../../lib/route.ts'
import { useTask } from '../../lib/task.ts'
import { readStay, writeStay } from '../guest/stay.ts'
import type { Bar } from './rack-data.ts'
import { t } from './texts.ts'

interface FreeUnit {
  id: string
  name: string
  unitTypeId: string
}

/** The rooms that are free for the whole stay: of the type of the room that it was dropped on, or of the stay's own types. */
async function freeUnits(
  { stay }: Bar,
  onto: Resource<Unit> | null,
  signal: AbortSignal,
): Promise<FreeUnit[]> {
  const type = onto ? `&filter[unitTypeId]=${onto.attributes.unitTypeId}` : ''
  const path = `/api/v2/availability/reservations/${stay.attributes.reservationId}/stays/${stay.id}/units`
  const { included } = await getAll(`${path}?include=unit&page[size]=100${type}`, 500, signal)
  const isUnit = (each: Resource): each is Resource<Unit> => each.type === 'unit'
  return included
    .filter(isUnit)
    .map(({ id, attributes }) => ({ id, name: attributes.name, unitTypeId: attributes.unitTypeId }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}

interface MoveOptions {
  bar: Bar
  /** The room on which the stay was dropped; null to choose one. */
  onto: Resource<Unit> | null
  close: () => void
  moved: () => void
}

/** Moves a stay to another room: choose, see what follows, confirm. A room with a key is left on the guest sheet. */
export function Move({ bar, onto, close, moved }: MoveOptions): View {
  const { stay, index, guest } = bar
  const { startDate, endDate, units } = stay.attributes
  const from = units[index]
  const { data, problem, isLoading } = useRead(`free ${stay.id}`, (signal) => freeUnits(bar, onto, signal))
  const [chosen, choose] = useState<string | null>(onto?.id ?? null)
  const task = useTask()
  const target = data?.find(({ id }) => id === (chosen ?? data[0]?.id))
  const put = () =>
    task.run('move', async () => {
      await replaceUnit(bar, target!)
      moved()
      close()
    })
  return h(
    Dialog,
    { title: t.value.move(guest), onClose: close },
    el.div(
      { class: 'stack' },
      el.p(null, `${from?.unitName ?? t.value.noRoom}, ${dateText(startDate)} – ${dateText(endDate)}`),
      loadingBar(isLoading),
      problem && failure(problem),
      from?.locked &&
        notice(
          'warning',
          t.value.keyIsOut,
          button(t.value.openSheet, { onClick: () => goTo('stay', [stay.id]) }),
        ),
      data && data.length === 0 && notice('info', t.value.nothingFree),
      data && onto !== null && !target && notice('error', t.value.notFree),
      !from?.locked &&
        data &&
        data.length > 0 &&
        h(Choice, {
          label: t.value.toRoom,
          value: target?.id ?? '',
          choices: data.map(({ id, name }) => [id, name] as const),
          onChange: choose,
        }),
      task.refusal && notice('error', task.refusal),
      !from?.locked &&
        el.div(
          { class: 'row' },
          button(t.value.moveTo(target?.name ?? '–'), {
            onClick: put,
            kind: 'main',
            isDisabled: !target,
            isBusy: task.busy !== null,
          }),
          button(t.value.cancel, { onClick: close }),
        ),
    ),
  )
}

/** Replaces one room of a stay, on the state that the box has now. */
async function replaceUnit({ stay, index }: Bar, { id, unitTypeId, name }: FreeUnit): Promise<void> {
  const { stay: fresh } = await readStay(stay.id)
  const units = fresh.attributes.units.map((each, at) =>
    at === index ? { ...each, unitId: id, unitTypeId, unitName: name } : each,
  )
  await writeStay(fresh, { units })
}
