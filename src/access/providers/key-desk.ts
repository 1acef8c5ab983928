import type { ServiceAnswer, ServiceRequest } from '../../devices/key-service.ts'
import { Problem } from '../../resource/problem.ts'
import type { Access } from '../access.ts'
import { controllerBy } from '../lookups.ts'
import type { AccessController } from '../resources/access-controller.ts'
import type { ServedEncoder } from '../resources/key-service.ts'
import { issueForService, keyRequestOf, readForService, revokeForService } from './key-service-orders.ts'
import { failedAnswer } from './key-service-texts.ts'

/** Who orders a key: by which way, which names what its reservations are called here, and its words for our encoders. */
interface Orderer {
  way: string
  encoders: readonly ServedEncoder[]
}

/** Does what a foreign PMS orders of keys. Never rejects: whatever happens, the PMS is told. */
export type KeyDesk = (from: Orderer, request: ServiceRequest) => Promise<ServiceAnswer>

type Work = (from: Orderer, request: ServiceRequest) => Promise<ServiceAnswer>

/** The desk at which the controllers of the house answer. */
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

  /** The controller that a PMS means by its word; throws a Problem for a word that is not set up. */
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

/** A card that is out opens its door until something ends it: nobody can say otherwise. */
const workingStill = 'Noted; the card works until it is ended'
