import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Choice, Dialog, loadingBar, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { openStay } from '../../lib/controls/route.ts'
import { useTask } from '../../lib/controls/task.ts'
import { dateText } from '../../lib/language/format.ts'
import { type ApiError, getAll, type Resource, send } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import type { Stay, Unit } from '../../lib/server/resources.ts'
import { StaysInTheWay } from '../stay/in-the-way.ts'
import { readStay, refusalOf, writeStay } from '../stay/stay.ts'
import { g } from '../stay/texts.ts'
import type { Bar } from './rack-data.ts'
import { t } from './texts.ts'

/**
 * Returns the rooms that are free for the whole stay. Their type is that of the room on which the stay was dropped, or
 * one of the stay's own types. The room on which it was dropped is always one of them.
 */
async function roomsFor(
  { stay }: Bar,
  onto: Resource<Unit> | null,
  signal: AbortSignal,
): Promise<Resource<Unit>[]> {
  const type = onto ? `&filter[unitTypeId]=${onto.attributes.unitTypeId}` : ''
  const path = `/api/v2/availability/reservations/${stay.attributes.reservationId}/stays/${stay.id}/units`
  const { included } = await getAll(`${path}?include=unit&page[size]=100${type}`, 500, signal)
  const free = included.filter((each): each is Resource<Unit> => each.type === 'unit')
  const all = onto && !free.some(({ id }) => id === onto.id) ? [onto, ...free] : free
  return all.sort((a, b) => a.attributes.name.localeCompare(b.attributes.name, 'en', { numeric: true }))
}

interface MoveOptions {
  bar: Bar
  /** The room on which the stay was dropped; null to choose a room. */
  onto: Resource<Unit> | null
  /** The codes of the room types by their ids. */
  types: ReadonlyMap<string, string>
  close: () => void
  moved: () => void
}

/**
 * Moves a stay to another room: choose, see what the box says to it, confirm. A room with a key can be changed only on
 * the guest sheet.
 */
export function Move({ bar, onto, types, close, moved }: MoveOptions): View {
  const { stay, index, guest } = bar
  const { startDate, endDate, units } = stay.attributes
  const from = units[index]
  const { data, problem, isLoading } = useRead(`free ${stay.id}`, (signal) => roomsFor(bar, onto, signal))
  const [chosen, choose] = useState<string | null>(onto?.id ?? null)
  const target = data?.find(({ id }) => id === (chosen ?? data[0]?.id))
  const isMovable = from?.locked === false
  const trial = useRead(isMovable && target ? `move ${stay.id} ${index} ${target.id}` : null, () =>
    tried(bar, target!),
  )
  // If the box refuses what it would have allowed before, it is asked again for the reason.
  const task = useTask(trial.readAgain)
  const open = (stayId: string) => {
    close()
    openStay(stayId)
  }
  const share = (withStayId: string) =>
    task.run('share', async () => {
      await send('POST', `/api/v2/stays/${stay.id}/actions/share`, {
        body: { withStayId, unitId: target!.id },
      })
      moved()
      close()
    })
  const put = () =>
    task.run('move', async () => {
      const { stay: fresh } = await readStay(stay.id)
      await writeStay(fresh, unitsWith(fresh, index, target!))
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
      !isMovable &&
        notice('warning', t.value.keyIsOut, button(t.value.openSheet, { onClick: () => open(stay.id) })),
      data?.length === 0 && notice('info', t.value.nothingFree),
      isMovable &&
        data &&
        data.length > 0 &&
        h(Choice, {
          label: t.value.toRoom,
          value: target?.id ?? '',
          choices: data.map(({ id, attributes }) => [id, attributes.name] as const),
          onChange: choose,
        }),
      isMovable && target && h(Consequence, { bar, target, types, trial, open, share }),
      task.refusal && notice('error', task.refusal),
      isMovable &&
        el.div(
          { class: 'row' },
          button(t.value.moveTo(target?.attributes.name ?? '–'), {
            onClick: put,
            kind: 'main',
            isDisabled: trial.data?.refusal !== null,
            isBusy: task.busy !== null,
          }),
          button(t.value.cancel, { onClick: close }),
        ),
    ),
  )
}

/** What the box would answer to a move. */
interface Trial {
  /** Null when it would move the stay. */
  refusal: ApiError | null
}

async function tried({ stay, index }: Bar, target: Resource<Unit>): Promise<Trial> {
  const { stay: fresh } = await readStay(stay.id)
  return { refusal: await refusalOf(fresh, unitsWith(fresh, index, target)) }
}

/** Replaces one room of a stay. */
function unitsWith({ attributes }: Resource<Stay>, index: number, { id, attributes: to }: Resource<Unit>) {
  const room = { unitId: id, unitTypeId: to.unitTypeId, unitName: to.name }
  return { units: attributes.units.map((each, at) => (at === index ? { ...each, ...room } : each)) }
}

interface ConsequenceOptions {
  bar: Bar
  target: Resource<Unit>
  types: ReadonlyMap<string, string>
  trial: { data: Trial | undefined; problem: ApiError | null }
  open: (stayId: string) => void
  share: (stayId: string) => void
}

/** Says what a move changes, or why it cannot be done and which stay is in the way. */
function Consequence({ bar, target, types, trial, open, share }: ConsequenceOptions): View {
  const { data, problem } = trial
  if (problem) return failure(problem)
  if (!data) return el.p({ class: 'quiet', role: 'status' }, t.value.isTried)
  if (data.refusal)
    return el.div(
      { class: 'stack' },
      failure(data.refusal),
      h(StaysInTheWay, { refusal: data.refusal, open, share }),
    )
  const from = bar.stay.attributes.units[bar.index]
  const { name, status, unitTypeId } = target.attributes
  const code = (id: string | undefined) => types.get(id ?? '') ?? ''
  return notice(
    'info',
    t.value.consequence(from?.unitName ?? t.value.noRoom, name),
    from?.unitTypeId !== unitTypeId &&
      el.p(null, t.value.otherType(code(from?.unitTypeId), code(unitTypeId))),
    el.p(null, t.value.roomIs(name, g.value.unitStatus[status])),
  )
}
