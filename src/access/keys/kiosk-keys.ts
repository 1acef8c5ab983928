import { localDate } from '../../host/zone.ts'
import type { GuestProof, ShownCard } from '../../jsonapi/guests.ts'
import type { Caller } from '../../jsonapi/route.ts'
import { cardByRelease, isReleased, noteCardByRelease } from '../../reservation/hand-over/release.ts'
import { settingsIn } from '../../reservation/resources/house.ts'
import { type Stay, stay } from '../../reservation/resources/stay.ts'
import { unit } from '../../reservation/resources/unit.ts'
import { findsOnly, guestUnknown } from '../../reservation/stays/rules/expect-guest.ts'
import { isExpectedOrInHouse } from '../../reservation/stays/rules/status-rules.ts'
import type { HouseTimes } from '../../reservation/stays/rules/stay-dates.ts'
import { isOver, stayIsOver } from '../../reservation/stays/time-left.ts'
import type { Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { first, having } from '../../resource/query.ts'
import type { Property } from '../access.ts'
import { settingsOf } from '../lookups.ts'
import type { AccessProvider } from '../resources/access-provider.ts'
import { type CardRun, cardRun, isReceived } from '../resources/card-run.ts'
import { type Key, key } from '../resources/key.ts'
import { authorizationsOf, type KeyRequest } from '../resources/key-request.ts'
import { keysOfOwner } from './life/key-owner.ts'
import { nameIn, stayBy } from './life/stay-of-key.ts'
import type { KeyOrder } from './orders/key-order.ts'

/** A key that a kiosk may make. */
interface KeyAtKiosk {
  /** The request with the times of the stay, where it names none on the dates of the stay. */
  request: KeyRequest
  atKiosk: GuestProof
}

/**
 * Throws kiosk-scope unless a request is within the rights of a kiosk: a guest key for a stay of today whose guest has given a
 * proof at it, for the units of that stay, not beyond its end, and with the authorizations that every guest of the unit has. Throws
 * stay-status-transition for a stay whose departure has come.
 */
export function keyAtKiosk(
  { reader, clock }: Property,
  request: KeyRequest,
  provider: AccessProvider,
  caller: Caller,
): KeyAtKiosk {
  const { externalId, unitName, extraUnits, endDate, endTime, usage } = request
  const settings = settingsOf({ reader })
  const today = localDate(clock.now(), settings.timeZone)
  const found = stayAtKiosk(reader, request, caller)
  // Without a proof, the answer says neither whether there is such a stay nor which unit it has.
  const proof = found && caller.guests.proof(found.id)
  if (externalId !== null && findsOnly(caller) && !proof) throw guestUnknown('/externalId')
  if (!found || !isExpectedOrInHouse(found.status) || found.startDate > today)
    throw refused('/externalId', 'for stays of today; externalId takes that of the stay, or its id')
  if (isOver(found, clock.now())) throw stayIsOver()
  const everybodys = authorizationsOf({ ...request, authorizations: [], deAuthorizations: [] }, provider)
  const isLate = endDate === found.endDate && (endTime ?? '') > (found.endTime ?? settings.checkOutTime)
  const limits: [isKept: boolean, pointer: string, limit: string][] = [
    [isUnitOf(reader, found, unitName), '/unitName', 'for the unit of the stay'],
    [extraUnits.every((name) => isUnitOf(reader, found, name)), '/extraUnits', 'for the units of the stay'],
    [endDate <= found.endDate, '/endDate', 'until the end of the stay'],
    [!isLate, '/endTime', 'until check-out'],
    [usage === 'Guest', '/usage', 'for guests'],
    [
      request.authorizations.every((name) => everybodys.includes(name)),
      '/authorizations',
      'with the authorizations of the unit',
    ],
  ]
  for (const [isKept, pointer, limit] of limits) if (!isKept) throw refused(pointer, limit)
  // A caller who reads every reservation knows its numbers.
  const atKiosk = proof || { knowsNumber: true, since: 0, shown: null, checkedInAt: null }
  return { request: withTimesOf(found, request, settings), atKiosk }
}

/**
 * A stay that starts or ends at a time of its own has a key for these hours, also where the order names its dates alone. An
 * arrival after check-in time delays no key: the guest may be here before.
 */
function withTimesOf(
  { startDate, startTime, endDate, endTime }: Stay,
  request: KeyRequest,
  { checkInTime }: HouseTimes,
): KeyRequest {
  const early = startTime && startTime < checkInTime ? startTime : null
  return {
    ...request,
    startTime: request.startTime ?? (request.startDate === startDate ? early : null),
    endTime: request.endTime ?? (request.endDate === endDate ? (endTime ?? null) : null),
  }
}

function refused(pointer: string, limit: string): Problem {
  return notAtKiosk(pointer, `This token may make keys only ${limit}.`)
}

function notAtKiosk(pointer: string, detail: string): Problem {
  return new Problem('kiosk-scope', detail, { pointer, meta: { scope: 'keys.issue', guest: 'desk' } })
}

/** The stay that a request names. A caller without a proof does not learn that several have the name. */
function stayAtKiosk(reader: Property['reader'], request: KeyRequest, caller: Caller): Stay | null {
  try {
    return stayBy(reader, nameIn(request))
  } catch (error) {
    throw findsOnly(caller) && error instanceof Problem ? guestUnknown('/externalId') : error
  }
}

/**
 * Throws unless a kiosk may make the key when it is stored; the stay may have changed while the order waited. The guest is in house in
 * all its units. One who had a card before this visit has said a number of the booking, because what is on file is known to those who
 * have lived with the guest. Another original would end the card, and could lock the guest out: it needs a card of the stay, shown
 * here, or a release by the front desk, which is for one card of the unit. So do more than three copies a day. `credential` is that of
 * the key.
 */
export function expectOwnKey(
  tx: Transaction,
  { request: { unitName, extraUnits, original }, atKiosk }: Pick<KeyOrder, 'request' | 'atKiosk'>,
  {
    stayId,
    rivals,
    credential,
  }: { stayId: string | null | undefined; rivals: readonly Key[]; credential: number },
): void {
  if (!atKiosk) return
  const own = stayId ? tx.find(stay, stayId) : null
  const names = (own?.units ?? []).flatMap(({ unitId }) => (unitId ? [tx.find(unit, unitId).name] : []))
  if (![unitName, ...extraUnits].every((name) => names.some((each) => each === name)))
    throw refused('/unitName', 'for the units of the stay')
  expectInHouse(own)
  const received = rivals.flatMap((each) => (each.stayId === stayId ? (receivedAt(tx, each) ?? []) : []))
  const refusal = refusalAtKiosk(tx, atKiosk, { stayId: own.id, original, received })
  if (refusal === null) return
  if (!mayUseRelease(tx, own.id, unitName ?? '')) throw refusal
  noteCardByRelease(tx, own.id, unitName ?? '', credential)
}

/** Why the guest of a stay needs the front desk for a card; null when not. */
function refusalAtKiosk(
  tx: Transaction,
  { knowsNumber, since, shown }: GuestProof,
  { stayId, original, received }: { stayId: string; original: boolean | null; received: readonly number[] },
): Problem | null {
  const hasCard = shown !== null && hasShownCard(tx, stayId, shown)
  if (received.length > 0 && original !== false && !hasCard)
    return notAtKiosk(
      '/original',
      'The guest has a card of the unit, and another original would end it. Make a copy, or let the front desk release the stay or make the original.',
    )
  if (original === false && copiesToday(tx, stayId) >= mostCopiesADay)
    return notAtKiosk(
      '/original',
      'The guest has taken as many copies today as a kiosk makes. The front desk makes more.',
    )
  if (!knowsNumber && !hasCard && received.some((at) => at < since))
    return notAtKiosk('/externalId', 'Another card needs a number of the booking.')
  return null
}

/** Whether a release by the front desk may be used for a card of a unit: no card by it was received or is on its way. */
function mayUseRelease(tx: Transaction, stayId: string, unitName: string): boolean {
  if (!isReleased(tx, stayId, tx.now)) return false
  const credential = cardByRelease(tx, stayId, unitName)
  if (credential === null) return true
  const [made] = tx.select(key, having({ credential }), [], 1)
  const run = made && runOf(tx, made)
  return run !== undefined && run.step === 'ended' && !isReceived(run)
}

/** Throws stay-status-transition before a kiosk hands out a key, also one that is live already, unless its guest is checked in. */
export function expectInHouse(own: Stay | null): asserts own is Stay {
  if (own?.status === 'InHouse') return
  throw new Problem('stay-status-transition', 'Check the guest in before the key is made.', {
    pointer: '/externalId',
  })
}

/** How many copies a kiosk makes for a stay in a day: enough for a family, and few for one who collects cards. */
const mostCopiesADay = 3

/** The copies for a stay that were received today. */
function copiesToday(tx: Transaction, stayId: string | null | undefined): number {
  const { timeZone } = settingsIn(tx)
  const today = localDate(tx.now, timeZone)
  return keysOfOwner(tx, { stayId }).filter(
    (each) => !each.original && localDate(receivedAt(tx, each) ?? 0, timeZone) === today,
  ).length
}

/** When the card of a key was received, Unix milliseconds; now, while it is on its way; null if it was not. */
function receivedAt(tx: Transaction, row: Key): number | null {
  const run = runOf(tx, row)
  if (run && run.step !== 'ended') return tx.now
  return run && isReceived(run) ? (run.endedAt ?? 0) : null
}

function runOf(tx: Transaction, { id }: Key): CardRun | undefined {
  return tx.select(cardRun, having({ keyId: id }), [], 1)[0]
}

function isUnitOf(reader: Property['reader'], { units }: Stay, unitName: string | null): boolean {
  const [found] = reader.rows(unit, first(having({ name: unitName ?? '' }), 1))
  return found !== undefined && units.some(({ unitId }) => unitId === found.id)
}

/**
 * Whether the card of a key proves who its guest is. A copy does not: a kiosk makes it for who knows a number and a name. Nor does
 * a card that was lost, or that a newer original has ended. One whose time is over does, because its guest may leave late.
 */
export function provesGuest({ status, usage, original }: Key): boolean {
  return original && usage === 'Guest' && (status === 'live' || status === 'expired')
}

/** Whether a card that a guest has shown is one of the stay, and counts still, or was returned. */
export function hasShownCard(tx: Transaction, stayId: string, { keyId, isReturned }: ShownCard): boolean {
  if (tx.revision(key, keyId) === null) return false
  const row = tx.find(key, keyId)
  return row.stayId === stayId && (isReturned || provesGuest(row))
}
