import { peerPolicies, urlProblem } from '../../../devices/network/peer-address.ts'
import { validate } from '../../../jsonapi/schemas/validate.ts'
import { command } from '../../../resource/command.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Call } from '../../call.ts'
import type { AdapterSetup, ExtensionRequest } from '../../contract.ts'
import { webhooksOf } from '../../resources/pms-configuration.ts'
import { type PmsWebhook, pmsWebhook } from '../../resources/pms-webhook.ts'
import { isTrial, parametersOf } from './parameters.ts'

interface Registration {
  configurationId: string
  /** Null when none was given. */
  callbackUrl: string | null
}

/** The maximum number of registrations of one configuration. */
const mostWebhooks = 20

/** Registers an address. A registered address stays as it is. Refuses more than 20 registrations with validation-failed. */
export const registerWebhook = command('register-pms-webhook', (tx, input: Registration) => {
  const kept = webhooksOf(tx, input.configurationId)
  const same = kept.find((each) => (each.callbackUrl ?? null) === input.callbackUrl)
  if (same) return shown(same)
  if (kept.length >= mostWebhooks) {
    throw new Problem(
      'validation-failed',
      `There are already ${mostWebhooks} webhooks, the most allowed. Delete one first.`,
      {
        pointer: '/callbackUrl',
        meta: { limit: mostWebhooks },
      },
    )
  }
  return shown(tx.insert(pmsWebhook, input))
})

/** Removes the registration of an address, or all of them when none was given. */
export const forgetWebhooks = command('forget-pms-webhooks', (tx, input: Registration) => {
  const gone = webhooksOf(tx, input.configurationId).filter(
    ({ callbackUrl }) => input.callbackUrl === null || callbackUrl === input.callbackUrl,
  )
  for (const { id } of gone) tx.remove(pmsWebhook, id)
  return { removed: gone.length }
})

/** GET webhooks: the registrations in their order. */
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

/** DELETE webhooks. Answers `{removed}`, the number of removed registrations. */
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
  const problem = callbackUrl === null ? null : urlProblem('callbackUrl', callbackUrl, peerPolicies.pms)
  if (problem) throw new Problem('validation-failed', problem, { pointer: '/callbackUrl' })
  return { input: { configurationId: configuration.id, callbackUrl }, dryRun }
}

/** `delivering` is false: this adapter sends nothing to the address. Events are delivered to the webhooks of `/api/config/v1/webhooks`. */
function shown({ id, callbackUrl, createdAt }: PmsWebhook) {
  return {
    id,
    callbackUrl: callbackUrl ?? null,
    registeredAt: new Date(createdAt).toISOString(),
    delivering: false,
  }
}
