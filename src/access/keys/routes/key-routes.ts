import { documentAnswer } from '../../../jsonapi/document-answers.ts'
import type { Store } from '../../../jsonapi/resource-routes.ts'
import { type Answer, type Request, type Route, routesAt } from '../../../jsonapi/route.ts'
import { expectSeen, writeOptions } from '../../../jsonapi/write-options.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Access } from '../../access.ts'
import { cardContent, eraseCard } from '../../cards/card-content.ts'
import { shownCard, shownCardSays } from '../../cards/shown-card.ts'
import { controllerBy, providerOf } from '../../lookups.ts'
import { asMade } from '../../pins/pins-at-routes.ts'
import type { AccessController } from '../../resources/access-controller.ts'
import { attributesIn, type KeyRequest, keyIn, readKeyRequest } from '../../resources/key-request.ts'
import { issueKey } from '../issuing/make-key.ts'
import { reconcileKey } from '../issuing/reconcile.ts'
import { keyAtKiosk } from '../kiosk-keys.ts'
import { answeredBefore, beginsOf, cardAnswer } from '../undelivered-cards.ts'
import { batchBodySchema, makeAll, makeBatch, makeWanted, type Wanted } from './batch.ts'
import { confirmationOf } from './confirmation.ts'
import { deviceRoute } from './device-route.ts'
import { keyDescriptions as says } from './key-descriptions.ts'
import {
  dayMinutes,
  type OneShot,
  oneShotSchema,
  orderFromNow,
  type Spares,
  sparesSchema,
} from './other-keys.ts'

const route = routesAt('/api/v2')
const one = 'access/controllers/:controllerId'
const ofStay = `${one}/keys/by-reservation/:stayExternalId`

/** A request at a controller. */
interface Asked {
  access: Access
  controller: AccessController
  request: Request
}

/** The key routes of a controller: make, read, erase, make several, and make the key of a stay. */
export function keyRoutes(store: Store, access: Access): Route[] {
  const at = (work: (asked: Asked) => Promise<Answer>) => async (request: Request) => {
    try {
      const controller = controllerBy(access, request.params.controllerId ?? '')
      return await work({ access, controller, request })
    } catch (error) {
      throw withoutStayIds(request, error)
    }
  }
  const routes = [
    route('POST', `${one}/key`, 'keys.issue-today', says.make, at(make)),
    route('GET', `${one}/key`, 'keys.read', says.read, (request) => cardContent(store, access, request)),
    route('PUT', `${one}/shown-card`, 'keys.issue-today', shownCardSays, (request) =>
      shownCard(access, request),
    ),
    route('DELETE', `${one}/key`, 'keys.issue', says.erase, (request) => eraseCard(access, request)),
    route('POST', `${one}/keys`, 'keys.issue-today', says.batch, at(makeSeveral)),
    route('PUT', ofStay, 'keys.issue-today', says.byReservation, at(byReservation)),
    route('POST', `${one}/one-shot-key`, 'keys.issue', says.oneShot, at(makeOneShot)),
    route('POST', `${one}/spare-keys`, 'keys.issue', says.spares, at(makeSpares)),
  ]
  return routes.map((route) => deviceRoute(access, route))
}

/** The error for a caller who must find a stay before knowing its id: a kiosk learns no id of another guest. */
function withoutStayIds({ caller }: Request, error: unknown): unknown {
  if (!(error instanceof Problem) || !error.options.meta?.stayIds || caller.may('reservations.read'))
    return error
  const { stayIds: _, ...meta } = error.options.meta
  error.options.meta = meta
  return error
}

async function make(asked: Asked): Promise<Answer> {
  const { access, controller, request } = asked
  const before = answeredBefore(access, request)
  if (before) return asMade(access, request, cardAnswer(access, before))
  const keyRequest = await readKeyRequest(await request.body(), controller)
  const wanted = await wantedIn(asked, keyRequest)
  return asMade(access, request, cardAnswer(access, await makeWanted(access, wanted)))
}

async function byReservation(asked: Asked): Promise<Answer> {
  const { access, controller, request } = asked
  const keyRequest = await readKeyRequest(await request.body(), controller)
  const externalId = externalIdOf(request)
  // Create-or-reconcile rule 3: the externalId of the body equals that of the path.
  if (keyRequest.externalId !== null && keyRequest.externalId !== externalId) {
    throw new Problem('external-id-mismatch', 'The body names another stay than the path.', {
      pointer: '/externalId',
      meta: { expected: externalId },
    })
  }
  const wanted = await wantedIn(asked, { ...keyRequest, externalId })
  const document = await reconcileKey(access, {
    ...wanted,
    externalId,
    unitName: keyRequest.unitName,
    dates: keyRequest,
    request(held) {
      expectSeen(request, { revision: held?.revision ?? 0 })
      return wanted.request
    },
  })
  return asMade(access, request, documentAnswer(document, beginsOf(access, document)))
}

function externalIdOf({ params }: Request): string {
  const named = params.stayExternalId ?? ''
  if (/^[^\p{Cc}\p{Cs}]{1,128}$/u.test(named)) return named.normalize('NFC')
  throw new Problem('validation-failed', 'An externalId has 1 to 128 characters.', {
    parameter: 'stayExternalId',
  })
}

async function makeSeveral(asked: Asked): Promise<Answer> {
  const { access, controller, request } = asked
  const body = await request.body()
  const keyRequest = await readKeyRequest(body, controller, batchBodySchema)
  const wanted = await wantedIn(asked, keyRequest)
  return makeBatch(access, wanted, Number(keyIn(body).quantity))
}

async function makeOneShot({ access, controller, request }: Asked): Promise<Answer> {
  const before = answeredBefore(access, request)
  if (before) return cardAnswer(access, before)
  const asked = await attributesIn<OneShot>(await request.body(), oneShotSchema)
  const { unitName, extraUnits = [], minutes = 30 } = asked
  const card = { unitName, extraUnits, usage: 'OneShot' } as const
  const order = orderFromNow(access, controller, card, minutes, await confirmationOf(request))
  return cardAnswer(access, await issueKey(access, controller, order, writeOptions(request)))
}

/**
 * Makes spare cards, one a unit, for a night on which nothing works. A spare ends no key. The first use of a key that
 * is made after the spare ends the spare.
 */
async function makeSpares({ access, controller, request }: Asked): Promise<Answer> {
  const { units, days = 7 } = await attributesIn<Spares>(await request.body(), sparesSchema)
  const confirmed = await confirmationOf(request)
  const options = writeOptions(request)
  const minutes = days * dayMinutes
  const orders = units.map(
    (unitName) => () => orderFromNow(access, controller, { unitName, usage: 'Spare' }, minutes, confirmed),
  )
  // Every order is checked before the first card is touched.
  for (const order of orders) order()
  return makeAll(access, controller, orders, options)
}

/** The key that a caller wants. Throws kiosk-scope for the key of another guest, where the caller is a kiosk. */
async function wantedIn({ access, controller, request }: Asked, keyRequest: KeyRequest): Promise<Wanted> {
  const { caller } = request
  const may = caller.may('keys.issue')
    ? { request: keyRequest, atKiosk: null }
    : keyAtKiosk(access, keyRequest, providerOf(access, controller), caller)
  return {
    controller,
    ...may,
    confirmed: await confirmationOf(request),
    options: writeOptions(request),
  }
}
