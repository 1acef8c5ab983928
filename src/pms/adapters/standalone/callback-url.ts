import { peerPolicies, urlProblem } from '../../../devices/network/peer-address.ts'

/** Null for an address that may be called back: HTTPS to anywhere, or HTTP within the house. Otherwise what is wrong. */
export function callbackProblem(text: string): string | null {
  return urlProblem('callbackUrl', text, peerPolicies.pms)
}
