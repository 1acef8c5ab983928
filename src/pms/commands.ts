import type { Command } from '../resource/command.ts'
import { forgetWebhooks, registerWebhook } from './adapters/cloudevents/webhooks.ts'
import { recordEvent } from './capabilities/record-event.ts'

/** All commands of the PMS module. */
export const pmsCommands: readonly Command[] = [recordEvent, registerWebhook, forgetWebhooks]
