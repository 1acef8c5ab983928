import { cloudEvents } from '../../../../src/pms/adapters/cloudevents/cloudevents.ts'
import { mqttCarrier } from '../../../../src/pms/adapters/cloudevents/mqtt/mqtt-carrier.ts'
import { cloudEventsSync } from '../../../../src/pms/adapters/cloudevents/sync.ts'
import type { Adapter } from '../../../../src/pms/contract.ts'
import { property } from '../../../../src/reservation/resources/property.ts'
import { soon } from '../../../pms/adapters/cloudevents/mqtt/mqtt-peer.ts'

/** The open contract over a broker to which it comes back at once, so that a test need not wait. */
export const quickCloudEvents: Adapter = {
  ...cloudEvents,
  open({ configuration, credentials, appliance }) {
    const carrier = mqttCarrier(
      {
        configurationId: configuration.id,
        connection: configuration.connection ?? {},
        credentials,
        heartbeatSeconds: 60,
        timeoutMs: configuration.timeoutMs ?? 300,
        epoch: () => 1,
        source: () => {
          const [row] = appliance.reader.rows(property, { filters: [], sort: [], page: { size: 1 } })
          return `urn:property:${row?.id}`
        },
        clock: appliance.clock,
      },
      soon,
    )
    const { side } = cloudEventsSync({ carrier, lends: false, failed: appliance.failed })
    return {
      capabilities: () => ({ flags: [], extensions: [], rateLimit: null, timeZone: null }),
      extension: () => ({ is: 'not-implemented' }),
      sync: side,
      close: () => carrier.close(),
    }
  },
}
