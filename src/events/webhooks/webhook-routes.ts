import { makerOf } from '../../auth/rights/made-rights.ts'
import { scopes } from '../../auth/scopes.ts'
import { peerPolicies, urlProblem } from '../../devices/network/peer-address.ts'
import type { Clock } from '../../host/clock.ts'
import { expectOutgoing } from '../../host/firewall/outgoing.ts'
import { bodyReader } from '../../jsonapi/body.ts'
import { documentAnswer, metaAnswer } from '../../jsonapi/document-answers.ts'
import { detailIn } from '../../jsonapi/locales/detail.ts'
import { preferredLanguage } from '../../jsonapi/locales/language.ts'
import { created, resourceRoutes, type Store } from '../../jsonapi/resource-routes.ts'
import { type Answer, type Caller, expectAdmitted, type Request, type Route } from '../../jsonapi/route.ts'
import { expectedRevision, noContent, writeOptions } from '../../jsonapi/write-options.ts'
import type { WriteOptions } from '../../resource/command.ts'
import { invalidValue, Problem } from '../../resource/problem.ts'
import { type Webhook, webhook } from '../resources/webhook.ts'
import { webhookDelivery } from '../resources/webhook-delivery.ts'
import { sendAgain, sendAllAgain } from './delivery-commands.ts'
import { checkEvent } from './message.ts'
import { type PhoneFacts, phoneTest } from './phone-message.ts'
import { type DeliveryOutcome, post, wordsOf } from './post.ts'
import { authorization, secretContext, secretsOf, tokenContext } from './secrets.ts'
import { newSecret, signed } from './signature.ts'
import { rotateWebhookSecret } from './webhook-commands.ts'
import { says } from './webhook-descriptions.ts'

type Attributes = Record<string, unknown>

const base = '/api/config/v1'
const scope = webhook.scopes.write

export interface WebhookRouteOptions {
  /** The source of every event: `urn:property:` and the property's id. */
  source(): string
  clock: Clock
  seal(text: string, context: string): string
  unseal(sealed: string, context: string): string
  facts: PhoneFacts
}

/** What the handlers need. */
interface Setup extends WebhookRouteOptions {
  store: Store
}

const body = bodyReader(webhook)

/** Returns the routes to manage webhooks and their deliveries. */
export function webhookRoutes(store: Store, options: WebhookRouteOptions): Route[] {
  const setup: Setup = { ...options, store }
  const on = (
    method: Route['method'],
    path: string,
    description: Route['description'],
    handle: (setup: Setup, request: Request) => Promise<Answer>,
  ): Route => ({ method, base, path, scope, description, handle: (request) => handle(setup, request) })
  return [
    ...resourceRoutes(store, webhook),
    ...resourceRoutes(store, webhookDelivery),
    on('POST', 'webhooks', says.create, create),
    on('PATCH', 'webhooks/:id', says.patch, patch),
    on('POST', 'webhooks/:id/actions/rotate-secret', says.rotate, rotate),
    on('POST', 'webhooks/:id/actions/test', says.test, test),
    on('POST', 'webhooks/:id/actions/send-again', says.again, again),
    on('POST', 'webhook-deliveries/:id/actions/send-again', says.oneAgain, oneAgain),
  ]
}

async function create(setup: Setup, request: Request): Promise<Answer> {
  const { writer, plain } = setup.store
  const changes = await body.create(await request.body())
  const writing = writeOptions(request)
  expectHolds(request.caller, changes)
  const secret = String(changes.secret ?? newSecret())
  const isTested = changes.enabled !== false && !writing.dryRun && !writing.idempotency?.answered
  const token = sealedToken(setup, changes)
  const receiver: Receiver = { ...changes, ...token, url: String(changes.url) }
  if (isTested) await expectTaken(setup, receiver, null, [secret])
  const attributes = {
    ...changes,
    ...token,
    secret: setup.seal(secret, secretContext),
    hears: scopesOf(request.caller),
    makerId: makerOf(request.caller),
  }
  const document = await writer.execute(plain.create, { type: webhook.type, attributes }, writing)
  return created(webhook, document, shownOnce(secret, writing))
}

async function patch(setup: Setup, request: Request): Promise<Answer> {
  const { writer, plain } = setup.store
  const kept = keptOf(setup, request)
  const { secret: sent, ...changes } = await body.patch(await request.body(), () => kept)
  const writing = writeOptions(request)
  const token = sealedToken(setup, changes)
  const whole: Webhook = { ...kept, ...changes, ...token }
  expectSameReceiver(kept, changes)
  expectHolds(request.caller, whole)
  const secret = typeof sent === 'string' ? sent : null
  const isEnabled = whole.enabled !== false
  const isOther = (['url', 'format', 'accessToken'] as const).some((name) => whole[name] !== kept[name])
  if (!writing.dryRun && isEnabled && (isOther || kept.enabled === false || secret))
    await expectTaken(setup, whole, kept.id, secret ? [secret] : secretsNow(setup, kept))
  const attributes: Attributes = {
    ...changes,
    ...token,
    ...(secret && { secret: setup.seal(secret, secretContext) }),
    ...(isEnabled && { switchedOffBecause: null }),
    hears: scopesOf(request.caller),
    makerId: makerOf(request.caller),
  }
  const input = { type: webhook.type, id: kept.id, attributes, revision: expectedRevision(request) }
  return noContent((await writer.execute(plain.patch, input, writing)).revision)
}

async function rotate({ store, seal }: Setup, request: Request): Promise<Answer> {
  const writing = writeOptions(request)
  const secret = newSecret()
  const sealed = seal(secret, secretContext)
  const input = { id: request.params.id ?? '', secret: sealed, revision: expectedRevision(request) }
  const document = await store.writer.execute(rotateWebhookSecret, input, writing)
  return documentAnswer(document, shownOnce(secret, writing))
}

