import type { Change } from '../resource/change.ts'
import { recordEvent } from './record-event.ts'
import { syncHouse } from './standalone/sync.ts'
import { forgetWebhooks, registerWebhook } from './standalone/webhooks.ts'

/** Everything the PMS side writes. */
export const upstreamChanges: readonly Change[] = [recordEvent, syncHouse, registerWebhook, forgetWebhooks]
