import { useEffect, useRef, useState } from 'preact/hooks'
import { useShortcuts } from '../../lib/controls/keys.ts'
import type { Resource } from '../../lib/server/api.ts'
import type { Unit, UnitStatus } from '../../lib/server/resources.ts'
import { may } from '../../lib/server/session.ts'
import { g } from '../stay/texts.ts'
import { type StatusChange, setStatus, type WhyOut } from './set-status.ts'
import { t } from './texts.ts'

/** In the order of the keys 1 to 6. */
export const statuses: readonly UnitStatus[] = [
  'Dirty',
  'Cleaning',
  'Clean',
  'Inspected',
  'OutOfService',
  'OutOfOrder',
]

/** The word of a status at the beginning of a sentence. */
export function statusName(status: UnitStatus): string {
  const word = g.value.unitStatus[status]
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** A change over the status that a colleague has set meanwhile, and the two decisions. */
export interface Conflict {
  change: StatusChange
  keepTheirs(): void
  keepMine(): void
}

const undoForMs = 5_000
const nobody: ReadonlySet<string> = new Set()

/**
 * Selects rooms, changes their status, and offers to revert the last change for five seconds. `askWhy` is called instead where a
 * person says until when and why the rooms are out of order.
 */
export function useMarking(units: readonly Resource<Unit>[], readAgain: () => void, askWhy: () => void) {
  const [marked, setMarked] = useState(nobody)
  const [done, setDone] = useState<readonly StatusChange[]>([])
  const [refusals, setRefusals] = useState<readonly string[]>([])
  const [over, setOver] = useState<readonly StatusChange[]>([])
  /** The rooms as this page has changed them. The list on the screen may be older. */
  const own = useRef(new Map<string, Pick<Unit, 'status' | 'revision'>>())
  useEffect(() => {
    const timer = setTimeout(() => setDone([]), undoForMs)
    return () => clearTimeout(timer)
  }, [done])

  /** Makes the changes; `isUndo` offers no way back. */
  async function set(changes: readonly StatusChange[], isUndo = false): Promise<void> {
    const isOther = ({ id }: StatusChange) => !changes.some((each) => each.id === id)
    setRefusals([])
    setDone([])
    setOver((before) => before.filter(isOther))
    const outcomes = await Promise.all(changes.map((each) => setStatus(each)))
    const made = changes.flatMap((change, index): StatusChange[] => {
      const outcome = outcomes[index]
      if (!outcome || !('revision' in outcome)) return []
      const { revision } = outcome
      own.current.set(change.id, { status: change.to, revision })
      return [{ ...change, revision }]
    })
    if (!isUndo) setDone(made)
    setRefusals(outcomes.flatMap((each) => ('refusal' in each ? each.refusal : [])))
    setOver((before) => [...before, ...outcomes.flatMap((each) => ('over' in each ? each.over : []))])
    readAgain()
  }

  const change = (to: UnitStatus, why?: WhyOut) => {
    if (to === 'OutOfOrder' && !why) return askWhy()
    setMarked(nobody)
    void set(
      units
        .filter(({ id }) => marked.has(id))
        .map(({ id, attributes }) => {
          const last = own.current.get(id)
          const { status, revision } = last && last.revision > attributes.revision ? last : attributes
          return { id, name: attributes.name, from: status, to, revision, ...(why && { why }) }
        }),
    )
  }
  const takeBack = () =>
    void set(
      done.map(({ why: _, ...each }) => ({ ...each, from: each.to, to: each.from })),
      true,
    )
  const mark = (id: string) =>
    setMarked((before) => (before.has(id) ? before.difference(new Set([id])) : before.union(new Set([id]))))
  useMarkingKeys(marked, units, {
    change,
    takeBack: done.length > 0 ? takeBack : null,
    clear: () => setMarked(nobody),
  })
  const conflicts = over.map(
    (each): Conflict => ({
      change: each,
      keepTheirs: () => setOver(over.filter((other) => other !== each)),
      keepMine: () => void set([each]),
    }),
  )
  const undo = done.length === 0 ? null : { name: done.map(({ name }) => name).join(', '), run: takeBack }
  return { marked, mark, change, undo, refusals, conflicts }
}

interface MarkingKeys {
  change: (to: UnitStatus) => void
  takeBack: (() => void) | null
  clear: () => void
}

function useMarkingKeys(
  marked: ReadonlySet<string>,
  units: readonly Resource<Unit>[],
  { change, takeBack, clear }: MarkingKeys,
): void {
  const keys = statuses
    .map((status, index) => ({
      key: String(index + 1),
      name: statusName(status),
      run: () => change(status),
      isWriting: true,
      status,
    }))
    .filter(({ status }) => may('units.status') && (status !== 'Inspected' || may('units.inspect')))
  useShortcuts(
    [
      ...(marked.size > 0 ? keys : []),
      ...(takeBack ? [{ key: 'u', name: t.value.undo, run: takeBack, isWriting: true }] : []),
      ...(marked.size > 0 ? [{ key: 'Escape', name: t.value.chooseNone, run: clear }] : []),
    ],
    [[...marked].join(), units, takeBack],
  )
}
