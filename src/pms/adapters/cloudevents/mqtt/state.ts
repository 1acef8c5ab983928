import { randomUUID } from 'node:crypto'
import { closedObject, textOf } from '../../../../reservation/values/value-schema.ts'
import type { JsonSchema } from '../../../../resource/field.ts'
import type { BoxState } from '../../../contract.ts'
import type { CarrierSetup } from '../carrier.ts'
import type { Message } from '../messages/envelope.ts'

/** The data of the message at the state topic. */
export interface HouseState extends Partial<BoxState> {
  state: (typeof houseStates)[number]
  clientId: string
  /** How often the property was restored to a box; higher is newer. */
  epoch: number
}

const houseStates = ['online', 'offline'] as const

/** The type of the message at the state topic. It is part of the published contract, and receivers go by it, so the word stays. */
export const houseStateType = 'house.state.told'

const count = { type: 'integer', minimum: 0 }
const healthSchemas: Record<string, JsonSchema> = {
  health: closedObject(
    { status: { enum: ['pass', 'warn', 'fail'] }, failing: { type: 'array', items: textOf(1, 60) } },
    ['status', 'failing'],
  ),
  clock: closedObject(
    { judgement: { enum: ['plausible', 'behind', 'ahead'] }, synced: { type: 'boolean' } },
    ['judgement'],
  ),
  backupVerifiedAt: { type: 'string', format: 'date-time' },
  certificateEnds: { type: 'string', format: 'date-time' },
  supportEnds: { type: 'string', format: 'date' },
  devices: closedObject({ pass: count, warn: count, fail: count }, ['pass', 'warn', 'fail']),
}

/** JSON Schema of a HouseState. */
export const houseStateSchema: JsonSchema = closedObject(
  {
    state: { enum: houseStates },
    clientId: textOf(1, 200),
    version: textOf(1, 40),
    slot: textOf(1, 20),
    ...healthSchemas,
    update: closedObject({
      available: textOf(1, 40),
      step: textOf(1, 40),
      last: closedObject(
        {
          version: textOf(1, 40),
          result: textOf(1, 40),
          endedAt: { type: 'string' },
          reason: textOf(1, 4_000),
        },
        ['result', 'endedAt'],
      ),
    }),
    epoch: {
      type: 'integer',
      minimum: 1,
      description:
        'Each restore of a backup raises it. Of two appliances of one property, that with the lower was replaced.',
    },
  },
  ['state', 'clientId'],
)

/** The message at the state topic. `at` is null for the will, which the broker publishes when the connection is lost: its time is not known beforehand. */
export function houseState(
  setup: Pick<CarrierSetup, 'source'>,
  data: HouseState,
  at: number | null,
): Message<HouseState> {
  return {
    specversion: '1.0',
    id: randomUUID(),
    source: setup.source(),
    type: houseStateType,
    subject: 'state',
    ...(at !== null && { time: new Date(at).toISOString() }),
    datacontenttype: 'application/json',
    data,
  }
}
