import { peerPolicies, urlProblem } from '../../devices/peer-address.ts'
import { scopes } from '../../gate/scopes.ts'
import type { Clock } from '../../host/clock.ts'
import { bodyReader } from '../../jsonapi/body.ts'
import { created, type Keeping, resourceRoutes } from '../../jsonapi/resource-routes.ts'
import { type Answer, type Caller, etag, noContent, type Request, type Route } from '../../jsonapi/route.ts'
import { expectedRevision, writeOptions } from '../../jsonapi/write-options.ts'
import type { WriteOptions } from '../../resource/change.ts'
import { Problem } from '../../resource/problem.ts'
import { type Webhook, webhook } from '../resources/webhook.ts'
import { webhookDelivery } from '../resources/webhook-delivery.ts'
import { checkEvent } from './message.ts'
import { type Outcome, post } from './post.ts'
import { secretContext, secretsOf } from './secrets.ts'
import { newSecret, signed } from './signature.ts'
import { rotateWebhookSecret, sendAgain, sendAllAgain } from './webhook-changes.ts'
import { says } from './webhook-descriptions.ts'

type Attributes = Record<string, unknown>

const base = '/api/config/v1'
const scope = webhook.scopes.write

export interface WebhookRouteOptions {
  /** Of every event: `urn:property:` and the property's id. */
  source(): string
  clock: Clock
  seal(text: string, context: string): string
  unseal(sealed: string, context: string): string
}

