import { created, type Store } from '../../../jsonapi/resource-routes.ts'
import type { Answer, Request, Route } from '../../../jsonapi/route.ts'
import { etag, expectSeen, writeOptions } from '../../../jsonapi/write-options.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Access, Property } from '../../access.ts'
import { cardContent, eraseCard } from '../../cards/card-content.ts'
import { orDeviceProblem } from '../../controllers/device-problem.ts'
import { controllerBy, providerOf } from '../../lookups.ts'
import { asMade } from '../../pins/pins-at-routes.ts'
import type { AccessController } from '../../resources/access-controller.ts'
import { key } from '../../resources/key.ts'
import { makeBatch, readBatch } from '../batch.ts'
import { withGuestLanguage } from '../guest-language.ts'
import type { KioskGuest } from '../key-order.ts'
import { expectTodaysStay } from '../kiosk-keys.ts'
import { issueKey } from '../make-key.ts'
import { orderOf } from '../order-of.ts'
import { makeSpares, oneShotOrder, readOneShot, readSpares } from '../other-keys.ts'
import { reconcileKey } from '../stay/reconcile.ts'
import { answeredBefore } from '../undelivered-cards.ts'
import { confirmationOf } from './confirmation.ts'
import { keyDescriptions as says } from './key-descriptions.ts'
import { type KeyRequest, readKeyRequest } from './key-request.ts'

const base = '/api/v2'
const one = 'access/controllers/:controllerId'

/** The key routes of a controller: make, read, erase, make several, and make the key of a stay. */
export function keyRoutes(store: Store, access: Access): Route[] {
  const controllerOf = ({ params }: Request) => controllerBy(access, params.controllerId ?? '')
  const route = (
    [method, path]: [Route['method'], string],
    scope: string,
    description: Route['description'],
    work: (request: Request) => Promise<Answer>,
  ): Route =>
    withGuestLanguage(access, {
      method,
      path: `${one}/${path}`,
      base,
      scope,
      description,
      handle: (request) =>
        orDeviceProblem(work(request)).catch((error) => Promise.reject(toldTo(request, error))),
    })
  return [
    route(['POST', 'key'], 'keys.issue-today', says.make, async (request) =>
      make(access, controllerOf(request), request),
    ),
    route(['GET', 'key'], 'keys.read', says.read, (request) => cardContent(store, access, request)),
    route(['DELETE', 'key'], 'keys.issue', says.erase, (request) => eraseCard(access, request)),
    route(['POST', 'keys'], 'keys.issue-today', says.batch, async (request) =>
      makeSeveral(access, controllerOf(request), request),
    ),
    route(
      ['PUT', 'keys/by-reservation/:stayExternalId'],
      'keys.issue-today',
      says.byReservation,
      async (request) => byReservation(access, controllerOf(request), request),
    ),
    route(['POST', 'one-shot-key'], 'keys.issue', says.oneShot, async (request) =>
      makeOneShot(access, controllerOf(request), request),
    ),
    route(['POST', 'spare-keys'], 'keys.issue', says.spares, async (request) =>
      makeSpareKeys(access, controllerOf(request), request),
    ),
  ]
}

async function make(access: Access, controller: AccessController, request: Request): Promise<Answer> {
  const before = answeredBefore(access, request)
  if (before) return asMade(access, request, created(key, before))
  const body = await request.body()
  const keyRequest = await readKeyRequest(body, controller)
  const atKiosk = limitedTo(access, controller, keyRequest, request)
  const confirmed = confirmationOf(request, body)
  const options = writeOptions(request)
  const { externalId } = keyRequest
  // A repeated request for a stay's PIN yields the same key; copies are other keys.
  const isOne = controller.keyType === 'pinCode' && externalId !== null && keyRequest.original !== false
  const document = isOne
    ? await reconcileKey(access, {
        controller,
        externalId,
        unitName: keyRequest.unitName,
        request: () => keyRequest,
        confirmed,
        atKiosk,
        options,
      })
    : await issueKey(
        access,
        controller,
        orderOf(access, controller, keyRequest, { confirmed, atKiosk }),
        options,
      )
  return asMade(access, request, created(key, document))
}

async function byReservation(
  access: Access,
  controller: AccessController,
  request: Request,
): Promise<Answer> {
  const body = await request.body()
  const keyRequest = await readKeyRequest(body, controller)
  const named = externalIdOf(request)
  // Create-or-reconcile rule 3: the externalId of the body equals that of the path.
  if (keyRequest.externalId !== null && keyRequest.externalId !== named) {
    throw new Problem('external-id-mismatch', 'The body names another stay than the path.', {
      pointer: '/externalId',
      meta: { expected: named },
    })
  }
  const whole = { ...keyRequest, externalId: named }
  const atKiosk = limitedTo(access, controller, whole, request)
  const document = await reconcileKey(access, {
    controller,
    externalId: named,
    unitName: whole.unitName,
    request(held) {
      expectSeen(request, { revision: held?.revision ?? 0 })
      return whole
    },
    confirmed: confirmationOf(request, body),
    atKiosk,
    options: writeOptions(request),
  })
  const { text, revision } = document
  return asMade(access, request, {
    status: 200,
    text: `{"data":${text}}`,
    headers: { ETag: etag(revision) },
  })
}

async function makeSeveral(access: Access, controller: AccessController, request: Request): Promise<Answer> {
  const body = await request.body()
  const { quantity, request: keyRequest } = await readBatch(body, controller)
  const atKiosk = limitedTo(access, controller, keyRequest, request)
  const confirmed = confirmationOf(request, body)
  const options = writeOptions(request)
  return makeBatch(access, { controller, request: keyRequest, quantity, confirmed, atKiosk, options })
}

async function makeOneShot(access: Access, controller: AccessController, request: Request): Promise<Answer> {
  const before = answeredBefore(access, request)
  if (before) return created(key, before)
  const body = await request.body()
  const order = oneShotOrder(access, controller, await readOneShot(body), confirmationOf(request, body))
  return created(key, await issueKey(access, controller, order, writeOptions(request)))
}

async function makeSpareKeys(
  access: Access,
  controller: AccessController,
  request: Request,
): Promise<Answer> {
  const body = await request.body()
  const spares = await readSpares(body)
  const confirmed = confirmationOf(request, body)
  return makeSpares(access, { controller, spares, confirmed, options: writeOptions(request) })
}

/** The error for a caller who must find a stay before knowing its id: a kiosk learns no id of another guest. */
function toldTo({ caller }: Request, error: unknown): unknown {
  if (!(error instanceof Problem) || !error.options.meta?.stayIds || caller.may('reservations.read'))
    return error
  const { stayIds: _, ...meta } = error.options.meta
  error.options.meta = meta
  return error
}

function externalIdOf({ params }: Request): string {
  const named = params.stayExternalId ?? ''
  if (/^[^\p{Cc}\p{Cs}]{1,128}$/u.test(named)) return named.normalize('NFC')
  throw new Problem('validation-failed', 'An externalId has 1 to 128 characters.', {
    parameter: 'stayExternalId',
  })
}

/** The guest of a caller that may make keys of a guest in house only; null for others. Throws kiosk-scope for the key of another. */
function limitedTo(
  access: Property,
  controller: AccessController,
  keyRequest: KeyRequest,
  { caller }: Request,
): KioskGuest | null {
  if (caller.may('keys.issue')) return null
  return expectTodaysStay(access, keyRequest, providerOf(access, controller), caller)
}
