import type { Description } from '../../../jsonapi/description.ts'
import { documentAnswer } from '../../../jsonapi/document-answers.ts'
import type { Store } from '../../../jsonapi/resource-routes.ts'
import { type Answer, type Request, type Route, routesAt } from '../../../jsonapi/route.ts'
import { expectSeen, withoutDryRun, writeOptions } from '../../../jsonapi/write-options.ts'
import type { JsonSchema } from '../../../resource/field.ts'
import { invalidValue, Problem } from '../../../resource/problem.ts'
import type { Access, Machines, Property, Work } from '../../access.ts'
import { controllerBy } from '../../lookups.ts'
import { asMade, asRead } from '../../pins/pins-at-routes.ts'
import { inTurn } from '../../providers/in-turn.ts'
import { accessProvider } from '../../resources/access-provider.ts'
import { type Key, type KeyStatus, key } from '../../resources/key.ts'
import { attributesIn, type KeyRequest, storedRequest } from '../../resources/key-request.ts'
import { makeKey } from '../issuing/make-key.ts'
import { orderOf } from '../issuing/order-of.ts'
import { wrongStatus } from '../life/key-life.ts'
import { shownAttempts } from '../pending/shown-attempts.ts'
import { seenAtDoor } from '../revoke-keys.ts'
import { answeredBefore, cardAnswer } from '../undelivered-cards.ts'
import { confirmationOf } from './confirmation.ts'
import { deviceRoute } from './device-route.ts'
import {
  extendSchema,
  moveSchema,
  noSchema,
  reencodeSchema,
  keyItemDescriptions as says,
  seenSchema,
} from './key-descriptions.ts'
import { changeKey, madeAt, revoke, seenKey } from './key-item-routes.ts'

const route = routesAt('/api/v2')
const actions = 'access/keys/:keyId/actions'

/** Its answer is the key, with the PIN for a caller who may read it. */
type Verb = (access: Access, request: Request, store: Store) => Promise<Answer>

/** The actions of a front desk on a stored key. */
export function keyVerbRoutes(store: Store, access: Access): Route[] {
  const verbs: [name: string, scope: string, Description, Verb][] = [
    ['block', 'keys.block', says.block, block],
    ['seen-at-door', 'keys.block', says.seenAtDoor, seen],
    ['ask-now', 'keys.block', says.askNow, askNow],
    ['reencode', 'keys.issue', says.reencode, reencode],
    ['move', 'keys.issue', says.move, move],
    ['extend', 'keys.issue', says.extend, extend],
  ]
  return verbs.map(([name, scope, description, verb]) => {
    const handle = async (request: Request) => asRead(access, request, await verb(access, request, store))
    return deviceRoute(access, route('POST', `${actions}/${name}`, scope, description, handle))
  })
}

/** An expired key is one of them: it may open again when the clock is set back. */
const blockable: KeyStatus[] = ['live', 'unknown', 'superseded', 'revocationPending', 'virtual', 'expired']

/** Blocks a lost or stolen key, and starts to revoke it at the lock system. */
async function block(access: Property & Work, request: Request, store: Store): Promise<Answer> {
  await bodyOf(request, noSchema)
  const row = seenKey(access, request)
  const { actor } = withoutDryRun(request)
  if (row.status !== 'blocked') expectStatus(row, 'blocked', blockable)
  await revoke(access, { keyId: row.id, as: 'blocked', reason: 'lost' }, { actor })
  return asItIs(store, row.id)
}

/** Stores a person's report that the card was used at its door, which the appliance cannot see. */
async function seen(access: Machines, request: Request, store: Store): Promise<Answer> {
  const { unitName = null } = await bodyOf<{ unitName?: string }>(request, seenSchema)
  const { id, unitName: own, providerId, doorRows } = seenKey(access, request)
  const { actor } = withoutDryRun(request)
  const provider = access.reader.row(accessProvider, providerId)!
  const { kind, system } = access.systems.of(provider)
  const endsAtExtraUnits = kind === 'online' && system.endsAtExtraUnits
  const isExtra = unitName !== own && (doorRows ?? []).some(({ name, lock }) => lock && name === unitName)
  if (isExtra && !endsAtExtraUnits)
    throw invalidValue(
      '/unitName',
      `${provider.name} does not say whether a card ends older ones at an extra unit. Use a card whose own unit it is.`,
    )
  const input = { keyId: id, unitName, endsAtExtraUnits }
  const provenDead = await access.writer.execute(seenAtDoor, input, { actor })
  return asItIs(store, id, { provenDead })
}

