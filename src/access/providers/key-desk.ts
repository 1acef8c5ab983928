import type { ServiceAnswer, ServiceRequest } from '../../devices/key-service.ts'
import { Problem } from '../../resource/problem.ts'
import type { Access } from '../access.ts'
import { controllerBy } from '../lookups.ts'
import type { AccessController } from '../resources/access-controller.ts'
import type { ServedEncoder } from '../resources/key-service.ts'
import { issueForService, keyRequestOf, readForService, revokeForService } from './key-service-orders.ts'
import { failedAnswer } from './key-service-texts.ts'

/**
 * The PMS that orders a key: its driver, which is the prefix of its reservation numbers here, and its codes for
 * encoders.
 */
interface Orderer {
  way: string
  encoders: readonly ServedEncoder[]
}

/** Executes a key order of a foreign PMS. Never rejects: every failure is an answer. */
export type KeyDesk = (from: Orderer, request: ServiceRequest) => Promise<ServiceAnswer>

type Work = (from: Orderer, request: ServiceRequest) => Promise<ServiceAnswer>

/** Returns the function that executes the key orders of foreign PMSs at the property's controllers. */
export function keyDesk(access: Access): KeyDesk {
  const kinds: Record<ServiceRequest['kind'], Work> = {
    async create({ way, encoders }, request) {
      const controller = controllerOf(encoders, request)
      const { uid } = await issueForService(access, controller, keyRequestOf(access, way, request))
      return { outcome: 'done', text: null, uid, found: null }
    },
    async revoke({ way }, request) {
      const count = await revokeForService(access, way, request)
      const text = count > 0 ? workingStill : 'There was no such key'
      return { outcome: 'done', text, uid: null, found: null }
    },
    async read({ way, encoders }, request) {
      const controller = controllerOf(encoders, request)
      const { uid, isBlank, ...found } = await readForService(access, way, controller)
      if (isBlank) return { outcome: 'refused', text: 'The card is blank' }
      if (found.unit === null) return { outcome: 'refused', text: 'The card is no key of this house' }
      return { outcome: 'done', text: null, uid, found }
    },
  }

  /** The controller for the PMS's encoder code. Throws controller-not-found for a code that is not configured. */
  function controllerOf(encoders: Orderer['encoders'], { encoder }: ServiceRequest): AccessController {
    const found = encoders.find(({ code }) => code === encoder)
    if (!found) throw new Problem('controller-not-found', 'The encoder is not set up here')
    return controllerBy(access, found.controllerId)
  }

  return async (from, request) => {
    try {
      return await kinds[request.kind](from, request)
    } catch (error) {
      return failedAnswer(error, access.failed)
    }
  }
}

/** The text for a revoked card, which opens its door until something ends it. */
const workingStill = 'Noted; the card works until it is ended'
