import { unwrap } from '../../../jsonapi/envelope.ts'
import { created, type Store } from '../../../jsonapi/resource-routes.ts'
import { type Answer, type Request, type Route, routesAt } from '../../../jsonapi/route.ts'
import { validate } from '../../../jsonapi/schemas/validate.ts'
import { etag, expectSeen, withoutDryRun, writeOptions } from '../../../jsonapi/write-options.ts'
import type { Document } from '../../../resource/command.ts'
import type { JsonSchema } from '../../../resource/field.ts'
import { invalidValue, Problem } from '../../../resource/problem.ts'
import type { Access, Machines, Property, Work } from '../../access.ts'
import { orDeviceProblem } from '../../controllers/device-problem.ts'
import { controllerBy } from '../../lookups.ts'
import { asMade, asRead } from '../../pins/pins-at-routes.ts'
import { accessProvider } from '../../resources/access-provider.ts'
import { type Key, type KeyStatus, key } from '../../resources/key.ts'
import { withGuestLanguage } from '../guest-language.ts'
import { makeKey } from '../make-key.ts'
import { orderOf } from '../order-of.ts'
import { inTurn } from '../pending/in-turn.ts'
import { revokeKey, seenAtDoor } from '../pending/revoke-keys.ts'
import { shownAttempts } from '../pending/shown-attempts.ts'
import { reconcileKey } from '../stay/reconcile.ts'
import { storedRequest } from '../stored-request.ts'
import { answeredBefore } from '../undelivered-cards.ts'
import { confirmationOf } from './confirmation.ts'
import { extendSchema, moveSchema, noSchema, reencodeSchema, seenSchema } from './key-action-bodies.ts'
import { keyItemDescriptions as says } from './key-item-descriptions.ts'
import { changeInTurn, isPinOfStay, madeAt, seenKey } from './key-item-routes.ts'
import type { KeyRequest } from './key-request.ts'

const route = routesAt('/api/v2')
const actions = 'access/keys/:keyId/actions'

/** The actions of a front desk on a stored key. */
export function keyVerbRoutes(store: Store, access: Access): Route[] {
  const verb = (
    name: string,
    scope: string,
    description: Route['description'],
    handle: (request: Request) => Promise<Answer>,
  ): Route =>
    route('POST', `${actions}/${name}`, scope, description, async (request) =>
      asRead(access, request, await handle(request)),
    )
  const routes = [
    verb('block', 'keys.block', says.block, (request) => block(store, access, request)),
    verb('seen-at-door', 'keys.block', says.seenAtDoor, (request) => seen(store, access, request)),
    verb('ask-now', 'keys.block', says.askNow, (request) => askNow(store, access, request)),
    verb('reencode', 'keys.issue', says.reencode, (request) => orDeviceProblem(reencode(access, request))),
    verb('move', 'keys.issue', says.move, (request) => orDeviceProblem(move(access, request))),
    verb('extend', 'keys.issue', says.extend, (request) => orDeviceProblem(extend(access, request))),
  ]
  return routes.map((route) => withGuestLanguage(access, route))
}

/** Blocks a lost or stolen key, and starts to revoke it at the lock system. */
async function block(store: Store, access: Property & Work, request: Request): Promise<Answer> {
  await bodyOf(request, noSchema)
  const row = seenKey(access, request)
  const options = withoutDryRun(request)
  if (
    !['live', 'unknown', 'superseded', 'revocationPending', 'virtual', 'blocked'].includes(row.status ?? '')
  )
    throw transition(row, 'blocked', ['live', 'unknown', 'superseded', 'revocationPending', 'virtual'])
  const input = { keyId: row.id, as: 'blocked', reason: 'lost' } as const
  await access.writer.execute(revokeKey, input, { actor: options.actor })
  access.chase()
  return asItIs(store, access, row.id)
}

/** Stores a person's report that the card was used at its door, which the appliance cannot see. */
async function seen(store: Store, access: Property & Machines, request: Request): Promise<Answer> {
  const { unitName = null } = await bodyOf<{ unitName?: string }>(request, seenSchema)
  const { id, unitName: own, providerId } = seenKey(access, request)
  const { actor } = withoutDryRun(request)
  const { name, endsAtExtraUnits } = useAt(access, providerId)
  if (unitName !== null && unitName !== own && !endsAtExtraUnits)
    throw invalidValue(
      '/unitName',
      `${name} does not say whether a card ends older ones at an extra unit. Use a card whose own unit it is.`,
    )
  const provenDead = await access.writer.execute(
    seenAtDoor,
    { keyId: id, unitName, endsAtExtraUnits },
    { actor },
  )
  return asItIs(store, access, id, { provenDead })
}

/** What the use of a card proves at a lock system. */
function useAt(access: Property & Machines, providerId: string) {
  const provider = access.reader.row(accessProvider, providerId)!
  const found = access.systems.of(provider)
  return { name: provider.name, endsAtExtraUnits: found.kind === 'online' && found.system.endsAtExtraUnits }
}

/** Starts what is pending for the key at its lock system. The answer does not wait for the lock system. */
async function askNow(store: Store, access: Property & Work, request: Request): Promise<Answer> {
  await bodyOf(request, noSchema)
  const { id } = seenKey(access, request)
  withoutDryRun(request)
  access.askNow(id)
  return asItIs(store, access, id, { ...shownAttempts(access, id) })
}

