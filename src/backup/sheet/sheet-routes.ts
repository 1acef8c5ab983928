import { type Description, documentOf, exactly } from '../../jsonapi/description.ts'
import { expectNoParameters } from '../../jsonapi/query/query.ts'
import { type Answer, type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import { bodyOf } from '../../jsonapi/schemas/validate.ts'
import { text } from '../../jsonapi/schemas/words.ts'
import { isTrial, writeOptions } from '../../jsonapi/write-options.ts'
import type { Writer } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { nullable } from '../../resource/schema.ts'
import { readRecipients, sheetKeptAt } from '../archive/recipients.ts'
import { noteSheet } from '../backup-commands.ts'
import { BackupRefused } from '../backup-refused.ts'

/** The dependencies of the routes. The library of the words is loaded when the first sheet is made. */
export interface Sheets {
  open(): Promise<import('./recovery-sheet.ts').RecoverySheets>
  data: string
  /** Returns the name of the property; null before it has one. */
  property(): string | null
}

const route = routesAt('/api/config/v1')

/** Returns the routes of the recovery sheet. */
export function sheetRoutes({ writer }: { writer: Writer }, sheets: Sheets): Route[] {
  function read({ query }: Request): Answer {
    expectNoParameters(query)
    return answer(200, state())
  }

  const state = () => ({
    recipients: readRecipients(sheets.data).length,
    keptAt: sheetKeptAt(sheets.data),
  })

  /** The answer has a secret, so a repeat with the same idempotency key gets it from memory and never from the disk. */
  async function begin(request: Request): Promise<Answer> {
    expectReal(request)
    const options = writeOptions(request)
    const open = await sheets.open()
    const isRepeat = options.idempotency?.answered !== undefined
    const sheet = isRepeat ? open.waiting() : await open.begin()
    if (!sheet) throw new Problem('backup-refused', 'This sheet is gone. Make a new one.')
    if (!isRepeat) await writer.execute(noteSheet, { step: 'made' }, options)
    const { words, identity, asked } = sheet
    return answer(201, { ...state(), property: sheets.property(), words, identity, asked })
  }

  async function confirm(request: Request): Promise<Answer> {
    expectReal(request)
    const { words } = await bodyOf<{ words: string[] }>(request, confirmSchema)
    const options = writeOptions(request)
    if (options.idempotency?.answered) return answer(200, state())
    const open = await sheets.open()
    try {
      open.confirm(words)
    } catch (error) {
      if (error instanceof BackupRefused) throw new Problem('backup-refused', error.message, { cause: error })
      throw error
    }
    await writer.execute(noteSheet, { step: 'kept' }, options)
    return answer(200, state())
  }

  return [
    route('GET', 'recovery-sheet', 'backups.read', says.read, read),
    route('POST', 'recovery-sheet/actions/begin', 'backups.restore', says.begin, begin),
    route('POST', 'recovery-sheet/actions/confirm', 'backups.restore', says.confirm, confirm),
  ]
}

function answer(status: number, attributes: object): Answer {
  const data = { type: 'recovery-sheet', id: 'recovery-sheet', attributes }
  return { status, text: JSON.stringify({ data }) }
}

/** A sheet is shown once. A dry run makes no sheet, because its words could not be confirmed. */
function expectReal(request: Request): void {
  if (!isTrial(request)) return
  throw new Problem(
    'unknown-parameter',
    'A sheet cannot be made with dryRun. Repeat the request without it.',
    {
      parameter: 'dryRun',
    },
  )
}

const confirmSchema = exactly({
  words: { type: 'array', minItems: 4, maxItems: 4, items: { ...text, minLength: 1, maxLength: 20 } },
})

const members = {
  recipients: { type: 'integer', minimum: 0, description: 'The public keys to which backups are encrypted.' },
  keptAt: nullable({
    ...text,
    format: 'date-time',
    description: 'When words of the newest sheet were typed back; null without a sheet.',
  }),
}

const schema = documentOf('recovery-sheet', exactly(members))

const says = {
  read: {
    id: 'readRecoverySheet',
    summary: 'Read whether a recovery sheet is kept',
    answers: { 200: { schema } },
    problems: ['unknown-parameter'],
  },
  begin: {
    id: 'beginRecoverySheet',
    summary: 'Make a recovery sheet: a new recovery key as 24 words',
    notes:
      'The words are in this answer and nowhere else. Print them, then confirm the words that `asked` names within an hour; until then no backup is encrypted to the sheet.',
    answers: {
      201: {
        schema: documentOf(
          'recovery-sheet',
          exactly({
            ...members,
            property: nullable({ ...text, description: 'The name of the hotel, for the paper.' }),
            words: { type: 'array', minItems: 24, maxItems: 24, items: text },
            identity: { ...text, description: 'The same key as age writes it.' },
            asked: { type: 'array', minItems: 4, maxItems: 4, items: { type: 'integer', minimum: 1 } },
          }),
        ),
      },
    },
    problems: ['unknown-parameter', 'backup-refused'],
    trial: false,
  },
  confirm: {
    id: 'confirmRecoverySheet',
    summary: 'Type back words of the recovery sheet',
    notes: 'In the order of `asked`. From then on each backup is encrypted to the sheet too.',
    body: { schema: confirmSchema, example: { words: ['tower', 'lemon', 'river', 'stone'] } },
    answers: { 200: { schema } },
    problems: ['unknown-parameter', 'backup-refused'],
    trial: false,
  },
} satisfies Record<string, Description>
