import { createReadStream } from 'node:fs'
import { type Description, documentOf, exactly, listOf } from '../jsonapi/description.ts'
import { preferredLanguage } from '../jsonapi/locales/language.ts'
import { expectNoParameters } from '../jsonapi/query/query.ts'
import { type Answer, type Request, type Route, routesAt } from '../jsonapi/route.ts'
import { isTrial, writeOptions } from '../jsonapi/write-options.ts'
import type { WriteOptions } from '../resource/command.ts'
import type { Reader } from '../resource/keeper.ts'
import { Problem } from '../resource/problem.ts'
import { nullable } from '../resource/schema.ts'
import { type BackupFile, backupReasons } from './backup-files.ts'
import { BackupRefused, problemIn } from './backup-refused.ts'
import type { Backups, Making } from './backups.ts'
import { backupPhases } from './progress.ts'
import { newerChanges } from './restore/newer-changes.ts'

const base = '/api/config/v1'
const route = routesAt(base)
const type = 'application/octet-stream'

/** Returns the routes to make, list and download backups. A download is the encrypted file itself. */
export function backupRoutes(
  backups: Backups,
  reader: Pick<Reader, 'journalBefore'>,
  settingsFile: string | null,
): Route[] {
  return [
    route('GET', 'backups', 'backups.read', says.list, list),
    route('POST', 'backups', 'backups.write', says.make, make),
    route('GET', 'backup-schedule', 'backups.read', says.schedule, schedule),
    route('GET', 'backup-jobs', 'backups.read', says.jobs, jobs),
    route('GET', 'backup-jobs/:id', 'backups.read', says.job, job),
    route('GET', 'backups/:id/restore-preview', 'backups.read', says.preview, preview),
    {
      ...route('GET', 'backups/:id/content', 'backups.read', says.download, ({ params, query }) => {
        expectNoParameters(query)
        return download(backups, params.id ?? '')
      }),
      speaks: [type],
    },
  ]

  async function preview({ params, query }: Request): Promise<Answer> {
    expectNoParameters(query)
    const { id, takenAt } = await backupOf(backups, params.id ?? '')
    const attributes = { takenAt: new Date(takenAt).toISOString(), ...newerChanges(reader, takenAt) }
    return answerOf({ type: 'restore-preview', id, attributes })
  }

  async function list({ query }: Request): Promise<Answer> {
    expectNoParameters(query)
    const data = (await backups.list()).map(documentIn)
    return answerOf(data, { self: `${base}/backups` })
  }

  function schedule({ query }: Request): Answer {
    expectNoParameters(query)
    const attributes = { ...backups.schedule(), settingsFile }
    return answerOf({ type: 'backup-schedule', id: 'backup-schedule', attributes })
  }

  async function make(request: Request): Promise<Answer> {
    if (isTrial(request))
      throw new Problem(
        'unknown-parameter',
        'A backup cannot be made with dryRun. Repeat the request without it.',
        { parameter: 'dryRun' },
      )
    const options = writeOptions(request)
    if (prefersAsync(request.header('prefer'))) return begun(request, options)
    const answered = options.idempotency?.answered?.output as { id: string } | undefined
    const file = answered
      ? await backupOf(backups, answered.id)
      : await backups.make('asked', options).catch(refuse)
    const headers = { Location: `${base}/backups/${file.id}/content` }
    return { ...answerOf(documentIn(file)), status: 201, headers }
  }

  /** The idempotency key is not passed to the job: a repeat gets this answer, which the server has stored. */
  function begun(request: Request, { idempotency, ...options }: WriteOptions): Answer {
    const making = begunNow(backups, options)
    const headers = { Location: `${base}/backup-jobs/${making.id}`, 'Preference-Applied': 'respond-async' }
    return { ...answerOf(jobOf(request, making)), status: 202, headers }
  }

  function jobs(request: Request): Answer {
    expectNoParameters(request.query)
    const making = backups.newest()
    return answerOf(making ? [jobOf(request, making)] : [], { self: `${base}/backup-jobs` })
  }

  function job(request: Request): Answer {
    expectNoParameters(request.query)
    const making = backups.newest()
    if (making && making.id === request.params.id) return answerOf(jobOf(request, making))
    throw new Problem('not-found', 'There is no such backup job, or a newer one has replaced it.')
  }
}

function answerOf(data: object, links?: Record<string, string>) {
  return { status: 200, text: JSON.stringify({ data, links }) }
}

async function backupOf(backups: Backups, id: string): Promise<BackupFile> {
  const file = (await backups.list()).find((each) => each.id === id)
  if (!file)
    throw new Problem(
      'not-found',
      `There is no backup ${id}. Old backups are removed automatically; list the backups.`,
    )
  return file
}

async function download(backups: Backups, id: string): Promise<Answer> {
  const file = await backupOf(backups, id)
  const { name, bytes } = file
  const headers = {
    'Content-Disposition': `attachment; filename="${name}"`,
    'Content-Length': String(bytes),
  }
  return { status: 200, stream: createReadStream(backups.pathOf(file)), type, headers }
}

function jobOf({ header }: Request, { id, reason, phase, meter, file, problem }: Making) {
  const language = preferredLanguage(header('accept-language'))
  const { bytes, totalBytes, bytesPerSecond, secondsLeft } = meter?.shown() ?? nothing
  const state = file ? 'done' : problem === null ? 'making' : 'failed'
  const progress = { phase, bytes, totalBytes, bytesPerSecond, secondsLeft }
  return {
    type: 'backup-job',
    id,
    attributes: {
      state,
      reason,
      ...progress,
      backup: file?.id ?? null,
      problem: problem && problemIn(language, problem),
    },
  }
}

