import { Problem } from '../../resource/problem.ts'
import type { ExtensionRequest } from '../contract.ts'
import type { PmsConfiguration } from '../resources/pms-configuration.ts'
import type { Counts } from './link.ts'
import type { Synchronisation } from './loop/synchronisation.ts'

/** Whether this is the extension that every PMS the house keeps in step with has, even where its adapter has none. */
export function isSync({ name, method }: ExtensionRequest): boolean {
  return name === 'sync' && method === 'POST'
}

/** POST sync: fetches what is new. The dates it names are checked and said again; what is new is fetched whatever it is about. */
export async function synced(
  row: PmsConfiguration,
  { query }: ExtensionRequest,
  sync: Pick<Synchronisation, 'ask'>,
): Promise<{ state: 'in step'; startDate: string | null; endDate: string | null } & Counts> {
  const parameters = new URLSearchParams(query)
  const [startDate, endDate] = [dayIn(parameters, 'startDate'), dayIn(parameters, 'endDate')]
  return { state: 'in step', startDate, endDate, ...(await sync.ask(row, 'pull')) }
}

function dayIn(parameters: URLSearchParams, parameter: string): string | null {
  const text = parameters.get(parameter)
  if (text === null) return null
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))) return text
  throw new Problem('malformed-request', `${parameter}: expected date (YYYY-MM-DD).`, { parameter })
}
