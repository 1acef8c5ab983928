import { invalidValue } from '../../resource/problem.ts'
import type { TargetKind } from './target.ts'

const schemes: Record<TargetKind, readonly string[]> = {
  folder: ['file:'],
  s3: ['https:', 'http:'],
  webdav: ['https:', 'http:'],
  sftp: ['sftp:'],
}

/** Throws validation-failed for an address that does not fit the kind of target, and for an unencrypted protocol. */
export function expectUsable({ kind, url }: { kind?: unknown; url?: unknown }): void {
  const allowed = schemes[kind as TargetKind]
  const expected = `an address with ${allowed.join('//... or ')}//...`
  const parsed = URL.canParse(String(url)) ? new URL(String(url)) : null
  if (!parsed || !allowed.includes(parsed.protocol))
    throw invalidValue('/url', `url: expected ${expected} for ${kind}.`, { expected })
  if (parsed.username || parsed.password || parsed.search || parsed.hash)
    throw invalidValue('/url', 'url: give user and secret as attributes of their own.', { expected })
  const isNear =
    /^(localhost|127(\.\d+){3}|10(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|\[::1\]|.*\.local)$/
  if (parsed.protocol === 'http:' && !isNear.test(parsed.hostname))
    throw invalidValue('/url', 'url: http would send the secret unencrypted over the internet. Use https.', {
      expected: 'https',
    })
  if (kind === 'folder' && parsed.host !== '')
    throw invalidValue('/url', 'url: expected file:/// with three slashes and an absolute path.', {
      expected,
    })
}
