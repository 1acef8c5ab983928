import { validate } from '../../../jsonapi/schemas/validate.ts'
import { command } from '../../../resource/command.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Call } from '../../call.ts'
import type { AdapterSetup, ExtensionRequest } from '../../contract.ts'
import { isTrial, nothing, parametersOf } from './parameters.ts'

interface Period {
  /** YYYY-MM-DD; both days belong to the period. */
  startDate: string
  endDate: string
}

/** Counts the reservations and stays that begin in the period, and records `pms.sync-completed`. There is no other system to synchronise with. */
export const syncHouse = command('sync-house', (tx, input: Period & { configurationId: string }) => {
  const { configurationId, startDate, endDate } = input
  const reservations = tx.count(
    'SELECT count(*) FROM reservation WHERE arrival BETWEEN ? AND ?',
    startDate,
    endDate,
  )
  const stays = tx.count('SELECT count(*) FROM stay WHERE startDate BETWEEN ? AND ?', startDate, endDate)
  const counted = { startDate, endDate, reservations, stays }
  tx.journal('pms.sync-completed', `pms/${configurationId}`, counted)
  return { state: 'in step', ...counted, completedAt: new Date(tx.now).toISOString() }
})

/** POST sync with startDate and endDate, 365 days at most. Answers `{state, startDate, endDate, reservations, stays, completedAt}`. */
export async function synchronise(
  { configuration, appliance }: AdapterSetup,
  request: ExtensionRequest,
  { actor }: Call,
) {
  const parameters = parametersOf(request, ['startDate', 'endDate', 'dryRun'])
  await validate(nothing, JSON.parse(request.body || '{}'))
  const input = { configurationId: configuration.id, ...periodIn(parameters) }
  return appliance.writer.execute(syncHouse, input, { actor, dryRun: isTrial(parameters) })
}

const longestDays = 365

function periodIn(parameters: Record<string, string>): Period {
  const startDate = dayIn(parameters, 'startDate')
  const endDate = dayIn(parameters, 'endDate')
  const days = startDate.until(endDate).days
  if (days < 0) {
    throw new Problem('malformed-request', 'endDate is before startDate.', { parameter: 'endDate' })
  }
  if (days > longestDays) {
    throw new Problem('period-too-long', `A period has at most ${longestDays} days.`, {
      parameter: 'endDate',
      meta: { days: longestDays },
    })
  }
  return { startDate: startDate.toString(), endDate: endDate.toString() }
}

function dayIn(parameters: Record<string, string>, parameter: 'startDate' | 'endDate'): Temporal.PlainDate {
  const text = parameters[parameter] ?? ''
  try {
    if (/^\d{4}-\d\d-\d\d$/.test(text)) return Temporal.PlainDate.from(text, { overflow: 'reject' })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  const expected = 'date (YYYY-MM-DD)'
  throw new Problem('malformed-request', `${parameter}: expected ${expected}.`, {
    parameter,
    meta: { expected },
  })
}
