import { systemClock } from '../../host/clock.ts'
import { type Client, Refusal } from '../client.ts'
import { CommandFailed } from '../exit-codes.ts'

type Outcome = 'pass' | 'fail' | 'skip'

export interface StepReport {
  step: string
  outcome: Outcome
  /** From the asking to the answer; null for what was not asked. */
  ms: number | null
  detail: string
}

/** What a step found: a word for it, or that there was nothing to do. */
export type Finding = string | { skip: string }

/** Steps one after the other, each told as soon as it is over. What needs a step that failed is skipped. */
export interface Steps {
  readonly reports: readonly StepReport[]
  /** Null when it failed or was skipped. */
  run<Found>(step: string, work: () => Promise<{ found: Found; says: Finding }>): Promise<Found | null>
  skip(step: string, why: string): void
}

/** `told` prints a report. A Refusal and whatever else stands in the way are a failed step; a fault of our own is thrown. */
export function steps(told: (report: StepReport) => void): Steps {
  const reports: StepReport[] = []

  function report(step: string, outcome: Outcome, ms: number | null, detail: string): void {
    const made = { step, outcome, ms, detail }
    reports.push(made)
    told(made)
  }

  return {
    reports,
    async run(step, work) {
      const since = systemClock.monotonic()
      const ms = () => Math.round(systemClock.monotonic() - since)
      try {
        const { found, says } = await work()
        if (typeof says === 'string') report(step, 'pass', ms(), says)
        else report(step, 'skip', ms(), says.skip)
        return found
      } catch (error) {
        if (!(error instanceof CommandFailed)) throw error
        const cannot = error instanceof Refusal && error.errors[0]?.code === 'unsupported-operation'
        report(step, cannot ? 'skip' : 'fail', ms(), wordsOf(error))
        return null
      }
    },
    skip: (step, why) => report(step, 'skip', null, why),
  }
}

function wordsOf(error: CommandFailed): string {
  return error instanceof Refusal ? `${error.errors[0]?.code}: ${error.message}` : error.message
}

/** One step at the controller. */
export async function atController<Meta>(
  ask: Client,
  controllerId: string,
  step: string,
  unitName?: string,
): Promise<Meta> {
  const path = `/api/config/v1/access-controllers/${controllerId}/actions/commission-step`
  const body = { step, ...(unitName !== undefined && { unitName }) }
  return (await ask<{ meta: Meta }>('POST', path, { body })).body.meta
}
