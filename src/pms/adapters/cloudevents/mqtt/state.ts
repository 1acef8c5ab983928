import { randomUUID } from 'node:crypto'
import { closedObject, textOf } from '../../../../reservation/value-schema.ts'
import type { JsonSchema } from '../../../../resource/field.ts'
import type { CarrierSetup } from '../carrier.ts'
import type { Message } from '../messages/envelope.ts'

/** The data of the message at the state topic. */
export interface HouseState {
  state: (typeof houseStates)[number]
  clientId: string
}

const houseStates = ['online', 'offline'] as const

/** The type of the message at the state topic. */
export const houseStateType = 'house.state.told'

/** JSON Schema of a HouseState. */
export const houseStateSchema: JsonSchema = closedObject(
  { state: { enum: houseStates }, clientId: textOf(1, 200) },
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
