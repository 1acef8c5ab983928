import { positions } from '../../devices/capability.ts'
import { faults, guestWords } from '../../devices/fault.ts'
import { exactly } from '../../jsonapi/description.ts'
import { messagesSchema } from '../../jsonapi/locales/message.ts'
import { nullable } from '../../resource/schema.ts'
import { commandedStates, reportedStates } from '../resources/dispenser.ts'

const text = { type: 'string' }
const orNull = nullable(text)
const moment = { type: 'string', format: 'date-time' }
const count = { type: 'integer', minimum: 0 }
const countOrNull = nullable(count)

/** The attributes of a dispenser's status, as JSON Schema. */
export const dispenserStatusSchema = exactly({
  state: {
    enum: [...commandedStates, ...reportedStates],
  },
  commandedState: { enum: commandedStates },
  online: { type: 'boolean' },
  cardPosition: { enum: ['none', 'stacker-exit', 'hold', 'encoder', 'chip', 'gate', 'unknown'] },
  stacker: exactly({
    level: { enum: ['ok', 'nearEmpty', 'empty', 'unknown'] },
    estimatedCards: countOrNull,
    capacity: countOrNull,
    lowThreshold: countOrNull,
  }),
  bin: exactly({
    level: { enum: ['ok', 'nearFull', 'full', 'unknown'] },
    count: countOrNull,
    capacity: countOrNull,
  }),
  overall: {
    enum: ['ok', 'nearEmpty', 'binFull', 'empty', 'jam', null],
    description: 'The most severe condition; null while the machine does not answer.',
  },
  fault: nullable(
    exactly({
      errorCode: { enum: Object.keys(faults) },
      vendorCode: orNull,
      detail: text,
      since: moment,
      guestSafe: {
        enum: Object.keys(guestWords),
        description: 'The same word as in `meta.guest` of a problem.',
      },
      recovery: { type: 'array', items: text, description: 'What to do, step by step.' },
      messages: messagesSchema,
    }),
  ),
  guestWaiting: nullable(exactly({ since: moment, deadline: moment })),
  model: text,
  firmware: orNull,
  serialNumber: orNull,
  driver: text,
  counters: exactly({
    dispensed: count,
    captured: count,
    returned: count,
    jams: count,
    retries: count,
    sinceService: count,
  }),
  capabilities: exactly({
    positions: { type: 'array', items: { enum: positions } },
    recycle: { type: 'boolean' },
    acceptReturns: { type: 'boolean' },
    levelSensor: { type: ['boolean', 'null'], description: 'Null until the machine has answered once.' },
  }),
  observedAt: nullable(moment),
  handle: exactly({ openedAt: moment, cached: { type: 'boolean' } }),
})