/** Makes the key again, on another card or with another PIN, and ends the earlier one. */
async function reencode(access: Access, request: Request): Promise<Answer> {
  const before = answeredBefore(access, request)
  const { controllerId } = await bodyOf<{ controllerId?: string }>(request, reencodeSchema)
  if (before) return asMade(access, request, created(key, before))
  const row = seenKey(access, request)
  const allowed: KeyStatus[] = ['live', 'blocked', 'unknown', 'superseded', 'failed', 'revocationPending']
  if (!allowed.includes(row.status as KeyStatus)) throw transition(row, 'reencoded', allowed)
  const controller = controllerId ? controllerBy(access, controllerId) : madeAt(access, row)
  if (controller.providerId !== row.providerId) {
    throw new Problem('provider-immutable', 'The controller makes keys for another provider.', {
      pointer: '/controllerId',
    })
  }
  const options = writeOptions(request)
  const confirmed = confirmationOf(request, await request.body())
  const again = (now: Key) => ({
    ...orderOf(access, controller, againRequest(now), { confirmed, stayId: now.stayId }),
    freshPin: true,
    replaces: now.id,
  })
  again(row)
  const document = await inTurn(access, controller, options, async (job) => {
    // Another request may have moved or revoked the key meanwhile.
    const now = seenKey(access, request)
    if (now.status !== row.status) throw transition(now, 'reencoded', allowed)
    return makeKey(access, { controller, order: again(now), options, job })
  })
  await endReplaced(access, row, options)
  return asMade(access, request, created(key, document))
}

/**
 * The request for the key again. A copy becomes a copy; a blocked card becomes an original, because only that ends the
 * lost card.
 */
function againRequest(row: Key): KeyRequest {
  const original = row.original || (row.keyType === 'keyCard' && row.status === 'blocked')
  return { ...storedRequest(row), original }
}

/** Revokes the replaced key if it is unknown. The new key has superseded a live one. */
async function endReplaced(access: Property & Work, { id }: Key, { actor }: ReturnType<typeof writeOptions>) {
  const { status } = access.reader.row(key, id) ?? {}
  if (status === 'unknown')
    await access.writer.execute(revokeKey, { keyId: id, as: 'removed', reason: 'reencoded' }, { actor })
  access.chase()
}

/** Gives the key another unit. */
async function move(access: Access, request: Request): Promise<Answer> {
  const { newUnitName } = await bodyOf<{ newUnitName: string }>(request, moveSchema)
  return changed(access, request, 'moved', () => ({ unitName: newUnitName }))
}

/** Gives the key another end, later or earlier. */
async function extend(access: Access, request: Request): Promise<Answer> {
  const { endDate, endTime } = await bodyOf<{ endDate: string; endTime?: string }>(request, extendSchema)
  return changed(access, request, 'extended', (row) => ({ endDate, endTime: endTime ?? row.endTime ?? null }))
}

/** Changes some fields of a key. The PIN of a stay is changed through the stay. */
async function changed(
  access: Access,
  request: Request,
  what: string,
  newsOf: (row: Key) => Partial<KeyRequest>,
): Promise<Answer> {
  const before = answeredBefore(access, request)
  if (before) return changedAnswer(before)
  const row = seenKey(access, request)
  const allowed: KeyStatus[] = ['live', 'virtual']
  if (!allowed.includes(row.status as KeyStatus)) throw transition(row, what, allowed)
  const controller = madeAt(access, row)
  const requestedOf = (now: Key) => ({ ...storedRequest(now), ...newsOf(now) })
  const confirmed = confirmationOf(request, await request.body())
  const document = isPinOfStay(row)
    ? await reconcileKey(access, {
        controller,
        externalId: row.externalId ?? '',
        stayId: row.stayId,
        unitName: row.unitName ?? null,
        request(held) {
          if (held?.id === row.id) expectSeen(request, held)
          return requestedOf(held ?? row)
        },
        confirmed,
        options: withoutDryRun(request),
      })
    : await changeInTurn(access, request, controller, { requestedOf, confirmed })
  return changedAnswer(document)
}

function changedAnswer({ text, revision }: Document): Answer {
  return { status: 200, text: `{"data":${text}}`, headers: { ETag: etag(revision) } }
}

function asItIs(
  { serializer }: Store,
  { reader }: Property,
  id: string,
  meta: Record<string, unknown> = {},
): Answer {
  const { text, revision } = reader.document(key, id, serializer.shape(key))
  const metaText = Object.keys(meta).length > 0 ? `,"meta":${JSON.stringify(meta)}` : ''
  return { status: 200, text: `{"data":${text}${metaText}}`, headers: { ETag: etag(revision) } }
}

function transition({ status }: Key, what: string, allowed: readonly string[]): Problem {
  return new Problem('key-status-transition', `A key that is ${status} cannot be ${what}.`, {
    meta: { status, allowed },
  })
}

async function bodyOf<Body = unknown>(request: Request, schema: JsonSchema): Promise<Body> {
  const attributes = unwrap(key, (await request.body()) ?? {})
  await validate(schema, attributes)
  return attributes as Body
}
