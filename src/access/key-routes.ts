import { DeviceFault } from '../devices/fault.ts'
import { localDate } from '../host/zone.ts'
import { created, type Keeping } from '../jsonapi/resource-routes.ts'
import { type Answer, noContent, type Request, type Route } from '../jsonapi/route.ts'
import { writeOptions } from '../jsonapi/write-options.ts'
import { type Stay, stay } from '../reservation/resources/stay.ts'
import { unit } from '../reservation/resources/unit.ts'
import type { Document } from '../resource/change.ts'
import { Problem } from '../resource/problem.ts'
import type { Access } from './access.ts'
import { awaitCard, uidText } from './card-in-field.ts'
import { deviceProblem, orDeviceProblem } from './device-problem.ts'
import { erasedCard, type KeyOrder, readCard } from './key-changes.ts'
import { keyDescriptions as says } from './key-descriptions.ts'
import { authorizationsOf, type KeyRequest, readKeyRequest, windowOf } from './key-request.ts'
import { forgetLostCards } from './lost-cards.ts'
import type { AccessController } from './resources/access-controller.ts'
import type { AccessProvider } from './resources/access-provider.ts'
import { type Key, key } from './resources/key.ts'

const base = '/api/v2'
const path = 'access/controllers/:controllerId/key'

/** Keys on a controller: make, read and erase. */
export function keyRoutes(keeping: Keeping, access: Access): Route[] {
  return [
    {
      method: 'POST',
      path,
      base,
      scope: 'keys.issue-today',
      description: says.make,
      handle: async (request) => {
        const { idempotency } = request
        if (idempotency) forgetLostCards(access, idempotency)
        if (idempotency?.answered) return created(key, idempotency.answered.output as Document)
        const controller = access.controllerBy(request.params.controllerId ?? '')
        const body = await request.body()
        const asked = await readKeyRequest(body, controller)
        const order = orderOf(access, controller, asked, overrides(request, body))
        if (!request.caller.may('keys.issue')) expectTodaysStay(access, asked, access.providerOf(controller))
        const document = await orDeviceProblem(access.issue(controller, order, writeOptions(request)))
        return created(key, document)
      },
    },
    {
      method: 'GET',
      path,
      base,
      scope: 'keys.read',
      description: says.read,
      handle: (request) => orDeviceProblem(cardContent(keeping, access, request)),
    },
    {
      method: 'DELETE',
      path,
      base,
      scope: 'keys.issue',
      description: says.erase,
      handle: (request) => orDeviceProblem(eraseCard(access, request)),
    },
  ]
}

/** A request as an order for this controller; refuses what would fail before any card is touched. */
export function orderOf(
  access: Access,
  controller: AccessController,
  request: KeyRequest,
  override: boolean,
): KeyOrder {
  const provider = access.providerOf(controller)
  if (controller.keyType !== 'keyCard') {
    throw new Problem(
      'key-type-not-supported',
      `This appliance makes no keys of type ${controller.keyType}.`,
      {
        pointer: '/type',
        meta: { supported: ['keyCard'] },
      },
    )
  }
  // Create key rule 1: a key that reaches the lock system names its unit.
  const { unitName } = request
  if (!unitName) {
    throw new Problem('unit-name-required', 'A key that reaches the lock system names its unit.', {
      pointer: '/unitName',
    })
  }
  // Whatever the provider is configured to, a card has room for one lock.
  if (request.extraUnits.length > 0) {
    throw new Problem('too-many-extra-units', 'A card of this lock system opens one unit.', {
      pointer: '/extraUnits',
      meta: { maxExtraUnits: 0 },
    })
  }
  if (provider.enabled === false) {
    throw deviceProblem(
      new DeviceFault('lock-system-unreachable', `The provider ${provider.name} is switched off.`),
    )
  }
  return {
    request: { ...request, unitName },
    providerId: provider.id,
    controllerId: controller.id,
    dispenserId: controller.dispenserId ?? null,
    keyType: controller.keyType,
    lock: lockOf(access, provider, unitName),
    ...windowOf(request, access.house(), controller, access.now()),
    authorizations: knownAuthorizations(access, provider, request),
    maxCopies: provider.maxCopies ?? 10,
    override,
  }
}

