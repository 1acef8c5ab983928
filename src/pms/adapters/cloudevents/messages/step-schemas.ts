import { closedObject, textOf } from '../../../../reservation/values/value-schema.ts'
import type { JsonSchema } from '../../../../resource/field.ts'
import { fieldGroups } from '../../../resources/conflict-policy.ts'
import { sharedReservationSchema } from '../../../sync/shared-reservation.ts'
import { stepOutcomes } from '../../../sync-contract.ts'

/** The maximum number of intents, of facts and of results in one offer. */
export const mostSteps = 2_000

const uuid = { type: 'string', format: 'uuid' }
const opaqueId = textOf(1, 128)
const stepId = { ...textOf(1, 200), title: 'The same in each repetition. The PMS stores it with its record.' }

type Members = Record<string, JsonSchema>
const { stays, payments, ...ofReservation } = sharedReservationSchema.properties as Members
const ofStay = (stays as { items: { properties: Members } }).items.properties
const { externalId: _, localId: __, ...members } = { ...ofReservation, ...ofStay }
const values: JsonSchema = { type: 'object', properties: members, additionalProperties: false }
const { items: payment } = payments as { items: JsonSchema }

/** One field group of one stay, or of the reservation. */
export const intentSchema = closedObject(
  {
    id: stepId,
    group: { enum: fieldGroups },
    stayLocalId: { ...uuid, description: 'Null: the reservation as a whole.' },
    stayExternalId: opaqueId,
    from: { ...values, description: 'What the PMS is known to have. An absent member is unknown.' },
    to: { ...values, description: 'What it is to have.' },
  },
  ['id', 'group', 'from', 'to'],
)

const fact = (is: string, more: Members, required = Object.keys(more)) =>
  closedObject({ id: stepId, is: { const: is }, ...more }, ['id', 'is', ...required])

/** Something that is recorded once, under its id. */
export const factSchema: JsonSchema = {
  oneOf: [
    fact('creation', { stayLocalId: { ...uuid, description: 'Null: the reservation as a whole.' } }, []),
    fact('removal', { stayLocalId: uuid, stayExternalId: opaqueId }, ['stayLocalId']),
    fact('payment', { payment }),
    fact('void', { payment }),
  ],
}

/** A short word for programs, such as `room-not-ready`. */
export const refusalCode = textOf(1, 60)

/** The result of one intent or fact. */
export const resultSchema = closedObject(
  {
    id: stepId,
    is: { enum: stepOutcomes },
    code: refusalCode,
    reason: { ...textOf(1, 500), title: 'A sentence for the front desk. Given with `refused`.' },
  },
  ['id', 'is'],
)
