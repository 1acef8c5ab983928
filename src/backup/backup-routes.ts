import { createReadStream } from 'node:fs'
import { type Description, documentOf, exactly, listOf } from '../jsonapi/description.ts'
import { expectNoParameters } from '../jsonapi/query/query.ts'
import { type Answer, type Request, type Route, routesAt } from '../jsonapi/route.ts'
import { isTrial, writeOptions } from '../jsonapi/write-options.ts'
import type { WriteOptions } from '../resource/command.ts'
import type { Reader } from '../resource/keeper.ts'
import { Problem } from '../resource/problem.ts'
import { type BackupFile, backupReasons } from './backup-files.ts'
import { BackupRefused } from './backup-refused.ts'
import type { Backups } from './backups.ts'
import { newerChanges } from './newer-changes.ts'

const base = '/api/config/v1'
const route = routesAt(base)
const type = 'application/octet-stream'

/** Returns the routes to make, list and download backups. A download is the encrypted file itself. */
export function backupRoutes(backups: Backups, reader: Pick<Reader, 'journalBefore'>): Route[] {
  return [
    route('GET', 'backups', 'backups.read', says.list, list),
    route('POST', 'backups', 'backups.write', says.make, make),
    route('GET', 'backups/:id/restore-preview', 'backups.read', says.preview, preview),
    {
      ...route('GET', 'backups/:id/content', 'backups.read', says.download, ({ params, query }) => {
        expectNoParameters(query)
        return download(params.id ?? '')
      }),
      speaks: [type],
    },
  ]

  async function preview({ params, query }: Request): Promise<Answer> {
    expectNoParameters(query)
    const { id, takenAt } = await kept(params.id ?? '')
    const attributes = { takenAt: new Date(takenAt).toISOString(), ...newerChanges(reader, takenAt) }
    return { status: 200, text: JSON.stringify({ data: { type: 'restore-preview', id, attributes } }) }
  }

  async function list({ query }: Request): Promise<Answer> {
    expectNoParameters(query)
    const data = (await backups.list()).map(documentIn)
    return { status: 200, text: JSON.stringify({ data, links: { self: `${base}/backups` } }) }
  }

  async function make(request: Request): Promise<Answer> {
    if (isTrial(request))
      throw new Problem(
        'unknown-parameter',
        'A backup cannot be made with dryRun. Repeat the request without it.',
        { parameter: 'dryRun' },
      )
    const options = writeOptions(request)
    const answered = options.idempotency?.answered?.output as { id: string } | undefined
    const file = answered ? await kept(answered.id) : await madeNow(options)
    const data = documentIn(file)
    return {
      status: 201,
      text: JSON.stringify({ data }),
      headers: { Location: `${base}/backups/${file.id}/content` },
    }
  }

  async function madeNow(options: WriteOptions): Promise<BackupFile> {
    try {
      return await backups.make('asked', options)
    } catch (error) {
      if (error instanceof BackupRefused) throw new Problem('backup-refused', error.message, { cause: error })
      throw error
    }
  }

  async function kept(id: string): Promise<BackupFile> {
    const file = (await backups.list()).find((each) => each.id === id)
    if (!file)
      throw new Problem(
        'not-found',
        `There is no backup ${id}. Old backups are removed automatically; list the backups.`,
      )
    return file
  }

  async function download(id: string): Promise<Answer> {
    const file = await kept(id)
    const { name, bytes } = file
    const headers = {
      'Content-Disposition': `attachment; filename="${name}"`,
      'Content-Length': String(bytes),
    }
    return { status: 200, stream: createReadStream(backups.pathOf(file)), type, headers }
  }
}

function documentIn({ id, name, reason, takenAt, bytes }: BackupFile) {
  const attributes = { name, reason, takenAt: new Date(takenAt).toISOString(), bytes }
  return { type: 'backup', id, attributes }
}

const attributes = exactly({
  name: { type: 'string', description: 'The name of the file.' },
  reason: { enum: [...backupReasons] },
  takenAt: { type: 'string', format: 'date-time', description: 'The time of the data in the backup.' },
  bytes: { type: 'integer', minimum: 0 },
})

const says = {
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
\`nightporter backup key\` on the box.`,
    answers: { 201: { schema: documentOf('backup', attributes) } },
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
