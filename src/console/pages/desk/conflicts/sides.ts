import { button, chip } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import type { Task } from '../../lib/controls/task.ts'
import { type Resource, send } from '../../lib/server/api.ts'
import type { Side, SyncConflict } from '../../lib/server/resources.ts'
import { type Said, saidIn } from './said.ts'
import { t } from './texts.ts'

type Conflict = Resource<SyncConflict>

export const groupOf = ({ attributes: { fieldGroup } }: Conflict): string =>
  t.value.groups[fieldGroup as keyof typeof t.value.groups] ?? fieldGroup

/** The side whose value counts now. */
const countsNow = ({ attributes: { counts, state } }: Conflict): Side =>
  state === 'reversed' ? otherThan(counts) : counts

const otherThan = (side: Side): Side => (side === 'Pms' ? 'Local' : 'Pms')

/** The values of both sides beside each other, and which of them counts. */
export function sidesOf(conflict: Conflict): View {
  const isOver = conflict.attributes.state === 'settled'
  const now = isOver ? null : countsNow(conflict)
  const head = (side: Side) =>
    el.th(
      { scope: 'col' },
      el.div({ class: 'row' }, t.value.sides[side], side === now && chip('info', t.value.counts, 'check')),
    )
  return el.table(
    { class: 'sides' },
    el.thead(null, el.tr(null, el.td(null), head('Pms'), head('Local'))),
    el.tbody(
      null,
      saidIn(conflict.attributes).map(({ path, name, Pms, Local }) =>
        el.tr({ key: path }, el.th({ scope: 'row' }, name), el.td(null, Pms), el.td(null, Local)),
      ),
    ),
  )
}

/** What a person can decide in an open conflict. `letters` are the keys for the value that counts and for the other one. */
export function decisionsOf(
  conflict: Conflict,
  task: Task,
  letters: readonly [string, string] | null = null,
): View {
  const now = countsNow(conflict)
  const said = saidIn(conflict.attributes)
  const { keep, use } = t.value
  const other = otherThan(now)
  return el.div(
    { class: 'row' },
    button(keep[now](short(said, now)), {
      onClick: () => task.run(conflict.id, () => keepCounting(conflict)),
      kind: 'main',
      ...(letters && { letter: letters[0] }),
      ...task.of(conflict.id),
    }),
    canUse(conflict, other) &&
      button(use[other](short(said, other)), {
        onClick: () => task.run(conflict.id, () => decideOtherwise(conflict)),
        ...(letters && { letter: letters[1] }),
        ...task.of(conflict.id),
      }),
  )
}

/** Money that was taken in the hotel cannot become untaken by the word of a PMS. */
const canUse = ({ attributes: { fieldGroup } }: Conflict, side: Side) =>
  !(side === 'Pms' && fieldGroup === 'payments')

const mostOnButton = 60

/** The values of one side, short enough for a button. */
function short(said: readonly Said[], side: Side): string {
  const text =
    said.length === 1 ? (said[0]?.[side] ?? '') : said.map((each) => `${each.name} ${each[side]}`).join(', ')
  const letters = [...text]
  return letters.length > mostOnButton ? `${letters.slice(0, mostOnButton).join('').trim()}…` : text
}

/** Agrees with the side that counts. */
export const keepCounting = (conflict: Conflict) => decide(conflict, countsNow(conflict))

/** Has the side count that does not count now. */
export const decideOtherwise = (conflict: Conflict) => decide(conflict, otherThan(countsNow(conflict)))

function decide({ id, attributes }: Conflict, side: Side): Promise<unknown> {
  const { counts, revision } = attributes
  const [action, body] = side === counts ? ['accept', {}] : ['choose', { counts: side }]
  return send('POST', `/api/config/v1/sync-conflicts/${id}/actions/${action}`, {
    ifMatch: `"${revision}"`,
    body,
  })
}
