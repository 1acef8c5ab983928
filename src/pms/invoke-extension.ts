import { DeviceFault } from '../devices/fault.ts'
import type { Actor } from '../resource/command.ts'
import { Problem } from '../resource/problem.ts'
import { answerText } from './answers.ts'
import type { ExtensionAnswer, ExtensionRequest } from './contract.ts'
import type { PmsConfiguration } from './resources/pms-configuration.ts'
import type { Session } from './session.ts'
import type { Synchronisation } from './sync/loop/synchronisation.ts'
import { isSync, synced } from './sync/sync-extension.ts'

interface ExtensionCaller {
  actor: Actor
  session: Session
  sync: Pick<Synchronisation, 'ask' | 'isLinked'>
}

/**
 * Resolves with the payload of an extension as JSON text. A synchronised PMS whose adapter has no extension `sync` has
 * that of the appliance. Rejects with extension-not-implemented when the adapter does not support the request.
 */
export async function invokeExtension(
  row: PmsConfiguration,
  request: ExtensionRequest,
  { actor, session, sync }: ExtensionCaller,
): Promise<string> {
  const { name, method } = request
  const what = `${method} ${name}`
  const answer: ExtensionAnswer = await session.ask({ what, changes: method !== 'GET' }, (open, signal) =>
    open.extension(request, { signal, actor }),
  )
  if (answer?.is === 'answered') return answerText(row.name, answer.payload)
  if (answer?.is !== 'not-implemented') {
    throw new DeviceFault('vendor-error', `${row.name} answered to ${what} with nothing that is an answer.`)
  }
  if (!isSync(request) || !sync.isLinked(row.id)) throw notImplemented(row, request)
  return answerText(row.name, await synced(row, request, sync))
}

/** The problem for an extension that a PMS does not have. */
export function notImplemented(
  { name }: PmsConfiguration,
  request: Pick<ExtensionRequest, 'name' | 'method'>,
): Problem {
  const detail = `${name} has no ${request.method} ${request.name}.`
  return new Problem('extension-not-implemented', detail)
}
