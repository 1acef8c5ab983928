import { peerPolicies, urlProblem } from '../../../devices/network/peer-address.ts'
import { validate } from '../../../jsonapi/schemas/validate.ts'
import { command } from '../../../resource/command.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Call } from '../../call.ts'
import type { AdapterSetup, ExtensionAnswer, ExtensionRequest } from '../../contract.ts'
import { webhooksOf } from '../../resources/pms-configuration.ts'
import { type PmsWebhook, pmsWebhook } from '../../resources/pms-webhook.ts'
import type { Carrier } from './carrier.ts'
import { forwardExtension } from './extension.ts'

/** The maximum number of registrations of one configuration. */
const most = 20

/** Registers an address. A registered address stays as it is. Refuses more than 20 registrations with validation-failed. */
export const registerWebhook = command(
  'register-pms-webhook',
  (tx, input: { configurationId: string; callbackUrl: string }) => {
    const kept = webhooksOf(tx, input.configurationId)
    const same = kept.find(({ callbackUrl }) => callbackUrl === input.callbackUrl)
    if (same) return shown(same)
    if (kept.length < most) return shown(tx.insert(pmsWebhook, input))
    const detail = `There are already ${most} webhooks, the most allowed. Delete one first.`
    throw new Problem('validation-failed', detail, { pointer: '/callbackUrl', meta: { limit: most } })
  },
)

/** Removes the registration of an address, or all of them when none was given. */
export const forgetWebhooks = command(
  'forget-pms-webhooks',
  (tx, input: { configurationId: string; callbackUrl: string | null }) => {
    const gone = webhooksOf(tx, input.configurationId).filter(
      ({ callbackUrl }) => input.callbackUrl === null || callbackUrl === input.callbackUrl,
    )
    for (const { id } of gone) tx.remove(pmsWebhook, id)
    return { removed: gone.length }
  },
)

/**
 * The extension `webhooks`: registers the callback address of the appliance with the PMS, and removes the registration.
 * Without one, a PMS over HTTP cannot report changes, and is only polled.
 */
export async function webhooks(
  setup: AdapterSetup,
  carrier: Carrier,
  request: ExtensionRequest,
  call: Call,
): Promise<ExtensionAnswer> {
  if (request.method === 'GET') return { is: 'answered', payload: registered(setup).map(shown) }
  const callbackUrl = await callbackIn(setup, request)
  const isTrial = new URLSearchParams(request.query).get('dryRun') === 'true'
  const configurationId = setup.configuration.id
  const options = { actor: call.actor, dryRun: isTrial }
  if (request.method === 'DELETE') {
    const body = callbackUrl === null ? {} : { callbackUrl }
    if (!isTrial) await forwardRegistration(carrier, 'DELETE', body, call)
    const payload = await setup.appliance.writer.execute(
      forgetWebhooks,
      { configurationId, callbackUrl },
      options,
    )
    return { is: 'answered', payload }
  }
  if (callbackUrl === null) throw noCallback()
  const kept = await setup.appliance.writer.execute(
    registerWebhook,
    { configurationId, callbackUrl },
    options,
  )
  if (!isTrial)
    await forwardRegistration(carrier, 'POST', { callbackUrl, secret: secretOf(setup, kept.id) }, call)
  return { is: 'answered', payload: { ...kept, delivering: !isTrial } }
}

/** The secrets with which the PMS may sign: those of all registrations. */
export function secretsOf(setup: AdapterSetup): string[] {
  return registered(setup).map(({ id }) => secretOf(setup, id))
}

/** The secret of one registration; each registration has another one. */
function secretOf({ appliance }: AdapterSetup, registrationId: string): string {
  const digits = appliance.secretFor(`webhook ${registrationId}`)
  return `whsec_${Buffer.from(digits, 'hex').toString('base64')}`
}

function registered({ configuration, appliance }: AdapterSetup): PmsWebhook[] {
  const filters = [{ path: 'configurationId', operator: 'eq' as const, value: configuration.id }]
  return appliance.reader.rows(pmsWebhook, { filters, sort: [], page: { size: most } })
}

async function forwardRegistration(
  carrier: Carrier,
  method: 'POST' | 'DELETE',
  body: object,
  call: Call,
): Promise<void> {
  const asked = { name: 'webhooks', method, query: '', body: JSON.stringify(body) }
  const answer = await forwardExtension(carrier, asked, call)
  if (answer.is === 'answered') return
  throw new Problem('extension-not-implemented', 'The PMS does not support a callback address.')
}

const bodySchema = {
  type: 'object',
  properties: { callbackUrl: { type: ['string', 'null'], minLength: 1, maxLength: 2_000 } },
  additionalProperties: false,
}

async function callbackIn(
  { configuration }: AdapterSetup,
  { method, body }: ExtensionRequest,
): Promise<string | null> {
  const given = JSON.parse(body || '{}') as { callbackUrl?: string | null }
  await validate(bodySchema, given)
  const usual =
    method === 'POST' ? (configuration.connection as { callbackUrl?: string } | null)?.callbackUrl : null
  const callbackUrl = given.callbackUrl ?? usual ?? null
  const problem = callbackUrl === null ? null : urlProblem('callbackUrl', callbackUrl, peerPolicies.pms)
  if (problem) throw new Problem('validation-failed', problem, { pointer: '/callbackUrl' })
  return callbackUrl
}

function noCallback(): Problem {
  const detail = 'callbackUrl is required, because the connection of the configuration has none.'
  return new Problem('validation-failed', detail, { pointer: '/callbackUrl' })
}

function shown({ id, callbackUrl, createdAt }: PmsWebhook) {
  return {
    id,
    callbackUrl: callbackUrl ?? null,
    registeredAt: new Date(createdAt).toISOString(),
    delivering: true,
  }
}
