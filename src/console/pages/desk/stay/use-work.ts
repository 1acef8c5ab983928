import { useState } from 'preact/hooks'
import { button, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { beginAction } from '../../lib/controls/passing.ts'
import { dateText } from '../../lib/language/format.ts'
import { ApiError } from '../../lib/server/api.ts'
import type { Stay } from '../../lib/server/resources.ts'
import { listedName } from '../../lib/server/resources.ts'
import type { StayChange } from './stay.ts'
import { g } from './texts.ts'
import { ChangedMeanwhile } from './write-over.ts'

/** Runs one piece of work at a time for a person. A refusal stays on the screen. */
export interface Work<A extends object = Stay> {
  isBusy: boolean
  problem: ApiError | ChangedMeanwhile<A> | null
  /** Runs the work, unless other work is running. Resolves with whether it succeeded. */
  run(work: () => Promise<unknown>): Promise<boolean>
  clear(): void
}

/** Does one thing at a time for a button: whether it is under way, and what went wrong last. */
export function useWork<A extends object = Stay>(): Work<A> {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Work<A>['problem']>(null)
  async function run(work: () => Promise<unknown>): Promise<boolean> {
    if (isBusy) return false
    beginAction()
    setBusy(true)
    setProblem(null)
    try {
      await work()
      return true
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof ChangedMeanwhile)) throw error
      setProblem(error)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, problem, run, clear: () => setProblem(null) }
}

/**
 * Shows why the work failed. If another person changed the same fields, shows both values and lets the person choose
 * once; with `writeBoth`, also to keep both.
 */
export function workProblem<A extends object = Stay>(
  work: Work<A>,
  mine: StayChange | Partial<A>,
  writeMine: (over: ChangedMeanwhile<A>) => void,
  writeBoth?: (over: ChangedMeanwhile<A>) => void,
) {
  const { problem } = work
  if (problem === null) return null
  if (problem instanceof ApiError) return failure(problem, undefined, work.clear)
  const shown = (from: object) => problem.fields.map((name) => valueText(name, from)).join(', ')
  return notice(
    'warning',
    g.value.changedTitle,
    el.p(null, g.value.changed(problem.fields.map((name) => g.value.fields[name] ?? name).join(', '))),
    el.p(null, `${g.value.theirs}: ${shown({ ...problem.fresh.attributes })}`),
    el.p(null, `${g.value.mine}: ${shown(mine)}`),
    el.div(
      { class: 'row' },
      button(g.value.keepTheirs, { onClick: work.clear }),
      button(g.value.keepMine, { onClick: () => writeMine(problem), isWriting: true }),
      writeBoth && button(g.value.keepBoth, { onClick: () => writeBoth(problem), isWriting: true }),
    ),
  ) as View
}

function valueText(name: string, attributes: object): string {
  const from: StayChange & Record<string, unknown> = { ...attributes }
  if (name === 'status' && from.status) return g.value.status[from.status]
  if (name === 'units') return from.units?.map(({ unitName }) => unitName ?? g.value.noRoom).join(', ') ?? ''
  if (name === 'endDate' && from.endDate) return dateText(from.endDate)
  if (name === 'amount') return String(from.amount?.amountWithTax ?? '–')
  if (name === 'personCount' && from.personCount)
    return g.value.persons(from.personCount.adults + from.personCount.children)
  if (name === 'profiles')
    return (from.profiles ?? [])
      .map((each) => ('id' in each ? (each.name ?? '–') : listedName(each)))
      .join('; ')
  return String(from[name] ?? '–')
}
