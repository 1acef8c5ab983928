import { preferredLanguage } from '../../jsonapi/locales/language.ts'
import { expectNoParameters, unknownParameter } from '../../jsonapi/query/query.ts'
import { type Answer, type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import { bodyOf } from '../../jsonapi/schemas/validate.ts'
import { withoutDryRun } from '../../jsonapi/write-options.ts'
import type { Reader } from '../../resource/keeper.ts'
import { Problem } from '../../resource/problem.ts'
import { BackupRefused, problemIn } from '../backup-refused.ts'
import type { BackupSource } from '../source.ts'
import type { TargetSettings } from '../targets/target.ts'
import { expectUsable } from '../targets/target-address.ts'
import { newerChanges } from './newer-changes.ts'
import {
  beginSchema,
  fileType,
  keySchema,
  largestPart,
  newBoxListSchema,
  newBoxSchema,
  restoreSays as says,
} from './restore-descriptions.ts'
import type { RestoreRecord } from './restore-record.ts'
import { documentOf, type Going } from './restore-text.ts'
import type { Origin, Restores } from './restores.ts'

const base = '/api/config/v1'
const route = routesAt(base)

interface Options {
  restores: Restores
  reader: Pick<Reader, 'journalBefore'>
  /** Throws a Problem unless the appliance has no owner and this is its pairing code. */
  expectUnowned(code: string, address: string): void
  /** Throws session-locked for a request of a browser whose session is locked. */
  expectUnlocked(message: Request['message']): void
}

/** What a person with the pairing code of a box without an owner says. */
interface OnNewBox {
  code: string
  target?: Pick<TargetSettings, 'kind' | 'url'> &
    Partial<Record<'user' | 'secret' | 'hostKey' | 'region', string>>
}

/**
 * Returns the routes of a restore. An administrator starts it, or a person with the pairing code of a box without an
 * owner. From then on the id of the restore authorises the requests, because the sessions and tokens of the replaced
 * property end with it. A browser whose session is locked reads and uploads only.
 */
export function restoreRoutes(own: Options): Route[] {
  return [
    route('GET', 'restorable-backups', 'backups.read', says.list, (request) => list(own, request)),
    route('POST', 'restores', 'backups.restore', says.begin, (request) => begin(own, request)),
    {
      ...route('POST', 'restores/actions/begin-on-new-box', null, says.beginNew, (request) =>
        beginOnNewBox(own, request),
      ),
      quota: 'auth',
    },
    {
      ...route('POST', 'restores/actions/list-on-new-box', null, says.listNew, (request) =>
        listOnNewBox(own, request),
      ),
      quota: 'auth',
    },
    route('GET', 'restores/:id', null, says.read, (request) => read(own, request)),
    {
      ...route('PATCH', 'restores/:id/content', null, says.receive, (request) => receive(own, request)),
      takes: [fileType],
      quota: 'file',
    },
    route('POST', 'restores/:id/actions/open', null, says.open, (request) => open(own, request)),
    route('POST', 'restores/:id/actions/apply', null, says.apply, (request) => apply(own, request)),
    route('DELETE', 'restores/:id', null, says.cancel, (request) => cancel(own, request)),
  ]
}

function at({ restores }: Options, request: Request): RestoreRecord {
  const record = restores.find(request.params.id ?? '')
  if (record) return record
  throw new Problem('not-found', 'There is no such restore, or a newer one has replaced it.')
}

function answer(own: Options, { header }: Request, status: number, record: RestoreRecord): Answer {
  const language = preferredLanguage(header('accept-language'))
  return {
    status,
    text: JSON.stringify({ data: documentOf(record, language, going(own, record)) }),
    ...(status === 201 && { headers: { Location: `${base}/restores/${record.id}` } }),
  }
}

function going({ restores, reader }: Options, { state, contents }: RestoreRecord): Going {
  return {
    phase: restores.phase(),
    progress: restores.progress(),
    received: state === 'receiving' ? restores.received() : null,
    losses: state === 'ready' && contents ? newerChanges(reader, Date.parse(contents.takenAt)) : null,
  }
}

async function begin(own: Options, request: Request): Promise<Answer> {
  withoutDryRun(request)
  const origin = await bodyOf<Origin>(request, beginSchema)
  return answer(own, request, 201, await refusing(() => own.restores.begin(origin)))
}

async function beginOnNewBox(own: Options, request: Request): Promise<Answer> {
  withoutDryRun(request)
  type Wanted = OnNewBox & Origin & { backup?: string }
  const { code, target, ...origin } = await bodyOf<Wanted>(request, newBoxSchema)
  own.expectUnowned(code, request.remoteAddress)
  const place = target && given(own, target).id
  const begun = () => own.restores.begin(place ? { place, backup: origin.backup ?? '' } : origin)
  return answer(own, request, 201, await refusing(begun))
}

async function listOnNewBox(own: Options, request: Request): Promise<Answer> {
  withoutDryRun(request)
  const { code, target } = await bodyOf<OnNewBox>(request, newBoxListSchema)
  own.expectUnowned(code, request.remoteAddress)
  return listAt(request, target ? [given(own, target)] : own.restores.sources())
}

function given({ restores }: Options, target: NonNullable<OnNewBox['target']>): BackupSource {
  expectUsable(target)
  const { kind, url, user = null, secret = null, hostKey = null, region = null } = target
  return restores.give({ name: new URL(url).host || url, kind, url, user, secret, hostKey, region })
}

async function receive(own: Options, request: Request): Promise<Answer> {
  const { restores } = own
  const { query, message } = request
  if (Number(message.headers['content-length'] ?? 0) > largestPart)
    throw new Problem('body-too-large', `A part has at most ${largestPart} bytes. Nothing was stored.`, {
      meta: { limit: largestPart },
    })
  const record = at(own, request)
  for (const name of query.keys()) if (name !== 'offset') throw unknownParameter(name, ['offset'])
  expectState(record, 'receiving')
  const received = restores.received()
  // A client that has lost its line sends the part again, while this box still waits for the rest of the first one.
  if (restores.isReceiving())
    throw new Problem('restore-refused', 'Another part is being received. Send one part after the other.', {
      meta: { received },
    })
  if (query.get('offset') !== String(received))
    throw new Problem('restore-refused', `The box has ${received} bytes of the file. Go on from there.`, {
      parameter: 'offset',
      meta: { received },
    })
  const chunks = message.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>
  await refusing(() => restores.receive(untilLost(chunks, message)))
  return answer(own, request, 200, at(own, request))
}

async function open(own: Options, request: Request): Promise<Answer> {
  own.expectUnlocked(request.message)
  type Key = { recoveryKey: string; passphrase?: string }
  const { recoveryKey, passphrase } = await bodyOf<Key>(request, keySchema)
  expectState(at(own, request), 'waiting-for-key')
  withoutDryRun(request)
  return answer(own, request, 202, own.restores.begins(recoveryKey, passphrase || null))
}

function apply(own: Options, request: Request): Answer {
  own.expectUnlocked(request.message)
  withoutDryRun(request)
  expectState(at(own, request), 'ready')
  return answer(own, request, 202, own.restores.apply())
}

async function cancel(own: Options, request: Request): Promise<Answer> {
  own.expectUnlocked(request.message)
  withoutDryRun(request)
  const { state } = at(own, request)
  if (state === 'replacing' || state === 'done')
    throw refused('The property is replaced already. To go back, restore another backup.')
  if (state !== 'canceled') await own.restores.cancel()
  return { status: 204 }
}

function read(own: Options, request: Request): Answer {
  expectNoParameters(request.query)
  return answer(own, request, 200, at(own, request))
}

function list({ restores }: Options, request: Request): Promise<Answer> {
  expectNoParameters(request.query)
  return listAt(request, restores.sources())
}

async function listAt({ header }: Request, sources: readonly BackupSource[]): Promise<Answer> {
  const language = preferredLanguage(header('accept-language'))
  const found = await Promise.all(sources.map(backupsAt))
  const unreachable = found.flatMap(({ place, problem }) =>
    problem === null ? [] : [{ place, problem: problemIn(language, problem) }],
  )
  const data = found.flatMap(({ backups }) => backups)
  return { status: 200, text: JSON.stringify({ data, meta: { unreachable } }) }
}

async function backupsAt({ id: place, list }: BackupSource) {
  try {
    const backups = (await list()).map(({ id, name, reason, takenAt, bytes }) => ({
      type: 'restorable-backup',
      id: `${place}.${id}`,
      attributes: { place, backup: id, name, reason, takenAt: new Date(takenAt).toISOString(), bytes },
    }))
    return { place, backups, problem: null }
  } catch (error) {
    return { place, backups: [], problem: (error as Error).message }
  }
}

/** The chunks of a request. Throws BackupRefused when its line is lost, which is no fault of the box. */
async function* untilLost(
  chunks: AsyncIterable<Uint8Array>,
  message: Request['message'],
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks
  } catch (error) {
    if (message.complete) throw error
    throw new BackupRefused('The line was lost. What arrived stays.', { cause: error })
  }
}

function expectState({ state }: RestoreRecord, expected: RestoreRecord['state']): void {
  if (state === expected) return
  throw new Problem(
    'restore-refused',
    `The restore is ${state}, and this is possible only while it is ${expected}. Read the restore again.`,
    { meta: { state } },
  )
}

const refused = (detail: string) => new Problem('restore-refused', detail)

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BackupRefused) throw new Problem('restore-refused', error.message, { cause: error })
    throw error
  }
}
