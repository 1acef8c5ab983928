import { randomUUID } from 'node:crypto'
import { closedObject, textOf } from '../../../../reservation/value-schema.ts'
import type { JsonSchema } from '../../../../resource/field.ts'
import type { CarrierSetup } from '../carrier.ts'
import type { Message } from '../messages/envelope.ts'

/** Whether the box is there, as its state topic says it. */
export interface HouseState {
  state: (typeof houseStates)[number]
  clientId: string
}

const houseStates = ['online', 'offline'] as const

export const houseStateType = 'house.state.told'

export const houseStateSchema: JsonSchema = closedObject(
  { state: { enum: houseStates }, clientId: textOf(1, 200) },
  ['state', 'clientId'],
)

/** Said by the house with the time; what the broker says when the line breaks has none, for nobody knows it beforehand. */
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