const nothing = { bytes: null, totalBytes: null, bytesPerSecond: null, secondsLeft: null }

/** Returns whether the client prefers an asynchronous answer (RFC 7240, `respond-async`). */
function prefersAsync(header: string): boolean {
  return header.split(',').some((each) => each.split(';')[0]!.trim().toLowerCase() === 'respond-async')
}

function begunNow(backups: Backups, options: WriteOptions): Making {
  try {
    return backups.begin('asked', options)
  } catch (error) {
    return refuse(error)
  }
}

/** Throws backup-refused for a backup that cannot be made, and any other error as it is. */
function refuse(error: unknown): never {
  if (error instanceof BackupRefused) throw new Problem('backup-refused', error.message, { cause: error })
  throw error
}

/** Returns the resource object of a backup. */
export function documentIn({ id, name, reason, takenAt, bytes }: BackupFile) {
  const attributes = { name, reason, takenAt: new Date(takenAt).toISOString(), bytes }
  return { type: 'backup', id, attributes }
}

/** The attributes of a backup. */
export const attributes = exactly({
  name: { type: 'string', description: 'The name of the file.' },
  reason: { enum: [...backupReasons] },
  takenAt: { type: 'string', format: 'date-time', description: 'The time of the data in the backup.' },
  bytes: { type: 'integer', minimum: 0 },
})

const nullableCount = nullable({ type: 'integer', minimum: 0 })

const jobAttributes = exactly({
  state: { enum: ['making', 'done', 'failed'] },
  reason: { enum: [...backupReasons] },
  phase: {
    enum: [...backupPhases, null],
    description:
      '`copying` the database, `packing` and encrypting it, `verifying` the file by reading it again, `second-copy`.',
  },
  bytes: { ...nullableCount, description: 'The bytes that the phase has done.' },
  totalBytes: nullableCount,
  bytesPerSecond: nullableCount,
  secondsLeft: { ...nullableCount, description: 'What the phase still takes.' },
  backup: nullable({ type: 'string', description: 'The id of the backup when it is done.' }),
  problem: nullable({ type: 'string', description: 'Why it failed, for people.' }),
})

const kept = { type: 'integer', minimum: 1 }
const path = nullable({ type: 'string' })

const says = {
  schedule: {
    id: 'readBackupSchedule',
    summary: 'Read when backups are made, and how many are kept',
    notes:
      'The member `backup` of `settingsFile` sets it; the program reads the file at its start. `backupSchedule` of the settings of the property replaces `at`, `daily`, `weekly` and `monthly`.',
    answers: {
      200: {
        schema: documentOf(
          'backup-schedule',
          exactly({
            at: { type: 'string', description: 'HH:MM by the clock of the property, every night.' },
            folder: { ...path, description: 'Null for the folder `backups` in the data folder.' },
            copyTo: { ...path, description: 'A second folder on another disk.' },
            daily: kept,
            weekly: kept,
            monthly: kept,
            megabytes: kept,
            settingsFile: {
              ...path,
              description: 'Null on a box from an image, where nothing can change the file.',
            },
          }),
        ),
      },
    },
    problems: ['unknown-parameter'],
  },
  jobs: {
    id: 'listBackupJobs',
    summary: 'List the backup that is made or was the newest to be made since the start',
    answers: { 200: { schema: listOf('backup-job', jobAttributes) } },
    problems: ['unknown-parameter'],
  },
  job: {
    id: 'readBackupJob',
    summary: 'Read how far a backup is',
    answers: { 200: { schema: documentOf('backup-job', jobAttributes) } },
    problems: ['unknown-parameter', 'not-found'],
  },
  list: {
    id: 'listBackups',
    summary: 'List the backups, the newest first',
    notes: 'Each backup was verified after it was written.',
    answers: { 200: { schema: listOf('backup', attributes) } },
    problems: ['unknown-parameter'],
  },
  make: {
    id: 'createBackup',
    summary: 'Make a backup now',
    notes: `The answer comes when the backup is written and verified, which can take minutes. Needs a recovery key: run
\`nightporter backup key\` on the box. With \`Prefer: respond-async\` the answer is 202 at once, with a job to follow.`,
    answers: {
      201: { schema: documentOf('backup', attributes) },
      202: { schema: documentOf('backup-job', jobAttributes) },
    },
    problems: ['backup-refused', 'not-found'],
    trial: false,
  },
  preview: {
    id: 'previewRestore',
    summary: 'See what a restore of a backup would take back',
    notes:
      'The changes since the backup was made, counted by kind: those of reservations, stays, keys and others would be lost. Nothing is restored. The backup itself is not opened, which needs the recovery key.',
    path: { id: { schema: { type: 'string' }, notes: 'The id of a backup.' } },
    answers: {
      200: {
        schema: documentOf(
          'restore-preview',
          exactly({
            takenAt: { type: 'string', format: 'date-time' },
            changes: { type: 'object', additionalProperties: { type: 'integer', minimum: 1 } },
            isAtLeast: { type: 'boolean', description: 'There are more changes than were counted.' },
          }),
        ),
      },
    },
    problems: ['unknown-parameter', 'not-found'],
  },
  download: {
    id: 'downloadBackup',
    summary: 'Download a backup',
    notes:
      'The backup as an age file, encrypted to the recovery key. Open it with `nightporter restore`, or with any age tool, gzip and tar.',
    path: { id: { schema: { type: 'string' }, notes: 'The id of a backup.' } },
    answers: { 200: { schema: { type: 'string', format: 'binary' }, type } },
    problems: ['unknown-parameter', 'not-found'],
  },
} satisfies Record<string, Description>
