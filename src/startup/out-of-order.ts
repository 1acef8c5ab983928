import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { restoreText } from '../backup/restore/restore-text.ts'
import type { Config } from '../config.ts'
import type { Clock } from '../host/clock.ts'
import { dataFiles } from '../host/files/data-files.ts'
import { fileWatch } from '../host/files/file-changes.ts'
import { preferredLanguage } from '../jsonapi/locales/language.ts'
import { urlOf } from '../listen/listen.ts'
import type { Door } from './door.ts'
import { type NotReady, refusing } from './not-ready.ts'

const lookEveryMs = 2_000

/** Why the appliance cannot be used. */
interface OutOfOrder {
  code: 'storage-failing' | 'storage-damaged'
  /** For people; contains no secret. */
  why: string
  /** After so long another start is worth trying even when nothing has changed. */
  againAfterMs: number
}

/** Answers every request with 503 and the reason why the appliance cannot be used. Changes nothing in the data folder. */
export function outOfOrder(
  door: Pick<Door, 'answer' | 'server'>,
  config: Pick<Config, 'data'>,
  clock: Clock,
  { code, why, againAfterMs }: OutOfOrder,
) {
  door.answer(refusing(() => broken(code, why)))
  const changed = Promise.withResolvers<void>()
  const files = [dataFiles.database, ...dataFiles.databaseLogs.slice(0, 1), dataFiles.key].map((name) =>
    join(config.data, name),
  )
  const looking = clock.setInterval(fileWatch(files, changed.resolve), lookEveryMs)
  const again = clock.setTimeout(changed.resolve, againAfterMs)
  return {
    url: urlOf(door.server),
    /**
     * Resolves when another start is worth trying: database or key were changed and are steady again, or the
     * time has passed.
     */
    changed: changed.promise,
    close(): void {
      looking.cancel()
      again.cancel()
    },
  }
}

/**
 * Answers while the appliance is closed and started again with a restored backup: how far the restore is, to who knows its id,
 * and 503 to everybody else.
 */
export function restorePage(data: string): RequestListener {
  const find = (): NotReady => ({
    code: 'starting-up',
    why: 'The property is being replaced by a backup.',
    startup: 'restoring',
    retryAfterSeconds: 1,
    page: {
      title: 'A backup is being restored',
      parts: [
        ['What it means', 'A power cut leaves the one or the other whole.'],
        ['Then', 'The appliance answers again within seconds.'],
      ],
    },
  })
  return refusing(find, ({ url = '/', headers }) => {
    const text = restoreText(data, url, preferredLanguage(headers['accept-language']))
    return text === null ? null : { status: 200, text }
  })
}

function broken(code: OutOfOrder['code'], why: string): NotReady {
  return {
    code,
    why,
    startup: null,
    retryAfterSeconds: 30,
    page: {
      title: 'Out of order',
      parts: [
        [
          'What it means',
          'The appliance answers no requests, and no key can be made or changed. Keys that guests have open their doors as before. Nothing is written to the data folder.',
        ],
        [
          'Then',
          'When the database and its key are in order again, the appliance continues without a restart: within 30 seconds after a file has changed, and otherwise within ten minutes.',
        ],
      ],
    },
  }
}
