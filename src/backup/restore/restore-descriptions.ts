import { type Description, documentOf, exactly } from '../../jsonapi/description.ts'
import { count, text, typedCode } from '../../jsonapi/schemas/words.ts'
import type { JsonSchema } from '../../resource/field.ts'
import { nullable } from '../../resource/schema.ts'
import { backupReasons } from '../backup-files.ts'
import { targetKinds } from '../targets/target.ts'
import { restoreStates, restoreSteps } from './restore-record.ts'

export const fileType = 'application/octet-stream'
/** The largest part of an upload, in bytes: a slow Wi-Fi sends it within the deadline of a request. */
export const largestPart = 8_388_608

const instant = { ...text, format: 'date-time' }

const nameAndBytes = {
  name: { ...text, minLength: 1, maxLength: 200, description: 'The name of the file.' },
  bytes: { type: 'integer', minimum: 1, description: 'The size of the whole file.' },
}

const keptBackup = {
  place: { ...text, maxLength: 100, description: 'The place of a restorable backup.' },
  backup: { ...text, maxLength: 200, description: 'Its `backup`.' },
}

export const beginSchema: JsonSchema = { oneOf: [exactly(nameAndBytes), exactly(keptBackup)] }

// Eight digits; spaces and hyphens are ignored.

const target = {
  ...exactly(
    {
      kind: { enum: [...targetKinds] },
      url: { ...text, minLength: 1, maxLength: 500 },
      user: { ...text, maxLength: 200 },
      secret: { ...text, maxLength: 20_000 },
      hostKey: { ...text, maxLength: 100 },
      region: { ...text, maxLength: 60 },
    },
    ['user', 'secret', 'hostKey', 'region'],
  ),
  description: 'A target of backups, as a backup-target has it. It is not stored.',
}

export const newBoxSchema: JsonSchema = {
  oneOf: [
    exactly({ code: typedCode, ...nameAndBytes }),
    exactly({ code: typedCode, ...keptBackup }),
    exactly({ code: typedCode, target, backup: keptBackup.backup }),
  ],
}

export const newBoxListSchema: JsonSchema = exactly({ code: typedCode, target }, ['target'])

export const keySchema: JsonSchema = exactly(
  {
    recoveryKey: { ...text, minLength: 1, maxLength: 10_000, description: 'The text of the recovery key.' },
    passphrase: { ...text, maxLength: 1_000 },
  },
  ['passphrase'],
)

const contents = exactly({
  property: nullable(text),
  takenAt: instant,
  version: { ...text, description: 'The version of nightporter that made the backup.' },
  reason: { enum: [...backupReasons] },
  keysUntil: nullable({
    ...instant,
    description: 'Until when each key is known from segments of keys; null without any.',
  }),
  replaces: nullable({
    ...text,
    description:
      'The name of the property on this box, if the backup is of another one: the restore replaces it as a whole. Null otherwise, and while it has no name.',
  }),
})

const losses = exactly({
  changes: { type: 'object', additionalProperties: { type: 'integer', minimum: 1 } },
  isAtLeast: { type: 'boolean', description: 'There are more changes than were counted.' },
})

const restore = documentOf(
  'restore',
  exactly({
    state: {
      enum: [...restoreStates],
      description:
        '`receiving`, `waiting-for-key`, `opening`, `ready` (to be confirmed with `apply`), `replacing`; final are `done`, `failed` and `canceled`.',
    },
    phase: {
      enum: ['fetching', 'unpacking', 'checking', null],
      description: 'What is done while it is `opening`.',
    },
    name: text,
    place: { ...text, description: '`upload`, or the place of the backup.' },
    bytes: nullable({ ...count, description: 'The bytes that the present work has done.' }),
    totalBytes: count,
    bytesPerSecond: nullable(count),
    secondsLeft: nullable(count),
    contents: nullable(contents),
    losses: nullable(losses),
    problem: nullable({ ...text, description: 'Why the last step failed, for people.' }),
    unitsToCheck: nullable({
      ...count,
      description: 'The units that may have unknown keys, once it is done.',
    }),
    log: { type: 'array', items: exactly({ at: instant, step: { enum: [...restoreSteps] } }) },
  }),
)

const id = {
  id: { schema: { type: 'string' }, notes: 'The id of the restore. Who knows it needs no token.' },
}
const unreachable = exactly({ place: text, problem: text })

