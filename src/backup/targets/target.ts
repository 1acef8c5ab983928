import { lineTrouble } from '../../devices/network/line-trouble.ts'
import { BackupRefused } from '../backup-refused.ts'

export const targetKinds = ['folder', 's3', 'webdav', 'sftp'] as const
export type TargetKind = (typeof targetKinds)[number]

/** The settings for opening a target. */
export interface TargetSettings {
  name: string
  kind: TargetKind
  url: string
  user: string | null
  /** The plain secret: a password, a secret key or a private key in PEM. */
  secret: string | null
  /** SFTP: the fingerprint of the server's key, as `SHA256:...`. */
  hostKey: string | null
  /** S3: the region. */
  region: string | null
}

/** A file at a target. */
export interface TargetFile {
  name: string
  bytes: number
}

export interface Sending {
  bytes: number
  signal: AbortSignal
  /** Called with the number of bytes at the target, including those of an earlier attempt. */
  sent(bytes: number): void
}

/**
 * A place outside the box that stores backups. No call keeps more than a part of a file in memory. A file gets its
 * final name when it is complete. Every call rejects with BackupRefused, whose message names the remedy.
 */
export interface Target {
  /** Returns all files of the target's folder. */
  list(): Promise<TargetFile[]>
  /** Uploads a file. If the protocol allows it, an interrupted upload continues where it ended. */
  send(file: string, name: string, how: Sending): Promise<void>
  /** Returns the content of a file from a byte on. */
  read(name: string, from: number, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>
  remove(name: string): Promise<void>
  close(): void
}

/**
 * Converts the error of a call to BackupRefused. A BackupRefused and the reason of an aborted signal stay unchanged.
 */
export function refusedBy({ name, url }: Pick<TargetSettings, 'name' | 'url'>, error: unknown): unknown {
  if (error instanceof BackupRefused) return error
  const { message, cause, name: kind } = error as Error & { cause?: { message?: string; code?: string } }
  if (kind === 'AbortError') return error
  const { code = (error as NodeJS.ErrnoException).code } = cause ?? {}
  if (code === 'ENOSPC')
    return new BackupRefused(`${name} is full. Free some space there, or use another target.`)
  if (code === 'EFBIG')
    return new BackupRefused(
      `${name} takes no file of this size. FAT32 ends at 4 GiB: format the stick with exFAT, or use another target.`,
    )
  const host = new URL(url).host || new URL(url).pathname
  const why = cause?.message ?? cause?.code ?? message
  return new BackupRefused(sentenceOf(error, name, host, why || String(code)), { cause: error })
}

function sentenceOf(error: unknown, name: string, host: string, why: string): string {
  // As ssh2 names it.
  if ((error as { level?: string }).level === 'client-authentication')
    return `${name} (${host}) refuses the sign-in. Check user and secret.`
  const trouble = lineTrouble(error)
  if (trouble === 'unknown-name')
    return `${name} (${host}) cannot be found: no name server knows it. Check its address and the line of the box.`
  if (trouble === 'silent' || trouble === 'refused')
    return `${name} (${host}) does not answer. Check whether it is plugged in and switched on, and its address.`
  if (trouble === 'cut')
    return `${name} (${host}) has ended the connection. If this persists, ask its operator.`
  if (trouble === 'certificate')
    return `${name} (${host}) shows a certificate that is not trusted, or has ended. Check its address, and ask its operator.`
  return `${name} (${host}) cannot be used: ${why}. Check whether it is plugged in and switched on, its address and its credentials.`
}

/** Wraps a target so that each error becomes BackupRefused. */
export function refusing(settings: TargetSettings, target: Target): Target {
  const tried = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw refusedBy(settings, error)
    }
  }
  return {
    list: () => tried(() => target.list()),
    send: (file, name, how) => tried(() => target.send(file, name, how)),
    async read(name, from, signal) {
      const content = await tried(() => target.read(name, from, signal))
      return (async function* () {
        try {
          yield* content
        } catch (error) {
          throw refusedBy(settings, error)
        }
      })()
    },
    remove: (name) => tried(() => target.remove(name)),
    close: () => target.close(),
  }
}
