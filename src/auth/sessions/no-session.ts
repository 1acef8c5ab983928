import { Problem } from '../../resource/problem.ts'

/**
 * The refusal for a browser whose session has ended or never existed. It does not count as a failed authentication.
 */
export function noSession(): Problem {
  return new Problem('unauthenticated', 'No session goes on in this browser. Sign in.', { header: 'Cookie' })
}
