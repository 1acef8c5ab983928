import { isDeepStrictEqual } from 'node:util'
import { DeviceFault } from '../../../devices/fault.ts'
import { localInstant } from '../../../host/zone.ts'
import { listAnswer } from '../../../jsonapi/document-answers.ts'
import { readQuery } from '../../../jsonapi/query/query.ts'
import { resourceRoutes, type Store } from '../../../jsonapi/resource-routes.ts'
import { type Answer, type Request, type Route, routesAt } from '../../../jsonapi/route.ts'
import { expectSeen, noContent, withoutDryRun } from '../../../jsonapi/write-options.ts'
import type { Document, WriteOptions } from '../../../resource/command.ts'
import { invalidValue, Problem } from '../../../resource/problem.ts'
import type { Access, Machines, Property, Work } from '../../access.ts'
import { providerOf, settingsOf } from '../../lookups.ts'
import { changeHeldPin } from '../../pins/issue-pin.ts'
import { asRead, withoutPinFilters } from '../../pins/pins-at-routes.ts'
import { inTurn } from '../../providers/in-turn.ts'
import { lockSystemOf } from '../../providers/lock-system-of.ts'
import { type AccessController, accessController } from '../../resources/access-controller.ts'
import type { AccessProvider } from '../../resources/access-provider.ts'
import { type Key, key } from '../../resources/key.ts'
import { authorizationsOf, type KeyRequest, readKeyChange } from '../../resources/key-request.ts'
import { labelKey } from '../change-key.ts'
import { changeInPlace, changesWithoutCard, wantedBy } from '../issuing/change-in-place.ts'
import { orderOf } from '../issuing/order-of.ts'
import { reconcileKey } from '../issuing/reconcile.ts'
import { wrongStatus } from '../life/key-life.ts'
import type { KeyOrder } from '../orders/key-order.ts'
import { revokeKey } from '../revoke-keys.ts'
import { confirmationOf } from './confirmation.ts'
import { deviceRoute } from './device-route.ts'
import { keyItemDescriptions as says } from './key-descriptions.ts'

const route = routesAt('/api/v2')
const all = 'access/keys'
const one = `${all}/:id`

/** The routes of stored keys: list, read, change and revoke. */
export function keyItemRoutes(store: Store, access: Access): Route[] {
  return [
    ...resourceRoutes(store, key).map((route) => shown(store, access, route)),
    deviceRoute(
      access,
      route('PUT', one, 'keys.issue', says.change, async (request) => {
        const { revision } = await change(access, request)
        return noContent(revision)
      }),
    ),
    route('DELETE', one, 'keys.issue', says.remove, async (request) => {
      const { id } = seenKey(access, request)
      const options = withoutDryRun(request)
      const { revision } = await revoke(access, { keyId: id, as: 'removed', reason: 'deleted' }, options)
      return noContent(revision)
    }),
  ]
}

/** Adds the PINs to a route's answer, and their filters to a list, for a caller who may read them. */
function shown(store: Store, access: Machines, route: Route): Route {
  const isList = route.path === all
  const handle = isList ? (request: Request) => list(store, access, request) : route.handle
  return { ...route, handle: async (request) => asRead(access, request, await handle(request)) }
}

function list(store: Store, access: Machines, request: Request): Promise<Answer> {
  const found = withoutPinFilters(access, request)
  const requested = readQuery(store.resources, key, found.query)
  const query = { ...requested.query, filters: [...requested.query.filters, ...found.pins] }
  return listAnswer(store, key, { ...requested, query }, request)
}

/** The key of the path. Throws not-found, and revision-mismatch when the caller has seen another revision. */
export function seenKey(access: Property, request: Request): Key {
  const row = access.reader.row(key, request.params.id ?? request.params.keyId ?? '')
  if (!row) throw new Problem('not-found', 'There is no key with this id.')
  expectSeen(request, row)
  return row
}

/** The controller a key was made at. Throws controller-not-found when it is gone. */
export function madeAt(access: Property, { controllerId }: Key): AccessController {
  const row = controllerId ? access.reader.row(accessController, controllerId) : null
  if (row) return row
  throw new Problem(
    'controller-not-found',
    'The controller that made the key no longer exists. Make a new key at another controller.',
  )
}

/** Revokes a key, and starts to revoke it at its lock system. */
export async function revoke(
  access: Property & Work,
  input: Parameters<typeof revokeKey.run>[1],
  options: WriteOptions,
): Promise<{ revision: number }> {
  const done = await access.writer.execute(revokeKey, input, options)
  access.chase()
  return done
}

