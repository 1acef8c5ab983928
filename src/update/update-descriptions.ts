import { type Description, documentOf, exactly } from '../jsonapi/description.ts'
import { count, moment, text } from '../jsonapi/schemas/words.ts'
import type { JsonSchema } from '../resource/field.ts'
import { channelNames } from './update-settings.ts'
import { results, steps } from './update-state.ts'

const flag = { type: 'boolean' }
const unless = (schema: JsonSchema) => ({ anyOf: [schema, { type: 'null' }] })
const texts = { type: 'array', items: text }

export const installSchema = exactly(
  {
    when: {
      enum: ['now', 'window'],
      default: 'now',
      description:
        'When the box restarts: as soon as no card is on its way and no guest is at a kiosk, or in the quiet hours of the settings.',
    },
    withoutBackup: {
      ...flag,
      default: false,
      description: 'Goes on without a backup, for a box that has no recovery key.',
    },
  },
  ['when', 'withoutBackup'],
)

export const holdSchema = exactly({
  days: { type: 'integer', minimum: 0, maximum: 30, description: '0 ends what was put off.' },
})

const available = exactly({
  version: text,
  published: moment,
  security: flag,
  notes: { ...text, description: 'What is new, in the language of the request where the release has it.' },
  bytes: { ...count, description: 'The size of the bundle.' },
  percentOfBoxes: {
    type: 'integer',
    minimum: 0,
    maximum: 100,
    description: 'Of a hundred boxes, so many take part in the roll-out now.',
  },
  isOurTurn: { ...flag, description: 'Whether this box is one of them. A person may install it before.' },
})

const progress = exactly({
  version: unless(text),
  from: text,
  step: { enum: [...steps] },
  percent: unless({ type: 'integer', minimum: 0, maximum: 100 }),
  startedAt: moment,
  waitsFor: { ...unless(text), description: 'What the update waits for.' },
  missing: { ...texts, description: 'What the trial of the new version still lacks.' },
})

const last = exactly({
  version: unless(text),
  from: text,
  result: { enum: [...results] },
  slot: unless(text),
  startedAt: moment,
  endedAt: moment,
  seconds: count,
  reason: { ...unless(text), description: 'Why it failed or was taken back.' },
})

/** The schema of what the status says of the updates. */
export const shortUpdateSchema = exactly({
  slot: { ...unless(text), description: 'The running slot; null where the program runs from no image.' },
  available: { ...unless(text), description: 'The version that is offered.' },
  step: unless({ enum: [...steps] }),
  last: unless(
    exactly({ version: unless(text), from: text, result: { enum: [...results] }, endedAt: moment }),
  ),
})

const document = {
  schema: documentOf(
    'update',
    exactly({
      version: { ...text, description: 'The running version.' },
      slot: { ...unless(text), description: 'The running slot; null where the program runs from no image.' },
      isImage: flag,
      channel: { enum: [...channelNames] },
      source: unless(text),
      folder: unless(text),
      window: { ...text, description: 'The quiet hours of the property, `HH:MM-HH:MM`.' },
      automatic: { enum: ['none', 'security', 'all'] },
      heldUntil: unless(moment),
      checkedAt: unless(moment),
      problems: { ...texts, description: 'What is wrong with the sources, and what to do.' },
      available: unless(available),
      progress: unless(progress),
      last: unless(last),
    }),
  ),
}

/** The descriptions of the update operations for the OpenAPI document. */
export const says = {
  read: {
    id: 'readUpdate',
    summary: 'Read the version of the box and the newer one that is offered',
    notes: 'The progress of an update is read here as well. Its end is the event `system.update-finished`.',
    answers: { 200: document },
    problems: ['unknown-parameter'],
  },
  check: {
    id: 'checkForUpdate',
    summary: 'Read the sources of updates now',
    notes: 'What is wrong with them is in `problems`. The box reads them by itself every six hours.',
    answers: { 200: document },
    trial: false,
  },
  install: {
    id: 'installUpdate',
    summary: 'Update the box to the newest version that is offered',
    notes: `The bundle is loaded and verified, a backup is made, the bundle is written to the slot that does not run, and the box restarts. The
new version is on trial for at most ten minutes and is taken back unless its database, its devices, its address in the house and its clock are as before.`,
    body: { schema: installSchema, example: { when: 'window' }, optional: true },
    answers: { 200: document },
    problems: ['update-refused'],
    trial: false,
  },
  hold: {
    id: 'holdUpdates',
    summary: 'Put updates off',
    notes: 'For so many days the box installs nothing by itself. A person may still begin an update.',
    body: { schema: holdSchema, example: { days: 7 } },
    answers: { 200: document },
    trial: false,
  },
  confirm: {
    id: 'confirmUpdate',
    summary: 'Keep a new version that is on trial',
    notes: 'For somebody who knows that what the trial still lacks is not due to the new version.',
    answers: { 200: document },
    problems: ['update-refused'],
    trial: false,
  },
} satisfies Record<string, Description>
