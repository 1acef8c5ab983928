import { positions } from '../../devices/capability.ts'
import { faults, guestWords } from '../../devices/fault.ts'
import { exactly } from '../../jsonapi/description.ts'
import { messagesSchema } from '../../jsonapi/locales/message.ts'
import { count, countOrNull, flag, list, moment, text, textOrNull } from '../../jsonapi/schemas/words.ts'
import { nullable } from '../../resource/schema.ts'
import { commandedStates, reportedStates } from '../resources/dispenser.ts'
import { shownCounters } from './dispenser-commands.ts'

/** The attributes of a dispenser's status, as JSON Schema. */
export const dispenserStatusSchema = exactly({
  state: { enum: [...commandedStates, ...reportedStates] },
  commandedState: { enum: commandedStates },
  online: flag,
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
      vendorCode: textOrNull,
      detail: text,
      since: moment,
      guestSafe: {
        enum: Object.keys(guestWords),
        description: 'The same word as in `meta.guest` of a problem.',
      },
      recovery: { ...list(text), description: 'What to do, step by step.' },
      messages: messagesSchema,
    }),
  ),
  guestWaiting: nullable(exactly({ since: moment, deadline: moment })),
  model: text,
  firmware: textOrNull,
  serialNumber: textOrNull,
  driver: text,
  counters: exactly(Object.fromEntries(shownCounters.map((name) => [name, count]))),
  capabilities: exactly({
    positions: list({ enum: positions }),
    recycle: flag,
    acceptReturns: flag,
    levelSensor: { type: ['boolean', 'null'], description: 'Null until the machine has answered once.' },
  }),
  observedAt: nullable(moment),
  handle: exactly({ openedAt: moment, cached: flag }),
})
