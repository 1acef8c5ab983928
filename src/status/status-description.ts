import { type Description, documentOf, exactly } from '../jsonapi/description.ts'
import { messagesSchema } from '../jsonapi/locales/message.ts'
import { count, moment, text } from '../jsonapi/schemas/words.ts'
import type { JsonSchema } from '../resource/field.ts'
import { shortUpdateSchema } from '../update/update-descriptions.ts'

const health = { enum: ['pass', 'warn', 'fail'] }
const unless = (schema: JsonSchema) => ({ anyOf: [schema, { type: 'null' }] })
const listOfEach = (items: JsonSchema) => ({ type: 'array', items })

const check = exactly(
  {
    componentId: text,
    componentName: { ...text, description: 'The name of the device or PMS that is checked.' },
    componentType: { enum: ['component', 'datastore', 'system'] },
    observedValue: { type: ['string', 'number', 'boolean', 'null'] },
    observedUnit: text,
    status: health,
    time: moment,
    output: { ...unless(text), description: 'What is wrong and what to do; null if the check passes.' },
    messages: messagesSchema,
  },
  ['componentId', 'componentName', 'observedUnit'],
)

const short = {
  status: { ...health, description: 'The worst status of all checks.' },
  version: { type: 'string', description: 'The version of the interface.' },
  mode: { enum: ['online', 'offline', 'degraded', 'simulator'] },
  time: moment,
  timeConfirmed: {
    type: 'boolean',
    description:
      'False when the time may be of another day: see `confirmed` of the clock. Show the date to people while it is false.',
  },
}

const whole = {
  releaseId: { type: 'string', description: 'The version of the program.' },
  supportEnds: {
    type: 'string',
    format: 'date',
    description: 'The last day with security fixes for this version.',
  },
  serviceId: { type: 'string', description: 'The id of this installation.' },
  startedAt: moment,
  uptimeSeconds: { type: 'integer' },
  timeZone: text,
  timeZoneRules: {
    type: 'string',
    description: 'The version of the rules of time zones, such as 2026a. They come with the program.',
  },
  clock: exactly({
    source: unless(text),
    skewMs: unless({ type: 'integer' }),
    synced: unless({ type: 'boolean' }),
    judgement: { enum: ['plausible', 'behind', 'ahead'] },
    stated: {
      type: 'boolean',
      description: 'Whether a person has stated date and time since the last start.',
    },
    machineTime: { ...moment, description: 'The time that the clock of the box shows.' },
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
        'When a check last found the database undamaged. It is checked at each start, completely once a week at night, and completely whenever a part of it could not be read.',
    },
  }),
  queues: exactly({
    writer: exactly({ waiting: count }),
    encoders: listOfEach(exactly({ controllerId: text, waiting: count })),
  }),
  update: shortUpdateSchema,
  checks: {
    type: 'object',
    additionalProperties: listOfEach(check),
    description: 'Checks by component and measurement, such as `storage:freeBytes`.',
  },
}

const startup = {
  enum: ['opening', 'restoring', 'migrating', 'checking', 'draining'],
  description: 'The step, while the appliance starts or stops.',
}

const plainHealth = (
  status: string,
  more: Record<string, JsonSchema> = {},
  optional: readonly string[] = [],
) => ({
  schema: exactly({ status: { const: status }, ...more }, optional),
  type: 'application/health+json',
})

/** The descriptions of the status operations for the OpenAPI document. */
export const says = {
  alive: {
    id: 'readHealth',
    summary: 'Check that the appliance answers',
    answers: { 200: plainHealth('pass') },
  },
  ready: {
    id: 'readReadiness',
    summary: 'Check that the appliance is ready',
    notes:
      'The appliance is not ready while its database is being checked, while its disk is full, and while it cannot read or write it.',
    answers: { 200: plainHealth('pass'), 503: plainHealth('fail', { output: text, startup }, ['startup']) },
  },
  status: {
    id: 'readStatus',
    summary: 'Read the health of the appliance',
    notes:
      'The answer is 200 with every status. Without the scope diagnostics.read it contains only `status` and versions. While the database cannot be read, it contains of the checks only those of the database; a caller whose rights cannot be read either is refused, and `/readyz` says why.',
    answers: {
      200: {
        schema: documentOf(
          'status',
          exactly({ ...short, ...whole }, ['timeConfirmed', ...Object.keys(whole)]),
        ),
      },
    },
  },
} satisfies Record<string, Description>