async function change(access: Access, request: Request): Promise<{ revision: number }> {
  const row = seenKey(access, request)
  const options = withoutDryRun(request)
  const controller = madeAt(access, row)
  const body = await readKeyChange(await request.body(), controller)
  expectSameKey(row, body)
  const requestedOf = (now: Key) => ({
    ...body,
    unitName: body.unitName ?? now.unitName ?? null,
    externalId: row.externalId ?? null,
  })
  const requested = requestedOf(row)
  const { checkOutTime, timeZone } = settingsOf(access)
  const end = { endDate: requested.endDate, endTime: requested.endTime ?? checkOutTime }
  if (localInstant(end.endDate, end.endTime, timeZone, 'end') <= access.clock.now())
    return revoke(access, { keyId: row.id, as: 'invalidated', reason: 'end-in-past', end }, options)
  if (isUnchanged(row, requested, providerOf(access, controller))) {
    const { printText } = requested
    if (printText === null || printText === row.printText) return row
    return access.writer.execute(labelKey, { keyId: row.id, printText }, options)
  }
  expectChangeable(row)
  const confirmed = await confirmationOf(request)
  const order = orderOf(access, controller, requested, { confirmed, stayId: row.stayId })
  if (row.status === 'virtual') {
    // A PUT never sends a virtual key to the lock system, even when it is due; a request at its controller does.
    const held = { ...order, opensAt: order.opensAt ?? row.opensAt ?? null }
    return changeHeldPin(access, row, held, options)
  }
  return changeKey(access, request, { row, controller, unitName: requested.unitName, requestedOf, confirmed })
}

interface Change extends Pick<Parameters<typeof reconcileKey>[1], 'controller' | 'unitName' | 'confirmed'> {
  row: Key
  requestedOf(row: Key): KeyRequest
}

/**
 * Changes a key at its lock system to what `requestedOf` returns for it, and the PIN of a stay through the stay. It is
 * checked now, and again in the caller's turn for the key as it is then: another request may have moved it.
 */
export async function changeKey(
  access: Access,
  request: Request,
  { row, requestedOf, ...asked }: Change,
): Promise<Document> {
  const { controller, confirmed } = asked
  const options = withoutDryRun(request)
  // A stay has one PIN, and may have copies beside it.
  if (row.keyType === 'pinCode' && row.original && row.externalId)
    return reconcileKey(access, {
      ...asked,
      externalId: row.externalId,
      stayId: row.stayId,
      dates: row,
      request: (held) => ({ ...requestedOf(held ?? row), original: true }),
      options,
    })
  const wanted = () => {
    const now = seenKey(access, request)
    const order = orderOf(access, controller, requestedOf(now), { confirmed, stayId: now.stayId })
    expectChangeableInPlace(access, controller, now, order)
    return wantedBy(now.id, order)
  }
  wanted()
  return inTurn(access, controller, options, () => changeInPlace(access, controller, wanted(), options))
}

/** Throws where the change needs a new card, or another PIN. */
function expectChangeableInPlace(
  access: Machines,
  controller: AccessController,
  row: Key,
  { lock }: Pick<KeyOrder, 'lock'>,
): void {
  const found = lockSystemOf(access, controller)
  const canMove = found.kind === 'online' && found.system.traits().operations.move !== undefined
  if (changesWithoutCard(access, controller) && (lock === row.lock || canMove)) return
  if (row.keyType === 'keyCard') throw cardRequired(controller, row)
  throw new DeviceFault(
    'unsupported-operation',
    'The lock system cannot change this PIN. Make another key for the unit.',
  )
}

/** Throws when the body names another stay, or makes a copy of an original or the reverse: that needs another key. */
function expectSameKey(row: Key, { externalId, original }: KeyRequest): void {
  if (externalId !== null && externalId !== row.externalId)
    throw invalidValue('/externalId', 'The externalId of a key cannot be changed.', {
      expected: row.externalId ?? null,
    })
  if (original !== null && original !== row.original)
    throw invalidValue(
      '/original',
      'An original key cannot become a copy, nor a copy an original. Make another key.',
      { expected: row.original },
    )
}

/** The Problem for a change that needs the card. It names the controller that can write one. */
function cardRequired({ id: controllerId, name, dispenserId }: AccessController, row: Key): Problem {
  const meta = { keyId: row.id, controllerId, controllerName: name, dispenserId: dispenserId ?? null }
  return new Problem(
    'card-required',
    `The change would need a new card. Make a new key for the unit at ${name}; it replaces this one.`,
    { meta },
  )
}

/** Whether the request changes nothing that a lock must know. */
function isUnchanged(row: Key, requested: KeyRequest, provider: AccessProvider): boolean {
  const names = ['unitName', 'startDate', 'startTime', 'endDate', 'endTime'] as const
  const lists = ['extraUnits', 'deAuthorizations'] as const
  // The stored authorizations contain those of the property and of the unit.
  const authorizations = authorizationsOf(requested, provider)
  return (
    !row.changeAsked &&
    names.every((name) => (requested[name] ?? null) === (row[name] ?? null)) &&
    lists.every((name) => isSameSet(requested[name], row[name])) &&
    isSameSet(authorizations, row.authorizations)
  )
}

function isSameSet(one: readonly string[], other: readonly string[] | null | undefined): boolean {
  return isDeepStrictEqual([...one].sort(), [...(other ?? [])].sort())
}

function expectChangeable(row: Key): void {
  const allowed = ['live', 'virtual']
  if (allowed.includes(row.status ?? '')) return
  throw wrongStatus(row, `The key is ${row.status}. Only a live or virtual key can be changed.`, { allowed })
}
