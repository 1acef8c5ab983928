import type { CarrierNotifications } from '../carrier.ts'

/** The followers of a carrier. A new follower receives the current state of the line at once. */
export function carrierFollowers() {
  const followers = new Set<CarrierNotifications>()
  let current: Parameters<CarrierNotifications['line']> | null = null

  return {
    message(bytes: Uint8Array): void {
      for (const follower of followers) follower.message(bytes)
    },
    /** Reports a state of the line that differs from the current one. */
    line(...state: Parameters<CarrierNotifications['line']>): void {
      if (current?.[0] === state[0] && current[1] === state[1]) return
      current = state
      for (const follower of followers) follower.line(...state)
    },
    follow(follower: CarrierNotifications): () => void {
      followers.add(follower)
      if (current) follower.line(...current)
      return () => void followers.delete(follower)
    },
  }
}
