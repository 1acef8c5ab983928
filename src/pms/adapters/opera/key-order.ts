import { validate } from '../../../jsonapi/schemas/validate.ts'
import type { Schema } from '../../../reservation/values/value-schema.ts'
import { Problem } from '../../../resource/problem.ts'
import type { OperaId } from './records.ts'

/** The used members of an order for a key (`roomKeysOutbound`). Dates are ISO 8601, with a zone or without one. */
export interface KeyOrder {
  encoderId: string
  encoderTerminal: string
  roomId?: string
  reservationIdList?: OperaId[]
  keyValidityStart?: string
  keyValidityEnd?: string
  keyType: string
  additionalRooms?: string[]
  userId?: string
  keyOptions?: { keyOptionsCode: string }[]
  keyRequestTime: string
  roomKeyType: string
}

const text = (maxLength: number): Schema => ({ type: 'string', minLength: 1, maxLength })
const moment: Schema = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d[ T]\\d\\d:\\d\\d', maxLength: 40 }
const list = (items: Schema): Schema => ({ type: 'array', maxItems: 50, items })
const object = (properties: Record<string, Schema>, required: string[]): Schema => ({
  type: 'object',
  properties,
  required,
})

const schema = object(
  {
    encoderId: text(100),
    encoderTerminal: text(2_000),
    roomId: text(60),
    reservationIdList: list(object({ id: text(80), type: text(40) }, ['id'])),
    keyValidityStart: moment,
    keyValidityEnd: moment,
    keyType: text(40),
    additionalRooms: list(text(20)),
    userId: text(2_000),
    keyOptions: list(object({ keyOptionsCode: text(40) }, ['keyOptionsCode'])),
    keyRequestTime: moment,
    roomKeyType: text(40),
  },
  ['encoderId', 'encoderTerminal', 'keyType', 'keyRequestTime', 'roomKeyType'],
)

/** Reads an order; a sentence for one that cannot be read. */
export async function orderIn(body: string): Promise<KeyOrder | string> {
  try {
    const order: unknown = JSON.parse(body)
    await validate(schema, order)
    return order as KeyOrder
  } catch (error) {
    if (error instanceof SyntaxError) return 'The order is not JSON.'
    if (error instanceof Problem) return error.message
    throw error
  }
}
