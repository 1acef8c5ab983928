import { preferredLanguage } from '../jsonapi/locales/language.ts'
import { expectNoParameters } from '../jsonapi/query/query.ts'
import { type Answer, type Request, type Route, routesAt } from '../jsonapi/route.ts'
import { bodyOf } from '../jsonapi/schemas/validate.ts'
import { withoutDryRun } from '../jsonapi/write-options.ts'
import { Problem } from '../resource/problem.ts'
import type { OpenUpdates } from './open-updates.ts'
import { noteAsked } from './update-commands.ts'
import { holdSchema, installSchema, says } from './update-descriptions.ts'
import { updateAttributes } from './update-document.ts'
import { UpdateRefused } from './update-refused.ts'

const route = routesAt('/api/config/v1')
const day = 86_400_000

/** Returns the routes to read and begin updates of the box. */
export function updateRoutes(updates: OpenUpdates): Route[] {
  const { settings, writer, clock } = updates

  async function answer({ header }: Request): Promise<Answer> {
    await updates.begun
    const language = preferredLanguage(header('accept-language'))
    const attributes = updateAttributes(updates.view(), settings, language)
    return { status: 200, text: JSON.stringify({ data: { type: 'update', id: 'update', attributes } }) }
  }

  function read(request: Request): Promise<Answer> {
    expectNoParameters(request.query)
    return answer(request)
  }

  async function check(request: Request): Promise<Answer> {
    withoutDryRun(request)
    await updates.check()
    return answer(request)
  }

  /** Records the actor and runs the action, unless this is a repeat of the same request. */
  async function act(
    request: Request,
    action: 'install' | 'hold' | 'confirm',
    work: () => Promise<void> | void,
  ): Promise<Answer> {
    const options = withoutDryRun(request)
    if (options.idempotency?.answered) return answer(request)
    try {
      await work()
    } catch (error) {
      if (error instanceof UpdateRefused) throw new Problem('update-refused', error.message, { cause: error })
      throw error
    }
    const version = updates.view().job?.version ?? null
    await writer.execute(noteAsked, { action, version }, options)
    return answer(request)
  }

  async function install(request: Request): Promise<Answer> {
    const body = await bodyOf<{ when?: string; withoutBackup?: boolean }>(request, installSchema)
    const { when = 'now', withoutBackup = false } = body
    const { by } = request.caller
    return act(request, 'install', () => updates.install({ by, inWindow: when === 'window', withoutBackup }))
  }

  async function hold(request: Request): Promise<Answer> {
    const { days } = await bodyOf<{ days: number }>(request, holdSchema)
    return act(request, 'hold', () => updates.hold(days === 0 ? null : clock.now() + days * day))
  }

  return [
    route('GET', 'update', 'updates.read', says.read, read),
    route('POST', 'update/actions/check', 'updates.read', says.check, check),
    route('POST', 'update/actions/install', 'updates.install', says.install, install),
    route('POST', 'update/actions/hold', 'updates.hold', says.hold, hold),
    route('POST', 'update/actions/confirm', 'updates.install', says.confirm, (request) =>
      act(request, 'confirm', () => updates.confirm()),
    ),
  ]
}
