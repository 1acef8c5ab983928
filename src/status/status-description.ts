import { type Description, documentOf, exactly } from '../jsonapi/description.ts'
import type { JsonSchema } from '../resource/field.ts'

const text = { type: 'string' }
const moment = { type: 'string', format: 'date-time' }
const count = { type: 'integer', minimum: 0 }
const health = { enum: ['pass', 'warn', 'fail'] }
const unless = (schema: JsonSchema) => ({ anyOf: [schema, { type: 'null' }] })
const listOfEach = (items: JsonSchema) => ({ type: 'array', items })

const check = exactly(
  {
    componentId: text,
    componentType: { enum: ['component', 'datastore', 'system'] },
    observedValue: { type: ['string', 'number', 'boolean', 'null'] },
    observedUnit: text,
    status: health,
    time: moment,
    output: { ...unless(text), description: 'What a person should do; null when all is well.' },
  },
  ['componentId', 'observedUnit'],
)

const short = {
  status: { ...health, description: 'The worst of the checks.' },
  version: { type: 'string', description: 'Of the interface.' },
  mode: { enum: ['online', 'offline', 'degraded', 'simulator'] },
  time: moment,
}

const whole = {
  releaseId: { type: 'string', description: 'Of the program.' },
  serviceId: { type: 'string', description: 'Of this installation.' },
  startedAt: moment,
  uptimeSeconds: { type: 'integer' },
  timeZone: text,
  clock: exactly({
    source: unless(text),
    skewMs: unless({ type: 'integer' }),
    synced: unless({ type: 'boolean' }),
    judgement: { enum: ['plausible', 'behind', 'ahead'] },
    stated: { type: 'boolean', description: 'A person has stated date and time since the start.' },
    machineTime: { ...moment, description: 'What the clock of the box shows.' },
  }),
  pms: listOfEach(
    exactly({
      configurationId: text,
      state: { enum: ['connected', 'disconnected', 'unknown', 'disabled'] },
      lastContactAt: unless(moment),
      outbox: unless(count),
      inboxLag: unless(count),
      conflicts: unless(count),
      quarantined: unless(count),
    }),
  ),
  devices: exactly({ total: count, pass: count, warn: count, fail: count }),
  storage: exactly({
    databaseBytes: unless(count),
    freeBytes: count,
    walBytes: unless(count),
    lastCheckpoint: unless(moment),
    lastBackupAt: unless(moment),
    integrity: { enum: ['checking', 'ok', 'failed', 'writer-lost'] },
    integrityCheckedAt: {
      ...unless(moment),
      description:
        'When the database was found sound last: it is checked at each start, and whole once a week at night.',
    },
  }),
  queues: exactly({
    writer: exactly({ waiting: count }),
    encoders: listOfEach(exactly({ controllerId: text, waiting: count })),
  }),
  checks: {
    type: 'object',
    additionalProperties: listOfEach(check),
    description: 'By component and measurement, such as `storage:freeBytes`.',
  },
}

const plainHealth = (status: string, more: Record<string, JsonSchema> = {}) => ({
  schema: exactly({ status: { const: status }, ...more }),
  type: 'application/health+json',
})

/** The descriptions of the status operations for the OpenAPI document. */
export const says = {
  alive: {
    id: 'readHealth',
    summary: 'Ask whether the appliance answers',
    answers: { 200: plainHealth('pass') },
  },
  ready: {
    id: 'readReadiness',
    summary: 'Ask whether the appliance is ready for work',
    notes: 'It is not while its database is being checked, when its disk is full, and when it cannot write.',
    answers: { 200: plainHealth('pass'), 503: plainHealth('fail', { output: text }) },
  },
  status: {
    id: 'readStatus',
    summary: 'Ask the appliance how it is',
    notes: 'A 200 whatever the status. Without the scope diagnostics.read the answer is short.',
    answers: {
      200: { schema: documentOf('status', exactly({ ...short, ...whole }, Object.keys(whole))) },
    },
  },
} satisfies Record<string, Description>
