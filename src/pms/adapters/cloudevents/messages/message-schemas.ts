import { unitStatuses } from '../../../../reservation/values/unit-status.ts'
import { closedObject, dateSchema, textOf } from '../../../../reservation/values/value-schema.ts'
import type { JsonSchema } from '../../../../resource/field.ts'
import { capabilityMembers } from '../../../answers.ts'
import { extensionMethods } from '../../../contract.ts'
import { sharedReservationSchema } from '../../../sync/shared-reservation.ts'
import { mostChanges, mostOffers } from '../../../sync-contract.ts'
import { cursorSchema, envelopeSchema, epochSchema } from './envelope.ts'
import { failures } from './message-data.ts'
import { factSchema, intentSchema, mostSteps, refusalCode, resultSchema } from './step-schemas.ts'

// A text explains itself in its `title`: its `description` would appear in the error for an invalid value.
const externalId = { ...textOf(1, 128), title: 'The id of the reservation at the PMS.' }
const revision = {
  type: 'integer',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description:
    'The revision of this reservation or lease; higher is newer. It may be the time of its last change in Unix milliseconds.',
}
const moment = { type: 'string', format: 'date-time' }
const changedAt = { ...moment, description: 'The time of the change at the PMS.' }
const uuid = { type: 'string', format: 'uuid' }
const opaqueId = textOf(1, 128)
const sentence = { ...textOf(1, 500), title: 'A sentence for the front desk.' }
const listOf = (items: JsonSchema, maxItems: number, minItems = 0) => ({
  type: 'array',
  items,
  minItems,
  maxItems,
})
const is = (word: string, more: Record<string, JsonSchema> = {}, required = Object.keys(more)) =>
  closedObject({ is: { const: word }, ...more }, ['is', ...required])

export const reservationChangedSchema = closedObject(
  { externalId, revision, changedAt, reservation: sharedReservationSchema },
  ['externalId', 'revision', 'reservation'],
)

export const reservationDeletedSchema = closedObject({ externalId, revision, changedAt }, [
  'externalId',
  'revision',
])

export const leaseChangedSchema = closedObject(
  {
    leaseId: opaqueId,
    revision,
    unitNames: { ...listOf(textOf(1, 60), 1_000), description: 'Empty if the lease is withdrawn.' },
    startDate: { ...dateSchema, description: 'The first night.' },
    endDate: { ...dateSchema, description: 'The last night.' },
    validUntil: { ...moment, description: 'No units are assigned by the lease after this time.' },
  },
  ['leaseId', 'revision', 'unitNames', 'startDate', 'endDate', 'validUntil'],
)

export const housekeepingChangedSchema = closedObject(
  { unitName: textOf(1, 60), revision, status: { enum: unitStatuses } },
  ['unitName', 'revision', 'status'],
)

export const changesRequestedSchema = closedObject(
  { after: cursorSchema, limit: { type: 'integer', minimum: 1, maximum: mostChanges } },
  ['limit'],
)

export const changesRepliedSchema = closedObject(
  {
    changes: listOf(envelopeSchema, mostChanges),
    cursor: cursorSchema,
    more: { type: 'boolean' },
    epoch: epochSchema,
    contract: {
      enum: [1, 2],
      description:
        'The version of the contract that the PMS implements. With 2, offers have intents and facts.',
    },
  },
  ['changes', 'cursor', 'more'],
)

const offerSchema = closedObject(
  {
    id: { ...opaqueId, title: 'A repeated offer has the same id and is executed once.' },
    localId: { ...uuid, description: 'The id of the reservation at the property.' },
    externalId,
    baseRevision: {
      ...revision,
      description:
        'The PMS revision on which the change is based; null for a reservation that is new to the PMS.',
    },
    reservation: sharedReservationSchema,
    changed: {
      ...listOf({ type: 'string', maxLength: 500 }, 2_000),
      description: 'What differs from `baseRevision`, as JSON pointers into `reservation`.',
    },
    leaseIds: { ...listOf(opaqueId, 1_000), description: 'The leases by which units were assigned.' },
    intents: {
      ...listOf(intentSchema, mostSteps),
      description:
        'Contract 2: what was changed, by stay and field group, in the order in which it is to be carried out.',
    },
    facts: { ...listOf(factSchema, mostSteps), description: 'Contract 2: what is to be recorded once.' },
  },
  ['id', 'localId', 'reservation', 'changed', 'leaseIds'],
)

