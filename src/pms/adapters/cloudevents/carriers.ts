import type { Transport } from '../../resources/pms-configuration.ts'
import type { CarrierKind } from './carrier.ts'
import { httpCarrierKind } from './http/http-carrier.ts'
import { mqttCarrierKind } from './mqtt/mqtt-carrier.ts'

/** All carriers, by the transport of a configuration. */
export const carriers: Partial<Record<Transport, CarrierKind>> = {
  http: httpCarrierKind,
  mqtt: mqttCarrierKind,
}
