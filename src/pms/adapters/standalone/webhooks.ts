import { validate } from '../../../jsonapi/validate.ts'
import { command } from '../../../resource/command.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Call } from '../../call.ts'
import type { AdapterSetup, ExtensionRequest } from '../../contract.ts'
import { webhooksOf } from '../../resources/pms-configuration.ts'
import { type PmsWebhook, pmsWebhook } from '../../resources/pms-webhook.ts'
import { callbackProblem } from './callback-url.ts'
import { isTrial, parametersOf } from './parameters.ts'

interface Registration {
  configurationId: string
  /** Null where none was given. */
  callbackUrl: string | null
}

/** Registrations of one configuration. */
const mostWebhooks = 20

/** Keeps an address; one that is kept already stays as it is. */
export const registerWebhook = command('register-pms-webhook', (tx, input: Registration) => {
  const kept = webhooksOf(tx, input.configurationId)
  const same = kept.find((each) => (each.callbackUrl ?? null) === input.callbackUrl)
  if (same) return shown(same)
  if (kept.length >= mostWebhooks) {
    throw new Problem('validation-failed', `At most ${mostWebhooks} webhooks are registered.`, {
      pointer: '/callbackUrl',
      meta: { limit: mostWebhooks },
    })
  }
  return shown(tx.insert(pmsWebhook, input))
})

/** Forgets an address, or all of them where none was given. */
export const forgetWebhooks = command('forget-pms-webhooks', (tx, input: Registration) => {
  const gone = webhooksOf(tx, input.configurationId).filter(
    ({ callbackUrl }) => input.callbackUrl === null || callbackUrl === input.callbackUrl,
  )
  for (const { id } of gone) tx.remove(pmsWebhook, id)
  return { removed: gone.length }
})

/** GET webhooks: what is registered, in the order of registration. */
export function listWebhooks({ configuration, appliance }: AdapterSetup, request: ExtensionRequest) {
  parametersOf(request, [])
  const filters = [{ path: 'configurationId', operator: 'eq' as const, value: configuration.id }]
  return appliance.reader.rows(pmsWebhook, { filters, sort: [], page: { size: mostWebhooks } }).map(shown)
}

/** POST webhooks. Answers `{id, callbackUrl, registeredAt, delivering}`. */
export async function addWebhook(setup: AdapterSetup, request: ExtensionRequest, { actor }: Call) {
  const { input, dryRun } = await registrationIn(setup, request)
  return setup.appliance.writer.execute(registerWebhook, input, { actor, dryRun })
}

/** DELETE webhooks. Answers `{removed}`, how many there were. */
export async function removeWebhooks(setup: AdapterSetup, request: ExtensionRequest, { actor }: Call) {
  const { input, dryRun } = await registrationIn(setup, request)
  return setup.appliance.writer.execute(forgetWebhooks, input, { actor, dryRun })
}

const bodySchema = {
  type: 'object',
  properties: { callbackUrl: { type: ['string', 'null'], minLength: 1, maxLength: 2000 } },
  additionalProperties: false,
}

async function registrationIn({ configuration }: AdapterSetup, request: ExtensionRequest) {
  const dryRun = isTrial(parametersOf(request, ['dryRun']))
  const body = JSON.parse(request.body || '{}') as { callbackUrl?: string | null }
  await validate(bodySchema, body)
  const callbackUrl = body.callbackUrl ?? null
  const problem = callbackUrl === null ? null : callbackProblem(callbackUrl)
  if (problem) throw new Problem('validation-failed', problem, { pointer: '/callbackUrl' })
  return { input: { configurationId: configuration.id, callbackUrl }, dryRun }
}

/** Nothing is sent there: whoever is to be told of what happens has a webhook of the configuration, with a secret. */
function shown({ id, callbackUrl, createdAt }: PmsWebhook) {
  return {
    id,
    callbackUrl: callbackUrl ?? null,
    registeredAt: new Date(createdAt).toISOString(),
    delivering: false,
  }
}
