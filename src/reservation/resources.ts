import type { Resource } from '../resource/resource.ts'
import { amenity } from './resources/amenity.ts'
import { cancellationPolicy } from './resources/cancellation-policy.ts'
import { handOver } from './resources/hand-over.ts'
import { helpCall } from './resources/help-call.ts'
import { kioskImage } from './resources/kiosk-image.ts'
import { payment } from './resources/payment.ts'
import { profile } from './resources/profile.ts'
import { property } from './resources/property.ts'
import { ratePlan } from './resources/rate-plan.ts'
import { registration } from './resources/registration.ts'
import { reservation } from './resources/reservation.ts'
import { service } from './resources/service.ts'
import { settings } from './resources/settings.ts'
import { stay } from './resources/stay.ts'
import { unit } from './resources/unit.ts'
import { unitType } from './resources/unit-type.ts'

/** Every resource of the reservation interface. A resource comes before the resources that refer to it. */
export const reservationResources: readonly Resource[] = [
  settings,
  kioskImage,
  property,
  amenity,
  unitType,
  unit,
  profile,
  service,
  cancellationPolicy,
  ratePlan,
  reservation,
  stay,
  registration,
  payment,
  handOver,
  helpCall,
]