/** Setting up who is told of what happens, and looking after what was not taken. */
export function webhookRoutes(keeping: Keeping, options: WebhookRouteOptions): Route[] {
  const { reader, door, plain } = keeping
  const { source, clock, seal, unseal } = options
  const { now } = clock
  const body = bodyReader(webhook)

  async function create(request: Request): Promise<Answer> {
    const given = await body.create(await request.body())
    const writing = writeOptions(request)
    expectHolds(request.caller, given)
    const secret = String(given.secret ?? newSecret())
    if (given.enabled !== false && !writing.idempotency?.answered)
      await expectTaken(String(given.url), null, [secret])
    const attributes = { ...given, secret: seal(secret, secretContext), hears: heardBy(request.caller) }
    const document = await door.write(plain.create, { type: webhook.type, attributes }, writing)
    return created(webhook, document, shownOnce(secret, writing))
  }

  async function patch(request: Request): Promise<Answer> {
    const kept = keptOf(request)
    const given = await body.patch(await request.body(), () => kept)
    const writing = writeOptions(request)
    const whole = { ...kept, ...given }
    expectHolds(request.caller, whole)
    const secret = typeof given.secret === 'string' ? given.secret : null
    const isTold = whole.enabled !== false
    if (isTold && (whole.url !== kept.url || kept.enabled === false || secret))
      await expectTaken(String(whole.url), kept.id, secret ? [secret] : secretsOf(kept, unseal, now()))
    const attributes: Attributes = {
      ...given,
      ...('secret' in given && { secret: secret ? seal(secret, secretContext) : kept.secret }),
      ...(isTold && { switchedOffBecause: null }),
      hears: heardBy(request.caller),
    }
    const input = { type: webhook.type, id: kept.id, attributes, revision: expectedRevision(request) }
    return noContent((await door.write(plain.patch, input, writing)).revision)
  }

  async function rotate(request: Request): Promise<Answer> {
    const writing = writeOptions(request)
    const secret = newSecret()
    const input = {
      id: request.params.id ?? '',
      secret: seal(secret, secretContext),
      revision: expectedRevision(request),
    }
    const { revision, text } = await door.write(rotateWebhookSecret, input, writing)
    const meta = JSON.stringify(shownOnce(secret, writing))
    return { status: 200, text: `{"data":${text},"meta":${meta}}`, headers: { ETag: etag(revision) } }
  }

  async function test(request: Request): Promise<Answer> {
    // What is sent is sent: there is no trial of a trial.
    for (const name of request.query.keys()) {
      throw new Problem('unknown-parameter', `${name.slice(0, 100)} is not a parameter here.`, {
        parameter: name.slice(0, 100),
        meta: { allowed: [] },
      })
    }
    const kept = keptOf(request)
    const { event, outcome } = await checked(kept.url, kept.id, secretsOf(kept, unseal, now()))
    const attributes = {
      taken: outcome.is === 'taken',
      status: outcome.is === 'unreached' ? null : outcome.status,
      reason: outcome.is === 'taken' ? null : outcome.reason,
    }
    return {
      status: 200,
      text: JSON.stringify({ data: { type: 'webhook-test', id: event.id, attributes } }),
    }
  }

  async function again(request: Request): Promise<Answer> {
    const input = { id: request.params.id ?? '' }
    const meta = await door.write(sendAllAgain, input, writeOptions(request))
    return { status: 200, text: JSON.stringify({ meta }) }
  }

  async function oneAgain(request: Request): Promise<Answer> {
    const input = { id: request.params.id ?? '' }
    const { revision, text } = await door.write(sendAgain, input, writeOptions(request))
    return { status: 200, text: `{"data":${text}}`, headers: { ETag: etag(revision) } }
  }

  function keptOf({ params }: Request): Webhook {
    const row = reader.row(webhook, params.id ?? '')
    if (!row) throw new Problem('not-found', 'There is no such webhook.')
    return row
  }

  /** Throws validation-failed naming the url of a receiver that does not take the event it is tried with. */
  async function expectTaken(url: string, id: string | null, secrets: string[]): Promise<void> {
    const { outcome } = await checked(url, id, secrets)
    if (outcome.is === 'taken') return
    throw new Problem(
      'validation-failed',
      `url did not take the event it was tried with, webhook.tested: ${outcome.reason}.`,
      { pointer: '/url', meta: { expected: 'an answer of status 200 to 299 within 10 s' } },
    )
  }

  async function checked(url: string, id: string | null, secrets: string[]) {
    const event = checkEvent(source(), id, now())
    const text = JSON.stringify(event)
    const headers = signed(secrets, { id: event.id, body: text, at: now() })
    const outcome: Outcome = await post({ url, headers, body: text, clock })
    return { event, outcome }
  }

  const on = (path: string) => ({ base, path, scope }) as const
  return [
    ...resourceRoutes(keeping, webhook),
    ...resourceRoutes(keeping, webhookDelivery),
    { method: 'POST', ...on('webhooks'), handle: create, description: says.create },
    { method: 'PATCH', ...on('webhooks/:id'), handle: patch, description: says.patch },
    {
      method: 'POST',
      ...on('webhooks/:id/actions/rotate-secret'),
      handle: rotate,
      description: says.rotate,
    },
    { method: 'POST', ...on('webhooks/:id/actions/test'), handle: test, description: says.test },
    { method: 'POST', ...on('webhooks/:id/actions/send-again'), handle: again, description: says.again },
    {
      method: 'POST',
      ...on('webhook-deliveries/:id/actions/send-again'),
      handle: oneAgain,
      description: says.oneAgain,
    },
  ]
}

/** Throws scope-required for who may not hear what the webhook would, and validation-failed for a URL that will not do. */
function expectHolds({ may }: Caller, { url, payload }: Attributes): void {
  const needed = ['events.read', ...(payload === 'full' ? ['events.pii'] : [])]
  for (const scope of needed) {
    if (may(scope)) continue
    throw new Problem('scope-required', `This needs the scope ${scope}.`, { meta: { scope } })
  }
  const problem = urlProblem('url', String(url), peerPolicies.webhook)
  if (problem) throw new Problem('validation-failed', problem, { pointer: '/url' })
}

/** What a webhook may be told of is what its maker may read; PINs are in no event. */
function heardBy({ may }: Caller): string[] {
  const isReading = (scope: string) => /\.read$/.test(scope) || scope === 'events.pii'
  return scopes.filter((scope) => isReading(scope) && may(scope))
}

/** A secret is shown once: what is kept for a repeated request does not hold it, and a trial makes none. */
function shownOnce(secret: string, { dryRun, idempotency }: WriteOptions): Attributes {
  if (dryRun) return { note: 'A trial makes no secret.' }
  if (idempotency?.answered) return { note: 'The secret was shown when it was made.' }
  return { secret }
}
