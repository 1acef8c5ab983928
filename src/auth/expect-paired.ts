import { Problem } from '../resource/problem.ts'
import type { Redeemed } from './pairing-code.ts'

/** Throws unauthenticated, and rate-limited for an address that must wait. */
export function expectPaired(redeemed: Redeemed): void {
  if (redeemed.is === 'paired') return
  if (redeemed.is === 'waiting') {
    const detail = `There were too many wrong codes from this address. Try again in ${redeemed.seconds} s.`
    throw new Problem('rate-limited', detail, {
      meta: { policy: 'auth', retryAfterSeconds: redeemed.seconds },
    })
  }
  const detail = 'The pairing code is not valid. The console of the appliance shows the valid one.'
  throw new Problem('unauthenticated', detail, { pointer: '/code' })
}