async function test(setup: Setup, request: Request): Promise<Answer> {
  // A test sends an event at once, so it has no dry run.
  for (const name of request.query.keys()) {
    throw new Problem('unknown-parameter', `This operation has no parameter ${name.slice(0, 100)}.`, {
      parameter: name.slice(0, 100),
      meta: { allowed: [] },
    })
  }
  const kept = keptOf(setup, request)
  const { event, outcome } = await checked(setup, kept, kept.id, secretsNow(setup, kept))
  const attributes = {
    taken: outcome.is === 'taken',
    status: outcome.is === 'unreached' ? null : outcome.status,
    reason: outcome.is === 'taken' ? null : reasonFor(kept, outcome.reason, request),
  }
  return { status: 200, text: JSON.stringify({ data: { type: 'webhook-test', id: event.id, attributes } }) }
}

async function again({ store }: Setup, request: Request): Promise<Answer> {
  const input = { id: request.params.id ?? '' }
  const meta = await store.writer.execute(sendAllAgain, input, writeOptions(request))
  return metaAnswer(meta)
}

async function oneAgain({ store }: Setup, request: Request): Promise<Answer> {
  const input = { id: request.params.id ?? '' }
  return documentAnswer(await store.writer.execute(sendAgain, input, writeOptions(request)))
}

function keptOf({ store }: Setup, { params }: Request): Webhook {
  const row = store.reader.row(webhook, params.id ?? '')
  if (!row) throw new Problem('not-found', 'There is no such webhook.')
  return row
}

function secretsNow({ unseal, clock }: Setup, kept: Webhook): string[] {
  return secretsOf(kept, unseal, clock.now())
}

/** Throws validation-failed with the pointer `/url` when the receiver does not accept the test event. */
async function expectTaken(setup: Setup, to: Receiver, id: string | null, secrets: string[]): Promise<void> {
  const { outcome } = await checked(setup, to, id, secrets)
  if (outcome.is === 'taken') return
  throw invalidValue(
    '/url',
    to.format === 'message'
      ? `The server of the messages did not take the test message: ${wordsOf(outcome.reason)}. Check the address, and that the box reaches it.`
      : `The receiver did not accept the test event webhook.tested: ${outcome.reason}. Check that it answers with a status of 200 to 299 within 10 s.`,
    { expected: 'an answer of status 200 to 299 within 10 s' },
  )
}

/** Where the events of a webhook go, and in which form. The access token is sealed. */
type Receiver = Pick<Webhook, 'url'> & Partial<Pick<Webhook, 'format' | 'language' | 'accessToken'>>

async function checked(
  { source, clock, facts, unseal }: Setup,
  to: Receiver,
  id: string | null,
  secrets: string[],
) {
  const { url } = to
  const event = checkEvent(source(), id, clock.now())
  const { body, headers: own } =
    to.format === 'message' ? phoneTest(to, facts) : { body: JSON.stringify(event), headers: {} }
  const signatures = signed(secrets, { id: event.id, body, at: clock.now() })
  const headers = { ...own, ...authorization(to, unseal), ...signatures }
  await expectOutgoing(url, { clock })
  const outcome: DeliveryOutcome = await post({ url, headers, body, clock })
  return { event, outcome }
}

/**
 * Throws scope-required when the caller may not receive what the webhook would, and validation-failed for a
 * refused URL.
 */
function expectHolds(caller: Caller, { url, payload, format }: Attributes): void {
  const needed = [
    'events.read',
    ...(payload === 'full' ? ['events.pii'] : []),
    ...(format === 'message' ? ['status.read'] : []),
  ]
  for (const scope of needed) expectAdmitted(caller, { scope })
  const problem = urlProblem('url', String(url), peerPolicies.webhook)
  if (problem) throw new Problem('validation-failed', problem, { pointer: '/url' })
}

/** Why a test failed. A message to a phone is tried by a person, who reads words in a language. */
function reasonFor({ format }: Webhook, reason: string, { header }: Request): string {
  if (format !== 'message') return reason
  const words = wordsOf(reason)
  const language = preferredLanguage(header('accept-language'))
  return (language === 'en' ? null : detailIn(language, 'validation-failed', words)) ?? words
}

/** The access token that a body has, sealed; null where it removes the token. */
function sealedToken({ seal }: Setup, { accessToken }: Attributes): { accessToken?: string | null } {
  if (accessToken === undefined) return {}
  return { accessToken: typeof accessToken === 'string' ? seal(accessToken, tokenContext) : null }
}

/** Otherwise a client could direct the stored access token to an address of its own. */
function expectSameReceiver(kept: Webhook, changes: Attributes): void {
  if (!kept.accessToken || changes.accessToken !== undefined || typeof changes.url !== 'string') return
  if (URL.parse(changes.url)?.origin === URL.parse(kept.url)?.origin) return
  throw invalidValue('/accessToken', 'The address has changed. Send the access token again with it.', {
    expected: 'access token',
  })
}

/** Returns the scopes of a webhook: the scopes for reading that its creator has. No event contains a PIN. */
function scopesOf({ may }: Caller): string[] {
  const isReading = (scope: string) => /\.read$/.test(scope) || scope === 'events.pii'
  return scopes.filter((scope) => isReading(scope) && may(scope))
}

/**
 * A secret is shown once: the output that is stored for a repeat does not contain it, and a dry run makes
 * none.
 */
function shownOnce(secret: string, { dryRun, idempotency }: WriteOptions): Attributes {
  if (dryRun) return { note: 'A trial makes no secret.' }
  if (idempotency?.answered) return { note: 'The secret was shown when it was made.' }
  return { secret }
}
