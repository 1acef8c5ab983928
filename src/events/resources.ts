import type { Resource } from '../resource/resource.ts'
import { webhook } from './resources/webhook.ts'
import { webhookDelivery } from './resources/webhook-delivery.ts'

/** The resources of this module; those that others refer to come first. */
export const eventResources: readonly Resource[] = [webhook, webhookDelivery]
