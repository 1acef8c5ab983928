import type { Command } from '../resource/command.ts'
import { recordEvent } from './record-event.ts'
import { syncHouse } from './standalone/sync.ts'
import { forgetWebhooks, registerWebhook } from './standalone/webhooks.ts'

/** All commands of the PMS module. */
export const upstreamChanges: readonly Command[] = [recordEvent, syncHouse, registerWebhook, forgetWebhooks]