export const reservationsOfferedSchema = closedObject({ offers: listOf(offerSchema, mostOffers, 1) }, [
  'offers',
])

export const answerSchema: JsonSchema = {
  oneOf: [
    is(
      'accepted',
      {
        id: opaqueId,
        externalId,
        revision,
        reservation: sharedReservationSchema,
        results: {
          ...listOf(resultSchema, mostSteps),
          description: 'Contract 2: intents and facts that were not simply carried out.',
        },
      },
      ['id', 'externalId', 'revision'],
    ),
    is('outdated', { id: opaqueId, externalId, revision, changedAt, reservation: sharedReservationSchema }, [
      'id',
      'externalId',
      'revision',
    ]),
    is('refused', { id: opaqueId, reason: sentence, code: refusalCode }, ['id', 'reason']),
  ],
}

export const offersAnsweredSchema = closedObject({ answers: listOf(answerSchema, mostOffers) }, ['answers'])

export const capabilitiesRequestedSchema = closedObject(
  {
    requestId: uuid,
    configurationId: uuid,
    adapter: textOf(1, 60),
    adapterVersion: textOf(1, 30),
    interfaceVersion: textOf(1, 30),
    deadline: { ...moment, description: 'The answer is no longer needed after this time.' },
  },
  ['requestId', 'configurationId', 'adapter', 'adapterVersion', 'interfaceVersion', 'deadline'],
)

export const capabilitiesRepliedSchema = closedObject(
  {
    requestId: uuid,
    capabilities: {
      type: 'object',
      properties: capabilityMembers,
      required: ['flags', 'extensions'],
      additionalProperties: false,
    },
    ttlSeconds: { type: 'integer', minimum: 1, maximum: 86_400 },
  },
  ['requestId', 'capabilities', 'ttlSeconds'],
)

export const unitAssignmentRequestedSchema = closedObject(
  {
    reservationExternalId: externalId,
    reservationLocalId: uuid,
    stayExternalId: opaqueId,
    stayLocalId: uuid,
    startDate: dateSchema,
    endDate: dateSchema,
    unitTypeCodes: {
      ...listOf(textOf(1, 30), 20, 1),
      description: 'One for each unit that the stay lacks, in order.',
    },
    preferredUnitName: textOf(1, 60),
    notes: textOf(0, 2_000),
  },
  ['reservationLocalId', 'stayLocalId', 'startDate', 'endDate', 'unitTypeCodes'],
)

export const unitAssignmentRepliedSchema: JsonSchema = {
  oneOf: [
    is('chosen', {
      unitNames: { ...listOf(textOf(1, 60), 20, 1), description: 'One for each code, in the same order.' },
    }),
    is('none-eligible', { reason: sentence }),
    is('change-refused', { reason: sentence }),
  ],
}

export const extensionInvokedSchema = closedObject(
  {
    name: {
      type: 'string',
      pattern: '^[A-Za-z0-9][\\w.~-]{0,99}$',
      $comment: 'a name that can stand in a path',
    },
    method: { enum: extensionMethods },
    query: {
      type: 'string',
      maxLength: 8_000,
      description: 'The query string without `?`; empty if there is none.',
    },
    body: { type: 'object', description: 'Null if there is none.' },
  },
  ['name', 'method', 'query'],
)

export const extensionRepliedSchema: JsonSchema = {
  oneOf: [
    is('answered', { payload: { description: 'Any JSON.' } }),
    is('not-implemented'),
    is('refused', { reason: sentence }),
  ],
}

export const requestFailedSchema = closedObject(
  {
    code: { enum: failures },
    reason: sentence,
    retryAfterSeconds: { type: 'integer', minimum: 0, maximum: 86_400 },
  },
  ['code', 'reason'],
)
