import { Problem } from '../../resource/problem.ts'

/** The refusal of a browser whose session has ended, or was none. It is no failed authentication. */
export function noSession(): Problem {
  return new Problem('unauthenticated', 'No session goes on in this browser. Sign in.', { header: 'Cookie' })
}
