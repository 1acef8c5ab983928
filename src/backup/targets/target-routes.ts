import { checkedRoutes } from '../../jsonapi/checked-routes.ts'
import { type Description, documentOf, exactly, listOf } from '../../jsonapi/description.ts'
import { preferredLanguage } from '../../jsonapi/locales/language.ts'
import { expectNoParameters } from '../../jsonapi/query/query.ts'
import { resourceRoutes, type Store } from '../../jsonapi/resource-routes.ts'
import { type Answer, type Request, type Route, routesAt, textOf } from '../../jsonapi/route.ts'
import { isTrial, writeOptions } from '../../jsonapi/write-options.ts'
import { invalidValue, Problem } from '../../resource/problem.ts'
import { backupNamed } from '../backup-files.ts'
import { BackupRefused, problemIn } from '../backup-refused.ts'
import { attributes, documentIn } from '../backup-routes.ts'
import { type BackupTarget, backupTarget } from './backup-target.ts'
import type { Deliveries } from './deliveries.ts'
import { openTarget } from './open-target.ts'
import { secretContext, settingsOf } from './opened-targets.ts'
import { expectUsable } from './target-address.ts'
import type { Delivered } from './target-commands.ts'

interface Options {
  deliveries: Deliveries
  seal(text: string, context: string): string
  unseal(sealed: string, context: string): string
}

type Attributes = Record<string, unknown>

const base = '/api/config/v1'
const route = routesAt(base)

/** Returns the routes of the targets of backups. */
export function targetRoutes(store: Store, { deliveries, seal, unseal }: Options): Route[] {
  const one = `${backupTarget.path}/:id`
  return [
    ...resourceRoutes(store, backupTarget).map(inItsLanguage),
    ...checkedRoutes(store, backupTarget, async ({ secret, ...sent }, kept, whole) => {
      expectUsable(whole)
      if (typeof secret === 'string') return { ...sent, secret: seal(secret, secretContext) }
      expectSameAddress(kept, whole)
      return sent
    }),
    route('POST', `${one}/actions/send`, 'backups.write', says.send, send),
    route('GET', `${one}/backups`, 'backups.read', says.list, list),
  ]

  function found({ params }: Request): BackupTarget {
    const row = store.reader.row(backupTarget, params.id ?? '')
    if (!row) throw new Problem('not-found', 'There is no such backup-target.')
    return row
  }

  async function send(request: Request): Promise<Answer> {
    if (isTrial(request))
      throw new Problem(
        'unknown-parameter',
        'A backup cannot be sent with dryRun. Repeat the request without it.',
        {
          parameter: 'dryRun',
        },
      )
    const options = writeOptions(request)
    const before = options.idempotency?.answered?.output as Delivered | undefined
    const { id, backup, verifiedAt } = before ?? (await orRefused(deliveries.send(found(request), options)))
    const attributes = { backup, verifiedAt: new Date(verifiedAt).toISOString() }
    return { status: 200, text: JSON.stringify({ data: { type: 'backup-delivery', id, attributes } }) }
  }

  async function list(request: Request): Promise<Answer> {
    expectNoParameters(request.query)
    const row = found(request)
    const target = await orRefused(openTarget(settingsOf(row, unseal)))
    try {
      const files = await orRefused(target.list())
      const backups = files.flatMap(({ name, bytes }) => backupNamed(name, bytes) ?? [])
      const data = backups.sort((one, other) => other.takenAt - one.takenAt).map(documentIn)
      const self = `${base}/${backupTarget.path}/${row.id}/backups`
      return { status: 200, text: JSON.stringify({ data, links: { self } }) }
    } finally {
      target.close()
    }
  }
}

/** Returns the route with each `problem` in the language of the request. It is stored in English. */
function inItsLanguage(read: Route): Route {
  if (read.method !== 'GET') return read
  return {
    ...read,
    async handle(request) {
      const { bytes, ...answer } = await read.handle(request)
      const english = textOf({ ...answer, ...(bytes && { bytes }) })
      const language = preferredLanguage(request.header('accept-language'))
      if (english === undefined) return answer
      const text = JSON.stringify(JSON.parse(english), (name, value: unknown) =>
        name === 'problem' && typeof value === 'string' ? problemIn(language, value) : value,
      )
      return { ...answer, text, describesMore: true }
    },
  }
}

async function orRefused<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof BackupRefused) throw new Problem('backup-refused', error.message, { cause: error })
    throw error
  }
}

/** Otherwise a client could direct the stored secret to an address of its own. */
function expectSameAddress(kept: Attributes | null, whole: Attributes): void {
  if (!kept?.secret) return
  const changed = (['kind', 'url', 'user', 'hostKey'] as const).some(
    (name) => (kept[name] ?? null) !== (whole[name] ?? null),
  )
  if (changed)
    throw invalidValue('/secret', 'The address has changed. Send the secret again with it.', {
      expected: 'secret',
    })
}

const delivery = exactly({
  backup: { type: 'string', description: 'The id of the backup.' },
  verifiedAt: { type: 'string', format: 'date-time' },
})

const says = {
  send: {
    id: 'sendBackup',
    summary: 'Send the newest backup to a target now',
    notes:
      'Answers when the backup was read back from the target and found undamaged, which can take minutes. An upload that was cut off goes on where S3 and SFTP allow it.',
    path: { id: { schema: { type: 'string' }, notes: 'The id of a target.' } },
    answers: { 200: { schema: documentOf('backup-delivery', delivery) } },
    problems: ['backup-refused', 'not-found'],
    trial: false,
  },
  list: {
    id: 'listBackupsAtTarget',
    summary: 'List the backups at a target, the newest first',
    path: { id: { schema: { type: 'string' }, notes: 'The id of a target.' } },
    answers: { 200: { schema: listOf('backup', attributes) } },
    problems: ['unknown-parameter', 'backup-refused', 'not-found'],
  },
} satisfies Record<string, Description>