const restorable = exactly({
  data: {
    type: 'array',
    items: exactly({
      type: { const: 'restorable-backup' },
      id: text,
      attributes: exactly({
        place: text,
        backup: text,
        name: text,
        reason: { enum: [...backupReasons] },
        takenAt: instant,
        bytes: count,
      }),
    }),
  },
  meta: exactly({ unreachable: { type: 'array', items: unreachable } }),
})

export const restoreSays = {
  list: {
    id: 'listRestorableBackups',
    summary: 'List the backups that can be restored, at each place',
    notes:
      '`box` is the folder on the box, `second-copy` the second folder. A place that does not answer is named in `meta`.',
    answers: { 200: { schema: restorable } },
    problems: ['unknown-parameter'],
  },
  begin: {
    id: 'beginRestore',
    summary: 'Begin to restore a backup',
    notes: `With \`name\` and \`bytes\` of a file that is sent afterwards, or with a backup of the list. Nothing is replaced before
\`apply\`. A restore that was begun before and is not decided is canceled. The id of the restore is a secret.`,
    body: { schema: beginSchema, example: { name: 'nightporter.tar.gz.age', bytes: 1_000_000 } },
    answers: { 201: { schema: restore } },
    problems: ['restore-refused'],
    trial: false,
  },
  beginNew: {
    id: 'beginRestoreOnNewBox',
    summary: 'Begin to restore a backup on a box that belongs to nobody, with its pairing code',
    notes:
      'The backup is a file that is sent afterwards, one that lies at a place of the box such as a stick, or one at a target, which is named with its secret.',
    body: {
      schema: newBoxSchema,
      example: { code: '1234 5678', name: 'nightporter.tar.gz.age', bytes: 1_000_000 },
    },
    answers: { 201: { schema: restore } },
    problems: ['restore-refused', 'unauthenticated', 'already-claimed'],
    trial: false,
  },
  listNew: {
    id: 'listRestorableBackupsOnNewBox',
    summary: 'List what a box that belongs to nobody can restore, with its pairing code',
    notes:
      'Without `target` the backups at the places of the box, such as a stick; with it those at the target. A place that does not answer is named in `meta`.',
    body: { schema: newBoxListSchema, example: { code: '1234 5678' } },
    answers: { 200: { schema: restorable } },
    problems: ['unauthenticated', 'already-claimed'],
    trial: false,
  },
  read: {
    id: 'readRestore',
    summary: 'Read how far a restore is',
    notes: 'It is answered before, during and after the restart, without a token.',
    path: id,
    answers: { 200: { schema: restore } },
    problems: ['unknown-parameter', 'not-found'],
  },
  receive: {
    id: 'sendBackupPart',
    summary: 'Send the next part of the file',
    notes: `A part has at most ${largestPart} bytes. What arrived stays when the line breaks, also over a power cut: read the restore and go on at \`bytes\`.`,
    path: id,
    query: {
      offset: { schema: count, notes: 'The bytes that were sent before.', required: true },
    },
    body: { schema: { type: 'string', format: 'binary' }, media: fileType },
    answers: { 200: { schema: restore } },
    problems: ['restore-refused', 'body-too-large', 'not-found', 'unknown-parameter'],
    trial: false,
  },
  open: {
    id: 'openRestore',
    summary: 'Open the backup with the recovery key',
    notes:
      'The backup is decrypted and checked beside the property, which goes on working. The key is not stored.',
    path: id,
    body: { schema: keySchema, example: { recoveryKey: 'AGE-SECRET-KEY-1...' } },
    answers: { 202: { schema: restore } },
    problems: ['restore-refused', 'not-found', 'session-locked'],
    trial: false,
  },
  apply: {
    id: 'applyRestore',
    summary: 'Replace the property by the backup that was opened',
    notes:
      'The appliance closes and starts again within seconds. A power cut leaves the one property or the other.',
    path: id,
    answers: { 202: { schema: restore } },
    problems: ['restore-refused', 'not-found', 'session-locked'],
    trial: false,
  },
  cancel: {
    id: 'cancelRestore',
    summary: 'Cancel a restore',
    notes: 'The property is unchanged.',
    path: id,
    answers: { 204: {} },
    problems: ['restore-refused', 'not-found', 'session-locked'],
    trial: false,
  },
} satisfies Record<string, Description>
