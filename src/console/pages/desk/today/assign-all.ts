import { useState } from 'preact/hooks'
import { button, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { beginAction, usePassing } from '../../lib/controls/passing.ts'
import { ApiError, type Resource, send } from '../../lib/server/api.ts'
import { numberOf, type Stay } from '../../lib/server/resources.ts'
import { hasRoom } from '../stay/stay.ts'
import { t } from './texts.ts'

interface Outcome {
  assigned: number
  refused: string[]
}

interface AssignedMeta {
  assigned: string[]
  unassigned: { stayId: string; detail: string }[]
}

/**
 * Assigns rooms to the stays that have none, one booking after the other, and lists the failures with their reasons.
 */
export function AssignAll({ stays }: { stays: readonly Resource<Stay>[] }): View | null {
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [problem, setProblem] = useState<ApiError | null>(null)
  const [done, setDone] = usePassing()
  const roomless = stays.filter((each) => !hasRoom(each))
  const numberOfStay = new Map(stays.map((each) => [each.id, numberOf(each)]))

  async function assignAll(): Promise<void> {
    setBusy(true)
    beginAction()
    setProblem(null)
    setOutcome(null)
    const wanted = new Set(roomless.map(({ id }) => id))
    const all: Outcome = { assigned: 0, refused: [] }
    try {
      for (const id of new Set(roomless.map(({ attributes }) => attributes.reservationId))) {
        const { meta } = await send('POST', `/api/v2/reservations/${id}/unit-assignments`, {
          timeoutMs: 60_000,
        })
        const { assigned, unassigned } = meta as unknown as AssignedMeta
        all.assigned += assigned.filter((each) => wanted.has(each)).length
        for (const { stayId, detail } of unassigned)
          all.refused.push(`${numberOfStay.get(stayId) ?? ''} ${detail}`)
      }
      // What was refused stays until the clerk has read it.
      if (all.refused.length > 0) setOutcome(all)
      else setDone(t.value.assigned(all.assigned))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  if (roomless.length === 0 && outcome === null && problem === null && done === null) return null
  return el.div(
    { class: 'stack' },
    roomless.length > 0 &&
      button(t.value.assignAll, { onClick: () => void assignAll(), icon: 'door', isBusy }),
    problem && failure(problem),
    done && notice('ok', done),
    outcome &&
      notice(
        'warning',
        t.value.assigned(outcome.assigned),
        el.p(null, t.value.unassigned(outcome.refused.length)),
        outcome.refused.map((each) => el.p({ key: each }, each)),
        button(t.value.close, { onClick: () => setOutcome(null) }),
      ),
  )
}
