import type { Command } from '../resource/command.ts'
import { syncHouse } from './adapters/standalone/sync.ts'
import { forgetWebhooks, registerWebhook } from './adapters/standalone/webhooks.ts'
import { recordEvent } from './capabilities/record-event.ts'

/** All commands of the PMS module. */
export const pmsCommands: readonly Command[] = [recordEvent, syncHouse, registerWebhook, forgetWebhooks]