function lockOf(access: Access, provider: AccessProvider, unitName: string): string {
  const code = (provider.unitMapping ?? []).find((each) => each.unitName === unitName)?.externalCode
  if (code === undefined) {
    throw deviceProblem(
      new DeviceFault('unit-unknown', `${provider.name} has no lock for ${unitName} in its unitMapping.`),
    )
  }
  const wrong = access.systems.card(provider).lockCodeProblem(code)
  if (wrong) throw deviceProblem(new DeviceFault('unit-unknown', `The lock code of ${unitName}: ${wrong}`))
  return code
}

function knownAuthorizations(access: Access, provider: AccessProvider, request: KeyRequest): string[] {
  const names = authorizationsOf(request, provider)
  const known = access.systems.card(provider).authorizations
  const strange = names.find((name) => !known.includes(name))
  if (strange === undefined) return names
  throw deviceProblem(
    new DeviceFault('authorization-unknown', `${provider.name} knows no authorization ${strange}.`),
  )
}

/** Who may override says so in `meta.confirm`; the scope alone is not enough. */
function overrides(request: Request, body: unknown): boolean {
  const { meta } = (body ?? {}) as { meta?: { confirm?: unknown } }
  return meta?.confirm === true && request.caller.may('keys.override')
}

/**
 * A kiosk makes guest keys for stays that are there today, for their own units, for no longer than they last, and with
 * the authorizations that every guest of the unit gets.
 */
function expectTodaysStay(
  { reader, house, now }: Access,
  request: KeyRequest,
  provider: AccessProvider,
): void {
  const { externalId, unitName, endDate, endTime, usage } = request
  const today = localDate(now(), house().timeZone)
  const found = externalId === null ? null : stayBy(reader, externalId)
  const isHere = found && (found.status === 'Confirmed' || found.status === 'InHouse')
  const refuse = (pointer: string, detail: string) =>
    new Problem('kiosk-scope', `This token makes keys only ${detail}.`, {
      pointer,
      meta: { scope: 'keys.issue' },
    })
  if (!isHere || found.startDate > today || today > found.endDate)
    throw refuse('/externalId', 'for stays of today; externalId takes that of the stay, or its id')
  if (!isUnitOf(reader, found, unitName)) throw refuse('/unitName', 'for the unit of the stay')
  if (endDate > found.endDate) throw refuse('/endDate', 'until the end of the stay')
  const lastMinute = found.endTime ?? house().checkOutTime
  if (endDate === found.endDate && endTime !== null && endTime > lastMinute)
    throw refuse('/endTime', 'until check-out')
  if (usage !== 'Guest') throw refuse('/usage', 'for guests')
  const everybodys = authorizationsOf({ ...request, authorizations: [], deAuthorizations: [] }, provider)
  if (!request.authorizations.every((name) => everybodys.includes(name)))
    throw refuse('/authorizations', 'with the authorizations of the unit')
}

function stayBy(reader: Access['reader'], externalId: string): Stay | null {
  const filters = [{ path: 'externalId', operator: 'eq' as const, value: externalId }]
  const [found] = reader.rows(stay, { filters, sort: [], page: { size: 1 } })
  return found ?? reader.row(stay, externalId)
}

function isUnitOf(reader: Access['reader'], { units }: Stay, unitName: string | null): boolean {
  const filters = [{ path: 'name', operator: 'eq' as const, value: unitName ?? '' }]
  const [found] = reader.rows(unit, { filters, sort: [], page: { size: 1 } })
  return found !== undefined && units.some(({ unitId }) => unitId === found.id)
}

