import type { Resource } from '../resource/resource.ts'
import { webhook } from './resources/webhook.ts'
import { webhookDelivery } from './resources/webhook-delivery.ts'

/** Every resource of this room, those that others point at first. */
export const eventResources: readonly Resource[] = [webhook, webhookDelivery]
