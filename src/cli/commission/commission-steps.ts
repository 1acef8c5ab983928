import { systemClock } from '../../host/clock.ts'
import { ApplianceRefusal, type Client } from '../client.ts'
import { CommandFailed } from '../exit-codes.ts'

type Outcome = 'pass' | 'fail' | 'skip'

/** The report of one step. */
export interface StepReport {
  step: string
  outcome: Outcome
  /** Milliseconds from the request to the answer; null for a step that was skipped without a request. */
  ms: number | null
  detail: string
}

/** The result of a step: a short text, or the reason why there was nothing to do. */
export type Finding = string | { skip: string }

/**
 * Runs steps one after the other and reports each when it ends. The caller skips the steps that depend on a failed
 * step.
 */
export type Steps = ReturnType<typeof steps>

/**
 * `reported` receives each report. A CommandFailed, such as a Refusal, makes the step fail; the Refusal
 * `unsupported-operation` makes it skipped. Any other error is thrown.
 */
export function steps(reported: (report: StepReport) => void) {
  const reports: StepReport[] = []

  function report(step: string, outcome: Outcome, ms: number | null, detail: string): void {
    const made = { step, outcome, ms, detail }
    reports.push(made)
    reported(made)
  }

  return {
    reports,
    /** Returns null when the step failed. */
    async run<Found>(
      step: string,
      work: () => Promise<{ found: Found; says: Finding }>,
    ): Promise<Found | null> {
      const since = systemClock.monotonic()
      const ms = () => Math.round(systemClock.monotonic() - since)
      try {
        const { found, says } = await work()
        if (typeof says === 'string') report(step, 'pass', ms(), says)
        else report(step, 'skip', ms(), says.skip)
        return found
      } catch (error) {
        if (!(error instanceof CommandFailed)) throw error
        const cannot = error instanceof ApplianceRefusal && error.errors[0]?.code === 'unsupported-operation'
        report(step, cannot ? 'skip' : 'fail', ms(), wordsOf(error))
        return null
      }
    },
    skip: (step: string, why: string): void => report(step, 'skip', null, why),
  }
}

function wordsOf(error: CommandFailed): string {
  return error instanceof ApplianceRefusal ? `${error.errors[0]?.code}: ${error.message}` : error.message
}

/** Executes one commissioning step at the controller. */
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