/** Starts what is pending for the key at its lock system. The answer does not wait for the lock system. */
async function askNow(access: Property & Work, request: Request, store: Store): Promise<Answer> {
  await bodyOf(request, noSchema)
  const { id } = seenKey(access, request)
  withoutDryRun(request)
  access.askNow(id)
  return asItIs(store, id, shownAttempts(access, id))
}

const renewable: KeyStatus[] = ['live', 'blocked', 'unknown', 'superseded', 'failed', 'revocationPending']

/** Makes the key again, on another card or with another PIN, and ends the earlier one. */
async function reencode(access: Access, request: Request): Promise<Answer> {
  const before = answeredBefore(access, request)
  const { controllerId } = await bodyOf<{ controllerId?: string }>(request, reencodeSchema)
  if (before) return asMade(access, request, cardAnswer(access, before))
  const row = seenKey(access, request)
  expectStatus(row, 'reencoded', renewable)
  const controller = controllerId ? controllerBy(access, controllerId) : madeAt(access, row)
  if (controller.providerId !== row.providerId) {
    throw new Problem('provider-immutable', 'The controller makes keys for another provider.', {
      pointer: '/controllerId',
    })
  }
  const options = writeOptions(request)
  const confirmed = await confirmationOf(request)
  const again = (now: Key) => {
    // A copy becomes a copy; a blocked card becomes an original, because only that ends the lost card.
    const original = now.original || (now.keyType === 'keyCard' && now.status === 'blocked')
    const wanted = { ...storedRequest(now), original }
    const order = orderOf(access, controller, wanted, { confirmed, stayId: now.stayId })
    return { ...order, freshPin: true, replaces: now.id }
  }
  again(row)
  const document = await inTurn(access, controller, options, async (job) => {
    // Another request may have moved or revoked the key meanwhile.
    const now = seenKey(access, request)
    if (now.status !== row.status) throw transition(now, 'reencoded', renewable)
    return makeKey(access, { controller, order: again(now), options, job })
  })
  // The new key has superseded a live one.
  if (access.reader.row(key, row.id)?.status === 'unknown')
    await revoke(access, { keyId: row.id, as: 'removed', reason: 'reencoded' }, { actor: options.actor })
  else access.chase()
  return asMade(access, request, cardAnswer(access, document))
}

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
  if (before) return documentAnswer(before)
  const row = seenKey(access, request)
  expectStatus(row, what, ['live', 'virtual'])
  const document = await changeKey(access, request, {
    row,
    controller: madeAt(access, row),
    unitName: row.unitName ?? null,
    confirmed: await confirmationOf(request),
    requestedOf(now) {
      if (now.id === row.id) expectSeen(request, now)
      return { ...storedRequest(now), ...newsOf(now) }
    },
  })
  return documentAnswer(document)
}

function asItIs({ reader, serializer }: Store, id: string, meta?: Record<string, unknown>): Answer {
  return documentAnswer(reader.document(key, id, serializer.shape(key)), meta)
}

function expectStatus(row: Key, what: string, allowed: readonly KeyStatus[]): void {
  if (!allowed.some((status) => status === row.status)) throw transition(row, what, allowed)
}

function transition(row: Key, what: string, allowed: readonly KeyStatus[]): Problem {
  return wrongStatus(row, `A key that is ${row.status} cannot be ${what}.`, { allowed })
}

async function bodyOf<Body>(request: Request, schema: JsonSchema): Promise<Body> {
  return attributesIn((await request.body()) ?? {}, schema)
}
