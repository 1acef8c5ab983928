import type { Resource } from '../resource/resource.ts'
import { pmsConfiguration } from './resources/pms-configuration.ts'
import { pmsWebhook } from './resources/pms-webhook.ts'

/** Every resource of the PMS side, those that others point at first. */
export const upstreamResources: readonly Resource[] = [pmsConfiguration, pmsWebhook]