/** What lies on the encoder, beside what the store knows of it. */
async function cardContent({ speaker }: Keeping, access: Access, request: Request): Promise<Answer> {
  const controller = access.controllerBy(request.params.controllerId ?? '')
  const provider = access.providerOf(controller)
  const content = await access.atEncoder(controller, async ({ encoder, system }) => {
    const card = await awaitCard(encoder, patienceOf(controller))
    const found = await system.read(encoder, card)
    await encoder.off()
    return found
  })
  const uid = uidText(content)
  const credential = content.grant?.credential ?? null
  if (hasKeyInDoubt(access, uid))
    await access.door.write(readCard, { uid, credential }, writeOptions(request))
  const stored = keyOn(access, uid, credential)
  const unitName = (provider.unitMapping ?? []).find(
    ({ externalCode }) => externalCode === content.grant?.lock,
  )?.unitName
  const document = stored && access.reader.document(key, stored.id, speaker.shape(key))
  const warnings = warningsOf(content.defect, content.grant !== null, stored)
  return {
    status: 200,
    text: `{"data":${document?.text ?? 'null'},"meta":${JSON.stringify({
      card: {
        uid,
        format: content.format,
        blank: content.blank,
        decodedUnitName: unitName ?? null,
        decodedFrom: instantText(content.grant?.validFrom),
        decodedUntil: instantText(content.grant?.validUntil),
      },
      matchesStore: content.grant ? stored !== null && stored.status === 'live' : stored === null,
      warnings,
    })}}`,
  }
}

function hasKeyInDoubt({ reader }: Access, uid: string): boolean {
  const filters = [
    { path: 'uid', operator: 'eq' as const, value: uid },
    { path: 'status', operator: 'eq' as const, value: 'unknown' },
  ]
  return reader.rows(key, { filters, sort: [], page: { size: 1 } }).length > 0
}

function keyOn({ reader }: Access, uid: string, credential: number | null): Key | null {
  if (credential === null) return null
  const filters = [{ path: 'uid', operator: 'eq' as const, value: uid }]
  const rows = reader.rows(key, {
    filters,
    sort: [],
    page: { size: 100 },
  })
  return rows.find((row) => row.credential === credential) ?? null
}

function warningsOf(defect: string | null, isKey: boolean, stored: Key | null): string[] {
  if (defect === 'foreign') return ['The card holds something that is not ours.']
  if (defect === 'damaged') return ['The card holds a damaged key; no lock will accept it.']
  if (!isKey) return []
  if (!stored) return ['The key on the card is not known here.']
  return stored.status === 'live' ? [] : [`The key on the card is ${stored.status} here.`]
}

/** Erases what lies on the encoder, and reads it back. A card of another property stays as it is. */
async function eraseCard(access: Access, request: Request): Promise<Answer> {
  const options = writeOptions(request)
  if (options.dryRun) {
    throw new Problem('unknown-parameter', 'A card cannot be erased on trial.', { parameter: 'dryRun' })
  }
  const controller = access.controllerBy(request.params.controllerId ?? '')
  const uid = await access.atEncoder(controller, async ({ encoder, system }) => {
    const card = await awaitCard(encoder, patienceOf(controller))
    const { defect, grant } = await system.read(encoder, card)
    if (defect === 'foreign' || grant?.usage === 'Staff')
      throw new Problem('foreign-card', 'The card is no guest card of this house; it was left as it is.')
    await system.erase(encoder, card)
    const again = await encoder.find()
    if (!again || uidText(again) !== uidText(card) || !(await system.read(encoder, again)).blank) {
      throw new DeviceFault('card-verify-failed', 'The card was not blank when it was read back.')
    }
    await encoder.off()
    return uidText(card)
  })
  await access.door.write(erasedCard, { uid }, options)
  return noContent()
}

/** A hand may need a while to lay the card down; inside a dispenser it is there or it is not. */
function patienceOf({ dispenserId, timeoutMs }: AccessController): number {
  return dispenserId ? 1_000 : Math.max(500, (timeoutMs ?? 18_000) - 3_000)
}

function instantText(instant: number | undefined): string | null {
  return instant === undefined ? null : new Date(instant).toISOString()
}
